"""Which characters of a translation stand for which of its source.

Decoding knows where each replaced word came back, so its alignment is exact for the words that
carry a sentence; see ``prism_core.decoding.alignment``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

Span = tuple[int, int]
"""Start and end of a stretch of characters."""


class Match(NamedTuple):
    """``source`` came back as ``target``.

    An empty match, both spans of no width, is a border: what lies before it in the source lies
    before it in the translation.
    """

    source: Span
    target: Span

    def moved(self, source: int, target: int) -> Match:
        """The same match in texts that begin ``source`` and ``target`` characters earlier."""
        (start, end), (first, last) = self
        return Match((start + source, end + source), (first + target, last + target))

    def within(self, source: Span, target: Span) -> bool:
        """Whether both of its spans lie in those given."""
        return _inside(self.source, source) and _inside(self.target, target)


Alignment = tuple[Match, ...]


class AlignedText(str):
    """A translation with its ``alignment`` to the source; whatever is made of it is a plain str."""

    alignment: Alignment
    __slots__ = ("alignment",)

    def __new__(cls, text: str, alignment: Iterable[Match] = ()) -> AlignedText:
        """``text`` with ``alignment``, sorted by their places in the translation."""
        made = super().__new__(cls, text)
        made.alignment = tuple(sorted(alignment, key=lambda match: (match.target, match.source)))
        return made

    def __reduce__(self) -> tuple[type[AlignedText], tuple[str, Alignment]]:
        """For the child process that writes documents."""
        return AlignedText, (str(self), self.alignment)

    def part(self, source: Span, target: Span) -> AlignedText:
        """The translation's ``target``, aligned to the source's ``source``."""
        matches = (match for match in self.alignment if match.within(source, target))
        moved = (match.moved(-source[0], -target[0]) for match in matches)
        return AlignedText(self[slice(*target)], moved)


def part_of(text: str, source: Span, target: Span) -> str:
    """``text[target]``, with its alignment to ``source`` if it has one."""
    if isinstance(text, AlignedText):
        return text.part(source, target)
    return text[slice(*target)]


def _inside(span: Span, outer: Span) -> bool:
    return outer[0] <= span[0] and span[1] <= outer[1]
