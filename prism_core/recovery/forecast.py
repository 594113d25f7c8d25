"""Forecast of sentences, of a document and of a run, from the recovery rates of words.

A sentence is restored when all its substitutes come back. What is lost is drawn anew and sent
again, within bounds. So one sentence has a probability for each send (``restored_by_send``), and a
``Forecast`` sums up those of many sentences, whether they are one document or a whole run.

Entry: ``Forecast.from_sentences``, ``Forecast.join``.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Sequence
from statistics import fmean
from typing import NamedTuple

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
        first, last, further = map(fmean, zip(*map(_sum_up, sent), strict=True))
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


def _sum_up(shares: Sequence[float]) -> tuple[float, float, float]:
    """Return a sentence's first and last share, and how many further encodings it needs."""
    return shares[0], shares[-1], sum(1 - share for share in shares[:-1])


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
    return [_all_restored(rates, send, most) for send in range(1, sends + 1)]


def _all_restored(rates: Sequence[Sequence[float]], sends: int, most: int) -> float:
    # With f_m the probability that all words so far are back and m of them were drawn anew, the
    # next word makes of it f_m p_1 + f_(m-1) (1 - p_1) (1 - prod_(j>1) (1 - p_j)).
    found = [1.0] + [0.0] * most
    for first, *further in rates:
        later = (1 - first) * (1 - math.prod(1 - rate for rate in further[: sends - 1]))
        before = [0.0, *found[:-1]]
        found = [at * first + under * later for at, under in zip(found, before, strict=True)]
    return sum(found)
