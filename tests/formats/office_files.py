"""Makes workbooks and presentations with the libraries people use, and edits their members."""

import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pptx
import xlsxwriter

CONTENT_TYPES = "[Content_Types].xml"


def workbook(path: Path) -> Any:
    """A new workbook, written to ``path`` on leaving ``with``."""
    return xlsxwriter.Workbook(str(path))


def presentation() -> Any:
    """A new presentation without slides."""
    made = pptx.Presentation()
    made.core_properties.comments = ""
    made.core_properties.title = ""
    return made


def add_slide(made: Any, title: str, *runs: str | tuple[str, bool]) -> Any:
    """A slide with a title and one paragraph; a run is a text, or a text and whether it is bold."""
    slide = made.slides.add_slide(made.slide_layouts[1])
    slide.shapes.title.text = title
    add_runs(slide.placeholders[1].text_frame.paragraphs[0], *runs)
    return slide


def add_runs(paragraph: Any, *runs: str | tuple[str, bool]) -> None:
    """Add ``runs`` to a paragraph."""
    for item in runs:
        text, bold = (item, None) if isinstance(item, str) else item
        run = paragraph.add_run()
        run.text, run.font.bold = text, bold


def edit(path: Path, *changes: tuple[str, Callable[[str], str]], **added: str) -> Path:
    """Change members of the package at ``path`` and add others (``__`` for a slash)."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    for name, change in changes:
        before = members[name].decode()
        after = change(before)
        assert after != before, name
        members[name] = after.encode()
    members |= {name.replace("__", "/") + ".xml": text.encode() for name, text in added.items()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def declare(part: str, content_type: str) -> tuple[str, Callable[[str], str]]:
    """A change for `edit` that gives the member ``part`` its content type."""
    override = f'<Override PartName="/{part}" ContentType="{content_type}"/>'
    return CONTENT_TYPES, lambda types: types.replace("</Types>", override + "</Types>")
