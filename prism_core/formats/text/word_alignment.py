"""Word alignment: for every word of a translation, the place in the source that it stands for.

Replaced words are aligned exactly. Between them, words that both languages write alike are aligned
to each other, and the rest is distributed in order. Nothing is aligned across a border between
sentences.

Entry: ``WordAligner.words``; ``looks_of`` and ``project_looks`` for spans of formatting.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from operator import itemgetter
from typing import Final

from prism_core.alignment import Span, Translation, strip_span
from prism_core.formats.text.runs import Anchor, Line, R, TextRun

_TOKEN: Final = re.compile(r"\w+(?:[.,'\u2019/@:&-]+\w+)*|[^\w\s]")
_NEAR: Final = 4
"""Number of further words with which a word without a place is compared."""
_MOST_FREE: Final = 1_000
"""Limit of the words that others are distributed to; no sentence that people write leaves more."""
_OPENING: Final = frozenset("([{¿¡«“‘‹„")


@dataclass(frozen=True, slots=True)
class AlignedWord:
    """Word of the translation in ``start:end``, and its offset in the ``source``, if known."""

    start: int
    end: int
    source: int | None = None


def word_spans(text: str) -> list[Span]:
    """Return the spans of the words and signs of ``text``."""
    return [match.span() for match in _TOKEN.finditer(text)]


def pair_alike(
    source: str, sources: Mapping[int, Span], target: str, targets: Mapping[int, Span]
) -> Iterator[tuple[int, int]]:
    """Yield the numbers of words alike, and equally often, in both texts: k-th with k-th."""
    in_source, in_target = _index_by_text(source, sources), _index_by_text(target, targets)
    for text, numbers in in_target.items():
        if len(in_source.get(text, ())) == len(numbers):
            yield from zip(in_source[text], numbers, strict=True)


def _index_by_text(text: str, spans: Mapping[int, Span]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = defaultdict(list)
    for number, span in spans.items():
        word = text[slice(*span)]
        # Short lower-case words are often the same by accident ("a", "no", "son").
        if not word.isalpha() or len(word) > 3 or word[0].isupper():
            found[word.lower()].append(number)
    return found


class WordAligner:
    """Aligner of one text; words are identified by their index, and -1 stands for none."""

    def __init__(self, source: str, translation: Translation) -> None:
        self._source, self._target = source, translation.text
        self._matches = translation.matches
        places = {place for match in self._matches for place in match.source}
        self._sources = _split_words(source, places)
        places = {place for match in self._matches for place in match.target}
        self._targets = _split_words(self._target, places)
        self._found = [-1] * len(self._targets)

    def words(self) -> list[AlignedWord]:
        """Return the words of the translation, each with the source place it stands for."""
        for match in self._matches:
            if match.target[0] < match.target[1]:  # the words in order; several may share one
                sources = _find_overlapping(self._sources, match.source)
                targets = _find_overlapping(self._targets, match.target)
                for number, target in enumerate(targets if sources else ()):
                    self._found[target] = sources[number * len(sources) // len(targets)]
        borders = [match for match in self._matches if match.target[0] == match.target[1]]
        places = [(0, 0), *((match.source[0], match.target[0]) for match in borders)]
        places.append((len(self._source), len(self._target)))
        frames = [
            (_find_words(self._sources, before, after), _find_words(self._targets, first, last))
            for (before, first), (after, last) in pairwise(places)
        ]
        for inner, outer in frames:
            taken = set(self._found[outer.start : outer.stop])
            free = {index: self._targets[index] for index in outer if self._found[index] < 0}
            unaligned = {index: self._sources[index] for index in inner if index not in taken}
            for source, target in pair_alike(self._source, unaligned, self._target, free):
                self._found[target] = source
        for frame in frames:
            self._align_rest(*frame)
        return [
            AlignedWord(start, end, self._sources[index][0] if index >= 0 else None)
            for (start, end), index in zip(self._targets, self._found, strict=True)
        ]

    def _align_rest(self, sources: range, targets: range) -> None:
        """Align each other word to one between its neighbours', near and beginning alike."""
        taken = set(self._found[targets.start : targets.stop])
        unknown = [index for index in targets if self._found[index] < 0]
        for _, run in groupby(enumerate(unknown), key=lambda pair: pair[1] - pair[0]):
            members = [index for _, index in run]
            left = self._found[members[0] - 1] if members[0] > targets.start else -1
            after = members[-1] + 1
            right = self._found[after] if after < targets.stop else -1
            low = left if left >= 0 else sources.start - 1
            high = right if right >= 0 else sources.stop
            inner = range(min(low, high) + 1, max(low, high))[:_MOST_FREE]
            free = [i for i in inner if i not in taken and self._source_word(i)[0].isalnum()]
            for number, index in enumerate(members):
                word = self._target[slice(*self._targets[index])].lower()
                if free and word[0].isalnum():
                    usual = number * len(free) // len(members)
                    near = free[max(0, usual - 1) : usual + _NEAR] if len(word) > 1 else []
                    alike = (i for i in near if self._source_word(i).startswith(word[:2]))
                    self._found[index] = next(alike, free[usual])
                elif word[0].isalpha() and not self._source_word(left)[:1].isalpha():
                    worded = self._source_word(right)[:1].isalpha()
                    self._found[index] = right if worded else max(left, right)
                else:
                    self._found[index] = left if left >= 0 else right
            for index in reversed(members):
                opens = self._target[self._targets[index][0]] in _OPENING
                if opens and index + 1 < targets.stop:
                    self._found[index] = self._found[index + 1]

    def _source_word(self, index: int) -> str:
        """Return the source's word of that index in lower case; empty for none."""
        return self._source[slice(*self._sources[index])].lower() if index >= 0 else ""


