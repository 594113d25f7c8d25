"""Bodies of message parts and the headers about them: decoded, encoded, changed in place.

Entry: `read_payload` -> `decode_body` on reading; `text_edits` -> `payload_edits` on writing.
"""

from __future__ import annotations

import base64
import binascii
import quopri
import re
from contextlib import suppress
from email import quoprimime
from email.header import Header
from typing import Final
from urllib.parse import quote

from prism_core.formats.base import Edit
from prism_core.formats.character_sets import (
    DecodedText,
    charsets,
    decode_declared,
    decode_text,
    label_of,
)
from prism_core.formats.mail.mime_parts import Field, MailPart

_LONGEST_LINE: Final = 998
"""Longest line in bytes without the line break (RFC 5322); longer lines have to be encoded."""
_PARAMETER: Final = re.compile(rb'(?:"(?:\\.|[^"\\])*+(?:"|\Z)|[^;"])+', re.DOTALL)
_CHARSET: Final = re.compile(rb"\s*charset(?:\*\d*\*?)?\s*=", re.IGNORECASE)
_NAMES: Final = {
    "content-type": re.compile(rb"(\s*)(name)(\*?)(?:\d+\*?)?\s*=", re.IGNORECASE),
    "content-disposition": re.compile(rb"(\s*)(filename)(\*?)(?:\d+\*?)?\s*=", re.IGNORECASE),
}
"""Parameters that hold the name of a file, in one piece or in several."""


def read_payload(message: bytes, part: MailPart) -> bytes | None:
    """Return the bytes that ``part`` carries; None for an unknown transfer encoding."""
    raw = message[part.body : part.end]
    transfer = part.content.transfer
    if transfer == "base64":
        for padding in (b"", b"=="):  # as mail programs do: foreign characters are skipped
            with suppress(binascii.Error):
                return binascii.a2b_base64(raw + padding)
        return None
    if transfer == "quoted-printable":
        return quopri.decodestring(raw)
    return None if transfer.startswith(("x-", "uu")) else raw


def decode_body(payload: bytes, charset: str) -> DecodedText | None:
    """Decode by ``charset``, else UTF-8, Windows-1252, a guess; return None when it is no text."""
    if charset and charsets(charset) == ():
        return None
    if charset or payload.isascii():
        return decode_declared(payload, charset or "ascii") or decode_text(payload)
    return decode_text(payload)


def text_edits(message: bytes, part: MailPart, before: DecodedText, text: str) -> list[Edit]:
    """Put ``text`` into ``part`` in its character set (HTML: always) if possible, else UTF-8."""
    html = part.content.media_type == "text/html"
    charset = before.encoding
    declared = charset in (charsets(part.content.charset or "ascii") or ())[:1]
    try:
        payload = text.encode(charset, "xmlcharrefreplace" if html else "strict")
    except UnicodeError:
        charset, declared, payload = "utf-8", False, text.encode("utf-8", "replace")
    mark = before.mark if charset == before.encoding else b""
    return payload_edits(message, part, mark + payload, "" if declared else label_of(charset))


def payload_edits(message: bytes, part: MailPart, payload: bytes, charset: str = "") -> list[Edit]:
    """Put ``payload`` into ``part``; change its headers where wrong, and declare a ``charset``."""
    newline = detect_newline(message)
    transfer = _fitting_transfer(part, payload)
    raw = message[part.body : part.end]
    encoded = payload
    if transfer == "base64":
        lines = base64.encodebytes(payload).replace(b"\n", newline.encode())
        encoded = lines.rstrip(b"\r\n") + raw[len(raw.rstrip(b"\r\n")) :]
    elif transfer == "quoted-printable":
        escaped = quoprimime.body_encode(payload.decode("latin-1"), eol=newline)
        encoded = escaped.encode("latin-1")
    edits = [Edit(part.body, part.end, encoded)]
    changes: dict[str, bytes] = {}
    field = part.field("content-type")
    if charset and field:
        edits += charset_edits(message, field, charset)
    elif charset:
        changes["Content-Type"] = f"{part.content.media_type}; charset={charset}".encode()
    if transfer != part.content.transfer:
        changes["Content-Transfer-Encoding"] = transfer.encode()
    return edits + header_edits(part, changes, newline.encode())


