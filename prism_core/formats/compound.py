"""Compound files (OLE): which program of the 1990s made one, and whether it needs a password."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Final

import olefile

from prism_core.errors import DocumentError, DocumentFailure

_STREAMS: Final = {
    "WordDocument": "doc",
    "Workbook": "xls",
    "Book": "xls",
    "PowerPoint Document": "ppt",
}
_HEAD: Final = 4096
_WORD_ENCRYPTED: Final = 0x0100
_EXCEL_FILE_PASSWORD: Final = 0x002F
_POWERPOINT_ENCRYPTED: Final = 0xF3D1C4DF


def office_kind(path: Path) -> str | None:
    """``doc``, ``xls`` or ``ppt`` by the stream at the top of ``path``; None for anything else.

    Documents that are embedded in one do not count. Raises ``DocumentError`` (corrupt).
    """
    try:
        with olefile.OleFileIO(path) as compound:
            kinds = (kind for name, kind in _STREAMS.items() if compound.exists(name))
            return next(kinds, None)
    except Exception:  # noqa: BLE001 (whatever olefile makes of damage)
        raise DocumentError(DocumentFailure.CORRUPT) from None


def is_locked(path: Path) -> bool:
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
