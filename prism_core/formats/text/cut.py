"""Cuts a translation where the source was cut, when nothing is known of what its words stand for.

Two ways, by what the cuts are. ``partition``: changes of formatting, links and note marks, of which
those without a known place are given up unless they must be kept. ``distribute``: text nodes
between tags, all of which stay, so that every node gets its share.

What both languages write alike (numbers, names, punctuation) has a known place. A cut next to it is
exact; other cuts that must be kept fall in proportion, between words.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Final

from prism_core.alignment import Span
from prism_core.formats.text.align import pair_alike, word_spans
from prism_core.formats.text.model import has_words

_LEAD_IN: Final = 4
"""Words; a longer start of another format is not taken for a lead-in."""
_MOST_COMPARED: Final = 20_000_000
"""Nodes times characters that are searched for names; no mail that people write has more."""
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
    spans = word_spans(source)
    starts, ends = [start for start, _ in spans], [end for _, end in spans]
    aligned = _aligned(source, spans, translation)
    cuts: list[int | None] = []
    for index, offset in enumerate(list(accumulate(map(len, texts)))[:-1]):
        before, after = bisect_right(ends, offset) - 1, bisect_left(starts, offset)
        space_right = texts[index + 1][:1].isspace()
        if before + 1 < after:  # inside the word before + 1
            span = aligned.get(before + 1)
            cuts.append(span and span[0] + offset - starts[before + 1])
        elif before in aligned:
            end = aligned[before][1]
            blanks = len(translation[end:]) - len(translation[end:].lstrip())
            cuts.append(end if space_right else end + blanks)
        elif after in aligned:
            start = aligned[after][0]
            cuts.append(len(translation[:start].rstrip()) if space_right else start)
        else:
            cuts.append(None)
    return cuts


def _aligned(source: str, spans: Sequence[Span], target: str) -> dict[int, Span]:
    """Source word to target span, for words written alike and equally often in both.

    Crossing pairs are dropped, the fewest that will do.
    """
    shown = word_spans(target)
    pairs = pair_alike(source, dict(enumerate(spans)), target, dict(enumerate(shown)))
    return dict(_longest_monotone(sorted((index, shown[other]) for index, other in pairs)))


def _longest_monotone(pairs: Sequence[tuple[int, Span]]) -> list[tuple[int, Span]]:
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
    following = _next_known(offsets, cuts, len(translation))
    for index, is_hard in enumerate(hard):
        if cuts[index] is None and is_hard:
            next_source, next_target = following[index]
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
    first, last = bisect_right(words, low), bisect_left(words, high)
    nearest = min(max(bisect_left(words, wanted), first), last)
    places = words[max(first, nearest - 1) : min(last, nearest + 1)]
    return min(places, key=lambda word: abs(word - wanted), default=high)


def _next_known(
    offsets: Sequence[int], cuts: Sequence[int | None], end: int
) -> list[tuple[int, int]]:
    """For each cut the next one behind it whose place is known, in source and translation."""
    following: list[tuple[int, int]] = []
    known = (offsets[-1], end)
    for offset, cut in zip(reversed(offsets[:-1]), reversed(cuts), strict=True):
        following.append(known)
        known = known if cut is None else (offset, cut)
    return following[::-1]


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


def distribute(nodes: Sequence[str], translation: str) -> list[str]:
    """``translation`` in as many pieces as there are ``nodes``; joined, they give it back.

    A node without letters or digits may get an empty piece; one with them gets a word while there
    are enough.
    """
    cuts = _anchored(nodes, translation)
    fixed = [index for index, cut in enumerate(cuts) if cut is not None]
    for left, right in pairwise(fixed):
        start, end = cuts[left] or 0, cuts[right] or 0
        for offset, cut in enumerate(_shared(nodes[left:right], translation, start, end), 1):
            cuts[left + offset] = cut
    return _pieces(nodes, translation, [cut or 0 for cut in cuts])


def _pieces(nodes: Sequence[str], translation: str, cuts: list[int]) -> list[str]:
    """Cut; a space goes to the side of the cut on which the source has it."""
    for index in range(1, len(cuts) - 1):
        before = cuts[index] - 1
        spaced = before > cuts[index - 1] and translation[before] == " "
        if spaced and not nodes[index - 1].endswith(" "):
            cuts[index] = before
    return [translation[start:end] for start, end in pairwise(cuts)]


def _anchored(nodes: Sequence[str], translation: str) -> list[int | None]:
    """Cuts around nodes whose text stands once in the translation, in order, in any case."""
    cuts: list[int | None] = [0, *[None] * (len(nodes) - 1), len(translation)]
    reached = 0
    few = len(nodes) * len(translation) < _MOST_COMPARED
    searched = "".join(map(_lower, translation))
    for index, node in enumerate(nodes if few else ()):
        text = "".join(map(_lower, node.strip()))
        if len(text) < 3 or searched.count(text) != 1:
            continue
        position = searched.index(text)
        if position < reached:
            continue
        if index:
            cuts[index] = position
        reached = position + len(text)
        if index + 1 < len(nodes):
            cuts[index + 1] = reached
    closing = nodes[-1].rstrip()
    if len(nodes) > 1 and not has_words(closing) and translation.endswith(closing):
        cuts[-2] = max(reached, len(translation) - len(closing))
    return cuts


def _shared(nodes: Sequence[str], translation: str, start: int, end: int) -> list[int]:
    """Cuts between ``nodes`` in ``translation[start:end]``, at the starts of words."""
    words = [start + match.start() for match in re.finditer(r"\S+", translation[start:end])]
    total = sum(map(len, nodes)) or 1
    needed = sum(map(has_words, nodes))
    cuts, taken, seen = [], 0, 0
    for node in nodes[:-1]:
        seen += len(node)
        needed -= has_words(node)
        wanted = max(round(seen / total * len(words)), taken + has_words(node))
        taken = max(taken, min(wanted, len(words) - needed))
        cuts.append(words[taken] if taken < len(words) else end)
    return cuts


def _lower(character: str) -> str:
    """The small letter, if it is one character too, so that places stay comparable."""
    small = character.lower()
    return small if len(small) == 1 else character
