"""DOC, XLS and PPT: converted by LibreOffice, then read and written as DOCX, XLSX and PPTX.

What is written is the converted file with its text translated, so it looks as LibreOffice shows
the original. Macros are left out. A file with a password is refused before it is converted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

from prism_core.alignment import Translation
from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.base import Document
from prism_core.formats.compound import is_locked
from prism_core.formats.conversion import converted
from prism_core.formats.embedded import Formats

CONVERTED: Final = "converted-by-libreoffice"
"""The notice of a document that is in another format now, and made by another program."""


class LegacyFormat:
    """One of the three, ``name``, which becomes ``into``; see the module."""

    def __init__(self, name: str, into: str, formats: Formats) -> None:
        self.name = name
        self._into = into
        self._formats = formats

    def read(self, path: Path) -> Document:
        """The text of what LibreOffice makes of ``path``. Raises ``DocumentError``."""
        with self._converted(path) as made:
            document = self._formats.get(self._into).read(made)
        notices = (*document.notices, CONVERTED)
        return replace(document, path=path, format=self.name, notices=notices)

    def write(
        self, document: Document, translations: Sequence[Translation], path: Path
    ) -> tuple[str, ...]:
        """Write ``document`` as ``into``; see ``DocumentFormat``. Raises ``DocumentError``."""
        with self._converted(document.path) as made:
            modern = replace(document, path=made, format=self._into)
            return self._formats.get(self._into).write(modern, translations, path)

    @contextmanager
    def _converted(self, path: Path) -> Iterator[Path]:
        if is_locked(path):
            raise DocumentError(DocumentFailure.ENCRYPTED)
        with converted(path, self._into) as made:
            yield made
