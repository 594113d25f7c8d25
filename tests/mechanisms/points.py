"""Small tables of word vectors, as files, for the tests of the mechanisms over distances."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from random import Random

DIMENSIONS = 6


def write_points(file: Path, points: Mapping[str, Iterable[float]]) -> Path:
    """GloVe's format: a word and its numbers a line."""
    lines = (" ".join([word, *map(repr, point)]) for word, point in points.items())
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


def scatter(words: Iterable[str], dimensions: int = DIMENSIONS) -> dict[str, list[float]]:
    """A point for each of ``words``; for the same words the same points."""
    rng = Random(7)
    return {word: [round(rng.uniform(-1, 1), 3) for _ in range(dimensions)] for word in words}
