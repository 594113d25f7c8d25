"""Cuts a translation where the source was cut: at changes of formatting, links and note marks.

The formats give the texts between the cuts; what is known of the alignment is what both languages
write alike: numbers, names, punctuation. A cut next to such a token is exact. Other cuts that must
be kept fall in proportion, between words; other changes of formatting are given up.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Final

_TOKEN: Final = re.compile(r"\w+(?:[.,'\u2019/@:&-]+\w+)*|[^\w\s]")
_LEAD_IN: Final = 4
"""Words; a longer start of another format is not taken for a lead-in."""
_WORD_START: Final = re.compile(r"(?<=\s)\S")


@dataclass(frozen=True, slots=True)
class Partition:
    """``slices``, one for each source text, give the translation when joined.

    ``lost`` counts the changes of formatting that could not be placed.
    """

    slices: tuple[str, ...]
    lost: int = 0


def partition(texts: Sequence[str], hard: Sequence[bool], translation: str) -> Partition:
    """Cut ``translation`` into one slice for each of ``texts``.

    ``hard[i]`` says that the cut between ``texts[i]`` and ``texts[i + 1]`` must be kept, because a
    note mark, a link or a field begins or ends there; a cut that is not hard only changes
    formatting, and is kept where its place is known.
    """
    if len(texts) == 1:
        return Partition((translation,))
    cuts = _exact_cuts(texts, translation)
    if cuts[0] is None and not hard[0] and (len(cuts) == 1 or cuts[1] is not None or hard[1]):
        cuts[0] = _lead_in(texts[0], translation, [cut for cut in cuts if cut is not None])
    _place_hard_cuts(texts, hard, translation, cuts)
    return _slices(texts, translation, cuts)


def _exact_cuts(texts: Sequence[str], translation: str) -> list[int | None]:
    """For each cut the offset in ``translation`` that an aligned neighbour gives, else None."""
    source = "".join(texts)
    spans = [match.span() for match in _TOKEN.finditer(source)]
    starts, ends = [start for start, _ in spans], [end for _, end in spans]
    aligned = _aligned(source, translation)
    cuts: list[int | None] = []
    for index, offset in enumerate(list(accumulate(map(len, texts)))[:-1]):
        before, after = bisect_right(ends, offset) - 1, bisect_left(starts, offset)
        space_right = texts[index + 1][:1].isspace()
        if before + 1 < after:  # inside the word before + 1
            span = aligned.get(before + 1)
            cuts.append(span and span[0] + offset - starts[before + 1])
        elif before in aligned:
            cuts.append(_behind(translation, aligned[before][1], space_right))
        elif after in aligned:
            cuts.append(_before(translation, aligned[after][0], space_right))
        else:
            cuts.append(None)
    return cuts


def _behind(text: str, offset: int, space_right: bool) -> int:
    while not space_right and offset < len(text) and text[offset].isspace():
        offset += 1
    return offset


def _before(text: str, offset: int, space_right: bool) -> int:
    while space_right and offset > 0 and text[offset - 1].isspace():
        offset -= 1
    return offset


def _aligned(source: str, target: str) -> dict[int, tuple[int, int]]:
    """Source token index to target span, for tokens written alike and equally often in both.

    The k-th occurrence goes with the k-th; crossing pairs are dropped, the fewest that will do.
    """
    sources, targets = _occurrences(source), _occurrences(target)
    pairs = []
    for token, indices in sources.items():
        spans = targets.get(token, [])
        if len(spans) == len(indices):
            pairs += [(index, span) for (index, _), (_, span) in zip(indices, spans, strict=True)]
    return dict(_longest_monotone(sorted(pairs)))


def _occurrences(text: str) -> dict[str, list[tuple[int, tuple[int, int]]]]:
    found: dict[str, list[tuple[int, tuple[int, int]]]] = defaultdict(list)
    for index, match in enumerate(_TOKEN.finditer(text)):
        token = match[0]
        # Short lower-case words are often the same by accident ("a", "no", "son").
        if not token.isalpha() or len(token) > 3 or token[0].isupper():
            found[token.lower()].append((index, match.span()))
    return found


def _longest_monotone(
    pairs: Sequence[tuple[int, tuple[int, int]]],
) -> list[tuple[int, tuple[int, int]]]:
    """The longest run of ``pairs`` whose targets increase too (patience sorting)."""
    tails: list[int] = []
    chain: list[int] = []
    previous: list[int] = []
    for index, (_, (start, _)) in enumerate(pairs):
        place = bisect_left(tails, start)
        previous.append(chain[place - 1] if place else -1)
        tails[place : place + 1] = [start]
        chain[place : place + 1] = [index]
    run = []
    index = chain[-1] if chain else -1
    while index >= 0:
        run.append(pairs[index])
        index = previous[index]
    return run[::-1]


def _lead_in(text: str, translation: str, known: Sequence[int]) -> int | None:
    """The end of a short lead-in ("**Solemnly affirms** the need"): as many words as it has.

    The start of a sentence keeps its word order more often than not; further in, it is a guess.
    None when the lead-in is long, or would pass the next of the ``known`` cuts.
    """
    words = [match.start() for match in _WORD_START.finditer(translation)]
    length = len(text.split())
    if not 1 <= length <= min(_LEAD_IN, len(words)):
        return None
    end = words[length - 1]
    return end if end <= min(known, default=end) else None


def _place_hard_cuts(
    texts: Sequence[str], hard: Sequence[bool], translation: str, cuts: list[int | None]
) -> None:
    """Give every hard cut that is not exact a place in proportion, at the start of a word."""
    words = [match.start() for match in _WORD_START.finditer(translation)]
    offsets = list(accumulate(map(len, texts)))
    source = "".join(texts)
    last_source, last_target = 0, 0
    for index, is_hard in enumerate(hard):
        if cuts[index] is None and is_hard:
            next_source, next_target = _next_known(offsets, cuts, index, len(translation))
            left, right = source[last_source : offsets[index]], source[offsets[index] : next_source]
            window = (last_target, next_target)
            cuts[index] = _proportional(words, window, len(left.strip()), len(right.strip()))
        known = cuts[index]
        if known is not None:
            last_source, last_target = offsets[index], max(last_target, known)


def _proportional(words: Sequence[int], window: tuple[int, int], left: int, right: int) -> int:
    """The start of the word of ``words`` nearest to a cut of ``window`` as ``left`` to ``right``.

    A side that has no text in the source gets none.
    """
    low, high = window
    if not left:
        return low
    if not right:
        return high
    wanted = low + (high - low) * left / (left + right)
    places = [word for word in words if low < word < high]
    return min(places, key=lambda word: abs(word - wanted), default=high)


def _next_known(
    offsets: Sequence[int], cuts: Sequence[int | None], index: int, end: int
) -> tuple[int, int]:
    for later in range(index + 1, len(cuts)):
        known = cuts[later]
        if known is not None:
            return offsets[later], known
    return offsets[-1], end


def _slices(texts: Sequence[str], translation: str, cuts: Sequence[int | None]) -> Partition:
    """The stretch between two known cuts goes to the longest text in it."""
    slices = [""] * len(texts)
    known = [index for index, cut in enumerate(cuts) if cut is not None]
    edges = [-1, *known, len(texts) - 1]
    start = 0
    for first, last in pairwise(edges):
        cut = cuts[last] if last < len(cuts) else None
        end = len(translation) if cut is None else max(start, cut)
        stretch = range(first + 1, last + 1)
        longest = max(stretch, key=lambda index: len(texts[index].strip()))
        slices[longest] = translation[start:end]
        start = end
    return Partition(tuple(slices), sum(cut is None for cut in cuts))
