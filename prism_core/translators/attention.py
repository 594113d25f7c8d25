"""Alignment of words by the attention of a model between the pieces of two texts.

Entry: ``link_by_attention``. Pieces are those of SentencePiece.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from prism_core.alignment import Match, Span
from prism_core.translators.alignment_tags import keep_consistent, words_to_mark

LEAST_ATTENTION = 0.4
"""Share of a word's attention from which it is aligned with the word that has it."""

CONTENT_LETTERS = 4
"""Number of letters from which a word is no less likely to be a content word than a longer one. A
model attends to the word that is due while it writes function words before it."""

_BLANK = "\N{LOWER ONE EIGHTH BLOCK}"
"""Character that begins the first piece of every word."""


def link_by_attention(
    source: tuple[str, Sequence[str]],
    target: tuple[str, Sequence[str]],
    attention: Sequence[Sequence[float]],
    language: str,
) -> dict[Match, float]:
    """Align the content words of ``source``, a text in ``language``, with words of ``target``.

    Both texts come with their pieces; ``attention`` has a row for each piece of the target, of a
    weight for each piece of the source. A word of the target is aligned with the one that has most
    of its attention, and of several such words one alone is. Returns the links in the order of the
    target, each with its share of the attention.
    """
    strongest: dict[Span, tuple[float, Match, float]] = {}
    for link, share in _find_most_attended(source, target, attention):
        letters = sum(map(str.isalnum, target[0][slice(*link.target)]))
        strength = share * min(letters, CONTENT_LETTERS)
        if share >= LEAST_ATTENTION and strength > strongest.get(link.source, (0.0,))[0]:
            strongest[link.source] = strength, link, share
    words = words_to_mark(source[0], language)
    shares: dict[Span, float] = {}
    links = []
    for _, link, share in strongest.values():
        inside = [word for word in words if link.source[0] <= word[0] and word[1] <= link.source[1]]
        if len(inside) == 1:
            shares[inside[0]] = share
            links.append(Match(inside[0], link.target))
    kept = keep_consistent(words, target[0], links)
    return {link: shares[link.source] for link in kept}


def _find_most_attended(
    source: tuple[str, Sequence[str]],
    target: tuple[str, Sequence[str]],
    attention: Sequence[Sequence[float]],
) -> Iterator[tuple[Match, float]]:
    """Yield a link for each word of the target, with the share of its attention."""
    sources = _tokenize(*source)
    for place, rows in _tokenize(*target) if sources else ():
        shares = [
            sum(attention[row][n] for row in rows for n in cells) / len(rows)
            for _, cells in sources
        ]
        share = max(shares)
        yield Match(sources[shares.index(share)][0], place), share


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
    named = [[n for n in group if any(map(str.isalnum, pieces[n]))] or group for group in groups]
    return list(zip(spans, named, strict=True))
