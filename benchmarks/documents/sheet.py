"""Pages before and after, side by side, for a person to look at.

entry: `draw_sheets`, pages with findings first, then the first pages of other files.
"""

from __future__ import annotations

import io
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw

from benchmarks.documents.findings import Finding
from benchmarks.documents.job import Translated
from benchmarks.rendering import program

_PAIRS: Final = 100
_ON_A_SHEET: Final = 4
_WIDTH, _HEIGHT, _LABEL = 640, 860, 14


def draw_sheets(folder: Path, rows: Sequence[Translated], findings: Sequence[Finding]) -> None:
    """PNG files in ``folder``, each with some pairs and their names."""
    folder.mkdir(parents=True, exist_ok=True)
    written = {row.name: row for row in rows if row.written and row.written.suffix == ".pdf"}
    wanted = {
        (found.name, page): found.check
        for found in findings
        if found.count and found.name in written
        for page in found.pages[:2]
    }
    wanted |= {(name, 1): "" for name in written if not any(name == key for key, _ in wanted)}
    pairs = list(wanted.items())[:_PAIRS]
    for start in range(0, len(pairs), _ON_A_SHEET):
        sheet = Image.new("RGB", (_WIDTH * 4, _HEIGHT * 2), "grey")
        for place, ((name, page), check) in enumerate(pairs[start : start + _ON_A_SHEET]):
            left, top = place % 2 * 2 * _WIDTH, place // 2 * _HEIGHT
            row = written[name]
            ImageDraw.Draw(sheet).text((left + 4, top), f"{name} page {page} {check}", "white")
            for side, path in enumerate((row.source, row.written)):
                if path and (picture := _picture(path, page)):
                    sheet.paste(picture, (left + side * _WIDTH, top + _LABEL))
        sheet.save(folder / f"sheet{start // _ON_A_SHEET:02}.png")


def _picture(path: Path, page: int) -> Image.Image | None:
    size = ("-scale-to-x", str(_WIDTH - 4), "-scale-to-y", "-1")
    command = [program("pdftoppm"), "-png", "-f", str(page), "-l", str(page), *size, str(path)]
    try:
        data = subprocess.run(command, capture_output=True, timeout=60, check=False).stdout
        picture = Image.open(io.BytesIO(data)).convert("RGB")
    except (OSError, subprocess.TimeoutExpired):
        return None
    picture.thumbnail((_WIDTH - 4, _HEIGHT - _LABEL - 4))
    return picture
