"""Words of a translation that are probably none: *afebrile* became *efebril*.

A model of subwords invents a word from one that it does not know. Such a word stands in no
dictionary; many inflected words do not either, but of how these go on the model is sure.

Entry: ``find_unlisted``, and ``is_invented`` for each word that it finds.
"""

from __future__ import annotations

import math
import re
from functools import cache
from operator import mul
from typing import NamedTuple

from prism_core.alignment import Span
from prism_core.resources import shipped_dictionary

_WORD = re.compile(r"[^\W\d_]+")
_WEIGHTS = (0.2, 0.1, 0.07)
"""Weights of the roots of surprise and entropy, and of the pieces of the source word."""
_LEAST = 0.5
"""Sum from which on a word is taken as invented: one in fifty sentences has a word that is not."""


class WrittenWord(NamedTuple):
    """Word as a model is made to write it."""

    text: str
    entropy: float
    """Sum of the entropies of its pieces, in nats."""
    surprise: float
    """Improbability of its pieces after the first, in nats."""
    source_pieces: tuple[str, ...]
    """Pieces of the source word that the model attends to most."""


def is_invented(word: WrittenWord) -> bool:
    """Return True if ``word``, which is in no list, is probably none of the language."""
    evidence = math.sqrt(word.surprise), math.sqrt(word.entropy), len(word.source_pieces)
    return math.fsum(map(mul, _WEIGHTS, evidence)) >= _LEAST


def find_unlisted(source: str, translation: str, pair: tuple[str, str]) -> list[Span]:
    """Return the words of ``translation`` in small letters that no list of the language has.

    ``pair`` has the languages (ISO 639-1). Words of the source are names or stayed; other marks
    tell. Without a dictionary that ships for the pair none is found.
    """
    listed, copied = read_listed_words(*pair), {*_WORD.findall(source.lower())}
    return [
        found.span()
        for found in _WORD.finditer(translation)
        if listed and found[0].islower() and not (found[0] in listed or found[0] in copied)
    ]


@cache
def read_listed_words(source: str, target: str) -> frozenset[str]:
    """Return the words that the shipped dictionary of the pair has in the target language."""
    import pyarrow.compute as pc  # takes time
    import pyarrow.parquet as pq

    path = shipped_dictionary(source, target)
    if not path.exists():
        return frozenset()
    forms = pq.read_table(path, columns=["forms"])["forms"]
    texts = pc.unique(pc.struct_field(pc.list_flatten(forms), "text"))
    return frozenset(_WORD.findall("\n".join(texts.to_pylist()).lower()))
