"""Alignment of words by the attention of a model between the pieces of two texts.

Entry: ``link_by_attention``. Pieces are those of SentencePiece.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from prism_core.alignment import Match, Span
from prism_core.translators.alignment_tags import keep_consistent, words_to_mark

LEAST_ATTENTION = 0.4
"""Share of a word's attention from which it is aligned with the word that has it."""

_BLANK = "\N{LOWER ONE EIGHTH BLOCK}"
"""Character that begins the first piece of every word."""


def link_by_attention(
    source: tuple[str, Sequence[str]],
    target: tuple[str, Sequence[str]],
    attention: Sequence[Sequence[float]],
    language: str,
) -> dict[Match, float]:
    """Align the content words of ``source``, a text in ``language``, with those of ``target``.

    Both texts come with their pieces; ``attention`` has a row for each piece of the target, of a
    weight for each piece of the source. Two words are aligned if each gets most of the other's
    attention. Returns the links in the order of the target, each with its share of the attention.
    """
    words = words_to_mark(source[0], language)
    sources, targets = _tokenize(*source), _tokenize(*target)
    if not sources:
        return {}
    shares = [
        [sum(attention[row][n] for row in rows for n in cells) / len(rows) for _, cells in sources]
        for _, rows in targets
    ]
    largest = [max(column) for column in zip(*shares, strict=True)]
    links: dict[Match, float] = {}
    for (place, _), row in zip(targets, shares, strict=True):
        share = max(row)
        best = row.index(share)
        if share == largest[best] and share >= LEAST_ATTENTION:
            start, end = sources[best][0]
            inside = [word for word in words if start <= word[0] and word[1] <= end]
            links |= {Match(inside[0], place): share} if len(inside) == 1 else {}
    weights = {match.source: share for match, share in links.items()}
    return {match: weights[match.source] for match in keep_consistent(words, target[0], [*links])}


def _tokenize(text: str, pieces: Sequence[str]) -> list[tuple[Span, list[int]]]:
    """Return the words between blanks, each with its ``pieces``; none if they differ.

    The punctuation at a word is attended to by itself, so its pieces are not those of the word.
    """
    spans = [match.span() for match in re.finditer(r"\S+", text)]
    groups: list[list[int]] = []
    for n, piece in enumerate(pieces):
        if piece.startswith(_BLANK) or not groups:
            groups.append([])
        groups[-1].append(n)
    if len(spans) != len(groups):
        return []
    named = [[n for n in group if _is_of_word(pieces[n])] or group for group in groups]
    return list(zip(spans, named, strict=True))


def _is_of_word(piece: str) -> bool:
    return any(map(str.isalnum, piece))
