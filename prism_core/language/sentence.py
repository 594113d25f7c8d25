"""Sentences and tokens as every other module sees them: plain data, no spaCy objects."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import accumulate, chain
from operator import add, attrgetter
from typing import NamedTuple


class Token(NamedTuple):
    """One token of a sentence; a tuple, since archives are made of millions of them.

    ``tag`` is the Penn Treebank fine tag (spaCy's ``tag_``; ``_SP`` for white space), behind a
    hyphen what more the words of a language agree in (``NN-F``), ``morph`` the
    Universal Dependencies features (``Number=Sing|Person=3``), ``entity`` one of ``PER``, ``ORG``,
    ``LOC`` or empty.
    """

    text: str
    whitespace: str
    tag: str
    lemma: str = ""
    morph: str = ""
    entity: str = ""


_TEXT = attrgetter("text")
_WHITESPACE = attrgetter("whitespace")
_WITH_WHITESPACE = attrgetter("text", "whitespace")


PROPER_NOUNS = ("NNP", "NNPS")


def penn_tag(tag: str) -> str:
    """The Penn tag of a tag that tells more: NN of ``NN-F``."""
    return tag.partition("-")[0] or tag


class Found(NamedTuple):
    """The identifiers that a sentence shows by itself, so that nobody looks for them twice.

    ``by`` names whoever found them, and all that it knows. Each of ``spans`` is a start and an end
    in the text, each of ``names`` a place and a number of tokens, when these are cut at the spans;
    then its label and its kind.
    """

    by: str
    spans: tuple[tuple[int, int, str, str], ...] = ()
    names: tuple[tuple[int, int, str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence; ``text`` gives its source back byte for byte, trailing white space included.

    ``found`` holds for these very ``tokens``; None where nobody has looked yet.
    """

    tokens: tuple[Token, ...]
    found: Found | None = field(default=None, compare=False, repr=False)

    @property
    def text(self) -> str:
        """The source of the sentence."""
        return "".join(chain.from_iterable(map(_WITH_WHITESPACE, self.tokens)))

    @property
    def words(self) -> list[str]:
        """The text of each token."""
        return list(map(_TEXT, self.tokens))

    def offsets(self) -> list[tuple[int, int]]:
        """The ``(start, end)`` of each token in ``text``, white space excluded."""
        lengths = list(map(len, self.words))
        apart = map(len, map(_WHITESPACE, self.tokens))
        starts = list(accumulate(map(add, lengths, apart), initial=0))[:-1]
        return list(zip(starts, map(add, starts, lengths), strict=True))
