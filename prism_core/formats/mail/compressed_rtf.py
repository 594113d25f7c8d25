"""Compressed Rich Text of Outlook ([MS-OXRTFCP]): LZ77 over a window that starts out filled."""

from __future__ import annotations

import struct
from typing import Final

from prism_core.errors import DocumentError, DocumentFailure

_HEAD: Final = struct.Struct("<IIII")
_COMPRESSED, _PLAIN = 0x75465A4C, 0x414C454D
_WINDOW: Final = 4096
_MOST_BYTES: Final = 20_000_000
_FILLING: Final = (
    rb"{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}{\f0\fnil \froman \fswiss \fmodern \fscript "
    rb"\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\colortbl\red0\green0\blue0"
    b"\r\n"
    rb"\par \pard\plain\f0\fs20\b\i\u\tab\tx"
)


def decompress(content: bytes) -> bytes:
    """The Rich Text in the property ``content``.

    Raises ``DocumentError``: corrupt, or too large (over 20 MB, whatever its head says).
    """
    if len(content) < _HEAD.size:
        raise DocumentError(DocumentFailure.CORRUPT)
    _, size, method, _ = _HEAD.unpack_from(content)
    body = memoryview(content)[_HEAD.size :]
    if method == _PLAIN:
        return bytes(body[:size])
    if method != _COMPRESSED:
        raise DocumentError(DocumentFailure.CORRUPT)
    return _expanded(body)[:size]


def _expanded(body: memoryview) -> bytes:
    """All of ``body``: behind each control byte stand eight literals or references."""
    window = bytearray(_FILLING.ljust(_WINDOW, b"\0"))
    place, found, position = len(_FILLING), bytearray(), 0
    while position < len(body):
        control, position = body[position], position + 1
        for bit in range(8):
            if position >= len(body):
                return bytes(found)
            if control >> bit & 1:
                if position + 2 > len(body):
                    return bytes(found)
                reference = body[position] << 8 | body[position + 1]
                start, length, position = reference >> 4, (reference & 15) + 2, position + 2
                if start == place:
                    return bytes(found)
            else:
                window[place] = body[position]
                start, length, position = place, 1, position + 1
            for step in range(length):
                byte = window[(start + step) % _WINDOW]
                window[place] = byte
                found.append(byte)
                place = (place + 1) % _WINDOW
        if len(found) > _MOST_BYTES:
            raise DocumentError(DocumentFailure.TOO_LARGE)
    return bytes(found)
