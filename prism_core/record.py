"""H, the record of what was replaced in a sentence: the secret, and everybody's words for it.

Beside it ``Remark``, everybody's word for what is to be said of a document, and ``Reason``, of a
sentence.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from prism_core.alignment import Span


class Remark(str):
    """What reader or writer remark on a document, in the column ``notices``; never text of it.

    A name, and where there is more, after a colon, a class or a count: ``blocks-shrunk:2``.
    """

    __slots__ = ()

    @property
    def name(self) -> str:
        """All of it but the number."""
        return self if self.number is None else self.rpartition(":")[0]

    @property
    def number(self) -> int | None:
        """How often it was so; None where that is not said."""
        _, colon, said = self.rpartition(":")
        return int(said) if colon and said.isdecimal() else None


class Reason(StrEnum):
    """Why a person should look at a sentence, the worst first."""

    WITHHELD = "withheld"
    """It stands in the source language."""
    LOCAL = "local"
    """A model on this machine translated it, since nothing of it may be sent."""
    UNTRANSLATED = "untranslated"
    """Its translation holds words of the source language."""
    UNSURE = "unsure"
    """A word was put in by a way that errs more, or the translator added something."""
    TRANSLATED = "translated"
    """Nothing is known against it."""


class Fate(StrEnum):
    """What became of a token on its way to the translator.

    What is sent as it is, is ``MARK`` (punctuation), ``GRAMMAR`` (a function word) or ``KEPT``, any
    other: it alone may tell what a sentence is about. Encodings stored before the three were told
    apart have ``KEPT`` for all of them.
    """

    REPLACED = "replaced"
    KEPT = "kept"
    MARK = "mark"
    GRAMMAR = "grammar"
    IDENTIFIER = "identifier"
    UNKNOWN = "unknown"

    @property
    def in_clear(self) -> bool:
        """Whether the translator saw the token as the document has it."""
        return self in (Fate.KEPT, Fate.MARK, Fate.GRAMMAR)


class Kind(StrEnum):
    """How a replacement is undone.

    ``WORD`` by its dictionary translation, ``UNKNOWN`` by the source word itself, ``NAME`` by the
    original name, ``NUMBER`` digit by digit onto the form that came back, ``CODE`` (e-mail
    address, URL, record number …) by the original text. ``KEPT`` is none: a kept word whose place
    in the answer must be known, so that no substitute that looks like it is taken for it.
    """

    WORD = "word"
    UNKNOWN = "unknown"
    NAME = "name"
    NUMBER = "number"
    CODE = "code"
    KEPT = "kept"


CODE_LETTERS = "BCDFHJKLNQTWXZ"
"""Letters that stand in codes that are drawn: with vowels, or M, P, R, S or V, they would be words
(*TO*, *MR*, *TV*), with G a measure (*g_6*), and translated."""


class Surface(NamedTuple):
    """How a substitute is sent that was drawn as a surface, whatever the tag and case of its word.

    ``tag`` is that it was drawn under; empty: any of its entries may be what the translator saw.
    ``space_before`` and ``space_after`` tell of a blank beside it that the source does not have,
    without which it would run into its neighbour; ``apart`` that the word stood between blanks of
    its own.
    """

    tag: str = ""
    space_before: bool = False
    space_after: bool = False
    apart: bool = False


class Replacement(NamedTuple):
    """One element of H: tokens ``[position, position + length)`` were ``word``, are ``substitute``.

    Secret. ``tag`` is the tag the word was looked up under, or the label of an identifier;
    ``pool`` the number of words the substitute was drawn from (0 for surrogates). Without a
    ``surface`` the substitute has the word's tag and letter case.
    """

    position: int
    length: int
    word: str
    substitute: str
    kind: Kind
    tag: str
    pool: int = 0
    surface: Surface | None = None

    @property
    def drawn_as(self) -> str:
        """The tag that the substitute was drawn under; empty for a surface without one."""
        return self.tag if self.surface is None else self.surface.tag

    @property
    def written(self) -> str:
        """The substitute with the blanks that were put beside it."""
        if self.surface is None:
            return self.substitute
        _, before, after, _ = self.surface
        return " " * before + self.substitute + " " * after


@dataclass(frozen=True, slots=True)
class Encoded:
    """What encoding gives: ``text`` is x_pub, the only part that may leave; ``record`` is H.

    ``fates`` has one entry a token. ``withheld`` is empty, or the reason why nothing of the
    sentence may be sent; then ``text`` is empty too. ``labels`` has one entry an identifier, in
    order: what its detector called it. ``drawn`` has, in order, the spans of ``text`` where what
    was drawn stands. Encodings that were stored before they were kept have none.
    """

    text: str
    record: tuple[Replacement, ...]
    fates: tuple[Fate, ...]
    withheld: str = ""
    labels: tuple[str, ...] = ()
    drawn: tuple[Span, ...] = ()

    @property
    def to_restore(self) -> int:
        """How many replacements are to be undone."""
        return sum(replacement.kind is not Kind.KEPT for replacement in self.record)
