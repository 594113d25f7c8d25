"""Sentences encoded on trial: their recovery rates, and the features that a forecast goes by.

All of it is read off an encoding that is thrown away: the substitutes and how likely each comes
back from this translator, how much was replaced, by what kinds, from how large pools. No word is in
it, and no rate of a single one.

Entry: ``Trials.draw`` for the features of a document, ``Trials.restored_by_send`` for a sentence.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import chain
from random import Random

import numpy as np
from numpy.typing import NDArray

from prism_core.encoding import Encoder, most_redrawn
from prism_core.identifiers import DenyList
from prism_core.language import Sentence
from prism_core.record import Encoded, Fate, Kind, Replacement
from prism_core.recovery.forecast import restored_by_send
from prism_core.recovery.rates import RecoveryRates

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
"""Features of a sentence: −ln of the probability that all comes back by the recovery rates of its
substitutes (``doubt``; ``all_back`` is that probability), the least of these rates, the share of
them under .9; ln(1 + n) of substitutes and of tokens; shares of tokens replaced, unknown,
identifiers, kept words, and of replacements that stand for function words or for phrases; the mean
ln of pool sizes."""

_UNSURE = 0.9
_LEAST_RATE = 1e-3


class Trials:
    """Trial encodings of sentences that would go through ``encoder``.

    ``rate_of`` gives the recovery rate of a replacement; by default that of ``RecoveryRates``.
    """

    def __init__(
        self, encoder: Encoder, rate_of: Callable[[Replacement], float] | None = None
    ) -> None:
        self.encoder = encoder
        self._rate_of = rate_of or RecoveryRates(encoder.dictionary).rate_of
        self._is_grammar = encoder.dictionary.language.is_function_word

    def draw(
        self, sentences: Sequence[Sentence], deny_list: DenyList, rng: Random
    ) -> tuple[Vector, int]:
        """Encode ``sentences`` once on trial.

        Returns:
            The features (n × ``FEATURES``) of those that would be sent, and how many would be
            withheld.
        """
        encoder = self.encoder
        needing = (s for s in sentences if encoder.needs_translator(s, deny_list))
        drawn = [encoder.encode(sentence, deny_list, rng) for sentence in needing]
        rows = [self.read(encoded) for encoded in drawn if not encoded.withheld]
        return np.array(rows).reshape(-1, len(FEATURES)), len(drawn) - len(rows)

    def read(self, encoded: Encoded) -> list[float]:
        """Return the features of a sentence sent as ``encoded``, in the order of ``FEATURES``."""
        hidden = [r for r in encoded.record if r.kind is not Kind.KEPT]
        rates = [max(self._rate_of(replacement), _LEAST_RATE) for replacement in hidden]
        tokens, count = max(len(encoded.fates), 1), max(len(hidden), 1)
        fates = Counter(encoded.fates)
        doubt = -sum(map(math.log, rates))
        pools = [math.log(replacement.pool) for replacement in hidden if replacement.pool]
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
            sum(self._is_grammar(replacement.word) for replacement in hidden) / count,
            sum(replacement.length > 1 for replacement in hidden) / count,
            sum(pools) / max(len(pools), 1),
            math.exp(-doubt),
        ]

    def restored_by_send(self, sentence: Sentence, deny_list: DenyList, rng: Random) -> list[float]:
        """Return the probability that all of ``sentence`` is restored after each of its sends.

        It is drawn as often as it may be sent. Only what is lost is drawn anew, as far as
        ``most_redrawn`` allows. Empty for a sentence that is not sent.
        """
        encoder = self.encoder
        if not encoder.needs_translator(sentence, deny_list):
            return []
        drawn = [encoder.encode(sentence, deny_list, rng) for _ in range(encoder.most_draws)]
        if any(encoded.withheld for encoded in drawn):
            return []
        if not encoder.mechanism.restores:
            return [1.0] * len(drawn)
        rates: dict[int, list[float]] = {}
        for replacement in chain.from_iterable(encoded.record for encoded in drawn):
            if replacement.kind is not Kind.KEPT:
                rates.setdefault(replacement.position, []).append(self._rate_of(replacement))
        most = most_redrawn(drawn[0].to_restore)
        return restored_by_send(list(rates.values()), len(drawn), most)