def _fitting_transfer(part: MailPart, payload: bytes) -> str:
    transfer = part.content.transfer
    if transfer in ("base64", "quoted-printable"):
        return transfer
    text = part.content.media_type.startswith("text/")
    if not text and (not payload.isascii() or b"\0" in payload):
        return "base64"
    short = all(len(line) <= _LONGEST_LINE for line in re.split(rb"\r\n|\r|\n", payload))
    if short and (payload.isascii() or transfer in ("8bit", "binary")):
        return transfer
    return "quoted-printable" if text else "base64"


def header_edits(part: MailPart, changes: dict[str, bytes], newline: bytes) -> list[Edit]:
    """Replace headers in place; new ones go to the end of the headers."""
    edits, added = [], b""
    for name, value in changes.items():
        line = name.encode() + b": " + value + newline
        field = part.field(name.lower())
        if field:
            edits.append(Edit(field.start, field.end, line))
        else:
            added += line
    if not added:
        return edits
    end = part.fields[-1].end if part.fields else part.start
    return [*edits, Edit(end, end, added if part.headed else added + newline)]


def detect_newline(message: bytes) -> str:
    """Return the line ending of ``message``, as in its first line."""
    found = re.search(rb"\r\n|\r|\n", message)
    return found[0].decode() if found else "\r\n"


def charset_edits(message: bytes, field: Field, charset: str) -> list[Edit]:
    """Declare ``charset`` in the Content-Type ``field``; every other byte of it stays."""
    declared = f"charset={charset}".encode("latin-1", "replace")
    pieces = _split_parameters(message, field)
    if not pieces:
        return [Edit(field.value, field.value, b" text/plain; " + declared)]
    found = [piece for piece in pieces[1:] if _CHARSET.match(message, *piece)]
    if found:
        return _replace_spans(message, found, declared)
    end = pieces[0][0] + len(message[slice(*pieces[0])].rstrip())
    return [Edit(end, end, b"; " + declared)]


def type_edits(message: bytes, field: Field, media_type: str) -> list[Edit]:
    """Declare ``media_type`` in the Content-Type ``field``, and drop its charset parameter."""
    pieces = _split_parameters(message, field)
    if not pieces:
        return [Edit(field.value, field.value, b" " + media_type.encode())]
    charsets = [piece for piece in pieces[1:] if _CHARSET.match(message, *piece)]
    return [
        *_replace_spans(message, pieces[:1], media_type.encode()),
        *(Edit(start - 1, end, b"") for start, end in charsets),
    ]


def name_edits(message: bytes, part: MailPart, name: str, newline: str) -> list[Edit]:
    """Call the file in ``part`` by ``name`` in all headers that name it, in the form of each."""
    edits: list[Edit] = []
    for header, pattern in _NAMES.items():
        field = part.field(header)
        pieces = _split_parameters(message, field)[1:] if field else []
        found = [match for piece in pieces if (match := pattern.match(message, *piece))]
        if not found:
            continue
        match = found[0]
        key, value = match[2], message[match.end() : match.endpos]
        if name.isascii():
            parameter = b'="' + name.replace("\\", "").replace('"', "").encode() + b'"'
        elif not match[3] and (b"=?" in value or key.lower() == b"name"):
            encoded = Header(name, "utf-8", maxlinelen=70).encode(linesep=newline)
            parameter = b'="' + encoded.encode() + b'"'
        else:
            parameter = b"*=utf-8''" + quote(name, safe="").encode()
        edits += _replace_spans(message, [(m.pos, m.endpos) for m in found], key + parameter)
    return edits


def _split_parameters(message: bytes, field: Field) -> list[tuple[int, int]]:
    """Return the spans of the value and its parameters, without the semicolons between them."""
    end = field.value + len(message[field.value : field.end].rstrip())
    return [match.span() for match in _PARAMETER.finditer(message, field.value, end)]


def _replace_spans(message: bytes, spans: list[tuple[int, int]], content: bytes) -> list[Edit]:
    """Put ``content`` in place of the first of ``spans``, and remove the others."""
    start, end = spans[0]
    text = message[start:end]
    start, end = start + len(text) - len(text.lstrip()), start + len(text.rstrip())
    others = [Edit(before - 1, after, b"") for before, after in spans[1:]]
    return [Edit(start, end, content), *others]
