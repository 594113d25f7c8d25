"""Mixture: PRISM-R with probability 1 - β for each word, a fixed public table with β."""

from __future__ import annotations

from dataclasses import replace
from inspect import cleandoc
from random import Random
from typing import Literal

from pydantic import Field

from prism_core.accounting import epsilon_mixture
from prism_core.dictionary import Dictionary
from prism_core.mechanisms.base import MechanismSpec
from prism_core.mechanisms.every_token import ChanceSettings, VocabularyMechanism
from prism_core.mechanisms.vocabulary import Vocabulary
from prism_core.settings import MechanismFigures


class MixtureSettings(ChanceSettings):
    """The ``[mechanism]`` table of mixture: that of PRISM-R, and the share of the fixed table.

    ``table_probability`` is β in [0, 1), the probability of the fixed table. The default costs
    nothing beyond the ε of PRISM-R while β ≤ (1 − r) / (2 − r), a third at the default r.
    """

    name: Literal["mixture"] = "mixture"
    table_probability: float = Field(default=0.25, ge=0, lt=1)

    def figures(self) -> MechanismFigures:
        """Return the figures; see ``MechanismSettings``."""
        return replace(super().figures(), table_probability=self.table_probability)


class Mixture(VocabularyMechanism):
    """PRISM-R with probability 1 - β for each word, else the table f."""

    name = "mixture"
    guarantee = cleandoc("""
    Each word of V goes through PRISM-R with probability 1 - β, else becomes f(w).

    f is a public table that sends every word of V to another of its slot and never to itself.
    Guarantee: ε-differential privacy per word with

        ε = ln max{(|V|(1 - r) + r) / r, 1 + β|V| / ((1 - β) r)},

    so a β of up to (1 - r) / (2 - r) costs nothing beyond the ε of PRISM-R. Tokens outside V are
    always replaced by a uniform draw from V, and the bound holds for them too. What PRISM-R says of
    neighbours, V, sends and what is not covered holds here word for word: all requests of a run
    together, only a token's own surface decides, no draw is repeated, equal sentences are sent
    each, a sentence that shows a never-sent term is withheld.

    f is known to all: a word that comes out of it is hidden by chance alone, not by f.
    """)

    def __init__(
        self,
        dictionary: Dictionary,
        vocabulary: Vocabulary,
        replace_probability: float,
        table_probability: float,
    ) -> None:
        super().__init__(dictionary, vocabulary, replace_probability)
        self._table = table_probability

    @property
    def epsilon_word(self) -> float:
        """ε of one token, in nats."""
        return epsilon_mixture(len(self._words), self._replace, self._table)

    def replace_word(self, word: str, rng: Random) -> str | None:
        """Return f(``word``) with probability β, else what PRISM-R makes of ``word``."""
        if rng.random() < self._table:
            return self._words.table[word]
        return self._words.uniform(rng) if rng.random() < self._replace else None


MECHANISM = MechanismSpec(
    MixtureSettings,
    lambda settings, dictionary, _tagger: Mixture(
        dictionary,
        settings.vocabulary(dictionary),
        settings.replace_probability,
        settings.table_probability,
    ),
)
