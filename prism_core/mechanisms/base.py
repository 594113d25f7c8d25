"""Protocol between encoders and mechanisms: the input and the output of each.

Entry: ``MechanismSpec``, which makes a ``PoolMechanism`` or a ``TokenMechanism``. A pool mechanism
draws each word from a pool (``choose``, ``redraw``). A token mechanism returns a ``Selection`` of a
sentence.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar, Generic, TypeVar

from prism_core.dictionary import Dictionary
from prism_core.language import Sentence
from prism_core.mechanisms.vocabulary import WordSet
from prism_core.record import Replacement
from prism_core.settings import HiddenWords, MechanismSettings


@dataclass(frozen=True, slots=True)
class Selection:
    """A mechanism's choice for the tokens it was given, before identifiers are replaced."""

    record: tuple[Replacement, ...]
    withheld: str = ""


Forbidden = Callable[[str], bool]
"""Predicate that returns True for a word that must not be sent."""
Tagger = Callable[[Sentence], Sentence]
"""Function that tags a sentence again, reading only the tokens' surfaces and white space."""


@dataclass(frozen=True, slots=True)
class PublicRules:
    """Public knowledge of a mechanism: the words it draws from and the tokens it replaces.

    Substitutes are drawn from ``words`` alike for every token; without ``words``, from the
    dictionary words that may stand in the token's place. A token is replaced with ``probability``
    if that is given. Else it is replaced if it is among the best ranked share ``ratio`` of its
    sentence, if that is given. Else it is replaced unless it is grammar; where ``hidden_words`` are
    not all, only if it is a telling or unknown word, or none at all. A substitute has at least
    ``threshold``, and at least ``draw_from`` where enough words have it.
    """

    threshold: float = math.inf
    draw_from: float = 0.0
    minimum_pool: int = 1
    ratio: float | None = None
    probability: float | None = None
    hidden_words: HiddenWords = "all"
    words: WordSet | None = None

    @property
    def draws_blindly(self) -> bool:
        """True if a draw depends only on the pool and the translator's view, never on the word."""
        return self.words is None and self.ratio is None


class _Mechanism(ABC):
    """Base class of mechanisms, which choose substitutes for ordinary words.

    ``guarantee`` states what the mechanism guarantees and what it does not, as reports quote it.
    ``restores`` is True if decoding undoes the replacements. ``distance`` names the distance that ε
    is relative to, per unit of it; None where ε bounds the loss of any word (differential privacy).
    """

    name: ClassVar[str]
    guarantee: ClassVar[str]
    restores: ClassVar[bool] = True
    distance: str | None = None

    @property
    @abstractmethod
    def epsilon_word(self) -> float:
        """ε per word in nats; ``math.inf`` where nothing is bounded."""

    @property
    @abstractmethod
    def vocabulary(self) -> int | None:
        """|V|, the number of words that every token may become; None where there is no such set."""

    @property
    @abstractmethod
    def public_rules(self) -> PublicRules:
        """Rules of the mechanism that an attacker knows."""


class PoolMechanism(_Mechanism):
    """Mechanism that replaces words by others of their slot and leaves identifiers to the encoder.

    Nothing bounds the loss of a word. The word's confidence decides whether it is replaced.
    """

    epsilon_word = math.inf
    vocabulary = None

    @abstractmethod
    def choose(
        self, sentence: Sentence, identifiers: frozenset[int], forbidden: Forbidden, rng: Random
    ) -> Selection:
        """Choose substitutes for the tokens of ``sentence`` outside ``identifiers`` (positions).

        ``forbidden`` returns True for words that must not be sent, whatever the original was.
        ``rng`` draws from OS entropy except in tests.
        """

    def shown_class(self, replacement: Replacement) -> str:
        """Name the set of words that the substitute of ``replacement`` visibly belongs to."""
        return replacement.drawn_as

    def class_bits(self, replacement: Replacement) -> float:  # noqa: ARG002
        """Return the bits that ``shown_class`` reveals of the word beyond its part of speech."""
        return 0.0

    def redraw(
        self,
        sentence: Sentence,
        identifiers: frozenset[int],
        record: Sequence[Replacement],
        position: int,
        forbidden: Forbidden,
        rng: Random,
    ) -> Replacement | None:
        """Draw another substitute for the word at ``position`` alone.

        The new substitute comes from the pool of the one in ``record``. Returns None if there is
        none, or if the mechanism does not exchange substitutes.
        """


class TokenMechanism(_Mechanism):
    """Mechanism that decides on every token by chance and by the token's own surface.

    The encoder does not look for identifiers. It draws once for each sentence; if the draw shows a
    term of the user's never-send list, the sentence is withheld. No sentence is drawn and sent
    again. Each of these would make what is sent depend on other words.
    """

    @abstractmethod
    def choose(self, sentence: Sentence, always: frozenset[int], rng: Random) -> Selection:
        """Choose substitutes for tokens of ``sentence``; those at ``always`` are always replaced.

        ``rng`` draws from OS entropy except in tests.
        """


Mechanism = PoolMechanism | TokenMechanism
_Settings = TypeVar("_Settings", bound=MechanismSettings)


@dataclass(frozen=True, slots=True)
class MechanismSpec(Generic[_Settings]):
    """A mechanism that can be named in the settings.

    ``make`` receives the settings, the dictionary and the function that tags sentences again, if
    there is one. It raises ``ConfigurationError`` when something that the mechanism needs is
    missing.
    """

    settings: type[_Settings]
    make: Callable[[_Settings, Dictionary, Tagger | None], Mechanism]
