"""From the words that OCR read to lines of text with a baseline and a size.

OCR gives each word the box of its ink, which depends on its letters: ``nose`` is half as high as
``Jolly``. Baseline and size are told from what the letters of the words are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from statistics import median

from prism_core.formats.pdf.geometry import Box, around
from prism_core.formats.pdf.lines import Line
from prism_core.formats.pdf.styles import Style

_ASCENT = 0.72
_X_HEIGHT = 0.52
_DESCENT = 0.21
_HIGH = re.compile(r"[A-ZÀ-Þ0-9bdfhijklt\[\](){}/|!?&%$§#'\"]")
_DEEP = re.compile(r"[gjpqyç,;\[\](){}/|Q§]")
_LOW = re.compile(r"[acegm-suv-z]")
_GAP = 1.6
"""Sizes between two words from which on they stand in two columns."""
_ALIKE = 0.3
_NEXT_LINE = 2.2
_LEAST_CONFIDENCE = 60.0
_WORDLIKE = re.compile(r"[^\W_]{2}|\b[aIAO]\b|\d")
_STRAY = re.compile(r"[^\w\s]*|[|_~=«»<>\\/.:;,'`\"°-]+")


@dataclass(frozen=True, slots=True)
class SeenWord:
    """A word as OCR saw it: the box of its ink in the frame of the page that was read."""

    text: str
    confidence: float
    box: Box
    block: int
    line: tuple[int, int]


@dataclass(frozen=True, slots=True)
class SeenLine:
    """A stretch of words side by side, without a gap as between columns."""

    words: tuple[SeenWord, ...]
    line: Line

    @property
    def is_read(self) -> bool:
        """Whether OCR was sure enough of it."""
        return confidence(self.words) >= _LEAST_CONFIDENCE

    @property
    def says_something(self) -> bool:
        """Whether there is a word or a number in it, not only what dirt and rules look like."""
        return bool(_WORDLIKE.search(self.line.text))


def confidence(words: Sequence[SeenWord]) -> float:
    """The mean over all letters, in [0, 100]; 0 without words."""
    letters = sum(len(word.text) for word in words)
    return sum(word.confidence * len(word.text) for word in words) / max(letters, 1)


def seen_lines(words: Iterable[SeenWord], style: Style) -> list[SeenLine]:
    """The lines in reading order; ``Line.shows`` and ``Line.first`` number them."""
    rows = [list(row) for _, row in groupby(words, key=lambda word: (word.block, word.line))]
    stretches = [stretch for row in rows for stretch in _stretches(row)]
    lines = [_seen(stretch, number, style) for number, stretch in enumerate(stretches)]
    return _evened(lines)


def groups(lines: Sequence[SeenLine]) -> list[list[SeenLine]]:
    """Lines that stand below each other in one block, from the top down: columns apart."""
    found: list[list[SeenLine]] = []
    for line in lines:
        above = [group for group in found if _follows(group[-1], line)]
        if above:
            min(above, key=lambda group: group[-1].line.baseline).append(line)
        else:
            found.append([line])
    return found


def _follows(above: SeenLine, below: SeenLine) -> bool:
    one, other = above.line, below.line
    step = one.baseline - other.baseline
    shared = min(one.box.x1, other.box.x1) - max(one.box.x0, other.box.x0)
    return (
        above.words[0].block == below.words[0].block
        and 0.3 * other.size < step < _NEXT_LINE * max(one.size, other.size)
        and shared > 0.4 * min(one.box.width, other.box.width)
    )


def _stretches(row: Sequence[SeenWord]) -> list[list[SeenWord]]:
    """The words of a row, cut where columns part, without stray marks at the ends."""
    size = median(_size(word) for word in row)
    found = [[row[0]]]
    for before, word in pairwise(row):
        if word.box.x0 - before.box.x1 > _GAP * size:
            found.append([])
        found[-1].append(word)
    return [words for stretch in found if (words := _without_strays(stretch))]


def _without_strays(words: Sequence[SeenWord]) -> list[SeenWord]:
    """Drop marks at both ends that OCR was not sure of: edges of the paper, rules, dirt."""
    kept = list(words)
    for end in (0, -1):
        while kept and _STRAY.fullmatch(kept[end].text) and kept[end].confidence < 80:
            kept.pop(end)
    return kept


def _seen(words: Sequence[SeenWord], number: int, style: Style) -> SeenLine:
    size = median(_size(word) for word in words)
    level = median(_baseline(word, size) for word in words)
    ink = around(word.box for word in words)
    line = Line(
        text=" ".join(word.text for word in words),
        box=Box(ink.x0, level - _DESCENT * size, ink.x1, level + (1 - _DESCENT) * size),
        baseline=level,
        size=size,
        style=style,
        shows=frozenset({number}),
        first=number,
    )
    return SeenLine(tuple(words), line)


def _size(word: SeenWord) -> float:
    """The size of a font in which the letters of the word are as high as its ink."""
    high, deep = bool(_HIGH.search(word.text)), bool(_DEEP.search(word.text))
    if not (high or deep or _LOW.search(word.text)):
        return word.box.height / (_ASCENT + _DESCENT / 2)  # dashes, unknown letters
    return word.box.height / ((_ASCENT if high else _X_HEIGHT) + (_DESCENT if deep else 0.0))


def _baseline(word: SeenWord, size: float) -> float:
    return word.box.y0 + (_DESCENT * size if _DEEP.search(word.text) else 0.0)


def _evened(lines: Sequence[SeenLine]) -> list[SeenLine]:
    """Lines of one block that differ a little in size are of the same size."""
    sizes: dict[int, list[float]] = {}
    for seen in lines:
        sizes.setdefault(seen.words[0].block, []).append(seen.line.size)
    evened = []
    for seen in lines:
        usual = median(sizes[seen.words[0].block])
        near = abs(seen.line.size - usual) < _ALIKE * usual
        evened.append(_resized(seen, usual) if near else seen)
    return evened


def _resized(seen: SeenLine, size: float) -> SeenLine:
    line = seen.line
    box = Box(
        line.box.x0,
        line.baseline - _DESCENT * size,
        line.box.x1,
        line.baseline + (1 - _DESCENT) * size,
    )
    return SeenLine(seen.words, replace(line, size=size, box=box))
