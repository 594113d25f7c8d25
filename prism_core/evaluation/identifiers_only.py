"""Identifiers only: what tools do that find names and numbers and leave every other word."""

from __future__ import annotations

import math
from random import Random
from typing import ClassVar

from prism_core.language.sentence import Sentence
from prism_core.mechanisms import Draft
from prism_core.mechanisms.base import Forbidden


class IdentifiersOnly:
    """Replaces no word, so that the encoder's own surrogates of identifiers are all that changes.

    A baseline for measurements, and no mechanism of the settings: nothing but identifiers is
    hidden, and every other word of a document is read by the translator. It is better than a tool
    with placeholders would be: the surrogates are words that T treats as it treats names.
    """

    name: ClassVar[str] = "identifiers-only"
    treats_every_token: ClassVar[bool] = False
    restores: ClassVar[bool] = True

    @property
    def epsilon_word(self) -> float:
        """Infinite."""
        return math.inf

    @property
    def vocabulary(self) -> None:
        """None: nothing is drawn."""
        return

    def choose(
        self,
        sentence: Sentence,  # noqa: ARG002 (no word of it is looked at)
        identifiers: frozenset[int],  # noqa: ARG002
        forbidden: Forbidden,  # noqa: ARG002
        rng: Random,  # noqa: ARG002
    ) -> Draft:
        """Nothing is chosen; see ``Mechanism.choose``."""
        return Draft(())
