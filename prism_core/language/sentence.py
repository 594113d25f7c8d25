"""Sentences and tokens as every other module sees them: plain data, no spaCy objects."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Token(NamedTuple):
    """One token of a sentence; a tuple, since archives are made of millions of them.

    ``tag`` is the Penn Treebank fine tag (spaCy's ``tag_``; ``_SP`` for white space), ``morph`` the
    Universal Dependencies features (``Number=Sing|Person=3``), ``entity`` one of ``PER``, ``ORG``,
    ``LOC`` or empty.
    """

    text: str
    whitespace: str
    tag: str
    lemma: str = ""
    morph: str = ""
    entity: str = ""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence; ``text`` gives its source back byte for byte, trailing white space included."""

    tokens: tuple[Token, ...]

    @property
    def text(self) -> str:
        """The source of the sentence."""
        return "".join([token.text + token.whitespace for token in self.tokens])

    def offsets(self) -> list[tuple[int, int]]:
        """The ``(start, end)`` of each token in ``text``, white space excluded."""
        spans, start = [], 0
        for token in self.tokens:
            end = start + len(token.text)
            spans.append((start, end))
            start = end + len(token.whitespace)
        return spans
