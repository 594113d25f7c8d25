r"""Reader of Outlook files: messages, recipients and attachments, their properties and bodies.

The file is an OLE container ([MS-OXMSG]) with a storage for each item. In a storage, a table holds
numbers and dates, and each longer value has a stream. Text is in UTF-16, or in a code page that
many programs do not name, or name wrongly. Outlook wraps the HTML of a message into Rich Text
([MS-OXRTFEX]): tags stand in ``\htmltag`` groups, parts that only Rich Text needs between
``\htmlrtf`` and ``\htmlrtf0``, and the rest is text.

Entry: `load_message`; then `_read_storage` of each folder, and the properties of an `OutlookItem`
-> `body` -> `decode`. Rich Text: `decompress` ([MS-OXRTFCP]: LZ77 over a window with initial
content), then `read_rich_body`, whose `_BodyReader` follows the tokens.
"""

from __future__ import annotations

import datetime as dt
import html
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice
from typing import Any, Final

from olefile import OleFileIO

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.character_sets import charsets, encoding_of_page
from prism_core.formats.mail.bodies import decode_body
from prism_core.formats.old_office.rich_text import (
    CONTAINERS,
    FONTS,
    HIDING,
    KEPT,
    KEPT_AS_IS,
    PARAGRAPH_ENDS,
    TAG,
    TEXT,
    RichTextReader,
    RichToken,
    RichTokenKind,
    read_tokens,
)

MESSAGE_CODE_PAGE: Final = 0x3FFD
INTERNET_CODE_PAGE: Final = 0x3FDE
LOCALE: Final = 0x3FF1
_ATTACHED_DATA: Final = 0x3701

_UNICODE, _STRING8, _BINARY, _OBJECT = 0x001F, 0x001E, 0x0102, 0x000D
_TABLE: Final = "__properties_version1.0"
_HEADS: Final = {"message": 32, "embedded": 24, "attachment": 8, "recipient": 8}
"""Size in bytes of the header of the property table of each kind of storage (MS-OXMSG 2.4)."""
_STORAGE, _STREAM = 1, 2
_DEEPEST: Final = 40
_MOST_TIMES: Final = 4
"""Limit of the declared size of all streams, in file sizes; damaged files declare more."""
_MOST_ENTRIES: Final = 20_000
_EPOCH: Final = dt.datetime(1601, 1, 1, tzinfo=dt.UTC)

_LANGUAGES: Final = {
    "cp1251": (0x02, 0x19, 0x22, 0x23, 0x2F), "cp1250": (0x05, 0x0E, 0x15, 0x18, 0x1A, 0x1B, 0x24),
    "cp1253": (0x08,), "cp1254": (0x1F, 0x2C), "cp1255": (0x0D,), "cp1256": (0x01, 0x20, 0x29),
    "cp1257": (0x25, 0x26, 0x27), "cp1258": (0x2A,), "cp874": (0x1E,), "cp932": (0x11,),
    "cp949": (0x12,), "gbk": (0x04,),
}  # fmt: skip
"""Windows code page of a language, by the low ten bits of its locale."""
_LOCALES: Final = {0x0404: "cp950", 0x0C04: "cp950", 0x1404: "cp950", 0x0C1A: "cp1251"}
"""Code pages of traditional Chinese and of Cyrillic Serbian, which differ from their language."""
_DECLARED_WITHIN: Final = 40
r"""Number of tokens at the start among which ``\fromhtml`` or ``\fromtext`` stands, if at all."""
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


@dataclass(frozen=True, slots=True)
class Storage:
    """Folder of the container: its streams by name, and the folders in it."""

    name: str
    streams: Mapping[str, bytes]
    storages: tuple[Storage, ...]


