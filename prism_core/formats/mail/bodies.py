"""The body of a part: transfer encoding and character set undone, and done again."""

from __future__ import annotations

import base64
import binascii
import quopri
import re
from dataclasses import dataclass
from email import quoprimime
from typing import Final

from prism_core.formats.decoding import charsets, decode_text
from prism_core.formats.edits import Edit
from prism_core.formats.mail.headers import C1
from prism_core.formats.mail.parameters import charset_edits
from prism_core.formats.mail.parts import Part

_LONGEST_LINE: Final = 998
"""In bytes without the line break (RFC 5322); longer lines may not travel as they are."""


@dataclass(frozen=True, slots=True)
class Text:
    """A decoded body. ``encoding`` is what decoded it, ``mark`` a byte-order mark before it."""

    text: str
    encoding: str
    mark: bytes = b""


def read_payload(message: bytes, part: Part) -> bytes | None:
    """The bytes that ``part`` carries; None for a transfer encoding that is not known."""
    raw = message[part.body : part.end]
    transfer = part.content.transfer
    if transfer == "base64":
        return _from_base64(raw)
    if transfer == "quoted-printable":
        return quopri.decodestring(raw)
    return None if transfer.startswith(("x-", "uu")) else raw


def _from_base64(raw: bytes) -> bytes | None:
    """Decode as mail programs do: skip foreign characters, make up for missing padding."""
    for padding in (b"", b"=="):
        try:
            return binascii.a2b_base64(raw + padding)
        except binascii.Error:
            continue
    return None


def read_text(payload: bytes, charset: str) -> Text | None:
    """Decode by ``charset``, else UTF-8, Windows-1252, a guess; None when it is no text.

    Latin-1 and ASCII that hold Windows-1252 characters are read as that.
    """
    for encoding in charsets(charset or "ascii"):
        try:
            text = payload.decode(encoding)
        except (UnicodeError, LookupError, ValueError):
            continue
        if not C1.search(text) and "\0" not in text:
            return Text(text, encoding)
    decoded = decode_text(payload)
    return None if decoded is None else Text(decoded.text, decoded.encoding, decoded.mark)


def text_edits(message: bytes, part: Part, before: Text, text: str) -> list[Edit]:
    """Put ``text`` into ``part``: in its own character set if that can hold it, else in UTF-8.

    HTML keeps its character set in any case: what it cannot hold becomes character references.
    """
    html = part.content.media_type == "text/html"
    charset = before.encoding
    declared = charset == (part.content.charset or "ascii")
    try:
        payload = text.encode(charset, "xmlcharrefreplace" if html else "strict")
    except UnicodeError:
        charset, declared, payload = "utf-8", False, text.encode("utf-8", "replace")
    mark = before.mark if charset == before.encoding else b""
    return payload_edits(message, part, mark + payload, "" if declared else charset)


def payload_edits(message: bytes, part: Part, payload: bytes, charset: str = "") -> list[Edit]:
    """Put ``payload`` into ``part``; its headers change only where they would be wrong else.

    ``charset`` is the character set to declare, empty to leave the declaration as it is.
    """
    newline = newline_of(message)
    transfer = _fitting_transfer(part, payload)
    raw = message[part.body : part.end]
    encoded = _encoded(payload, transfer, newline)
    if transfer == "base64":
        encoded = encoded.rstrip(b"\r\n") + raw[len(raw.rstrip(b"\r\n")) :]
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


def _fitting_transfer(part: Part, payload: bytes) -> str:
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


def _encoded(payload: bytes, transfer: str, newline: str) -> bytes:
    if transfer == "base64":
        return base64.encodebytes(payload).replace(b"\n", newline.encode())
    if transfer == "quoted-printable":
        return quoprimime.body_encode(payload.decode("latin-1"), eol=newline).encode("latin-1")
    return payload


def header_edits(part: Part, changes: dict[str, bytes], newline: bytes) -> list[Edit]:
    """Replace headers in place; those not there yet go to the end of the headers."""
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


def newline_of(message: bytes) -> str:
    """The line ending of ``message``, that of its first line."""
    found = re.search(rb"\r\n|\r|\n", message)
    return found[0].decode() if found else "\r\n"
