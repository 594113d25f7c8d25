"""The seam between encoders and mechanisms: what each is given and gives back.

Entry: ``MechanismSpec``, which makes a ``PoolMechanism`` or a ``TokenMechanism``; the one draws
from pools for each word (``choose``, ``redraw``), the other gives a ``Draft`` of a sentence.
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
from prism_core.settings import MechanismSettings


@dataclass(frozen=True, slots=True)
class Draft:
    """A mechanism's choice for the tokens it was given, before identifiers are put in."""

    record: tuple[Replacement, ...]
    withheld: str = ""


Forbidden = Callable[[str], bool]
"""Tells a word that may not be sent at all."""
Tagger = Callable[[Sentence], Sentence]
"""Annotates the tokens of a sentence anew, reading nothing but their surfaces and white space."""


@dataclass(frozen=True, slots=True)
class PublicRules:
    """What anyone may know of a mechanism: where it draws from, and which tokens it replaces.

    Substitutes are drawn from ``words`` alike for every token; without them from the words of the
    dictionary that may stand in the token's place. A token is replaced with ``probability``, else
    iff it is among the best ranked share ``ratio`` of its sentence, else unless it is one of
    ``kept`` with a confidence below ``threshold`` and something else of its sentence is replaced.
    A substitute has ``threshold``, and ``draw_from`` where enough words have it.
    """

    threshold: float = math.inf
    draw_from: float = 0.0
    minimum_pool: int = 1
    ratio: float | None = None
    probability: float | None = None
    kept: frozenset[str] = frozenset()
    words: WordSet | None = None

    @property
    def draws_blindly(self) -> bool:
        """Whether a draw follows from the pool and what the translator sees, never from the word.

        So every other word of a pool could stand in its place, and be drawn for alike.
        """
        return self.words is None and self.ratio is None


class _Mechanism(ABC):
    """Chooses substitutes for ordinary words.

    ``guarantee``: what it guarantees and what not, as reports quote it. ``restores``: what was
    replaced is to be undone. ``distance``: what ε is relative to, per unit of it; None where it
    bounds the loss of a word whatever that is (differential privacy).
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
        """What one who attacks it knows."""


class PoolMechanism(_Mechanism):
    """Replaces words by others of their slot, and leaves identifiers to the encoder.

    Nothing bounds the loss of a word, whose confidence tells whether it is replaced.
    """

    epsilon_word = math.inf
    vocabulary = None

    @abstractmethod
    def choose(
        self, sentence: Sentence, identifiers: frozenset[int], forbidden: Forbidden, rng: Random
    ) -> Draft:
        """Substitutes for the tokens of ``sentence`` outside ``identifiers`` (positions).

        ``forbidden`` tells words that may not be sent at all, whatever the original was. ``rng``
        draws from OS entropy except in tests.
        """

    def shown_class(self, replacement: Replacement) -> str:
        """Name the set of words that the substitute of ``replacement`` shows it was drawn from."""
        return replacement.drawn_as

    def class_bits(self, replacement: Replacement) -> float:  # noqa: ARG002
        """Bits that ``shown_class`` tells of the word beyond its part of speech."""
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
        """Another substitute for the word at ``position`` alone, from the pool of that in
        ``record``; None where there is none, or where the mechanism does not exchange any."""


class TokenMechanism(_Mechanism):
    """Decides on every token by chance and by its own surface.

    The encoder looks for no identifiers, draws once for each sentence (where the user's list of
    what is never sent objects, the sentence is withheld), and nothing is drawn and sent again: each
    would make what is seen depend on other words.
    """

    @abstractmethod
    def choose(self, sentence: Sentence, always: frozenset[int], rng: Random) -> Draft:
        """Substitutes for tokens of ``sentence``; those at ``always`` are replaced in any case.

        ``rng`` draws from OS entropy except in tests.
        """


Mechanism = PoolMechanism | TokenMechanism
_Settings = TypeVar("_Settings", bound=MechanismSettings)


@dataclass(frozen=True, slots=True)
class MechanismSpec(Generic[_Settings]):
    """A mechanism that can be named in the settings.

    ``make`` is given the settings, the dictionary and what tags sentences anew, if there is such.
    It raises ``ConfigurationError`` when what it needs of them is lacking.
    """

    settings: type[_Settings]
    make: Callable[[_Settings, Dictionary, Tagger | None], Mechanism]
