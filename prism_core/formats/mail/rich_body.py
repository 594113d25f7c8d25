"""The body of an Outlook message in Rich Text: the HTML it was made from, or its plain text.

Outlook wraps the HTML of a message into Rich Text ([MS-OXRTFEX]): tags stand in ``\\htmltag``
groups, what only Rich Text needs between ``\\htmlrtf`` and ``\\htmlrtf0``, and all else is text.

entry: `decompress` ([MS-OXRTFCP]: LZ77 over a window that starts out filled), then
`read_rich_body`, whose `_BodyReader` follows the tokens one by one.
"""

from __future__ import annotations

import html
import struct
from itertools import islice
from typing import Final

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.rich_text import (
    CONTAINERS,
    FONTS,
    HIDING,
    KEPT,
    KEPT_AS_IS,
    PARAGRAPH_ENDS,
    TAG,
    TEXT,
    Mark,
    RichTextReader,
    RichToken,
    read_tokens,
)

_DECLARED_WITHIN: Final = 40
"""Tokens from the start among which ``\\fromhtml`` or ``\\fromtext`` stands, if at all."""
_ORIGINS: Final = {b"fromhtml": "html", b"fromtext": "text"}
_SILENT: Final = KEPT | {b"info", b"mhtmltag"}
_ENDS: Final = dict.fromkeys((*PARAGRAPH_ENDS, b"line", b"lbr"), "\r\n") | dict.fromkeys(
    (b"cell", b"nestcell", b"tab"), "\t"
)
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


def read_rich_body(content: bytes) -> tuple[str, str]:
    """The HTML in the Rich Text ``content`` if it was made from HTML, else its text.

    With it comes what the Rich Text was made from: ``html``, ``text``, or else ``rich``.

    Raises ``DocumentError``: corrupt (no Rich Text, or damaged), or too large (nested too deeply).
    """
    if not content.lstrip().startswith(b"{\\rtf"):
        raise DocumentError(DocumentFailure.CORRUPT)
    start = islice(read_tokens(content), _DECLARED_WITHIN)
    named = (_ORIGINS.get(token.value) for token in start if token.mark is Mark.WORD)
    origin = next(filter(None, named), "rich")
    reader = _BodyReader(origin == "html")
    for token in read_tokens(content):
        reader.take(token)
    reader.close()
    return "".join(reader.pieces), origin


class _BodyReader(RichTextReader):
    """Collects the text, or the HTML: tags as they stand, with text between them escaped."""

    def __init__(self, is_html: bool) -> None:
        super().__init__()
        self.pieces: list[str] = []
        self._is_html = is_html

    def enter_destination(self, word: bytes) -> bool:
        """See ``RichTextReader``."""
        if word == b"htmltag" and self._is_html:
            self.group.place = TAG
        elif word == b"fonttbl":
            self.group.place = FONTS
        elif word in _SILENT or (self.group.starred and word not in CONTAINERS):
            self.group.place = KEPT_AS_IS
        else:
            return False
        return True

    def word(self, token: RichToken) -> None:
        """Line ends, and words that hide text."""
        word, group = token.value, self.group
        if word in _ENDS:
            self.add(token, _ENDS[word])
        elif word == b"htmlrtf" or (word in HIDING and not self._is_html):
            group.hiding = frozenset() if token.number == 0 else frozenset((word,))
        elif word == b"plain" and not self._is_html:
            group.hiding = frozenset()
        elif word == b"f":
            group.font = token.number or 0

    def takes(self) -> bool:
        """Tags, and text that is not hidden."""
        place = self.group.place
        return place == TAG or (place == TEXT and not self.group.hiding)

    def close(self) -> None:
        """Add what was gathered."""
        text = self.gathered()
        escaped = self._is_html and self.group.place == TEXT
        self.pieces.append(html.escape(text, quote=False) if escaped else text)


def decompress(content: bytes) -> bytes:
    """The Rich Text in the property ``content``.

    Behind each control byte stand eight literals or references. A reference names a place in the
    window of the last 4096 bytes: before them lies the filling, before that zeros.

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
    found, position = bytearray(_WINDOW) + _FILLING, 0
    before = len(found)
    while position < len(body):
        control, position = body[position], position + 1
        for bit in range(8):
            if not control >> bit & 1:
                found += body[position : position + 1]
                position += 1
                continue
            reference = int.from_bytes(body[position : position + 2])
            position += 2
            back, length = (len(found) - (reference >> 4)) % _WINDOW, (reference & 15) + 2
            start = len(found) - back
            if position > len(body) or not back:
                return bytes(found[before:])[:size]
            # What is repeated may run into the bytes that are added.
            found += (found[start : start + length] * length)[:length]
        if len(found) > _WINDOW + _MOST_BYTES:
            raise DocumentError(DocumentFailure.TOO_LARGE)
    return bytes(found[before:])[:size]
