"""Outlook messages made for tests: OLE containers with the properties of [MS-OXMSG]."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence

SUBJECT, BODY, HTML, RICH_TEXT, CLASS = 0x0037, 0x1000, 0x1013, 0x1009, 0x001A
CODE_PAGE, INTERNET_CODE_PAGE, LOCALE = 0x3FFD, 0x3FDE, 0x3FF1
DATA, METHOD, FILE_NAME, MIME_TYPE, CONTENT_ID = 0x3701, 0x3705, 0x3707, 0x370E, 0x3712

Properties = Mapping[int, "str | bytes | int | Message"]
_SECTOR, _MINI = 512, 64
_FREE, _END = 0xFFFFFFFF, 0xFFFFFFFE


class Message:
    """The properties of a message, and its attachments. ``encoding`` writes text in that."""

    def __init__(
        self,
        properties: Properties,
        attachments: Sequence[Properties] = (),
        encoding: str = "",
    ) -> None:
        self.properties = {CLASS: "IPM.Note", **properties}
        self.attachments = attachments
        self.encoding = encoding


def outlook_file(message: Message) -> bytes:
    """The ``.msg`` file of ``message``."""
    return _container(_message(message, head=32))


def plain_rich_text(content: bytes) -> bytes:
    """``content`` as the property for Rich Text, not compressed."""
    return struct.pack("<IIII", len(content) + 12, len(content), 0x414C454D, 0) + content


def _message(message: Message, head: int) -> dict:
    folder = _properties(message.properties, message.encoding, head)
    for index, attachment in enumerate(message.attachments):
        name = f"__attach_version1.0_#{index:08X}"
        folder[name] = _properties(attachment, message.encoding, 8)
    return folder


def _properties(properties: Properties, encoding: str, head: int) -> dict:
    table, folder = bytes(head), {}
    for pid, value in properties.items():
        kind = {int: 3, bytes: 0x0102, Message: 0x000D}.get(type(value), 0x1E if encoding else 0x1F)
        number = value if isinstance(value, int) else 0
        table += struct.pack("<HHIQ", kind, pid, 6, number)
        name = f"__substg1.0_{pid:04X}{kind:04X}"
        if isinstance(value, Message):
            folder[name] = _message(value, head=24)
        elif isinstance(value, bytes):
            folder[name] = value
        elif isinstance(value, str):
            folder[name] = value.encode(encoding or "utf-16-le")
    return {"__properties_version1.0": table, **folder}


class _Sectors:
    """Streams in chains of sectors of one size, with the table of what follows what."""

    def __init__(self, size: int) -> None:
        self.size, self.content, self.table = size, b"", []

    def add(self, stream: bytes) -> int:
        if not stream:
            return _END
        first, count = len(self.table), -(-len(stream) // self.size)
        self.table += [*range(first + 1, first + count), _END]
        self.content += stream.ljust(count * self.size, b"\0")
        return first


def _container(root: dict) -> bytes:
    big, small = _Sectors(_SECTOR), _Sectors(_MINI)
    entries: list[list] = [["Root Entry", 5, _FREE, _FREE, 0, 0]]
    entries[0][3] = _folder(root, entries, big, small)
    entries[0][4], entries[0][5] = big.add(small.content), len(small.content)
    mini_table = big.add(b"".join(struct.pack("<I", link) for link in small.table))
    directory = big.add(b"".join(_entry(*entry) for entry in entries))
    sectors = -(-(len(big.table) + 1) // 127)
    links = [*big.table, *[0xFFFFFFFD] * sectors]
    table = b"".join(struct.pack("<I", link) for link in links)
    table = table.ljust(sectors * _SECTOR, b"\xff")
    places = [*range(len(big.table), len(big.table) + sectors)]
    head = struct.pack(
        "<8s16sHHHHH6xIIIIIIIII", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"", 0x3E, 3, 0xFFFE, 9, 6,
        0, sectors, directory, 0, 4096, mini_table, -(-len(small.table) // 128), _END, 0,
    )  # fmt: skip
    head += b"".join(struct.pack("<I", place) for place in places + [_FREE] * (109 - sectors))
    return head + big.content + table


def _folder(folder: dict, entries: list[list], big: _Sectors, small: _Sectors) -> int:
    """Add what ``folder`` holds as a chain of siblings; the number of the first."""
    first = _FREE
    for name, value in sorted(folder.items(), reverse=True):
        entry = [name, 1, first, _FREE, 0, 0]
        first = len(entries)
        entries.append(entry)
        if isinstance(value, dict):
            entry[3] = _folder(value, entries, big, small)
        else:
            sectors = small if len(value) < 4096 else big
            entry[1], entry[4], entry[5] = 2, sectors.add(value), len(value)
    return first


def _entry(name: str, kind: int, right: int, child: int, start: int, size: int) -> bytes:
    encoded = name.encode("utf-16-le").ljust(64, b"\0")
    return struct.pack(
        "<64sHBBIII36xIQ", encoded, 2 * len(name) + 2, kind, 1, _FREE, right, child, start, size
    )
