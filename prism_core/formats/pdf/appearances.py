"""The drawn form of notes and form fields whose words are shown on the page."""

from __future__ import annotations

import io
import re

import pikepdf
from pikepdf import Name
from reportlab.pdfgen.canvas import Canvas

from prism_core.formats.pdf.blocks import Block
from prism_core.formats.pdf.drawing import Obstacles, fit_text
from prism_core.formats.pdf.geometry import Box
from prism_core.formats.pdf.libraries import drop
from prism_core.formats.pdf.style import Colour, Style, colour_of, font_for

_PADDING = 2.0
_LARGEST = 12.0
_ASCENT = 0.9
_SIZE = re.compile(r"([\d.]+)\s+Tf")
_COLOUR = re.compile(r"((?:[\d.]+\s+){1,4})(?:g|rg|k)\b")
_SHOWS_TEXT = frozenset({"Tj", "TJ", "'", '"'})


def redraw(pdf: pikepdf.Pdf, annotation: pikepdf.Object, text: str, default: str) -> bool:
    """Draw ``annotation`` anew with ``text``; ``default`` is its default appearance string.

    False when our fonts lack a letter or it has no size: then the old drawing is only removed.
    """
    drop(annotation, Name.AP, Name.RC, Name.RV)
    box = _box_of(annotation)
    if box is None or box.width < 2 * _PADDING or box.height < 2 * _PADDING:
        return False
    drawing = _draw_text(box, text, default, _background_of(annotation))
    if drawing is None:
        return False
    with pikepdf.open(io.BytesIO(drawing)) as page:
        form = pdf.copy_foreign(page.pages[0].as_form_xobject())
    annotation[Name.AP] = pikepdf.Dictionary(N=form)
    return True


def shows_text(annotation: pikepdf.Object) -> bool:
    """Whether the drawing of ``annotation`` holds words of its own."""
    appearance = annotation.get(Name.AP)
    if not isinstance(appearance, pikepdf.Dictionary):
        return False
    normal = appearance.get(Name.N)
    states = list(normal.as_dict().values()) if isinstance(normal, pikepdf.Dictionary) else [normal]
    return any(isinstance(state, pikepdf.Stream) and _draws_text(state) for state in states)


def _draws_text(form: pikepdf.Stream) -> bool:
    try:
        instructions = pikepdf.parse_content_stream(form)
    except (pikepdf.PdfError, ValueError, TypeError):
        return True  # unreadable, so it may
    return any(str(instruction.operator) in _SHOWS_TEXT for instruction in instructions)


def _box_of(annotation: pikepdf.Object) -> Box | None:
    """The size of the annotation, with its corner at the origin."""
    try:
        x0, y0, x1, y1 = (float(value) for value in annotation[Name.Rect].as_list())
    except (KeyError, ValueError, TypeError, AttributeError):
        return None
    return Box(0, 0, abs(x1 - x0), abs(y1 - y0))


def _look_of(default: str, box: Box) -> tuple[float, Colour]:
    """The size and colour that a default appearance string asks for."""
    size = _SIZE.search(default)
    asked = float(size[1]) if size else 0.0
    automatic = min(_LARGEST, box.height * 0.7)  # size 0 leaves the choice to the viewer
    colour = _COLOUR.search(default)
    levels = [float(level) for level in colour[1].split()] if colour else [0.0]
    return asked or automatic, colour_of(levels)


def _background_of(annotation: pikepdf.Object) -> Colour | None:
    """The fill of a note (C) or of a field (MK, BG); None when it is clear."""
    fill = annotation.get(Name.C)
    if annotation.get(Name.Subtype) == Name.Widget:
        characteristics = annotation.get(Name.MK, pikepdf.Dictionary())
        fill = characteristics.get(Name.BG)
    if not isinstance(fill, pikepdf.Array) or not len(fill):
        return None
    return colour_of([float(level) for level in fill.as_list()])


def _draw_text(box: Box, text: str, default: str, background: Colour | None) -> bytes | None:
    size, colour = _look_of(default, box)
    style = Style(colour=colour)
    font = font_for(text, style)
    if font is None:
        return None
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(box.width, box.height), invariant=1)
    if background is not None:
        canvas.setFillColorRGB(*background)
        canvas.rect(0, 0, box.width, box.height, stroke=0, fill=1)
    canvas.setFillColorRGB(*colour)
    top = box.height - _PADDING
    for line in filter(str.strip, text.splitlines()):
        block = _block(line, Box(_PADDING, _PADDING, box.width - _PADDING, top), size, style)
        fitted = fit_text(block, line, font, Obstacles(box, box, ()))
        canvas.setFont(fitted.font, fitted.size)
        for x, baseline, words in fitted.lines:
            canvas.drawString(x, baseline, words)
        top = fitted.box.y0
    canvas.save()
    return buffer.getvalue()


def _block(text: str, room: Box, size: float, style: Style) -> Block:
    """A paragraph that may fill ``room`` from the top."""
    baseline = room.y1 - _ASCENT * size
    return Block(
        text=text,
        page=0,
        angle=0,
        box=room,
        lines=(room, room),
        baseline=baseline,
        leading=0.0,
        size=size,
        style=style,
        align="left",
        shows=frozenset(),
        first=0,
    )
