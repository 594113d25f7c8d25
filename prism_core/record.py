"""H, the secret record of the replacements in a sentence, and the types that describe it.

``Remark`` is a notice about a document, ``Reason`` a reason to review a sentence.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from prism_core.alignment import Span

DOUBTFUL = "\u2370"
"""Mark behind a word that OCR was not sure of (⍰)."""
UNREAD = "unread"
"""Reason of a sentence with such a word: it is for a person to translate."""


class Remark(str):
    """Notice of a reader or writer about a document, in the column ``notices``; never its text.

    A name and, if there is more, a class or a count after a colon: ``blocks-shrunk:2``.
    """

    __slots__ = ()

    @property
    def name(self) -> str:
        """Notice without the number."""
        return self if self.number is None else self.rpartition(":")[0]

    @property
    def number(self) -> int | None:
        """Count of the notice; None without one."""
        _, colon, count = self.rpartition(":")
        return int(count) if colon and count.isdecimal() else None


class Reason(StrEnum):
    """Reason for a person to review a sentence, the worst first."""

    WITHHELD = "withheld"
    """Sentence left in the source language."""
    LOCAL = "local"
    """Sentence translated by a model on this machine, because nothing of it may be sent."""
    UNTRANSLATED = "untranslated"
    """Translation with words of the source language."""
    UNSURE = "unsure"
    """Sentence with a word restored by a less reliable strategy, or with an addition by the
    translator."""
    TRANSLATED = "translated"
    """Translation without known problems."""


TO_LOOK_AT: Final = (Reason.WITHHELD, Reason.LOCAL, Reason.UNTRANSLATED, Reason.UNSURE)
"""Reasons for which a person should look at a sentence."""


class Fate(StrEnum):
    """Handling of a token on its way to the translator.

    Tokens sent unchanged are ``MARK`` (punctuation), ``GRAMMAR`` (a function word) or ``KEPT``, any
    other: only the last may reveal the subject of a sentence.
    """

    REPLACED = "replaced"
    KEPT = "kept"
    MARK = "mark"
    GRAMMAR = "grammar"
    IDENTIFIER = "identifier"
    UNKNOWN = "unknown"

    @property
    def in_clear(self) -> bool:
        """True if the translator saw the token as the document has it."""
        return self in (Fate.KEPT, Fate.MARK, Fate.GRAMMAR)


class Kind(StrEnum):
    """Method of undoing a replacement.

    ``WORD`` by its dictionary translation, ``UNKNOWN`` by the source word itself, ``NAME`` by the
    original name, ``NUMBER`` digit by digit onto the form that came back, ``CODE`` (e-mail address,
    URL, record number …) by the original text. ``KEPT`` is no replacement: a kept word whose
    position in the answer must be known, so that no substitute that looks like it is mistaken for
    it.
    """

    WORD = "word"
    UNKNOWN = "unknown"
    NAME = "name"
    NUMBER = "number"
    CODE = "code"
    KEPT = "kept"


CODE_LETTERS = "BCDFHJKLNQTWXZ"
"""Letters of drawn codes. With vowels, or M, P, R, S or V, codes would be words (*TO*, *MR*, *TV*),
with G a measure (*g_6*), and would be translated."""


class Surface(NamedTuple):
    """Form of a substitute that was drawn as a surface, whatever the tag and case of its word.

    ``tag`` is the tag it was drawn under; if empty, the translator may have seen any of its
    entries. ``space_before`` and ``space_after`` mark a blank beside it that the source does not
    have, without which it would run into its neighbour; ``apart`` marks a word that stood between
    blanks of its own.
    """

    tag: str = ""
    space_before: bool = False
    space_after: bool = False
    apart: bool = False


class Replacement(NamedTuple):
    """Element of H: tokens ``[position, position + length)`` were ``word``, are ``substitute``.

    Secret. ``tag`` is the tag the word was looked up under, or the label of an identifier; ``pool``
    the number of words the substitute was drawn from (0 for surrogates). Without a ``surface`` the
    substitute has the word's tag and letter case.
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
    def positions(self) -> range:
        """Positions of the tokens that are replaced."""
        return range(self.position, self.position + self.length)

    @property
    def drawn_as(self) -> str:
        """Tag that the substitute was drawn under; empty for a surface without one."""
        return self.tag if self.surface is None else self.surface.tag

    @property
    def written(self) -> str:
        """Substitute with the blanks that were put beside it."""
        if self.surface is None:
            return self.substitute
        _, before, after, _ = self.surface
        return " " * before + self.substitute + " " * after


@dataclass(frozen=True, slots=True)
class Encoded:
    """Result of encoding: ``text`` is x_pub, the only part that may leave; ``record`` is H.

    ``fates`` has one entry a token. ``withheld`` is empty, or the reason why nothing of the
    sentence may be sent; then ``text`` is empty too. ``labels`` has one entry an identifier, in
    order: the detector's name for it. ``drawn`` has, in order, the spans of ``text`` with drawn
    words.
    """

    text: str
    record: tuple[Replacement, ...]
    fates: tuple[Fate, ...]
    withheld: str = ""
    labels: tuple[str, ...] = ()
    drawn: tuple[Span, ...] = ()

    @property
    def replaced(self) -> list[Replacement]:
        """Replacements to undo: all but those of words that stand for themselves."""
        return [replacement for replacement in self.record if replacement.kind is not Kind.KEPT]

    @property
    def to_restore(self) -> int:
        """Number of replacements to undo."""
        return len(self.replaced)
