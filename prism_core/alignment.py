"""Which characters of a translation stand for which of its source.

Decoding knows where each replaced word came back, so its alignment is exact for the words that
carry a sentence; see ``prism_core.decoding.linked``.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
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
        if not (source or target):  # the one sentence of a cell: there may be a million of them
            return self
        (start, end), (first, last) = self
        return Match((start + source, end + source), (first + target, last + target))

    def within(self, source: Span, target: Span) -> bool:
        """Whether both of its spans lie in those given."""
        return _inside(self.source, source) and _inside(self.target, target)


Alignment = tuple[Match, ...]


@dataclass(frozen=True, slots=True)
class Translation:
    """A translation, and what of its source its words stand for.

    ``matches`` are a tuple in the order of the translation, however they are given; there are none
    where nothing is known.
    """

    text: str
    matches: Sequence[Match] = ()

    def __post_init__(self) -> None:
        """Sort the matches."""
        ordered = sorted(self.matches, key=lambda match: (match.target, match.source))
        object.__setattr__(self, "matches", tuple(ordered))

    @property
    def is_aligned(self) -> bool:
        """Whether it is known of any word what it stands for."""
        return any(match.target[0] < match.target[1] for match in self.matches)

    def part(self, source: Span, target: Span) -> Translation:
        """The translation's ``target``, aligned to the source's ``source``."""
        matches = (match for match in self.matches if match.within(source, target))
        moved = (match.moved(-source[0], -target[0]) for match in matches)
        return Translation(self.text[slice(*target)], tuple(moved))

    def framed(self, before: str, after: str) -> Translation:
        """It with other text around it than its white space, in a source framed by the same."""
        text = self.text.strip()
        cut = len(self.text) - len(self.text.lstrip())
        inner = self.part((0, sys.maxsize), (cut, cut + len(text)))
        moved = (match.moved(len(before), len(before)) for match in inner.matches)
        return Translation(before + text + after, tuple(moved))


_WITHOUT_SPACES = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uf900-\ufaff]")
"""Letters of scripts that put no blank between words."""


def strip_span(text: str, start: int, end: int) -> Span:
    """``start`` and ``end`` without the white space of ``text`` between them; equal if all is."""
    inner = text[start:end]
    first = start + len(inner) - len(inner.lstrip())
    return first, max(first, end - len(inner) + len(inner.rstrip()))


def is_inside_word(text: str, place: int) -> bool:
    """Whether a border at ``place`` would cut a word of ``text`` in two."""
    before, after = text[max(0, place - 1) : place], text[place : place + 1]
    return before.isalnum() and after.isalnum() and not _WITHOUT_SPACES.search(before + after)


def _inside(span: Span, outer: Span) -> bool:
    return outer[0] <= span[0] and span[1] <= outer[1]
