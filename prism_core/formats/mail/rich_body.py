"""The body of an Outlook message in Rich Text: the HTML it was made from, or its plain text.

Outlook wraps the HTML of a message into Rich Text ([MS-OXRTFEX]): tags stand in ``\\htmltag``
groups, what only Rich Text needs between ``\\htmlrtf`` and ``\\htmlrtf0``, and all else is text.

entry: `decompress` ([MS-OXRTFCP]: LZ77 over a window that starts out filled), then
`read_rich_body`, whose `_Reader.take` follows the tokens one by one.
"""

from __future__ import annotations

import html
import struct
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.rich_text import words
from prism_core.formats.rich_text.charsets import SYMBOL, decode, of_charset, of_page
from prism_core.formats.rich_text.tokens import Mark, Token, read_tokens

_DEEPEST: Final = 1_000
_DECLARED_WITHIN: Final = 40
"""Tokens from the start among which ``\\fromhtml`` or ``\\fromtext`` stands, if at all."""
_ORIGINS: Final = {b"fromhtml": "html", b"fromtext": "text"}
_SILENT: Final = words.KEPT | {b"info", b"mhtmltag"}
_ENDS: Final = dict.fromkeys(words.PARAGRAPH_ENDS, "\r\n") | {b"cell": "\t", b"nestcell": "\t"}
_BREAKS: Final = {b"tab": "\t", b"line": "\r\n", b"lbr": "\r\n"}
_TEXT, _TAG, _FONTS, _NONE = "text", "tag", "fonts", "none"
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


@dataclass(frozen=True, slots=True)
class RichBody:
    """What a body in Rich Text says.

    ``origin`` is what it was made from: ``html``, which ``text`` then is, or ``text``, or ``rich``.
    """

    text: str
    origin: str


@dataclass(slots=True)
class _Group:
    place: str = _TEXT
    fresh: bool = True
    starred: bool = False
    silent: bool = False
    fallback: int = 1
    font: int = -1


def read_rich_body(content: bytes) -> RichBody:
    """The HTML in the Rich Text ``content`` if it was made from HTML, else its text.

    Raises ``DocumentError``: corrupt (no Rich Text, or damaged), or too large (nested too deeply).
    """
    if not content.lstrip().startswith(b"{\\rtf"):
        raise DocumentError(DocumentFailure.CORRUPT)
    start = islice(read_tokens(content), _DECLARED_WITHIN)
    named = (_ORIGINS.get(token.value) for token in start if token.mark is Mark.WORD)
    origin = next(filter(None, named), "rich")
    reader = _Reader(origin == "html")
    for token in read_tokens(content):
        reader.take(token)
    return RichBody(reader.text(), origin)


class _Reader:
    def __init__(self, is_html: bool) -> None:
        self._is_html = is_html
        self._groups = [_Group()]
        self._pieces: list[str] = []
        self._raw = bytearray()
        self._units: list[str] = []
        self._encoding = "cp1252"
        self._fonts: dict[int, str] = {}
        self._skip = 0

    def text(self) -> str:
        """What was read."""
        self._flush()
        return "".join(self._pieces)

    def take(self, token: Token) -> None:
        """Follow one token."""
        group = self._groups[-1]
        if token.mark is Mark.BRACE:
            self._flush()
            self._skip = 0
            self._brace(token.value)
        elif token.mark is Mark.NEWLINE:
            return
        elif self._skip:
            self._pass_fallback(token)
        elif token.mark is Mark.WORD:
            self._word(token, group)
            group.fresh = False
        elif token.mark is Mark.SYMBOL and token.value == b"*" and group.fresh:
            group.starred = True
        else:
            group.fresh = False
            self._sign(token)

    def _pass_fallback(self, token: Token) -> None:
        """Signs that stand for a ``\\u`` before them; text may do so in part."""
        if token.mark is not Mark.TEXT:
            self._skip -= 1
            return
        taken = min(self._skip, len(token.value))
        self._skip -= taken
        if taken < len(token.value):
            self._sign(replace(token, value=token.value[taken:]))

    def _brace(self, brace: bytes) -> None:
        if brace == b"{":
            if len(self._groups) > _DEEPEST:
                raise DocumentError(DocumentFailure.TOO_LARGE)
            self._groups.append(replace(self._groups[-1], fresh=True, starred=False))
        elif len(self._groups) > 1:
            self._groups.pop()

    def _word(self, token: Token, group: _Group) -> None:
        word, number = token.value, token.number
        if group.fresh and self._is_destination(word, group):
            return
        if word == b"u":
            self._unicode(number or 0, group)
            return
        self._flush()
        if word in words.CHARACTERS:
            self._put(words.CHARACTERS[word])
        elif word in _BREAKS or word in _ENDS:
            self._put(_BREAKS.get(word) or _ENDS[word])
        elif word == b"htmlrtf" or (word in words.HIDING and not self._is_html):
            group.silent = number != 0
        elif word == b"plain" and not self._is_html:
            group.silent = False
        else:
            self._set(word, number, group)

    def _is_destination(self, word: bytes, group: _Group) -> bool:
        """Whether ``word`` says what its group is for."""
        if word == b"htmltag" and self._is_html:
            group.place = _TAG
        elif word == b"fonttbl":
            group.place = _FONTS
        elif word in _SILENT or (group.starred and word not in words.CONTAINERS):
            group.place = _NONE
        else:
            return False
        return True

    def _set(self, word: bytes, number: int | None, group: _Group) -> None:
        """Words that say how text is written down."""
        if word == b"ansicpg":
            self._encoding = of_page(number or 0) or self._encoding
        elif word == b"uc":
            group.fallback = min(max(number or 0, 0), 16)
        elif word == b"f":
            group.font = number or 0
        elif group.place == _FONTS and word == b"fcharset":
            self._fonts[group.font] = of_charset(number or 0)
        elif group.place == _FONTS and word == b"cpg":
            self._fonts[group.font] = of_page(number or 0)

    def _unicode(self, number: int, group: _Group) -> None:
        if self._raw:
            self._flush()
        if self._is_shown(group):
            self._units.append(chr(number % 65_536))
        self._skip = group.fallback

    def _sign(self, token: Token) -> None:
        if token.mark is not Mark.SYMBOL:
            if self._units:
                self._flush()
            if self._is_shown(self._groups[-1]):
                self._raw += token.value
            return
        self._flush()
        same = words.SAME_AS.get(token.value)
        if same:
            self._put(_BREAKS.get(same) or _ENDS[same])
        else:
            self._put(words.SYMBOLS.get(token.value, ""))

    def _is_shown(self, group: _Group) -> bool:
        return group.place == _TAG or (group.place == _TEXT and not group.silent)

    def _flush(self) -> None:
        """Decode what was gathered."""
        if self._units:
            units = "".join(self._units).encode("utf-16-le", "surrogatepass")
            self._put(units.decode("utf-16-le", "replace"))
            self._units.clear()
        if self._raw:
            group = self._groups[-1]
            own = "" if group.place == _TAG else self._fonts.get(group.font, "")
            encoding = self._encoding if own in ("", SYMBOL) else own
            self._put(decode(bytes(self._raw), encoding))
            self._raw.clear()

    def _put(self, text: str) -> None:
        group = self._groups[-1]
        if not self._is_shown(group):
            return
        escaped = self._is_html and group.place == _TEXT
        self._pieces.append(html.escape(text, quote=False) if escaped else text)


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
    return _expand(body)[:size]


def _expand(body: bytes) -> bytes:
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
