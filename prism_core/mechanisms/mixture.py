"""Mixture: PRISM-R with probability 1 - β for each word, a fixed public table with β."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import ClassVar

from prism_core.accounting import epsilon_mixture
from prism_core.dictionary import Dictionary
from prism_core.language import Sentence
from prism_core.mechanisms.base import Draft, Forbidden
from prism_core.mechanisms.every_token import drawn, record_of
from prism_core.mechanisms.vocabulary import Vocabulary


class Mixture:
    """Each word of V goes through PRISM-R with probability 1 - β, else becomes f(w).

    f is a public table that sends every word of V to another of its slot and never to itself.
    Guarantee: ε-differential privacy per word with

        ε = ln max{(|V|(1 - r) + r) / r, 1 + β|V| / ((1 - β) r)},

    so a β of up to (1 - r) / (2 - r) costs nothing beyond the ε of PRISM-R. Tokens outside V are
    always replaced by a uniform draw from V, and the bound holds for them too. What PRISM-R says of
    V, structure, sends and what is not covered holds here word for word: only a token's own surface
    decides, no draw is repeated, a sentence that shows a never-sent term is withheld.

    f is known to all: a word that comes out of it is hidden by chance alone, not by f.
    """

    name: ClassVar[str] = "mixture"
    treats_every_token: ClassVar[bool] = True
    restores: ClassVar[bool] = True

    def __init__(
        self,
        dictionary: Dictionary,
        vocabulary: Vocabulary,
        replace_probability: float,
        table_probability: float,
    ) -> None:
        self._dictionary = dictionary
        self._words = vocabulary
        self._replace = replace_probability
        self._table = table_probability

    @property
    def epsilon_word(self) -> float:
        """ε of one token, in nats."""
        return epsilon_mixture(len(self._words), self._replace, self._table)

    @property
    def vocabulary(self) -> int:
        """|V|."""
        return len(self._words)

    def choose(
        self,
        sentence: Sentence,
        identifiers: frozenset[int],
        forbidden: Forbidden,  # noqa: ARG002 (what may be drawn is V, whatever else is known)
        rng: Random,
    ) -> Draft:
        """Replace each token by chance; see ``Mechanism.choose``."""
        become = partial(self._become, rng=rng)
        sent = drawn(sentence, identifiers, self._words, become, rng)
        return Draft(record_of(sentence, sent, self._dictionary))

    def _become(self, word: str, rng: Random) -> str | None:
        """What a word of V becomes; None when it is kept."""
        if rng.random() < self._table:
            return self._words.table[word]
        return self._words.uniform(rng) if rng.random() < self._replace else None
