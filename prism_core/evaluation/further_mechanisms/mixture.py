"""Mixture: PRISM-R with probability 1 - β for each word, a fixed public table with β.

Entry: ``MECHANISM`` -> ``Mixture``, which draws from ``make_table`` and states ``epsilon_mixture``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from inspect import cleandoc
from itertools import groupby
from random import Random
from typing import Final, Literal

from pydantic import Field

from prism_core.accounting import check_parameters, log_one_plus
from prism_core.dictionary import Dictionary
from prism_core.mechanisms import (
    ChanceSettings,
    MechanismSpec,
    SurfaceSlot,
    Vocabulary,
    VocabularyMechanism,
)
from prism_core.settings import MechanismFigures

_CONSTANT: Final = b"prism mixture table 1"
"""Public constant that fixes the order of the words in a slot. Another constant is another table.
"""


def epsilon_mixture(
    vocabulary: int, replace_probability: float, table_probability: float, *, keeps: bool = False
) -> float:
    """Return ε of one token under PRISM-R with probability 1 - β, else a fixed f(w) in V.

    ``table_probability`` is β in [0, 1]; the others are as for ``epsilon_prism_r``. When f never
    keeps a word (``keeps`` false), s = w and s = f(w) are different outputs, and

        ε = ln max{(|V|(1 - r) + r) / r, 1 + β|V| / ((1 - β) r)};

    else ε = ln((|V|(1 - r) + r) / r + β|V| / ((1 - β) r)). β = 0 gives the ε of PRISM-R, β = 1
    infinity. Tokens outside V, for which f is not defined and which are replaced uniformly over V,
    are covered when |V| >= 2: the ratio 1 / ((1 - β) r) that they add exceeds at most one of the
    two terms. Without ``keeps`` the bound is reached as soon as |V| >= 3.
    """
    check_parameters(vocabulary, replace_probability)
    if not 0 <= table_probability <= 1:
        raise ValueError("the table's probability is in [0, 1]")
    by_draw = vocabulary * (1 - replace_probability) * (1 - table_probability)
    by_table = vocabulary * table_probability
    excess = by_draw + by_table if keeps else max(by_draw, by_table)
    return log_one_plus(excess, (1 - table_probability) * replace_probability)


def make_table(vocabulary: Vocabulary) -> dict[str, str]:
    """Make f, a permutation of V that maps every word to another one, never to itself.

    Within each slot the words stand in the order of a public hash; each goes to the next, the last
    to the first. A slot of one word joins the next slot. The table is made from the dictionary and
    a public constant, so that everyone has the same.
    """
    table: dict[str, str] = {}
    hashes = {word: hashlib.sha256(_CONSTANT + word.encode()).digest() for word in vocabulary.words}
    ordered = sorted(vocabulary.words, key=lambda word: (vocabulary.slot(word), hashes[word]))
    for cycle in _cut_into_cycles(ordered, vocabulary.slot):
        table.update(zip(cycle, [*cycle[1:], cycle[0]], strict=True))
    return table


def _cut_into_cycles(ordered: Sequence[str], slot: Callable[[str], SurfaceSlot]) -> list[list[str]]:
    """Cut ``ordered`` at each new slot, with no part of fewer than two words."""
    cycles: list[list[str]] = []
    for _, group in groupby(ordered, key=slot):
        if cycles and len(cycles[-1]) < 2:
            cycles[-1] += group
        else:
            cycles.append(list(group))
    if len(cycles) > 1 and len(cycles[-1]) < 2:
        last = cycles.pop()
        cycles[-1] += last
    return cycles


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
        self._table_probability = table_probability
        self.table = make_table(vocabulary)

    @property
    def epsilon_word(self) -> float:
        """ε of one token, in nats."""
        return epsilon_mixture(len(self._words), self._replace, self._table_probability)

    def replace_word(self, word: str, rng: Random) -> str | None:
        """Return f(``word``) with probability β, else what PRISM-R makes of ``word``."""
        if rng.random() < self._table_probability:
            return self.table[word]
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
