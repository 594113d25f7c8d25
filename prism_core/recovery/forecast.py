"""Forecast of sentences, of a document and of a run, from the recovery rates of words.

A sentence is restored when all its substitutes come back. What is lost is drawn anew and sent
again, within bounds. So one sentence has a probability for each send (``restored_by_send``), and a
``Forecast`` sums up those of many sentences, whether they are one document or a whole run.

The rates are read off encodings on trial, which are thrown away, and so are the features that a
forecast goes by: the substitutes and how likely each comes back from this translator, how much was
replaced, by what kinds, from how large pools. No word is in it, and no rate of a single one.

Entry: ``Forecast.from_sentences``, ``Forecast.join``; ``Trials.draw`` for the features of a
document, ``Trials.restored_by_send`` for a sentence.
"""

from __future__ import annotations

import math
import operator
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from random import Random
from statistics import fmean
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from prism_core import encoding
from prism_core.identifiers import DenyList
from prism_core.language import Sentence
from prism_core.record import Encoded, Fate, Kind, Replacement
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
LEAST_RESTORED = 0.5
"""Threshold of the gate for a whole run: below it a run is not begun unless losses are accepted."""

FEWEST_FURTHER = 5
"""Encodings beside the first that are sent in any case: a share of few sentences is none."""


class Forecast(NamedTuple):
    """Prediction for ``sentences`` that would be sent: those of a document, or of a run.

    ``restored`` is the share in [0, 1] that is restored within all sends; ``first_send`` the share
    that the first answer restores. A sentence needs ``further`` encodings after its first on
    average, and may have ``redraws``. ``loss`` is in points of chrF, with the standard error
    ``spread``. ``unknown`` is the reason why nothing is predicted, else empty.
    """

    sentences: int
    restored: float = math.nan
    loss: float = math.nan
    spread: float = math.nan
    unknown: str = ""
    first_send: float = math.nan
    further: float = 0.0
    redraws: float = math.inf

    @property
    def is_known(self) -> bool:
        """True if anything is predicted."""
        return not self.unknown

    @property
    def withheld(self) -> float:
        """Share that stays in the source language after it was sent."""
        return 1 - self.restored

    @property
    def is_too_little(self) -> bool:
        """True if a run should not be begun unless its losses are accepted."""
        return self.is_known and bool(self.shortfall(LEAST_RESTORED))

    def shortfall(
        self, minimum_restored: float | None = None, maximum_loss: float | None = None
    ) -> str:
        """Return the threshold that is missed (``restored`` or ``loss``), or why nothing is known.

        Empty if the forecast suffices. A value that is not a number never suffices.
        """
        if not self.is_known:
            return self.unknown
        if minimum_restored is not None and not self.restored >= minimum_restored:
            return "restored"
        if maximum_loss is not None and not self.loss <= maximum_loss:
            return "loss"
        return ""

    def describe(self) -> str:
        """Describe the forecast of a document, as the beginning of a sentence."""
        if not self.is_known:
            return f"The gate cannot tell what would come back of it ({self.unknown})"
        return (
            f"Of its sentences {self.restored:.0%} are expected to be restored, with a loss of "
            f"{max(self.loss, 0):.1f} points of chrF"
        )

    def likely_over(self, loss: float) -> float:
        """Return the probability that more than ``loss`` points are lost."""
        return 0.5 * math.erfc((loss - self.loss) / (self.spread * math.sqrt(2)))

    @classmethod
    def from_sentences(
        cls, sentences: Iterable[Sequence[float]], redraws: float = math.inf
    ) -> Forecast:
        """Sum up what ``restored_by_send`` says of each sentence; one that is not sent is empty.

        At most ``redraws`` further encodings a sentence are sent, on average. Of the share that all
        needed ones would restore, only as much is restored as can be afforded.
        """
        sent = [shares for shares in sentences if shares]
        if not sent:
            return cls(0, unknown="not-sent")
        first, last = (fmean(shares[place] for shares in sent) for place in (0, -1))
        further = fmean(sum(1 - share for share in shares[:-1]) for shares in sent)
        affordable = min(1.0, redraws / further) if further else 1.0
        restored = first + (last - first) * affordable
        return cls(len(sent), restored, first_send=first, further=further, redraws=redraws)

    @classmethod
    def join(cls, parts: Sequence[Forecast]) -> Forecast:
        """Return the forecast of all ``parts`` of a document; unknown if one part is unknown."""
        if not parts:
            return cls(0, unknown="too-few-sentences")
        unknown = next((part for part in parts if not part.is_known), None)
        if unknown is not None or len(parts) == 1:
            return unknown or parts[0]
        counts = [part.sentences for part in parts]
        restored, loss, spread = (
            sum(map(operator.mul, values, counts)) / sum(counts)
            for values in zip(*(part[1:4] for part in parts), strict=True)
        )
        return cls(sum(counts), restored, loss, spread)


def redraw_allowance(sentences: int, redraws: float) -> int:
    """Return how many encodings beside the first may be sent of ``sentences``, all together."""
    return max(FEWEST_FURTHER, math.floor(redraws * sentences))


def restored_by_send(rates: Sequence[Sequence[float]], sends: int, most: int) -> list[float]:
    """Return the probability that a sentence is restored, after each of its ``sends``.

    Args:
        rates: The recovery rates of each word, one for each of its draws.
        sends: How often the sentence may be sent.
        most: How many of its words may be drawn anew.
    """
    # With f_m the probability that all words so far are back and m of them were drawn anew, the
    # next word makes of it f_m p_1 + f_(m-1) (1 - p_1) (1 - prod_(j>1) (1 - p_j)).
    restored = []
    for more in range(sends):
        found = [1.0] + [0.0] * most
        for first, *further in rates:
            later = (1 - first) * (1 - math.prod(1 - rate for rate in further[:more]))
            before = [0.0, *found[:-1]]
            found = [at * first + under * later for at, under in zip(found, before, strict=True)]
        restored.append(sum(found))
    return restored


class Trials:
    """Trial encodings of sentences that would go through ``encoder``.

    ``rate_of`` gives the recovery rate of a replacement; by default that of ``RecoveryRates``.
    """

    def __init__(
        self, encoder: encoding.Encoder, rate_of: Callable[[Replacement], float] | None = None
    ) -> None:
        self.encoder = encoder
        self._rate_of = rate_of or RecoveryRates(encoder.dictionary).rate_of
        self._is_grammar = encoder.dictionary.language.is_function_word

    def draw(
        self, sentences: Sequence[Sentence], deny_list: DenyList, rng: Random
    ) -> tuple[Vector, int]:
        """Encode on trial; return the features sent (n × ``FEATURES``), and the number withheld."""
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
        most = encoding.most_redrawn(drawn[0].to_restore)
        return restored_by_send(list(rates.values()), len(drawn), most)
