"""Identifiers only: what tools do that find names and numbers and leave every other word."""

from __future__ import annotations

from random import Random

from prism_core.language.sentence import Sentence
from prism_core.mechanisms import Draft, Forbidden, PoolMechanism, PublicRules


class IdentifiersOnly(PoolMechanism):
    """Replaces no word, so that the encoder's own surrogates of identifiers are all that changes.

    A baseline for measurements, and no mechanism of the settings: nothing but identifiers is
    hidden, and every other word of a document is read by the translator. It is better than a tool
    with placeholders would be: the surrogates are words that T treats as it treats names.
    """

    name = "identifiers-only"
    guarantee = "None for words; identifiers are replaced by surrogates."

    @property
    def public_rules(self) -> PublicRules:
        """No word is replaced."""
        return PublicRules()

    def choose(
        self,
        sentence: Sentence,  # noqa: ARG002 (no word of it is looked at)
        identifiers: frozenset[int],  # noqa: ARG002
        forbidden: Forbidden,  # noqa: ARG002
        rng: Random,  # noqa: ARG002
    ) -> Draft:
        """Nothing is chosen; see ``PoolMechanism.choose``."""
        return Draft(())
