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
    body = content[_HEAD.size :]
    if method == _PLAIN:
        return body[:size]
    if method != _COMPRESSED:
        raise DocumentError(DocumentFailure.CORRUPT)
    return _expanded(body)[:size]


def _expanded(body: bytes) -> bytes:
    """All of ``body``: behind each control byte stand eight literals or references.

    A reference names a place in the window of the last 4096 bytes, the filling before them.
    """
    found, position = bytearray(_FILLING), 0
    while position < len(body):
        control, position = body[position], position + 1
        for bit in range(8):
            if not control >> bit & 1:
                found += body[position : position + 1]
                position += 1
                continue
            reference = int.from_bytes(body[position : position + 2])
            position += 2
            back = (len(found) - (reference >> 4)) % _WINDOW
            if position > len(body) or not back:
                return bytes(found[len(_FILLING) :])
            _repeat(found, len(found) - back, (reference & 15) + 2)
        if len(found) > _MOST_BYTES:
            raise DocumentError(DocumentFailure.TOO_LARGE)
    return bytes(found[len(_FILLING) :])


def _repeat(found: bytearray, start: int, length: int) -> None:
    """Add ``length`` bytes from ``start`` on, which may run into those added; none stand before."""
    if start < 0:
        zeros = min(length, -start)
        found += bytes(zeros)
        start, length = start + zeros, length - zeros
    known = found[start : start + length]
    if known:
        found += (known * length)[:length]
