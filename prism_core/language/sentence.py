"""Sentences and tokens as all other modules see them: plain data, no spaCy objects."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import accumulate, chain
from operator import add, attrgetter
from typing import NamedTuple


class Token(NamedTuple):
    """A token of a sentence; a tuple, because archives have millions of them.

    ``tag`` is the Penn Treebank tag (spaCy's ``tag_``; ``_SP`` for white space), followed by a
    hyphen and further agreement features in some languages (``NN-F``). ``morph`` has the Universal
    Dependencies features (``Number=Sing|Person=3``); ``entity`` is ``PER``, ``ORG``, ``LOC`` or
    empty.
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
    """Return the Penn tag without further features: NN for ``NN-F``."""
    return tag.partition("-")[0] or tag


class Found(NamedTuple):
    """Identifiers found in a sentence, stored so that they are detected once.

    ``by`` identifies the detector and its data. Each of ``spans`` is a start and an end in the
    text; each of ``names`` is a position and a number of tokens, after these were cut at the spans.
    Label and kind follow in both.
    """

    by: str
    spans: tuple[tuple[int, int, str, str], ...] = ()
    names: tuple[tuple[int, int, str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence; its ``text`` is the source byte for byte, trailing white space included.

    ``found`` belongs to these very ``tokens``; it is None before detection.
    """

    tokens: tuple[Token, ...]
    found: Found | None = field(default=None, compare=False, repr=False)

    @property
    def text(self) -> str:
        """Source text of the sentence."""
        return "".join(chain.from_iterable(map(_WITH_WHITESPACE, self.tokens)))

    @property
    def words(self) -> list[str]:
        """Text of each token."""
        return list(map(_TEXT, self.tokens))

    def offsets(self) -> list[tuple[int, int]]:
        """Return the ``(start, end)`` of each token in ``text``, white space excluded."""
        lengths = list(map(len, self.words))
        gaps = map(len, map(_WHITESPACE, self.tokens))
        starts = list(accumulate(map(add, lengths, gaps), initial=0))[:-1]
        return list(zip(starts, map(add, starts, lengths), strict=True))
