"""Words of a translation that are probably none: *afebrile* became *efebril*.

A model of subwords invents a word from one that it does not know. Such a word stands in no
dictionary; many inflected words do not either, but their stem does, with an ending that goes with
theirs in many words, or the model is sure of how they go on.

Entry: ``find_invented``; ``find_unlisted`` shows where such words may be in a text, and
``read_listed_words`` and ``read_source_words`` have the words of the languages.
"""

from __future__ import annotations

import gzip
import math
import re
from bisect import bisect_left
from collections.abc import Collection, Sequence
from functools import cache, lru_cache
from operator import mul
from typing import NamedTuple

from prism_core.alignment import Span
from prism_core.languages import load_language, read_words
from prism_core.resources import shipped_dictionary, shipped_words
from prism_core.translation_memory import SingleWordTranslations

_WORD = re.compile(r"[^\W\d_]+")
_WEIGHTS = (0.2, 0.1, 0.07)
"""Weights of the roots of surprise and entropy, and of the pieces of the source word."""
_LEAST, _LEAST_INFLECTED = 0.42, 0.6
"""Sums from which on a word is taken as invented, the second for one that looks like a form of a
listed word: one in eighty sentences has a word that is not."""
_SHORTEST_STEM, _LONGEST_ENDING = 4, 5
_FREQUENT, _FREQUENT_SHARE = 10, 0.05
"""Number of stems from which on two endings are of one paradigm, and share of the rarer's."""


class WrittenWord(NamedTuple):
    """Word as a model is made to write it."""

    text: str
    entropy: float
    """Sum of the entropies of its pieces, in nats."""
    surprise: float
    """Improbability of its pieces after the first, in nats."""
    source_pieces: tuple[str, ...]
    """Pieces of the source word that the model attends to most."""


def find_invented(
    source: str, words: Sequence[WrittenWord], pair: tuple[str, str], known: Collection[str] = ()
) -> list[str]:
    """Return which ``words``, a translation of ``source``, are probably none of the language.

    ``pair`` has the languages (ISO 639-1), ``known`` words in small letters that are not doubted.
    Words of the source are names or stayed; other marks tell. One with a capital may be a name,
    unless it begins the sentence or stands for an ordinary word. Without a dictionary that ships
    for the pair none is found.
    """
    listed, copied = read_listed_words(*pair), {*_WORD.findall(source.lower())}
    if not listed:
        return []
    texts = [(text, word) for word in words for text in _WORD.findall(word.text)]
    ordinary = read_words(load_language(pair[0]).plain)
    return [
        text
        for number, (text, word) in enumerate(texts)
        if not any(text.lower() in each for each in (listed, copied, known))
        and (
            text.islower()
            or number == 0
            or not ordinary.isdisjoint(_WORD.findall("".join(word.source_pieces).lower()))
        )
        and _sum_evidence(word) >= _LEAST
        and (_sum_evidence(word) >= _LEAST_INFLECTED or not _is_inflected(text.lower(), *pair))
    ]


def find_unlisted(source: str, translation: str, pair: tuple[str, str]) -> list[Span]:
    """Return the words of ``translation`` that no list of the language has.

    One with a capital counts where it begins the text. For ``pair`` and words of the source see
    ``find_invented``.
    """
    listed, copied = read_listed_words(*pair), {*_WORD.findall(source.lower())}
    return [
        found.span()
        for number, found in enumerate(_WORD.finditer(translation) if listed else ())
        if (found[0].islower() or number == 0)
        and not any(found[0].lower() in words for words in (listed, copied))
    ]


def _sum_evidence(word: WrittenWord) -> float:
    evidence = math.sqrt(word.surprise), math.sqrt(word.entropy), len(word.source_pieces)
    return math.fsum(map(mul, _WEIGHTS, evidence))


@cache
def read_listed_words(source: str, target: str) -> frozenset[str]:
    """Return the words that the shipped dictionary of the pair has in the target language."""
    import pyarrow.compute as pc  # takes time
    import pyarrow.parquet as pq

    path = shipped_dictionary(source, target)
    if not path.exists():
        return frozenset()
    forms = pq.read_table(path, columns=["forms"])["forms"]
    texts = pc.unique(pc.struct_field(pc.list_flatten(forms), "text")).to_pylist()
    texts += SingleWordTranslations(source, target).words.values()
    return frozenset(_WORD.findall("\n".join(texts).lower()))


@cache
def read_source_words(source: str) -> frozenset[str]:
    """Return the words of ``source`` that dictionaries are built from; empty if none ship."""
    path = shipped_words(source)
    if not path.exists():
        return frozenset()
    with gzip.open(path, "rt", encoding="utf-8") as file:
        words = (line.partition("\t")[0] for line in file if not line.startswith("#"))
        return frozenset(filter(str.islower, words))


@lru_cache(maxsize=10_000)
def _is_inflected(word: str, source: str, target: str) -> bool:
    """Return True if a listed word has the stem of ``word``, with an ending of its paradigm."""
    for size in range(max(_SHORTEST_STEM, len(word) - _LONGEST_ENDING), len(word) + 1):
        stem, ending = word[:size], word[size:]
        for other in _find_range(_sort_words(source, target, backwards=False), stem):
            found = other[size:]
            is_short = len(found) <= _LONGEST_ENDING and found[:1] != ending[:1]
            if is_short and _share_paradigm(ending, found, source, target):
                return True
    return False


@cache
def _share_paradigm(ending: str, other: str, source: str, target: str) -> bool:
    """Return True if many stems of the rarer of two endings have both."""
    words = {each: _list_ending(each, source, target) for each in (ending, other)}
    rarer, commoner = sorted(words, key=lambda each: len(words[each]))
    stems = (word[: len(word) - len(rarer)] for word in words[rarer])
    listed = read_listed_words(source, target)
    both = sum(len(stem) >= _SHORTEST_STEM and stem + commoner in listed for stem in stems)
    return both >= max(_FREQUENT, _FREQUENT_SHARE * len(words[rarer]))


@cache
def _list_ending(ending: str, source: str, target: str) -> Sequence[str]:
    """Return the listed words that end with ``ending``."""
    found = _find_range(_sort_words(source, target, backwards=True), ending[::-1])
    return [word[::-1] for word in found]


def _find_range(words: Sequence[str], beginning: str) -> Sequence[str]:
    return words[bisect_left(words, beginning) : bisect_left(words, beginning + "\U0010ffff")]


@cache
def _sort_words(source: str, target: str, *, backwards: bool) -> tuple[str, ...]:
    listed = read_listed_words(source, target)
    return tuple(sorted(word[::-1] for word in listed) if backwards else sorted(listed))
