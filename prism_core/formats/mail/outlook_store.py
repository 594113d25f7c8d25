"""What an Outlook file holds: messages, recipients and attachments, and their properties.

The file is an OLE container ([MS-OXMSG]): a storage for each of them, in which a table holds
numbers and dates, and a stream each longer value. Text is in UTF-16, or in a code page that many
programs do not name, or name wrongly.

entry: `load`; then `_root` -> `_storage` of each folder, and the properties of an `OutlookItem` ->
`body` -> `decoded`.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from olefile import OleFileIO

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.mail.bodies import read_text
from prism_core.formats.rich_text import of_page

MESSAGE_CODE_PAGE: Final = 0x3FFD
INTERNET_CODE_PAGE: Final = 0x3FDE
LOCALE: Final = 0x3FF1
_ATTACHED_DATA: Final = 0x3701

_UNICODE, _STRING8, _BINARY, _OBJECT = 0x001F, 0x001E, 0x0102, 0x000D
_TABLE: Final = "__properties_version1.0"
_HEADS: Final = {"message": 32, "embedded": 24, "attachment": 8, "recipient": 8}
"""What stands before the properties in the table of each kind of storage (MS-OXMSG 2.4)."""
_STORAGE, _STREAM = 1, 2
_DEEPEST: Final = 40
_MOST_TIMES: Final = 4
"""Streams may together claim this many times the size of the file, as they do in damaged ones."""
_MOST_ENTRIES: Final = 20_000
_EPOCH: Final = dt.datetime(1601, 1, 1, tzinfo=dt.UTC)

_LANGUAGES: Final = {
    "cp1251": (0x02, 0x19, 0x22, 0x23, 0x2F), "cp1250": (0x05, 0x0E, 0x15, 0x18, 0x1A, 0x1B, 0x24),
    "cp1253": (0x08,), "cp1254": (0x1F, 0x2C), "cp1255": (0x0D,), "cp1256": (0x01, 0x20, 0x29),
    "cp1257": (0x25, 0x26, 0x27), "cp1258": (0x2A,), "cp874": (0x1E,), "cp932": (0x11,),
    "cp949": (0x12,), "gbk": (0x04,),
}  # fmt: skip
"""The code page of a language on Windows, by the low ten bits of its locale."""
_TRADITIONAL: Final = frozenset((0x0404, 0x0C04, 0x1404))
_SERBIAN_CYRILLIC: Final = 0x0C1A


@dataclass(frozen=True, slots=True)
class Storage:
    """A folder of the container: its streams by name, and the folders in it."""

    name: str
    streams: Mapping[str, bytes]
    storages: tuple[Storage, ...]


@dataclass(frozen=True)
class OutlookItem:
    """A message, a recipient or an attachment. ``pages`` are the encodings its texts may have."""

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
        """The encodings that the message declares for its texts, the likeliest first."""
        pages = (self.number(MESSAGE_CODE_PAGE), self.number(INTERNET_CODE_PAGE))
        own = (of_page(pages[0] or 0), _page_of(self.number(LOCALE)), of_page(pages[1] or 0))
        return tuple(dict.fromkeys(filter(None, (*own, *self.inherited))))

    def number(self, pid: int) -> int | None:
        """The number that property ``pid`` is; None when absent."""
        value = self._fixed.get(pid)
        return None if value is None else int.from_bytes(value[:4], "little")

    def date(self, pid: int) -> dt.datetime | None:
        """The time that property ``pid`` is, in UTC; None when absent or out of range."""
        value = self._fixed.get(pid)
        if value is None:
            return None
        try:
            return _EPOCH + dt.timedelta(microseconds=int.from_bytes(value, "little") // 10)
        except OverflowError:
            return None

    def binary(self, pid: int) -> bytes | None:
        """The bytes of property ``pid``; None when absent."""
        return self.storage.streams.get(f"__substg1.0_{pid:04X}{_BINARY:04X}")

    def text(self, pid: int) -> str:
        """The text of property ``pid``; empty when it is absent, or no text."""
        try:
            return self.body(pid, "")
        except DocumentError:
            return ""

    def body(self, pid: int, page: str) -> str:
        """The text of property ``pid``, empty when absent; ``page`` is tried before others.

        Raises ``DocumentError`` (corrupt) when it is no text.
        """
        content = self.storage.streams.get(f"__substg1.0_{pid:04X}{_UNICODE:04X}")
        if content is not None:
            return content.decode("utf-16-le", "replace").rstrip("\0")
        content = self.storage.streams.get(f"__substg1.0_{pid:04X}{_STRING8:04X}", b"")
        return self.decoded(content, page)

    def decoded(self, content: bytes, page: str) -> str:
        """``content`` by ``page``, by the code pages declared, or by what it looks like.

        Raises ``DocumentError`` (corrupt) when it is no text.
        """
        content = content.rstrip(b"\0")
        for encoding in filter(None, (page, *self.pages)):
            try:
                text = content.decode(encoding)
            except (UnicodeError, LookupError):
                continue
            wrong = any("\x7f" <= character <= "\x9f" for character in text)
            if "\0" not in text and not wrong:  # control characters: it was another encoding
                return text
        found = read_text(content, "")
        if found is None:
            raise DocumentError(DocumentFailure.CORRUPT)
        return found.text

    @property
    def recipients(self) -> Iterator[OutlookItem]:
        """Those the message is addressed to."""
        return self._inner("__recip_version1.0_#", "recipient")

    @property
    def attachments(self) -> Iterator[OutlookItem]:
        """What is attached to the message."""
        return self._inner("__attach_version1.0_#", "attachment")

    @property
    def embedded(self) -> OutlookItem | None:
        """The message that this attachment is, if it is one."""
        name = f"__substg1.0_{_ATTACHED_DATA:04X}{_OBJECT:04X}"
        inner = next((each for each in self.storage.storages if each.name == name), None)
        return None if inner is None else OutlookItem(inner, "embedded", self.inherited)

    def _inner(self, prefix: str, kind: str) -> Iterator[OutlookItem]:
        for storage in self.storage.storages:
            if storage.name.startswith(prefix):
                yield OutlookItem(storage, kind, self.pages)


def load(content: bytes) -> OutlookItem:
    """The message in the Outlook file ``content``.

    Raises ``DocumentError``: corrupt, or too large (too many streams, or nested too deeply).
    """
    try:
        with OleFileIO(content) as ole:
            entries = [entry for entry in ole.direntries if entry is not None]
            if len(entries) > _MOST_ENTRIES:
                raise DocumentError(DocumentFailure.TOO_LARGE)
            claimed = sum(entry.size for entry in entries if entry.entry_type == _STREAM)
            root = _storage(ole, ole.root, []) if claimed <= len(content) * _MOST_TIMES else None
            if root is None or _TABLE not in root.streams:
                raise DocumentError(DocumentFailure.CORRUPT)
            return OutlookItem(root, "message")
    except DocumentError:
        raise
    except Exception:  # noqa: BLE001 (olefile meets damage with errors of every kind)
        raise DocumentError(DocumentFailure.CORRUPT) from None


def _storage(ole: Any, entry: Any, path: list[str]) -> Storage:
    if len(path) > _DEEPEST:
        raise DocumentError(DocumentFailure.TOO_LARGE)
    streams = {
        kid.name: ole.openstream([*path, kid.name]).read()
        for kid in entry.kids
        if kid.entry_type == _STREAM
    }
    inner = (kid for kid in entry.kids if kid.entry_type == _STORAGE)
    storages = tuple(_storage(ole, kid, [*path, kid.name]) for kid in inner)
    return Storage(entry.name, streams, storages)


def _page_of(locale: int | None) -> str:
    """The code page of a locale; empty when it has none."""
    if not locale:
        return ""
    if locale in _TRADITIONAL:
        return "cp950"
    if locale == _SERBIAN_CYRILLIC:
        return "cp1251"
    language = locale & 0x3FF
    return next((page for page, known in _LANGUAGES.items() if language in known), "cp1252")
