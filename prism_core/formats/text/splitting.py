"""Splitting of a translation where the source was split, without an alignment of its words.

There are two functions for two kinds of cuts. ``partition``: changes of formatting, links and note
marks; cuts without a known place are given up unless they must be kept. ``distribute``: text nodes
between tags, all of which stay, so that every node gets its share.

Text that both languages write alike (numbers, names, punctuation) has a known place. A cut next to
it is exact; other cuts that must be kept are placed in proportion, between words.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Final

from prism_core.alignment import Span
from prism_core.formats.text.runs import has_words
from prism_core.formats.text.word_alignment import pair_alike, word_spans

_LEAD_IN: Final = 4
"""Greatest number of words of a lead-in; a longer start of another format is none."""
_MOST_COMPARED: Final = 20_000_000
"""Limit of nodes times characters that are searched for names; no mail has more."""
_WORD_START: Final = re.compile(r"(?<=\s)\S")
_Chain = tuple[tuple[int, Span], "_Chain | None"]
"""Pair, and the chain of the pairs before it."""


def partition(
    texts: Sequence[str], hard: Sequence[bool], translation: str
) -> tuple[list[str], int]:
    """Split ``translation`` into one slice for each of ``texts``; joined, they give it back.

    ``hard[i]`` says that the cut between ``texts[i]`` and ``texts[i + 1]`` must be kept, because a
    note mark, a link or a field begins or ends there. A cut that is not hard only changes
    formatting, and is kept where its place is known. The second item counts the changes of
    formatting that could not be placed.
    """
    if len(texts) == 1:
        return [translation], 0
    cuts = _find_exact_cuts(texts, translation)
    if cuts[0] is None and not hard[0] and (len(cuts) == 1 or cuts[1] is not None or hard[1]):
        cuts[0] = _lead_in_end(texts[0], translation, [cut for cut in cuts if cut is not None])
    _place_hard_cuts(texts, hard, translation, cuts)
    slices = [""] * len(texts)
    known = [index for index, cut in enumerate(cuts) if cut is not None]
    start = 0
    for first, last in pairwise([-1, *known, len(cuts)]):
        cut = cuts[last] if last < len(cuts) else None
        end = len(translation) if cut is None else max(start, cut)
        # The text between two known cuts goes to the longest source text there.
        longest = max(range(first + 1, last + 1), key=lambda index: len(texts[index].strip()))
        slices[longest] = translation[start:end]
        start = end
    return slices, len(cuts) - len(known)


def _find_exact_cuts(texts: Sequence[str], translation: str) -> list[int | None]:
    """Return for each cut the offset that a word beside it, alike in both, gives; else None."""
    source = "".join(texts)
    spans, shown = word_spans(source), word_spans(translation)
    starts, ends = [start for start, _ in spans], [end for _, end in spans]
    pairs = pair_alike(source, dict(enumerate(spans)), translation, dict(enumerate(shown)))
    aligned = _longest_increase(sorted((index, shown[other]) for index, other in pairs))
    cuts: list[int | None] = []
    for index, offset in enumerate(list(accumulate(map(len, texts)))[:-1]):
        before, after = bisect_right(ends, offset) - 1, bisect_left(starts, offset)
        space_right = texts[index + 1][:1].isspace()
        if before + 1 < after:  # inside the word before + 1
            span = aligned.get(before + 1)
            cuts.append(span and span[0] + offset - starts[before + 1])
        elif before in aligned:
            end = aligned[before][1]
            cuts.append(end if space_right else _skip_blanks(translation, end))
        elif after in aligned:
            start = aligned[after][0]
            cuts.append(_skip_blanks_back(translation, start) if space_right else start)
        else:
            cuts.append(None)
    return cuts


def _skip_blanks(text: str, start: int) -> int:
    """Return the start of the first word from ``start`` on, without copying the text."""
    while start < len(text) and text[start].isspace():
        start += 1
    return start


def _skip_blanks_back(text: str, end: int) -> int:
    """Return the end of the last word before ``end``."""
    while end and text[end - 1].isspace():
        end -= 1
    return end


def _stripped_length(text: str, start: int, end: int) -> int:
    """Return the length of ``text[start:end]`` without white space around it."""
    return max(0, _skip_blanks_back(text, end) - _skip_blanks(text, start))


def _longest_increase(pairs: Sequence[tuple[int, Span]]) -> dict[int, Span]:
    """Return the longest run of ``pairs`` whose targets increase too (patience sorting)."""
    tails: list[int] = []
    chains: list[_Chain] = []
    for pair in pairs:
        start = pair[1][0]
        place = bisect_left(tails, start)
        chains[place : place + 1] = [(pair, chains[place - 1] if place else None)]
        tails[place : place + 1] = [start]
    run: list[tuple[int, Span]] = []
    chain = chains[-1] if chains else None
    while chain:
        run.append(chain[0])
        chain = chain[1]
    return dict(run)


def _lead_in_end(text: str, translation: str, known: Sequence[int]) -> int | None:
    """Return the end of a short lead-in ("**Solemnly affirms** the need"): as many words as it has.

    The start of a sentence keeps its word order more often than not; further in, it is a guess.
    Returns None when the lead-in is long, or would pass the next of the ``known`` cuts.
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
    known = (offsets[-1], len(translation))
    following = []  # for each cut the next later one whose place is known, in both texts
    for offset, cut in zip(reversed(offsets[:-1]), reversed(cuts), strict=True):
        following.append(known)
        known = known if cut is None else (offset, cut)
    last_source, last_target = 0, 0
    for index, (offset, is_hard) in enumerate(zip(offsets[:-1], hard, strict=True)):
        cut = cuts[index]
        if cut is None and is_hard:
            next_source, next_target = following[-1 - index]
            left = _stripped_length(source, last_source, offset)
            right = _stripped_length(source, offset, next_source)
            cut = _proportional_cut(words, (last_target, next_target), left, right)
            cuts[index] = cut
        if cut is not None:
            last_source, last_target = offset, max(last_target, cut)


def _proportional_cut(words: Sequence[int], window: tuple[int, int], left: int, right: int) -> int:
    """Return the word start that best divides ``window`` as ``left`` to ``right``, if both are."""
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


def distribute(nodes: Sequence[str], translation: str) -> list[str]:
    """Split ``translation`` by ``nodes``; a node with words gets one while there are enough."""
    found = _find_anchors(nodes, translation)
    fixed = [index for index, cut in enumerate(found) if cut is not None]
    cuts = [cut or 0 for cut in found]
    for left, right in pairwise(fixed):
        cuts[left + 1 : right] = _share_out(nodes[left:right], translation, cuts[left], cuts[right])
    for index in range(1, len(cuts) - 1):  # a space goes to the side where the source has it
        before = cuts[index] - 1
        spaced = before > cuts[index - 1] and translation[before] == " "
        if spaced and not nodes[index - 1].endswith(" "):
            cuts[index] = before
    return [translation[start:end] for start, end in pairwise(cuts)]


def _find_anchors(nodes: Sequence[str], translation: str) -> list[int | None]:
    """Return cuts around nodes whose text occurs once in the translation, in order, in any case."""
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


def _share_out(nodes: Sequence[str], translation: str, start: int, end: int) -> list[int]:
    """Return cuts between ``nodes`` in ``translation[start:end]``, at the starts of words."""
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
    """Return the lower-case letter, if it is one character too, so that offsets stay comparable."""
    small = character.lower()
    return small if len(small) == 1 else character
