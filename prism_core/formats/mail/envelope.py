"""What a mailbox file (mbox) puts around a message: its ``From `` line, and marks in the body."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_START: Final = re.compile(rb"[\r\n]*(?:From [^\r\n]*(?:\r\n|\n|\Z))?")
_END: Final = re.compile(rb"(?<=\n)(?:\r\n|\n)\Z")
_MARKED: Final = re.compile(rb"^((?!>)[^\r\n]*\r?\n)>From ", re.MULTILINE)
"""``>From `` behind a line that is no quotation: there the mark is the mailbox's own."""
_BARE: Final = re.compile(rb"^From [^\r\n]*", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Envelope:
    """A message as a mailbox holds it: ``head``, the message, ``tail``.

    ``message`` is without the marks that the mailbox put before ``From `` in its lines, if they
    can be put back exactly (``marked``); else it is as it was.
    """

    head: bytes
    message: bytes
    tail: bytes
    marked: bool

    def sealed(self, message: bytes) -> bytes:
        """``message`` for the mailbox; no line of it looks as if another message began there."""
        known = set() if self.marked else set(_BARE.findall(self.message))
        body = _BARE.sub(lambda m: m[0] if m[0] in known else b">" + m[0], message)
        return self.head + body + self.tail


def open_envelope(content: bytes) -> Envelope:
    """Take the span of one message in a mailbox apart; joined again, it is ``content``."""
    head = _START.match(content)
    start = head.end() if head else 0
    tail = _END.search(content, start)
    end = tail.start() if tail else len(content)
    message = content[start:end]
    if _BARE.search(message) is not None:
        return Envelope(content[:start], message, content[end:], marked=False)
    plain = _MARKED.sub(rb"\1From ", message)
    return Envelope(content[:start], plain, content[end:], marked=True)
