"""DOC, XLS and PPT: converted by LibreOffice, then read and written as DOCX, XLSX and PPTX.

What is written is the converted file with its text translated, so it looks as LibreOffice shows
the original. Macros are left out. A file with a password is refused before it is converted.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

import olefile

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.base import Document
from prism_core.formats.conversion import converted
from prism_core.formats.embedded import Formats

CONVERTED: Final = "converted-by-libreoffice"
"""The notice of a document that is in another format now, and made by another program."""
_HEAD: Final = 4096
_WORD_ENCRYPTED: Final = 0x0100
_EXCEL_FILE_PASSWORD: Final = 0x002F
_POWERPOINT_ENCRYPTED: Final = 0xF3D1C4DF


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

    def write(self, document: Document, translations: Sequence[str], path: Path) -> tuple[str, ...]:
        """Write ``document`` as ``into``; see ``DocumentFormat``. Raises ``DocumentError``."""
        with self._converted(document.path) as made:
            modern = replace(document, path=made, format=self._into)
            return self._formats.get(self._into).write(modern, translations, path)

    @contextmanager
    def _converted(self, path: Path) -> Iterator[Path]:
        if _is_encrypted(path):
            raise DocumentError(DocumentFailure.ENCRYPTED)
        with converted(path, self._into) as made:
            yield made


def _is_encrypted(path: Path) -> bool:
    """Whether a password is needed. Raises ``DocumentError`` (corrupt) for no compound file."""
    try:
        with olefile.OleFileIO(path) as compound:
            heads = {name: _head(compound, name) for name in _MARKS if compound.exists(name)}
            summary = compound.exists("EncryptedSummary")
    except Exception:  # noqa: BLE001 (whatever olefile makes of damage)
        raise DocumentError(DocumentFailure.CORRUPT) from None
    return summary or any(_MARKS[name](head) for name, head in heads.items())


def _head(compound: olefile.OleFileIO, name: str) -> bytes:
    with compound.openstream(name) as stream:
        head: bytes = stream.read(_HEAD)
        return head


def _is_locked_word(head: bytes) -> bool:
    return len(head) > 12 and bool(struct.unpack_from("<H", head, 10)[0] & _WORD_ENCRYPTED)


def _is_locked_workbook(head: bytes) -> bool:
    """Whether a record of the first sheet's start says that the rest is encrypted."""
    place = 0
    while place + 4 <= len(head):
        kind, length = struct.unpack_from("<HH", head, place)
        if kind == _EXCEL_FILE_PASSWORD:
            return True
        place += 4 + length
    return False


def _is_locked_presentation(head: bytes) -> bool:
    return len(head) > 16 and struct.unpack_from("<I", head, 12)[0] == _POWERPOINT_ENCRYPTED


_MARKS: Final = {
    "WordDocument": _is_locked_word,
    "Workbook": _is_locked_workbook,
    "Book": _is_locked_workbook,
    "Current User": _is_locked_presentation,
}
