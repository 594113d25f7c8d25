"""Adjacent words of x_pub that came back as one: *crisis package*, *Krisenpaket*.

Entry: ``find_compounds``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise

from prism_core.decoding.target_text import SHORTEST_START, Span, TargetText
from prism_core.decoding.weak import Shown
from prism_core.dictionary import common_start

LONGEST = 3
"""Maximum number of words of x_pub that are one word in the answer."""
SHORTEST = 7
"""Minimum number of letters of a compound."""
SHORTEST_ALONE = 5
"""Minimum number of letters of a part that proves a compound alone."""
LONGEST_LINK = 3
"""Maximum number of letters between two parts: *Regierung-s-krise*."""
_KEPT = -1
LIKE, ALIKE = 0.6, 0.8
"""Share of a form that must begin the compound: if its end is proven too, and if not."""

Forms = Mapping[int, Sequence[str]]
"""Forms of lost substitutes in lower case, by position."""


def find_compounds(
    forms: Forms, shown: Sequence[Shown], target: TargetText, *, is_proven: bool
) -> Iterator[Mapping[int, Span]]:
    """Yield the spans of lost neighbours, whose ``forms`` are given, in free words, by position.

    A proven compound begins as the first of two or three and ends as the last. Any other begins or
    ends as one of two, and is a noun by its capital, not at the start of the text. No result is
    given where several words would do. No place or substitute is given twice.
    """
    cut = _cut_proven if is_proven else _cut_by_one
    words = [
        word
        for word in target.free_words()
        if len(word[0]) >= SHORTEST and (is_proven or (word[1] and target.text[word[1]].isupper()))
    ]
    lost = set(forms)
    for run in _runs(lost, shown, is_proven) if words else ():
        fits = ((start, cut(word, [forms[at] for at in run])) for word, start, _ in words)
        found = [(start, cuts) for start, cuts in fits if cuts]
        if len(found) == 1 and lost.issuperset(run):
            ((start, cuts),) = found
            words = [word for word in words if word[1] != start]
            lost = lost.difference(run)
            yield dict(zip(run, pairwise(start + cut for cut in cuts), strict=True))


def _runs(
    lost: Collection[int], shown: Sequence[Shown], is_proven: bool
) -> Iterator[tuple[int, ...]]:
    """Yield the positions of lost neighbours in x_pub, in the order of a compound's parts.

    The longest runs come first. Two with a kept word between come last, in reverse order: *sum of
    money*.
    """
    places = [_KEPT if word.position is None else word.position for word in shown]
    for length in range(LONGEST if is_proven else 2, 1, -1):
        for first in range(len(places) - length + 1):
            run = tuple(at for at in places[first : first + length] if at in lost)
            if len(set(run)) == length:
                yield run
    for before, between, after in zip(places, places[1:], places[2:], strict=False):
        if is_proven and between == _KEPT and before in lost and after in lost:
            yield after, before


def _cut_proven(word: str, parts: Sequence[Sequence[str]]) -> list[int]:
    """Return the places at which ``word`` is cut if it begins and ends as ``parts``; else none."""
    size, (first, *inner, last) = len(word), parts
    starts = [common_start(form, word) for form in first if is_start(form, word, LIKE)]
    ends = [len(form) for form in last if len(form) >= SHORTEST_START and word.endswith(form)]
    between = (SHORTEST_START, size) if inner else (-1, LONGEST_LINK)
    for start in sorted(starts, reverse=True):
        for end in sorted(ends, reverse=True):
            if between[0] <= size - start - end <= between[1]:
                return [0, start, size - end, size] if inner else [0, size - end, size]
    return []


def _cut_by_one(word: str, parts: Sequence[Sequence[str]]) -> list[int]:
    """Return the same if one of two parts proves it, and enough letters are left for the other."""
    size, (first, last) = len(word), parts
    starts = [common_start(form, word) for form in first if is_start(form, word, ALIKE)]
    ends = [len(form) for form in last if word.endswith(form)]
    cuts = [start for start in starts if start >= SHORTEST_ALONE]
    cuts += [size - end for end in ends if end >= SHORTEST_ALONE]
    inside = [cut for cut in cuts if SHORTEST_START <= cut <= size - SHORTEST_START]
    return [0, max(inside), size] if inside else []


def is_start(form: str, word: str, share: float) -> bool:
    """Return True if ``word`` begins with at least ``share`` of ``form``."""
    return common_start(form, word) >= max(SHORTEST_START, share * len(form))
