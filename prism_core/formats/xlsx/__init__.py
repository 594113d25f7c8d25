"""Workbooks: XLSX, XLSM, XLTX, XLTM, transitional and strict."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

from prism_core.alignment import Translation
from prism_core.formats.base import Document
from prism_core.formats.units import changes, segments
from prism_core.formats.xlsx.content import Content
from prism_core.formats.xlsx.rebuild import rebuild
from prism_core.formats.zip_package import open_package


class XlsxFormat:
    """Reads the text of a workbook; rebuilds it with everything else as it was.

    Members of the zip that hold no translated text keep their bytes. Numbers, dates, formulas,
    codes, defined names and names of sheets stay. Cells that say the same are one segment and stay
    alike, so that look-ups go on to work; a cell that says what a formula, a drop-down list or a
    pivot table looks for stays. Columns of tables and labels of charts follow their cells.
    """

    name = "xlsx"

    def read(self, path: Path) -> Document:
        """The texts of ``path``: cells, sheets, comments, drawings. Raises ``DocumentError``."""
        with open_package(path) as package:
            content = Content(package)
            return Document(path, self.name, segments(content.units), content.notices())

    def write(
        self, document: Document, translations: Sequence[Translation], path: Path
    ) -> tuple[str, ...]:
        """Rebuild the workbook at ``path``; the notices count what could not be kept.

        ``formatting-simplified:N`` changes of formatting inside texts were given up,
        ``breaks-moved:N`` texts came back with other line breaks, ``texts-too-long:N`` stay in
        the source language because they would not fit where they stand.
        """
        with open_package(document.path) as package:
            content = Content(package)
            wanted = changes(content.units, document, translations)
            if not wanted:
                shutil.copyfile(document.path, path)
                return ()
            told, parts = rebuild(package, content, wanted)
            package.save(path, parts)
            return told
