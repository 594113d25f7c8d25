"""Translations with an alignment, as decoding gives them."""

from __future__ import annotations

from prism_core.alignment import AlignedText, Match


def aligned(source: str, translation: str, pairs: str) -> AlignedText:
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
    return AlignedText(translation, matches)
