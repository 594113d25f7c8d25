"""Where the words of a translation go when its paragraph has several formats.

A paragraph's text is spread over nodes (plain, bold, a link …). Names and numbers usually come
back as they were: they hold their node in place. The words between them are shared out in
proportion. No character is lost or doubled, and no word is cut unless a name is part of it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise


def distribute(nodes: Sequence[str], translation: str) -> list[str]:
    """``translation`` in as many pieces as there are ``nodes``; joined, they give it back.

    A node without letters or digits may get an empty piece; one with them gets a word while there
    are enough.
    """
    cuts = _anchored(nodes, translation)
    fixed = [index for index, cut in enumerate(cuts) if cut is not None]
    for left, right in pairwise(fixed):
        start, end = cuts[left] or 0, cuts[right] or 0
        for offset, cut in enumerate(_shared(nodes[left:right], translation, start, end), 1):
            cuts[left + offset] = cut
    return [translation[a or 0 : b or 0] for a, b in pairwise(cuts)]


def _anchored(nodes: Sequence[str], translation: str) -> list[int | None]:
    """Cuts around the nodes whose text stands exactly once in the translation, in order."""
    cuts: list[int | None] = [0, *[None] * (len(nodes) - 1), len(translation)]
    reached = 0
    for index, node in enumerate(nodes):
        text = node.strip()
        if len(text) < 3 or translation.count(text) != 1:
            continue
        position = translation.index(text)
        if position < reached:
            continue
        if index:
            cuts[index] = position
        reached = position + len(text)
        if index + 1 < len(nodes):
            cuts[index + 1] = reached
    return cuts


def _shared(nodes: Sequence[str], translation: str, start: int, end: int) -> list[int]:
    """Cuts between ``nodes`` in ``translation[start:end]``, at the starts of words."""
    words = [start + match.start() for match in re.finditer(r"\S+", translation[start:end])]
    total = sum(map(len, nodes)) or 1
    cuts, taken, seen = [], 0, 0
    for index, node in enumerate(nodes[:-1]):
        seen += len(node)
        wanted = round(seen / total * len(words))
        least = taken + (1 if _has_words(node) else 0)
        room = len(words) - sum(map(_has_words, nodes[index + 1 :]))
        taken = max(taken, min(max(wanted, least), max(room, taken)))
        cuts.append(words[taken] if taken < len(words) else end)
    return cuts


def _has_words(node: str) -> bool:
    return any(character.isalnum() for character in node)
