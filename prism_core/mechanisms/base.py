"""The seam between the encoder and a mechanism: what each is given and gives back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from random import Random
from typing import ClassVar, NamedTuple, Protocol

from prism_core.language.sentence import Sentence


class Fate(StrEnum):
    """What became of a token on its way to the translator."""

    REPLACED = "replaced"
    KEPT = "kept"
    IDENTIFIER = "identifier"
    UNKNOWN = "unknown"


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


class Replacement(NamedTuple):
    """One element of H: tokens ``[position, position + length)`` were ``word``, are ``substitute``.

    Secret. ``tag`` is the tag the word was looked up under, or the label of an identifier;
    ``pool`` the number of words the substitute was drawn from (0 for surrogates).

    ``substitute_tag`` None says that the substitute has the word's tag and letter case. Else it
    was written as drawn, under that tag; empty, as a surface without a tag: any of its entries
    may be what the translator saw. ``space_before`` and ``space_after`` tell of a blank beside the
    substitute that the source does not have, without which it would run into its neighbour;
    ``apart`` that the word stood between blanks of its own.
    """

    position: int
    length: int
    word: str
    substitute: str
    kind: Kind
    tag: str
    pool: int = 0
    substitute_tag: str | None = None
    space_before: bool = False
    space_after: bool = False
    apart: bool = False

    @property
    def drawn_as(self) -> str:
        """The tag that the substitute was drawn under; empty for a surface without one."""
        return self.tag if self.substitute_tag is None else self.substitute_tag


@dataclass(frozen=True, slots=True)
class Encoded:
    """What encoding gives: ``text`` is x_pub, the only part that may leave; ``record`` is H.

    ``fates`` has one entry a token. ``withheld`` is empty, or the reason why nothing of the
    sentence may be sent; then ``text`` is empty too. ``labels`` has one entry an identifier, in
    order: what its detector called it. Encodings that were stored before it was kept have none.
    """

    text: str
    record: tuple[Replacement, ...]
    fates: tuple[Fate, ...]
    withheld: str = ""
    labels: tuple[str, ...] = ()

    @property
    def to_restore(self) -> int:
        """How many replacements are to be undone."""
        return sum(one.kind is not Kind.KEPT for one in self.record)


@dataclass(frozen=True, slots=True)
class Draft:
    """A mechanism's choice for the tokens it was given, before identifiers are put in."""

    record: tuple[Replacement, ...]
    withheld: str = ""


Forbidden = Callable[[str], bool]
"""Tells a word that may not be sent at all."""
Tagger = Callable[[Sentence], Sentence]
"""Annotates the tokens of a sentence anew, reading nothing but their surfaces and white space."""


class Mechanism(Protocol):
    """Chooses substitutes for ordinary words. Each implementation states its guarantee.

    ``treats_every_token``: the mechanism decides on every token by itself. Then the encoder looks
    for no identifiers, draws once for each sentence (where the user's list of what is never sent
    objects, the sentence is withheld), and nothing is drawn and sent again: each would make what
    is seen depend on other words. ``restores``: what was replaced is to be undone.
    """

    name: ClassVar[str]
    treats_every_token: ClassVar[bool]
    restores: ClassVar[bool]

    @property
    def epsilon_word(self) -> float:
        """ε per word in nats; ``math.inf`` where nothing is bounded."""
        ...

    @property
    def vocabulary(self) -> int | None:
        """|V|, the number of words that every token may become; None where there is no such set."""
        ...

    def choose(
        self,
        sentence: Sentence,
        identifiers: frozenset[int],
        forbidden: Forbidden,
        rng: Random,
    ) -> Draft:
        """Substitutes for the tokens of ``sentence`` outside ``identifiers`` (positions).

        A mechanism that treats every token is given as ``identifiers`` the tokens whose own
        surface is on the user's list of names, and replaces them in any case. ``forbidden`` tells
        words that may not be sent at all, whatever the original was. ``rng`` draws from OS entropy
        except in tests.
        """
        ...
