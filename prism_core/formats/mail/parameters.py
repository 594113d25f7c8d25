"""Parameters of content headers (RFC 2045, RFC 2231), changed where they stand."""

from __future__ import annotations

import re
from email.header import Header
from typing import Final
from urllib.parse import quote

from prism_core.formats.edits import Edit
from prism_core.formats.mail.headers import Field
from prism_core.formats.mail.parts import Part

_PARAMETER: Final = re.compile(rb'(?:"(?:\\.|[^"\\])*+(?:"|\Z)|[^;"])+', re.DOTALL)
_CHARSET: Final = re.compile(rb"\s*charset(?:\*\d*\*?)?\s*=", re.IGNORECASE)
_NAMES: Final = {
    "content-type": re.compile(rb"(\s*)(name)(\*?)(?:\d+\*?)?\s*=", re.IGNORECASE),
    "content-disposition": re.compile(rb"(\s*)(filename)(\*?)(?:\d+\*?)?\s*=", re.IGNORECASE),
}
"""The parameters that hold the name of a file, in one piece or in several."""


def charset_edits(message: bytes, field: Field, charset: str) -> list[Edit]:
    """Declare ``charset`` in the Content-Type ``field``; every other byte of it stays."""
    declared = f"charset={charset}".encode("latin-1", "replace")
    pieces = _pieces(message, field)
    if not pieces:
        return [Edit(field.value, field.value, b" text/plain; " + declared)]
    found = [piece for piece in pieces[1:] if _CHARSET.match(message, *piece)]
    if found:
        return _replaced(message, found, declared)
    end = pieces[0][0] + len(message[slice(*pieces[0])].rstrip())
    return [Edit(end, end, b"; " + declared)]


def type_edits(message: bytes, field: Field, media_type: str) -> list[Edit]:
    """Declare ``media_type`` in the Content-Type ``field``; of its parameters, a charset goes."""
    pieces = _pieces(message, field)
    if not pieces:
        return [Edit(field.value, field.value, b" " + media_type.encode())]
    charsets = [piece for piece in pieces[1:] if _CHARSET.match(message, *piece)]
    return [
        *_replaced(message, pieces[:1], media_type.encode()),
        *(Edit(start - 1, end, b"") for start, end in charsets),
    ]


def name_edits(message: bytes, part: Part, name: str, newline: str) -> list[Edit]:
    """Call the file in ``part`` by ``name``, in all headers that name it, each in its own way."""
    edits: list[Edit] = []
    for header, pattern in _NAMES.items():
        field = part.field(header)
        if field is None:
            continue
        found = [p for p in _pieces(message, field)[1:] if pattern.match(message, *p)]
        if found:
            edits += _replaced(message, found, _named(message, found[0], pattern, name, newline))
    return edits


def _pieces(message: bytes, field: Field) -> list[tuple[int, int]]:
    """The spans of the value and its parameters, without the semicolons between them."""
    end = field.value + len(message[field.value : field.end].rstrip())
    return [match.span() for match in _PARAMETER.finditer(message, field.value, end)]


def _replaced(message: bytes, spans: list[tuple[int, int]], content: bytes) -> list[Edit]:
    """Put ``content`` in place of the first of ``spans``, and take the others out."""
    start, end = spans[0]
    text = message[start:end]
    start, end = start + len(text) - len(text.lstrip()), start + len(text.rstrip())
    others = [Edit(before - 1, after, b"") for before, after in spans[1:]]
    return [Edit(start, end, content), *others]


def _named(
    message: bytes, span: tuple[int, int], pattern: re.Pattern[bytes], name: str, newline: str
) -> bytes:
    """The parameter with ``name``: as RFC 2231 has it, or as an encoded word, as it was before."""
    match = pattern.match(message, *span)
    assert match is not None  # noqa: S101 (the span was found by the pattern)
    key = match[2]
    if name.isascii():
        return key + b'="' + name.replace("\\", "").replace('"', "").encode() + b'"'
    words = b"=?" in message[match.end() : span[1]] or key.lower() == b"name"
    if words and not match[3]:
        encoded = Header(name, "utf-8", maxlinelen=70).encode(linesep=newline)
        return key + b'="' + encoded.encode() + b'"'
    return key + b"*=utf-8''" + quote(name, safe="").encode()
