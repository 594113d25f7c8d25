"""Where the words of a translation go when its paragraph has several formats.

A paragraph's text is spread over nodes (plain, bold, a link …). Names and numbers usually come
back as they were: they hold their node in place. The words between them are shared out in
proportion. No character is lost or doubled, and no word is cut unless a name is part of it.

Something that is not translated (a piece of code, a picture) may stand between two nodes. It is
no part of the text and keeps its place among the nodes.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import Final

_MOST_COMPARED: Final = 20_000_000
"""Nodes times characters that are searched for names; no mail that people write has more."""


_CLOSING: Final = re.compile(r"[.!?:;,)]+\s*\Z")


def joined(nodes: Sequence[str], held: Collection[int]) -> str:
    """The text of ``nodes`` in one line. Something stands before each node whose index is ``held``.

    It leaves no trace: words around it stay apart, and the stop behind it follows the word before.
    """
    return "".join(shares(nodes, held))


def shares(nodes: Sequence[str], held: Collection[int]) -> list[str]:
    """What each of ``nodes`` has of their ``joined`` text."""
    filled = [index for index, node in enumerate(nodes) if node.strip()]
    last = filled[-1] if filled else -1
    found: list[str] = []
    text = ""
    for index, node in enumerate(nodes):
        if index in held:
            if index == last and _CLOSING.match(node):
                text = _shortened(found)
            elif text[-1:].isalnum() and node[:1].isalnum():
                node = " " + node
        own = re.sub(" {2,}", " ", node)
        own = own[1:] if own.startswith(" ") and text[-1:] in ("", " ") else own
        found.append(own)
        text = own or text
    return _stripped(found)


def _shortened(texts: list[str]) -> str:
    """Take the white space from the end of ``texts``; gives the last that says something."""
    for index in reversed(range(len(texts))):
        texts[index] = texts[index].rstrip()
        if texts[index]:
            return texts[index]
    return ""


def _stripped(texts: list[str]) -> list[str]:
    """``texts`` without the white space at their beginning and end."""
    _shortened(texts)
    for index, text in enumerate(texts):
        texts[index] = text.lstrip()
        if texts[index]:
            break
    return texts


def refilled(nodes: Sequence[str], held: Collection[int], translation: str) -> list[str]:
    """``distribute``, with the spaces around what is ``held`` as they were; see ``joined``."""
    return respaced(nodes, held, distribute(nodes, translation))


def respaced(nodes: Sequence[str], held: Collection[int], pieces: Sequence[str]) -> list[str]:
    """``pieces`` in place of ``nodes``, with the spaces around what is ``held`` as they were."""
    pieces = list(pieces)
    for index in held:
        if not 0 < index < len(nodes):
            continue
        if nodes[index - 1].endswith(" ") and pieces[index - 1][-1:] not in ("", " "):
            pieces[index - 1] += " "
        if nodes[index].startswith(" ") and pieces[index][:1] not in ("", " ", *".,;:!?)"):
            pieces[index] = " " + pieces[index]
    return pieces


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
    return _pieces(nodes, translation, [cut or 0 for cut in cuts])


def _pieces(nodes: Sequence[str], translation: str, cuts: list[int]) -> list[str]:
    """Cut; a space goes to the side of the cut on which the source has it."""
    for index in range(1, len(cuts) - 1):
        before = cuts[index] - 1
        spaced = before > cuts[index - 1] and translation[before] == " "
        if spaced and not nodes[index - 1].endswith(" "):
            cuts[index] = before
    return [translation[start:end] for start, end in pairwise(cuts)]


def _anchored(nodes: Sequence[str], translation: str) -> list[int | None]:
    """Cuts around nodes whose text stands once in the translation, in order, in any case."""
    cuts: list[int | None] = [0, *[None] * (len(nodes) - 1), len(translation)]
    reached = 0
    few = len(nodes) * len(translation) < _MOST_COMPARED
    searched = "".join(map(_lower, translation))
    for index, node in enumerate(nodes if few else ()):
        text = "".join(map(_lower, node.strip()))
        if len(text) < 3 or searched.count(text) != 1:
            continue
        position = searched.index(text)
        if position < reached:
            continue
        if index:
            cuts[index] = position
        reached = position + len(text)
        if index + 1 < len(nodes):
            cuts[index + 1] = reached
    closing = nodes[-1].rstrip()
    if len(nodes) > 1 and not _has_words(closing) and translation.endswith(closing):
        cuts[-2] = max(reached, len(translation) - len(closing))
    return cuts


def _shared(nodes: Sequence[str], translation: str, start: int, end: int) -> list[int]:
    """Cuts between ``nodes`` in ``translation[start:end]``, at the starts of words."""
    words = [start + match.start() for match in re.finditer(r"\S+", translation[start:end])]
    total = sum(map(len, nodes)) or 1
    needed = sum(map(_has_words, nodes))
    cuts, taken, seen = [], 0, 0
    for node in nodes[:-1]:
        seen += len(node)
        needed -= _has_words(node)
        wanted = max(round(seen / total * len(words)), taken + _has_words(node))
        taken = max(taken, min(wanted, len(words) - needed))
        cuts.append(words[taken] if taken < len(words) else end)
    return cuts


def _lower(character: str) -> str:
    """The small letter, if it is one character too, so that places stay comparable."""
    small = character.lower()
    return small if len(small) == 1 else character


def _has_words(node: str) -> bool:
    return any(character.isalnum() for character in node)
