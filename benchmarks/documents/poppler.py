"""Pages of a PDF as poppler sees them: words with their boxes, and pictures.

entry: `read_pages`, in pixels of ``DOTS`` an inch, origin at the upper left of the page as shown.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from html import unescape
from pathlib import Path
from typing import Final

import numpy as np

from benchmarks.rendering import program

DOTS: Final = 80
_SECONDS: Final = 120
_WORD: Final = re.compile(
    r'<word xMin="(\S+)" yMin="(\S+)" xMax="(\S+)" yMax="(\S+)">(.*?)</word>', re.DOTALL
)
_CONTRAST: Final = 30
_LEAST_HEIGHT: Final = 2.5


@dataclass(frozen=True)
class SeenWord:
    """A word and its box."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float

    def overlaps(self, other: SeenWord) -> bool:
        """Whether half of the height and a quarter of the width of the smaller is shared."""
        across = min(self.x1, other.x1) - max(self.x0, other.x0)
        upwards = min(self.y1, other.y1) - max(self.y0, other.y0)
        width = min(self.x1 - self.x0, other.x1 - other.x0)
        height = min(self.y1 - self.y0, other.y1 - other.y0)
        return across > 0.25 * width and upwards > 0.5 * height


@dataclass(frozen=True)
class SeenPage:
    """A page: ``picture`` is grey, rows of pixels from the top."""

    words: tuple[SeenWord, ...]
    picture: np.ndarray

    @cached_property
    def legible(self) -> tuple[SeenWord, ...]:
        """The words that have a size, and ink."""
        return tuple(
            word
            for word in self.words
            if (pixels := self._pixels(word)).size
            and np.ptp(pixels) > _CONTRAST
            and min(word.y1 - word.y0, max(word.x1 - word.x0, 2 * _LEAST_HEIGHT)) > _LEAST_HEIGHT
        )

    @cached_property
    def ink(self) -> float:
        """Of all words: how much darker or lighter than what is most of their boxes."""
        pixels = [self._pixels(word).astype(float) for word in self.legible]
        return sum(float(np.abs(one - np.median(one)).sum()) for one in pixels)

    @cached_property
    def beyond(self) -> int:
        """How many words stand over the edge of the page; poppler leaves out letters beyond it."""
        height, width = self.picture.shape
        return sum(
            word.x0 < 0 or word.y0 < 0 or word.x1 > width or word.y1 > height for word in self.words
        )

    @cached_property
    def overlaps(self) -> int:
        """Pairs of different words one on the other; the same word twice feigns bold."""
        pairs, waiting = 0, list[SeenWord]()
        for word in sorted(self.words, key=lambda word: word.x0):
            waiting = [other for other in waiting if other.x1 > word.x0]
            pairs += sum(word.text != other.text and word.overlaps(other) for other in waiting)
            waiting.append(word)
        return pairs

    def _pixels(self, word: SeenWord) -> np.ndarray:
        x0, y0 = max(int(word.x0), 0), max(int(word.y0), 0)
        return self.picture[y0 : int(word.y1) + 1, x0 : int(word.x1) + 1]


def read_pages(path: Path) -> list[SeenPage]:
    """All pages; none where poppler does not open ``path`` in time."""
    return [
        SeenPage(words, picture)
        for words, picture in zip(_words(path), _pictures(path), strict=False)
    ]


def _words(path: Path) -> list[tuple[SeenWord, ...]]:
    listed = _output("pdftotext", "-bbox", str(path), "-").decode("utf-8", "replace")
    scale = DOTS / 72
    return [
        tuple(
            SeenWord(unescape(text), *(float(number) * scale for number in box))
            for *box, text in _WORD.findall(page)
            if text.strip()
        )
        for page in listed.split("<page ")[1:]
    ]


def _pictures(path: Path) -> Iterator[np.ndarray]:
    """Each page, from the PGM files that pdftoppm writes one behind the other."""
    data = _output("pdftoppm", "-gray", "-r", str(DOTS), str(path))
    while head := re.match(rb"P5\s(\d+)\s(\d+)\s255\s", data):
        width, height = int(head[1]), int(head[2])
        end = head.end() + width * height
        yield np.frombuffer(data[head.end() : end], np.uint8).reshape(height, width)
        data = data[end:]


def _output(name: str, *arguments: str) -> bytes:
    command = [program(name), *arguments]
    try:
        return subprocess.run(command, capture_output=True, timeout=_SECONDS, check=False).stdout
    except subprocess.TimeoutExpired:
        return b""