def _split_words(text: str, places: Collection[int]) -> list[Span]:
    """Return the words of ``text``, split at ``places`` that are not between letters."""
    cuts, spans = sorted(places), list[Span]()
    for start, end in word_spans(text):
        inner = cuts[bisect_right(cuts, start) : bisect_left(cuts, end)]
        kept = [cut for cut in inner if not text[cut - 1 : cut + 1].isalpha()]
        spans += pairwise([start, *kept, end])
    return spans


def _find_overlapping(spans: Sequence[Span], wanted: Span) -> range:
    """Return the indices of the spans that overlap ``wanted``."""
    first = bisect_right(spans, wanted[0], key=lambda span: span[1])
    return range(first, max(first, bisect_left(spans, wanted[1], key=lambda span: span[0])))


def _find_words(spans: Sequence[Span], start: int, end: int) -> range:
    """Return the indices of the spans that begin in ``start:end``."""
    first = bisect_left(spans, start, key=lambda span: span[0])
    return range(first, max(first, bisect_left(spans, end, key=lambda span: span[0])))


_MOST_WORDS = 1_000
"""Limit of words in a sentence whose looks are projected; nobody writes more."""


def looks_of(line: Line[R], lead: int = 0) -> tuple[Span, ...]:
    """Return the spans (see ``Segment``) of a stripped text after its first ``lead`` characters."""
    whole = "".join(item.text for item in line)
    edge, last = strip_span(whole, lead, len(whole))
    sizes: Counter[tuple[str, int]] = Counter()
    # spans of one look without the blanks around them, and places of anchors (None)
    spans: list[tuple[int, int, tuple[str, int] | None]] = []
    at = 0
    for item in line:
        start, end = strip_span(whole, at, at + len(item.text))
        if isinstance(item, TextRun) and not item.owner:
            sizes[item.look, 0] += len(item.text.strip())
        if isinstance(item, TextRun) and start < end:
            look = (item.look, item.owner)
            if spans and spans[-1][2] == look and not whole[spans[-1][1] : start].strip():
                start = spans.pop()[0]
            spans.append((start, end, look))
        elif isinstance(item, Anchor) and not item.text:
            spans.append((at, at, None))
        at += len(item.text)
    usual = sizes.most_common(1)[0][0] if sizes.total() else None
    found: list[Span] = []
    for begin, stop, shown in spans:
        start, end = max(begin, edge), min(stop, last)
        if shown is None and edge < start < last and not (found and found[-1][1] == start):
            found.append((start, start))
        elif shown not in (None, usual) and start < end:
            if found and found[-1] == (start, start):
                found.pop()  # the anchor where a field or link begins
            found.append((start, end))
    return tuple((start - edge, end - edge) for start, end in found)


def project_looks(
    source: str, looks: Sequence[Span], translation: Translation
) -> tuple[Span | None, ...]:
    """Return the span of each look in ``translation``, if aligned; spans do not touch."""
    text = translation.text
    known = looks and translation.is_aligned and len(text.split()) <= _MOST_WORDS
    words = WordAligner(source, translation).words() if known else []
    shown: list[Span | None] = []
    for start, end in looks:
        if start == end:
            shown.append(_mark_place(source, start, words) if words else None)
            continue
        inside = [word.source is not None and start <= word.source < end for word in words]
        runs = [
            [word for word, _ in run]
            for is_in, run in groupby(zip(words, inside, strict=True), itemgetter(1))
            if is_in
        ]
        longest = max(runs, key=lambda run: run[-1].end - run[0].start, default=None)
        shown.append((longest[0].start, longest[-1].end) if longest else None)
    spans = [span for span in shown if span is not None and span[0] < span[1]]
    return tuple(
        None if span and any(a < span[0] == span[1] < b for a, b in spans) else span
        for span in shown
    )


def _mark_place(source: str, place: int, words: Sequence[AlignedWord]) -> Span:
    """Return the place of a mark at which the fewest words change sides."""
    behind = [w.source is not None and w.source >= place for w in words]
    costs = [sum(behind[:k]) + len(behind[k:]) - sum(behind[k:]) for k in range(len(words) + 1)]
    before = min(range(len(costs)), key=costs.__getitem__)
    leans = source[place - 1 : place].isspace()  # it stands before a word, not after one
    at = words[before].start if leans and before < len(words) else words[max(before, 1) - 1].end
    return (at, at) if before else (0, 0)