@dataclass(frozen=True)
class OutlookItem:
    """Message, recipient or attachment. ``pages`` are the encodings its texts may have."""

    storage: Storage
    kind: str
    inherited: tuple[str, ...] = ()

    @cached_property
    def _fixed(self) -> dict[int, bytes]:
        table = self.storage.streams.get(_TABLE, b"")[_HEADS[self.kind] :]
        rows = (table[start : start + 16] for start in range(0, len(table) - 15, 16))
        return {int.from_bytes(row[2:4], "little"): row[8:] for row in rows}

    @cached_property
    def pages(self) -> tuple[str, ...]:
        """Encodings that the message declares for its texts, the likeliest first."""
        pages = (self.number(MESSAGE_CODE_PAGE), self.number(INTERNET_CODE_PAGE))
        first, last = (encoding_of_page(page or 0) for page in pages)
        locale = self.number(LOCALE)
        usual = (page for page, known in _LANGUAGES.items() if (locale or 0) & 0x3FF in known)
        of_locale = (_LOCALES.get(locale) or next(usual, "cp1252")) if locale else ""
        declared = (first, of_locale, last)
        return tuple(dict.fromkeys(filter(None, (*declared, *self.inherited))))

    def number(self, pid: int) -> int | None:
        """Return the number in property ``pid``; None when absent."""
        value = self._fixed.get(pid)
        return None if value is None else int.from_bytes(value[:4], "little")

    def date(self, pid: int) -> dt.datetime | None:
        """Return the time in property ``pid``, in UTC; None when absent or out of range."""
        value = self._fixed.get(pid)
        if value is None:
            return None
        try:
            return _EPOCH + dt.timedelta(microseconds=int.from_bytes(value, "little") // 10)
        except OverflowError:
            return None

    def binary(self, pid: int) -> bytes | None:
        """Return the bytes of property ``pid``; None when absent."""
        return self.storage.streams.get(f"__substg1.0_{pid:04X}{_BINARY:04X}")

    def text(self, pid: int) -> str:
        """Return the text of property ``pid``; empty when it is absent, or no text."""
        try:
            return self.body(pid, "")
        except DocumentError:
            return ""

    def body(self, pid: int, page: str) -> str:
        """Return the text of property ``pid``, empty when absent; ``page`` is tried before others.

        Raises ``DocumentError`` (corrupt) when it is no text.
        """
        content = self.storage.streams.get(f"__substg1.0_{pid:04X}{_UNICODE:04X}")
        if content is not None:
            return content.decode("utf-16-le", "replace").rstrip("\0")
        content = self.storage.streams.get(f"__substg1.0_{pid:04X}{_STRING8:04X}", b"")
        return self.decode(content, page)

    def decode(self, content: bytes, page: str) -> str:
        """Decode ``content`` by ``page``, by the declared code pages, or by a guess.

        Raises ``DocumentError`` (corrupt) when it is no text.
        """
        content = content.rstrip(b"\0")
        declared = (charsets(each) or () for each in (page, *self.pages) if each)
        for encoding in chain.from_iterable(declared):
            try:
                text = content.decode(encoding)
            except (UnicodeError, LookupError):
                continue
            wrong = any("\x7f" <= character <= "\x9f" for character in text)
            if "\0" not in text and not wrong:  # control characters show a wrong encoding
                return text
        found = decode_body(content, "")
        if found is None:
            raise DocumentError(DocumentFailure.CORRUPT)
        return found.text

    @property
    def recipients(self) -> Iterator[OutlookItem]:
        """Recipients of the message."""
        return self._inner("__recip_version1.0_#", "recipient")

    @property
    def attachments(self) -> Iterator[OutlookItem]:
        """Attachments of the message."""
        return self._inner("__attach_version1.0_#", "attachment")

    @property
    def embedded(self) -> OutlookItem | None:
        """Message that this attachment embeds, or None."""
        name = f"__substg1.0_{_ATTACHED_DATA:04X}{_OBJECT:04X}"
        inner = next((kid for kid in self.storage.storages if kid.name == name), None)
        return None if inner is None else OutlookItem(inner, "embedded", self.inherited)

    def _inner(self, prefix: str, kind: str) -> Iterator[OutlookItem]:
        for storage in self.storage.storages:
            if storage.name.startswith(prefix):
                yield OutlookItem(storage, kind, self.pages)


def load_message(content: bytes) -> OutlookItem:
    """Return the message in the Outlook file ``content``.

    Raises ``DocumentError``: corrupt, or too large (too many streams, or nested too deeply).
    """
    try:
        with OleFileIO(content) as ole:
            entries = [entry for entry in ole.direntries if entry is not None]
            if len(entries) > _MOST_ENTRIES:
                raise DocumentError(DocumentFailure.TOO_LARGE)
            claimed = sum(entry.size for entry in entries if entry.entry_type == _STREAM)
            if claimed > len(content) * _MOST_TIMES:
                raise DocumentError(DocumentFailure.CORRUPT)
            root = _read_storage(ole, ole.root, [])
            if _TABLE not in root.streams:
                raise DocumentError(DocumentFailure.CORRUPT)
            return OutlookItem(root, "message")
    except DocumentError:
        raise
    except Exception:  # noqa: BLE001 (olefile meets damage with errors of every kind)
        raise DocumentError(DocumentFailure.CORRUPT) from None


def _read_storage(ole: Any, entry: Any, path: list[str]) -> Storage:
    if len(path) > _DEEPEST:
        raise DocumentError(DocumentFailure.TOO_LARGE)
    streams = {
        kid.name: ole.openstream([*path, kid.name]).read()
        for kid in entry.kids
        if kid.entry_type == _STREAM
    }
    inner = (kid for kid in entry.kids if kid.entry_type == _STORAGE)
    storages = tuple(_read_storage(ole, kid, [*path, kid.name]) for kid in inner)
    return Storage(entry.name, streams, storages)


def read_rich_body(content: bytes) -> tuple[str, str]:
    """Return the HTML in the Rich Text ``content`` if it was made from HTML, else its text.

    The second item is the origin of the Rich Text: ``html``, ``text``, or else ``rich``.

    Raises ``DocumentError``: corrupt (no Rich Text, or damaged), or too large (nested too deeply).
    """
    if not content.lstrip().startswith(b"{\\rtf"):
        raise DocumentError(DocumentFailure.CORRUPT)
    start = islice(read_tokens(content), _DECLARED_WITHIN)
    named = (_ORIGINS.get(token.value) for token in start if token.kind is RichTokenKind.WORD)
    origin = next(filter(None, named), "rich")
    reader = _BodyReader(origin == "html")
    for token in read_tokens(content):
        reader.take(token)
    reader.close()
    return "".join(reader.pieces), origin


class _BodyReader(RichTextReader):
    """Reader of the text, or of the HTML: tags as they stand, with text between them escaped."""

    def __init__(self, is_html: bool) -> None:
        super().__init__()
        self.pieces: list[str] = []
        self._is_html = is_html

    def enter_destination(self, word: bytes) -> bool:
        """Set the place of a group by its destination; see ``RichTextReader``."""
        if word == b"htmltag" and self._is_html:
            self.group.place = TAG
        elif word == b"fonttbl":
            self.group.place = FONTS
        elif word in _SILENT or (self.group.starred and word not in CONTAINERS):
            self.group.place = KEPT_AS_IS
        else:
            return False
        return True

    def take_word(self, token: RichToken) -> None:
        """Handle line ends, and control words that hide text."""
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
        """Return True in tags, and in text that is not hidden."""
        place = self.group.place
        return place == TAG or (place == TEXT and not self.group.hiding)

    def close(self) -> None:
        """Add the gathered text."""
        text = self.end_stretch()
        escaped = self._is_html and self.group.place == TEXT
        self.pieces.append(html.escape(text, quote=False) if escaped else text)


def decompress(content: bytes) -> bytes:
    """Decompress the Rich Text in the property ``content``.

    Each control byte is followed by eight literals or references. A reference names a position in
    the window of the last 4096 bytes, which initially holds the filling, and zeros before it.

    Raises ``DocumentError``: corrupt, or too large (over 20 MB, whatever its header says).
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
            # A repeated run may extend into the bytes that it adds.
            found += (found[start : start + length] * length)[:length]
        if len(found) > _WINDOW + _MOST_BYTES:
            raise DocumentError(DocumentFailure.TOO_LARGE)
    return bytes(found[before:])[:size]
