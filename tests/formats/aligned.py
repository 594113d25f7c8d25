"""Translations with an alignment, as decoding gives them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from prism_core.alignment import Match, Translation
from prism_core.formats import PackedTranslations


def aligned(source: str, translation: str, pairs: str) -> Translation:
    """``translation`` aligned by ``pairs`` (``red=roja house=casa``).

    A word that is named twice stands for its first and second occurrence; ``_`` is a blank.
    """
    matches: list[Match] = []
    said: dict[str, int] = {}
    shown: dict[str, int] = {}
    for pair in pairs.split():
        one, other = pair.replace("_", " ").split("=")
        start = source.index(one, said.get(one, 0))
        first = translation.index(other, shown.get(other, 0))
        said[one], shown[other] = start + 1, first + 1
        matches.append(Match((start, start + len(one)), (first, first + len(other))))
    return Translation(translation, matches)


def wrap(texts: Iterable[str | Translation]) -> PackedTranslations:
    """What a format is given to write; of plain texts nothing is known but what they say."""
    return PackedTranslations(t if isinstance(t, Translation) else Translation(t) for t in texts)


def in_order(source: str, order: list[str]) -> Translation:
    """The words of ``source``, which are all different, as ``order`` has them, in capitals."""
    translation = " ".join(order).upper()
    matches = []
    for word in order:
        start, first = source.index(word), translation.index(word.upper())
        matches.append(Match((start, start + len(word)), (first, first + len(word))))
    return Translation(translation, matches)


def labelled(parts: list[tuple[str, str]]) -> dict[str, str]:
    """The look of every word, of ``(text, look)`` in order; of each letter where they differ."""
    text = "".join(said for said, _ in parts)
    looks = [look for said, look in parts for _ in said]
    found, start = {}, 0
    for word in text.split():
        start = text.index(word, start)
        own = dict.fromkeys(looks[start : start + len(word)])
        found[word.upper()] = "|".join(own)
        start += len(word)
    return found


def word_by_word(source: str, translation: str) -> Translation:
    """``translation``, each word of which stands for the one in its place in ``source``."""
    words = [re.finditer(r"\w+", text) for text in (source, translation)]
    pairs = zip(*words, strict=True)
    matches = tuple(Match(one.span(), other.span()) for one, other in pairs)
    return Translation(translation, matches)
