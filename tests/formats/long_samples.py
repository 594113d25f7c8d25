"""Documents of several pages with much of what word processors offer, for looking at them."""

from pathlib import Path

import docx
from docx.shared import Inches
from PIL import Image

from benchmarks.rendering import converted

LONG = {"long docx": ".docx", "long odt": ".odt", "long rtf": ".rtf"}


def write_long_samples(folder: Path) -> dict[str, Path]:
    """A file of each kind of ``LONG``; LibreOffice makes the others of the first."""
    paths = {name: folder / f"long{suffix}" for name, suffix in LONG.items()}
    _write_docx(paths["long docx"])
    for form in ("odt", "rtf"):
        (made,) = converted([paths["long docx"]], folder / form, form)
        assert made is not None, f"LibreOffice made no {form}"
        made.rename(paths[f"long {form}"])
    return paths


def _write_docx(path: Path) -> None:
    """Four pages: headings, lists, a table, a picture, headers, bold words and tabs."""
    made = docx.Document()
    made.sections[0].header.paragraphs[0].text = "Report on the garden"
    made.sections[0].footer.paragraphs[0].text = "Not for the neighbours"
    for chapter in range(1, 9):
        made.add_heading(f"Chapter {chapter}", 1)
        for _ in range(4):
            paragraph = made.add_paragraph("The roof of the house is ")
            paragraph.add_run("not green").bold = True
            paragraph.add_run(", but the garden, which is behind it, has been so since May. " * 3)
        made.add_paragraph("Water the garden", style="List Bullet")
        made.add_paragraph("Roof\tleaks\tbadly")
        table = made.add_table(2, 3)
        for index, cell in enumerate(table._cells):
            cell.text = f"Cell {index} of the table"
    Image.new("RGB", (40, 20), "darkred").save(path.with_suffix(".png"))
    made.add_picture(str(path.with_suffix(".png")), width=Inches(1))
    made.save(str(path))
