"""What share of sentences a run is expected to restore: by drawing for them, as a run does.

Entry: ``Expectation.of`` the ``draw_shares`` of each sentence.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Sequence
from random import Random
from statistics import fmean, stdev
from typing import NamedTuple

from prism_core.encoding.base import Encoder, most_redrawn
from prism_core.identifiers import DenyList
from prism_core.language import Sentence
from prism_core.record import Kind, Replacement

LEAST_EXPECTED = 0.5
"""A run that is expected to restore a smaller share of the sentences is not begun unasked."""

FEWEST_FURTHER = 5
"""Encodings beside the first that are sent in any case: a share of few sentences is none."""


class Expectation(NamedTuple):
    """Of ``sentences`` that are sent, the shares in [0, 1] that are expected to be restored.

    ``first_send``: from the first answer; ``within_draws``: from as many encodings as may be sent
    of a sentence. What is not restored then is withheld. ``further`` is how many encodings a
    sentence needs after its first, on average, and ``redraws`` how many it may have.
    """

    sentences: int
    first_send: float
    within_draws: float
    further: float = 0.0
    redraws: float = math.inf

    @property
    def withheld(self) -> float:
        """The share that stays in the source language, after it was sent."""
        return 1 - self.within_draws

    @property
    def is_too_little(self) -> bool:
        """Whether a run should not be begun unless its losses are accepted."""
        return self.within_draws < LEAST_EXPECTED

    @classmethod
    def of(cls, draws: Iterable[Sequence[float]], redraws: float = math.inf) -> Expectation | None:
        """From what ``draw_shares`` gives for each sentence; None without any that is sent.

        Of so many further encodings for each sentence (``redraws``) as are needed at most are sent:
        of what they would restore the rest is lost.
        """
        sent = [shares for shares in draws if shares]
        if not sent:
            return None
        first, last, further = map(fmean, zip(*map(_summed, sent), strict=True))
        affordable = min(1.0, redraws / further) if further else 1.0
        return cls(len(sent), first, first + (last - first) * affordable, further, redraws)


def is_told_by(draws: Iterable[Sequence[float]], error: float) -> bool:
    """Whether the mean shares of ``draws`` (see ``draw_shares``) have a standard error of ``error``
    at most, and the further encodings of twice that; False where fewer than two are sent."""
    sent = [shares for shares in draws if shares]
    if len(sent) < 2:
        return False
    spreads = [
        stdev(values) / math.sqrt(len(sent)) for values in zip(*map(_summed, sent), strict=True)
    ]
    return all(map(operator.le, spreads, (error, error, 2 * error)))


def _summed(shares: Sequence[float]) -> tuple[float, float, float]:
    """Of one sentence the first share and the last, and how many further encodings it needs."""
    return shares[0], shares[-1], sum(1 - share for share in shares[:-1])


def most_further(sentences: int, redraws: float) -> int:
    """How many encodings beside the first may be sent of ``sentences``, all together."""
    return max(FEWEST_FURTHER, math.floor(redraws * sentences))


def draw_shares(
    encoder: Encoder,
    sentence: Sentence,
    deny_list: DenyList,
    rng: Random,
    restored: Callable[[Replacement], float],
) -> list[float]:
    """The probability that all of ``sentence`` has come back after each of its draws.

    ``restored``: that a single substitute does. What is lost is drawn anew, and nothing else, as
    far as that may be (``most_redrawn``). Empty for a sentence that is not sent.
    """
    if not encoder.needs_translator(sentence, deny_list):
        return []
    drawn = [encoder.encode(sentence, deny_list, rng) for _ in range(encoder.most_draws)]
    if any(encoded.withheld for encoded in drawn):
        return []
    if not encoder.mechanism.restores:
        return [1.0] * len(drawn)
    rates: dict[int, list[float]] = {}
    for replacement in (one for encoded in drawn for one in encoded.record):
        if replacement.kind is not Kind.KEPT:
            rates.setdefault(replacement.position, []).append(restored(replacement))
    most = most_redrawn(drawn[0])
    return [all_back(list(rates.values()), sends, most) for sends in range(1, len(drawn) + 1)]


def all_back(rates: Sequence[Sequence[float]], sends: int, most: int) -> float:
    """The probability that every word is back within ``sends``, at most ``most`` drawn anew.

    ``rates`` has those of the draws of each word. With f_m the probability that all words so far
    are back and m of them were drawn anew, the next one makes of it
    f_m p_1 + f_(m-1) (1 - p_1) (1 - Π_(j>1) (1 - p_j)).
    """
    found = [1.0] + [0.0] * most
    for first, *further in rates:
        later = (1 - first) * (1 - math.prod(1 - rate for rate in further[: sends - 1]))
        before = [0.0, *found[:-1]]
        found = [at * first + under * later for at, under in zip(found, before, strict=True)]
    return sum(found)
