"""Boundaries of the messages in a mailbox file (mbox), which begin at ``From `` lines.

Programs agree on little more than this: the line follows a blank one, names a sender, a time and a
year, and headers follow it. The file is read in blocks, so that the size of a mailbox costs no
memory.

Entry: `message_spans` -> `open_envelope` -> `Envelope.seal`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO, Final

_BLOCK: Final = 1 << 20
_OVERLAP: Final = 2048
"""Overlap of two blocks in bytes: more than the longest separator with the start of a header."""
_SEPARATOR: Final = re.compile(
    rb"\nFrom (?=\S{1,300} [^\r\n]{0,300}?\d\d:\d\d)(?=[^\r\n]{0,400}?\b(?:19|20)\d\d\b)"
    rb"[^\r\n]{1,600}\r?\n(?=[!-9;-~]{1,100}:|>From )"
)
_DATED: Final = re.compile(
    rb"\nFrom [^\r\n]{0,300}?\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? [ \w]{1,12} \d\d:\d\d"
)
"""Separator that cannot be prose; it counts even without a blank line before it."""
_START: Final = re.compile(rb"[\r\n]*(?:From [^\r\n]*(?:\r\n|\n|\Z))?")
_END: Final = re.compile(rb"(?<=\n)(?:\r\n|\n)\Z")
_MARKED: Final = re.compile(rb"^((?!>)[^\r\n]*\r?\n)>From ", re.MULTILINE)
"""``>From `` after a line that is no quotation: there the mailbox added the mark."""
_BARE: Final = re.compile(rb"^From [^\r\n]*", re.MULTILINE)


def message_spans(file: BinaryIO) -> Iterator[tuple[int, int]]:
    """Yield ``(start, end)`` of each message of ``file`` in order, with its ``From `` line.

    The spans cover the file. Blank lines before the first message belong to it, blank lines between
    messages to the message before them. A message begins after a blank line, or with a dated line.
    """
    start, base, content = 0, 0, b""
    while True:
        file.seek(base + len(content))
        block = file.read(_BLOCK)
        content += block
        settled = len(content) if not block else max(0, len(content) - _OVERLAP)
        kept = 0
        for match in _SEPARATOR.finditer(content):
            position = match.start()
            if position >= settled:
                break
            blank = content[max(0, position - 2) : position]
            begins = blank == b"\n\r" or blank.endswith(b"\n") or _DATED.match(content, position)
            if begins and (base or content[:position].strip()):
                yield start, base + position + 1
                start = base + position + 1
            kept = match.end() - 1
        if not block:
            break
        kept = max(kept, settled - 2)  # two bytes more, which show a blank line
        base, content = base + kept, content[kept:]
    yield start, file.seek(0, 2)


@dataclass(frozen=True, slots=True)
class Envelope:
    """Message of a mailbox between ``head`` and ``tail``, without marks if ``marked``."""

    head: bytes
    message: bytes
    tail: bytes
    marked: bool

    def seal(self, message: bytes) -> bytes:
        """Return ``message`` for the mailbox: no line of it looks like the start of one."""
        known = set() if self.marked else set(_BARE.findall(self.message))
        body = _BARE.sub(lambda m: m[0] if m[0] in known else b">" + m[0], message)
        return self.head + body + self.tail


def open_envelope(content: bytes) -> Envelope:
    """Take the span of one message in a mailbox apart; joined again, the parts are ``content``."""
    head = _START.match(content)
    start = head.end() if head else 0
    tail = _END.search(content, start)
    end = tail.start() if tail else len(content)
    message = content[start:end]
    if _BARE.search(message) is not None:
        return Envelope(content[:start], message, content[end:], marked=False)
    plain = _MARKED.sub(rb"\1From ", message)
    return Envelope(content[:start], plain, content[end:], marked=True)
