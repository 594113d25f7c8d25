"""Where the words of an aligned translation go in a line with several looks, links and marks.

The line is a row of groups, each text of one look. Groups are parted by hard cuts where a note
mark stands or a link begins or ends; between two hard cuts is a stretch. A word goes into the
stretch that its source stands in, as far as the order of the stretches, which never changes,
allows; there it takes the look of its source, even if that has to move.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Final, TypeGuard

from prism_core.alignment import AlignedText
from prism_core.formats.partition import partition
from prism_core.formats.word_sources import Word, word_sources, word_spans

_MOST_STEPS: Final = 500_000
"""Words times groups that are compared; a paragraph that people write has far fewer."""
_FOREIGN, _FOREIGN_TO_LINK, _SIGN = 1.0, 2.0, 0.1
_EMPTY_LINK: Final = 4.0
_LATE_MARK, _LOOSE_MARK = 0.5, 2.0
"""Costs of a word in a stretch that is not its own, of a link without words, and of a mark that
does not follow the word it followed: behind another of its stretch, or behind none of it."""


@dataclass(frozen=True, slots=True)
class Group:
    """Text of one ``look``; ``owner`` is the link or field it belongs to, 0 for none.

    ``hard`` says that it begins a stretch: something that must keep its place stands before it.
    """

    text: str
    look: str
    owner: int = 0
    hard: bool = False


@dataclass(frozen=True, slots=True)
class Copy:
    """``text`` that looks like group ``like`` and stands beside group ``beside``.

    It stands ``after`` it, or else before; copies at one place follow each other in order.
    """

    text: str
    like: int
    beside: int
    after: bool


@dataclass(frozen=True, slots=True)
class Placement:
    """What each group says now, and what stands between them; ``lost`` looks are nowhere."""

    slices: tuple[str, ...]
    copies: tuple[Copy, ...] = ()
    lost: int = 0


def place(groups: Sequence[Group], translation: str, *, movable: bool) -> Placement:
    """Share ``translation`` out over ``groups``; joined with the copies it gives it back.

    Without an alignment, or where it is too large, a look is kept only where its place is certain
    (``partition``). Unless the looks are ``movable``, none is copied to where it did not stand.
    """
    source = "".join(group.text for group in groups)
    if len(groups) < 2 or not is_aligned(translation) or not source.strip():
        return _partitioned(groups, translation)
    words = word_sources(source, translation)
    stretches = _stretches(groups)
    if not words or len(words) * len(groups) > _MOST_STEPS:
        return _partitioned(groups, translation)
    return _Placer(groups, stretches, words, str(translation), movable).placement()


def is_aligned(translation: str) -> TypeGuard[AlignedText]:
    """Whether it is known of any word of ``translation`` what it stands for."""
    return isinstance(translation, AlignedText) and any(
        match.target[0] < match.target[1] for match in translation.alignment
    )


def _partitioned(groups: Sequence[Group], translation: str) -> Placement:
    texts, hard = [group.text for group in groups], [group.hard for group in groups[1:]]
    result = partition(texts, hard, str(translation))
    return Placement(result.slices, (), result.lost)


def _stretches(groups: Sequence[Group]) -> list[range]:
    starts = [index for index, group in enumerate(groups) if group.hard or not index]
    return [
        range(start, end) for start, end in zip(starts, [*starts[1:], len(groups)], strict=True)
    ]


@dataclass(slots=True)
class _Run:
    """Text of one look, that of group ``like``; ``place`` is the group whose place it takes."""

    text: str
    like: int
    place: int | None = None


class _Placer:
    """Places the words of one line. Words are known by their index, stretches by their number."""

    def __init__(
        self,
        groups: Sequence[Group],
        stretches: Sequence[range],
        words: Sequence[Word],
        text: str,
        movable: bool,
    ) -> None:
        ends = list(accumulate(len(group.text) for group in groups))
        source = "".join(group.text for group in groups)
        self._groups, self._stretches = groups, stretches
        self._words = words = list(_split(words, source, text, ends))
        self._text, self._movable = text, movable
        self._labels = [min(bisect_right(ends, w.source or 0), len(groups) - 1) for w in words]
        self._number_of = [n for n, stretch in enumerate(stretches) for _ in stretch]
        cuts = [ends[stretch.start - 1] for stretch in stretches[1:]]
        self._last_before = _last_words(source, ends, cuts)

    def placement(self) -> Placement:
        """The cheapest cuts, and in each stretch the looks of its words."""
        bounds = self._bounds()
        slices = [""] * len(self._groups)
        copies: list[Copy] = []
        for number, stretch in enumerate(self._stretches):
            runs = self._runs(number, bounds[number], bounds[number + 1])
            _settle(runs, stretch, self._groups)
            runs = runs if self._movable else _merged(runs, stretch, self._groups)
            copies += _copies(runs, stretch)
            for run in runs:
                if run.place is not None:
                    slices[run.place] = run.text
        _give_back_blanks(self._groups, slices, copies)
        shown = {self._groups[i].look for i, text in enumerate(slices) if text.strip()}
        shown.update(self._groups[copy.like].look for copy in copies)
        looks = {group.look for group in self._groups if _has_words(group.text)}
        return Placement(tuple(slices), tuple(copies), len(looks - shown))

    def _bounds(self) -> list[int]:
        """Where each stretch begins among the words, and where the last one ends."""
        count = len(self._words)
        best = [0.0] + [math.inf] * count
        rows: list[list[int]] = []
        for number in range(len(self._stretches)):
            best, begins = self._row(number, best)
            rows.append(begins)
        bounds = [count]
        for begins in reversed(rows):
            bounds.append(begins[bounds[-1]])
        return bounds[::-1]

    def _row(self, number: int, before: Sequence[float]) -> tuple[list[float], list[int]]:
        """For each word: the least cost if stretch ``number`` ends there, and where it begins.

        ``before`` are the costs of ending the stretches before it there.
        """
        entering = [cost + self._loose(number, word) for word, cost in enumerate(before)]
        empty = self._cost_of_none(number)
        costs, begins = [entering[0] + empty], [0]
        filled, begun = math.inf, 0
        for word, cost in enumerate(self._costs(number)):
            if entering[word] < filled:
                filled, begun = entering[word], word
            filled += cost
            least, start = min((filled, begun), (entering[word + 1] + empty, word + 1))
            costs.append(least)
            begins.append(start)
        return costs, begins

    def _costs(self, number: int) -> Iterator[float]:
        """What it costs to have each word in stretch ``number``."""
        owner = self._groups[self._stretches[number].start].owner
        for word, label in zip(self._words, self._labels, strict=True):
            if self._number_of[label] == number:
                yield 0.0
            elif not self._text[word.start].isalnum():
                yield _SIGN
            else:
                yield _FOREIGN_TO_LINK if owner or self._groups[label].owner else _FOREIGN

    def _cost_of_none(self, number: int) -> float:
        groups = [self._groups[index] for index in self._stretches[number]]
        return _EMPTY_LINK if groups[0].owner and any(_has_words(g.text) for g in groups) else 0.0

    def _loose(self, number: int, word: int) -> float:
        """What it costs to have the cut before stretch ``number`` before ``word``."""
        if not number:
            return 0.0
        wanted = self._last_before[number - 1]
        if (self._words[word - 1].source if word else None) == wanted:
            return 0.0
        before = self._number_of[self._labels[word - 1]] if word else number
        return _LATE_MARK if before == number - 1 else _LOOSE_MARK

    def _runs(self, number: int, first: int, end: int) -> list[_Run]:
        """The words ``first:end`` as runs of one look, with the white space between them."""
        likes = self._likes(number, first, end)
        runs: list[_Run] = []
        for word in range(first, end):
            like, text = likes[word - first], self._text[self._cut(word) : self._cut(word + 1)]
            if runs and self._groups[runs[-1].like].look == self._groups[like].look:
                runs[-1].text += text
            else:
                runs.append(_Run(text, like))
        return runs

    def _likes(self, number: int, first: int, end: int) -> list[int]:
        """The group that each word looks like: one of its own link, or of what is no link."""
        stretch = self._stretches[number]
        owner = self._groups[stretch.start].owner
        fitting = [
            label if self._fits(label, stretch, owner) else None
            for label in self._labels[first:end]
        ]
        usual = max(stretch, key=lambda index: len(self._groups[index].text.strip()))
        last = next((label for label in fitting if label is not None), usual)
        likes = []
        for label in fitting:
            last = last if label is None else label
            likes.append(last)
        return likes

    def _fits(self, label: int, stretch: range, owner: int) -> bool:
        return label in stretch or (self._movable and self._groups[label].owner == owner == 0)

    def _cut(self, word: int) -> int:
        """Where the text before ``word`` ends: white space goes with the text that has some."""
        if word == 0:
            return 0
        if word == len(self._words):
            return len(self._text)
        left, right = (self._groups[self._labels[index]].text for index in (word - 1, word))
        if left[-1:].isspace() != right[:1].isspace():
            return self._words[word].start if left[-1:].isspace() else self._words[word - 1].end
        tight_left, tight_right = left == left.strip(), right == right.strip()
        longer_left = left[-1:].isspace() or len(left) > len(right)
        space_left = tight_right if tight_left != tight_right else longer_left
        return self._words[word].start if space_left else self._words[word - 1].end


def _last_words(source: str, ends: Sequence[int], cuts: Sequence[int]) -> list[int | None]:
    """Where the last word or sign before each of ``cuts`` begins in the source."""
    begun = {start for start, _ in word_spans(source)}
    starts = sorted(begun.union(end for end in ends if _is_cut(source, end)))
    places = (bisect_left(starts, cut) for cut in cuts)
    return [starts[place - 1] if place else None for place in places]


def _is_cut(source: str, place: int) -> bool:
    """Whether a word may be parted there: it stands between two signs, and not between letters."""
    around = source[place - 1 : place + 1] if place else ""
    return len(around) == 2 and not around.isalpha() and not any(map(str.isspace, around))


def _has_words(text: str) -> bool:
    return any(map(str.isalnum, text))


def _split(words: Sequence[Word], source: str, text: str, ends: Sequence[int]) -> Iterator[Word]:
    """``words``, parted where the source has a change of look that is not between two letters.

    A note mark in digits is written without a blank behind its word: where the one or the other
    came back as it was, they are told apart.
    """
    spans = word_spans(source)
    for word in words:
        start, at = word.source or 0, word.start
        token = bisect_right(spans, (start, len(source))) - 1
        stop = start if word.source is None else spans[token][1]
        for cut in dict.fromkeys(ends[bisect_right(ends, start) : bisect_left(ends, stop)]):
            place = _cut_alike(source[word.source : stop], cut - (word.source or 0), text, word)
            if place > at and _is_cut(source, cut):
                yield replace(word, start=at, end=place, source=start)
                at, start = place, cut
        yield replace(word, start=at, source=None if word.source is None else start)


def _cut_alike(said: str, cut: int, text: str, word: Word) -> int:
    """Where ``word`` has the ``cut`` of ``said``, its source, if they begin or end alike; or 0."""
    shown = text[word.start : word.end]
    if len(shown) > len(said) - cut and shown.endswith(said[cut:]):
        return word.end - len(said) + cut
    return word.start + cut if len(shown) > cut and shown.startswith(said[:cut]) else 0


def _give_back_blanks(groups: Sequence[Group], slices: list[str], copies: Sequence[Copy]) -> None:
    """Groups of white space get that of the words before them, which had none."""
    copied = {copy.beside for copy in copies}
    for index in range(1, len(groups)):
        before, blank = groups[index - 1].text, groups[index].text
        if slices[index] or blank.strip() or not blank or copied & {index - 1, index}:
            continue
        kept = slices[index - 1].rstrip()
        if kept and not before[-1:].isspace():
            slices[index - 1 : index + 1] = [kept, slices[index - 1][len(kept) :]]


def _settle(runs: Sequence[_Run], stretch: range, groups: Sequence[Group]) -> None:
    """Give runs the places of groups that look like them, in order, as much text as can be."""
    best = [[0] * (len(stretch) + 1) for _ in range(len(runs) + 1)]
    for r in reversed(range(len(runs))):
        for g in reversed(range(len(stretch))):
            skipped = max(best[r + 1][g], best[r][g + 1])
            alike = groups[runs[r].like].look == groups[stretch[g]].look
            best[r][g] = max(skipped, best[r + 1][g + 1] + len(runs[r].text)) if alike else skipped
    r = g = 0
    while r < len(runs) and g < len(stretch):
        if best[r][g] == best[r][g + 1]:
            g += 1
        elif best[r][g] == best[r + 1][g]:
            r += 1
        else:
            runs[r].place = stretch[g]
            r, g = r + 1, g + 1


def _merged(runs: Sequence[_Run], stretch: range, groups: Sequence[Group]) -> list[_Run]:
    """Runs without a place as part of a neighbour that has one."""
    if runs and all(run.place is None for run in runs):
        longest = max(stretch, key=lambda index: len(groups[index].text.strip()))
        return [_Run("".join(run.text for run in runs), longest, longest)]
    kept: list[_Run] = []
    waiting = ""
    for run in runs:
        if run.place is not None:
            kept.append(_Run(waiting + run.text, run.like, run.place))
            waiting = ""
        elif kept:
            kept[-1].text += run.text
        else:
            waiting += run.text
    return kept


def _copies(runs: Sequence[_Run], stretch: range) -> Iterator[Copy]:
    """The runs that have no place of their own, beside those that have."""
    places = [run.place for run in runs if run.place is not None]
    first = places[0] if places else stretch.start
    last: int | None = None
    for run in runs:
        if run.place is not None:
            last = run.place
        elif last is not None:
            yield Copy(run.text, run.like, last, after=True)
        else:
            yield Copy(run.text, run.like, first, after=False)
