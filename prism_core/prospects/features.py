"""What costs nothing to know of a sentence, and tells how much of it will come back.

All of it is read off an encoding made on trial: what was drawn and how likely each substitute comes
back from this translator, how much was replaced, by what kinds, from how large pools. No word is in
it, and no rate of a single one.

Entry: ``FeatureReader.read`` for a sentence; ``of_document`` joins those of a document.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from random import Random

import numpy as np
from numpy.typing import NDArray

from prism_core.dictionary import ExpectedRates
from prism_core.encoding import Encoder
from prism_core.identifiers import DenyList
from prism_core.language import Sentence
from prism_core.record import Encoded, Fate, Kind

Vector = NDArray[np.float64]

FEATURES = (
    "doubt",
    "weakest",
    "unsure",
    "to_restore",
    "tokens",
    "replaced",
    "unknown",
    "identifiers",
    "kept_words",
    "grammar_replaced",
    "phrases",
    "pool",
    "all_back",
)
"""Of a sentence: −ln of the probability that all comes back by the rates of its substitutes
(``doubt``; ``all_back`` is that probability), the least of these rates, the share of them under .9;
ln(1 + n) of substitutes and of tokens; shares of tokens replaced, unknown, identifiers, kept words,
and of replacements that stand for function words or for phrases; the mean ln of pool sizes."""

_UNSURE = 0.9
_LEAST_RATE = 1e-3


class FeatureReader:
    """Reads the features of sentences that go through ``encoder``."""

    def __init__(self, encoder: Encoder) -> None:
        self.encoder = encoder
        self._rates = ExpectedRates(encoder.dictionary)
        self._is_grammar = encoder.dictionary.language.is_function_word

    def draw(
        self, sentences: Sequence[Sentence], deny_list: DenyList, rng: Random
    ) -> tuple[Vector, int]:
        """The features, n × ``FEATURES``, of those of ``sentences`` that would be sent, each
        encoded on trial; and how many would be withheld."""
        needing = [one for one in sentences if self.encoder.needs_translator(one, deny_list)]
        drawn = [self.encoder.encode(one, deny_list, rng) for one in needing]
        rows = [self.read(encoded) for encoded in drawn if not encoded.withheld]
        return np.array(rows).reshape(-1, len(FEATURES)), len(drawn) - len(rows)

    def rates(self, encoded: Encoded) -> list[float]:
        """How likely each substitute of ``encoded`` comes back, in [0, 1]."""
        hidden = (one for one in encoded.record if one.kind is not Kind.KEPT)
        return [max(self._rates.of(one), _LEAST_RATE) for one in hidden]

    def read(self, encoded: Encoded) -> list[float]:
        """The features of a sentence that is sent as ``encoded``, in the order of ``FEATURES``."""
        hidden = [one for one in encoded.record if one.kind is not Kind.KEPT]
        rates = self.rates(encoded)
        tokens, count = max(len(encoded.fates), 1), max(len(hidden), 1)
        fates = Counter(encoded.fates)
        doubt = -sum(map(math.log, rates))
        pools = [math.log(one.pool) for one in hidden if one.pool]
        return [
            doubt,
            min(rates, default=1.0),
            sum(rate < _UNSURE for rate in rates) / count,
            math.log1p(len(hidden)),
            math.log1p(tokens),
            fates[Fate.REPLACED] / tokens,
            fates[Fate.UNKNOWN] / tokens,
            fates[Fate.IDENTIFIER] / tokens,
            fates[Fate.KEPT] / tokens,
            sum(self._is_grammar(one.word) for one in hidden) / count,
            sum(one.length > 1 for one in hidden) / count,
            sum(pools) / max(len(pools), 1),
            math.exp(-doubt),
        ]
