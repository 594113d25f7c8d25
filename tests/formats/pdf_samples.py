"""Small PDFs made on the spot, and what another library reads from a PDF."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import pikepdf
import pypdfium2
from reportlab.lib.pagesizes import A4
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

PROSE = (
    "The committee met on Monday to discuss the annual",
    "report. It decided that the remaining funds would be",
    "returned to the members before the end of the year.",
)
"""Three lines of one paragraph, all about equally wide."""


def drawn_pdf(path: Path, *pages: Callable[[Canvas], object], **info: str) -> Path:
    """A PDF with a page for each of ``pages``; ``info`` sets title and subject."""
    canvas = Canvas(str(path), pagesize=A4, invariant=1)
    canvas.setTitle(info.get("title", ""))
    canvas.setSubject(info.get("subject", ""))
    for draw in pages:
        draw(canvas)
        canvas.showPage()
    canvas.save()
    return path


def lines(
    *texts: str,
    x: float = 72,
    top: float = 760,
    size: float = 11,
    leading: float = 14,
    font: str = "Helvetica",
) -> Callable[[Canvas], None]:
    """Draws ``texts`` below each other."""

    def draw(canvas: Canvas) -> None:
        canvas.setFont(font, size)
        for row, text in enumerate(texts):
            canvas.drawString(x, top - row * leading, text)

    return draw


def together(*parts: Callable[[Canvas], object]) -> Callable[[Canvas], None]:
    """Draws all ``parts`` on one page."""

    def draw(canvas: Canvas) -> None:
        for part in parts:
            part(canvas)

    return draw


def grey_image(x: float, y: float, width: float, height: float) -> Callable[[Canvas], None]:
    """Draws an image without text."""

    def draw(canvas: Canvas) -> None:
        from PIL import Image

        canvas.drawImage(ImageReader(Image.new("L", (20, 20), 200)), x, y, width, height)

    return draw


def edited(path: Path, change: Callable[[pikepdf.Pdf], object]) -> Path:
    """``path`` after ``change``."""
    with pikepdf.open(path, allow_overwriting_input=True) as pdf:
        change(pdf)
        pdf.save(path)
    return path


def read_back(path: Path) -> list[str]:
    """The text of each page as pdfium reads it."""
    document = pypdfium2.PdfDocument(path)
    return [page.get_textpage().get_text_range() for page in document]


def words(text: str) -> list[str]:
    """The words of ``text`` in order."""
    return re.findall(r"\w+", text)


def spanish(texts: Sequence[str]) -> list[str]:
    """Stand-ins for translations: every word longer, and with an accent."""
    return [re.sub(r"[^\W\d_]+", lambda match: match[0][::-1] + "ción", text) for text in texts]


def pixels(path: Path, page: int = 0) -> bytes:
    """The rendered page."""
    bitmap = pypdfium2.PdfDocument(path)[page].render(scale=0.5)
    buffer = io.BytesIO()
    bitmap.to_pil().convert("L").save(buffer, "PNG")
    return buffer.getvalue()
