"""Alignment of a translation's characters with those of its source.

Decoding knows the position of each restored word, so its alignment is exact for the words that
carry a sentence; see ``prism_core.decoding.linked``.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import NamedTuple, TypeVar

Span = tuple[int, int]
"""Start and end of a range of characters."""
_Key = TypeVar("_Key", bound=Hashable)


class Match(NamedTuple):
    """Alignment of ``source`` with ``target``.

    An empty match, both spans without width, is a boundary: text before it in the source is before
    it in the translation.
    """

    source: Span
    target: Span

    def moved(self, source: int, target: int) -> Match:
        """Return the match in texts that begin ``source`` and ``target`` characters earlier."""
        if not (source or target):  # the only sentence of a cell: there may be a million of them
            return self
        (start, end), (first, last) = self
        return Match((start + source, end + source), (first + target, last + target))

    def within(self, source: Span, target: Span) -> bool:
        """Return True if both of its spans lie within those given."""
        return _inside(self.source, source) and _inside(self.target, target)


Alignment = tuple[Match, ...]


@dataclass(frozen=True, slots=True)
class Translation:
    """A translation with its alignment to the source.

    ``matches`` become a tuple in the order of the translation; it is empty where nothing is known.
    """

    text: str
    matches: Sequence[Match] = ()

    def __post_init__(self) -> None:
        """Sort the matches."""
        ordered = sorted(self.matches, key=lambda match: (match.target, match.source))
        object.__setattr__(self, "matches", tuple(ordered))

    @property
    def is_aligned(self) -> bool:
        """True if the source of any word is known."""
        return any(match.target[0] < match.target[1] for match in self.matches)

    def part(self, source: Span, target: Span) -> Translation:
        """Return the translation's ``target``, aligned to the source's ``source``."""
        matches = (match for match in self.matches if match.within(source, target))
        moved = (match.moved(-source[0], -target[0]) for match in matches)
        return Translation(self.text[slice(*target)], tuple(moved))

    def framed(self, before: str, after: str) -> Translation:
        """Replace surrounding white space by ``before`` and ``after``, in the source too."""
        text = self.text.strip()
        cut = len(self.text) - len(self.text.lstrip())
        inner = self.part((0, sys.maxsize), (cut, cut + len(text)))
        moved = (match.moved(len(before), len(before)) for match in inner.matches)
        return Translation(before + text + after, tuple(moved))


_WITHOUT_SPACES = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uf900-\ufaff]")
"""Letters of scripts that put no blank between words."""


def strip_span(text: str, start: int, end: int) -> Span:
    """Return ``start`` and ``end`` without the white space within; both equal if all is."""
    inner = text[start:end]
    first = start + len(inner) - len(inner.lstrip())
    return first, max(first, end - len(inner) + len(inner.rstrip()))


def is_inside_word(text: str, position: int) -> bool:
    """Return True if a boundary at ``position`` would split a word of ``text``."""
    before, after = text[max(0, position - 1) : position], text[position : position + 1]
    return before.isalnum() and after.isalnum() and not _WITHOUT_SPACES.search(before + after)


def put_in(text: str, changes: Mapping[_Key, tuple[Span, str]]) -> tuple[str, dict[_Key, Span]]:
    """Write each of ``changes`` at its place; return the text and where each now stands.

    The keys stay the same. No two places may overlap.
    """
    pieces: list[str] = []
    places: dict[_Key, Span] = {}
    done = length = 0
    for key, ((start, end), written) in sorted(changes.items(), key=itemgetter(1)):
        pieces += text[done:start], written
        length += start - done
        places[key] = length, length + len(written)
        length += len(written)
        done = end
    return "".join(pieces) + text[done:], places


def _inside(span: Span, outer: Span) -> bool:
    return outer[0] <= span[0] and span[1] <= outer[1]
