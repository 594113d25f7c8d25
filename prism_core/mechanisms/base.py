"""The seam between the encoder and a mechanism: what each is given and gives back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from random import Random
from typing import Protocol

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
    address, URL, record number …) by the original text.
    """

    WORD = "word"
    UNKNOWN = "unknown"
    NAME = "name"
    NUMBER = "number"
    CODE = "code"


@dataclass(frozen=True, slots=True)
class Replacement:
    """One element of H: tokens ``[position, position + length)`` were ``word``, are ``substitute``.

    Secret. ``tag`` is the tag the word was looked up under, or the label of an identifier;
    ``pool`` the number of words the substitute was drawn from (0 for surrogates).
    """

    position: int
    length: int
    word: str
    substitute: str
    kind: Kind
    tag: str
    pool: int = 0


@dataclass(frozen=True, slots=True)
class Encoded:
    """What encoding gives: ``text`` is x_pub, the only part that may leave; ``record`` is H.

    ``fates`` has one entry a token. ``withheld`` is empty, or the reason why nothing of the
    sentence may be sent; then ``text`` is empty too.
    """

    text: str
    record: tuple[Replacement, ...]
    fates: tuple[Fate, ...]
    withheld: str = ""


@dataclass(frozen=True, slots=True)
class Draft:
    """A mechanism's choice for the tokens it was given, before identifiers are put in."""

    record: tuple[Replacement, ...]
    withheld: str = ""


class Mechanism(Protocol):
    """Chooses substitutes for ordinary words. Each implementation states its guarantee."""

    name: str

    def choose(
        self,
        sentence: Sentence,
        identifiers: frozenset[int],
        forbidden: Callable[[str], bool],
        rng: Random,
    ) -> Draft:
        """Substitutes for the tokens of ``sentence`` outside ``identifiers`` (positions).

        ``forbidden`` tells words that may not be sent at all, whatever the original was. ``rng``
        draws from OS entropy except in tests.
        """
        ...
