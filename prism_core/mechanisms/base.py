"""The seam between the encoder and a mechanism: what each is given and gives back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import ClassVar, Protocol

from prism_core.language import Sentence
from prism_core.record import Replacement


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
