"""The parts of a message as spans of its bytes, so that what is not edited stays as it is.

The standard library parses a message into objects and writes it anew; here the message is only
measured. Edits are made on the spans, and every other byte, header, boundary and preamble
included, is copied.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.mail.headers import Content, Field, parse_content, scan_fields

_DEEPEST: Final = 40
_MOST_PARTS: Final = 5_000
_NESTED: Final = (
    "It has too many parts, or parts nested too deeply, for a real message; check its origin."
)
_PLAIN_TRANSFER: Final = frozenset(("", "7bit", "8bit", "binary"))


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a message, or the message itself.

    Its headers lie in ``start:body``, its body in ``body:end``. ``headed`` says that a blank line
    ends the headers. A message inside a message is the one part of a ``message/rfc822`` part.
    """

    start: int
    body: int
    end: int
    headed: bool
    fields: tuple[Field, ...]
    content: Content
    parts: tuple[Part, ...] = ()

    def field(self, name: str) -> Field | None:
        """The first header called ``name`` (lower case)."""
        return next((field for field in self.fields if field.name == name), None)

    def walk(self) -> Iterator[Part]:
        """This part and all below it, in the order of the message."""
        yield self
        for part in self.parts:
            yield from part.walk()

    def outline(self) -> tuple[str, ...]:
        """The types of all parts in order: what an edit must not change."""
        return tuple(part.content.media_type for part in self.walk())


def take_apart(message: bytes) -> Part:
    """The tree of parts of ``message``.

    Raises ``DocumentError`` (too large) for parts nested over 40 deep, or more than 5,000 of them.
    """
    return _Splitter(message).message(0, len(message), 0)


class _Splitter:
    """Measures one message; counts its parts so that a hostile one ends early."""

    def __init__(self, message: bytes) -> None:
        self._message = message
        self._count = 0

    def message(self, start: int, end: int, depth: int) -> Part:
        leading = re.compile(rb"(?:\xef\xbb\xbf)?[\r\n]*").match(self._message, start, end)
        return self.part(leading.end() if leading else start, end, depth, "text/plain")

    def part(self, start: int, end: int, depth: int, default_type: str) -> Part:
        self._count += 1
        if depth > _DEEPEST or self._count > _MOST_PARTS:
            raise DocumentError(DocumentFailure.TOO_LARGE, _NESTED)
        fields, body, headed = scan_fields(self._message, start, end)
        content = parse_content(self._message, fields, default_type)
        parts = self._parts_of(content, body, end, depth)
        return Part(start, body, end, headed, fields, content, parts)

    def _parts_of(self, content: Content, body: int, end: int, depth: int) -> tuple[Part, ...]:
        if content.media_type == "message/rfc822" and content.transfer in _PLAIN_TRANSFER:
            return (self.message(body, end, depth + 1),)
        if not content.boundary or not content.media_type.startswith("multipart/"):
            return ()
        digest = content.media_type == "multipart/digest"
        default_type = "message/rfc822" if digest else "text/plain"
        return tuple(
            self.part(inner, outer, depth + 1, default_type)
            for inner, outer in self._between_boundaries(content.boundary, body, end)
        )

    def _between_boundaries(self, boundary: bytes, start: int, end: int) -> list[tuple[int, int]]:
        """The spans between delimiter lines; the line break before a delimiter belongs to it."""
        delimiter = re.compile(
            rb"(?:\A|(?<=[\r\n]))--" + re.escape(boundary) + rb"(--)?[ \t]*(?:\r\n|\r|\n|\Z)"
        )
        marks: list[tuple[int, int]] = []
        for match in delimiter.finditer(self._message, start, end):
            marks.append((match.start(), match.end()))
            if match[1]:
                break
        else:
            if marks:  # cut off before the closing delimiter
                marks.append((end, end))
        return [
            (after, max(after, before - self._break_before(before, end)))
            for (_, after), (before, _) in pairwise(marks)
        ]

    def _break_before(self, position: int, end: int) -> int:
        if position == end:
            return 0
        if self._message[position - 2 : position] == b"\r\n":
            return 2
        return 1
