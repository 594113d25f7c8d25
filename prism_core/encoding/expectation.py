"""What share of sentences a run is expected to restore: by drawing for them, as a run does."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from random import Random
from statistics import fmean
from typing import NamedTuple

from prism_core.encoding.base import Encoder
from prism_core.identifiers import DenyList
from prism_core.language import Sentence
from prism_core.record import Encoded

LEAST_EXPECTED = 0.5
"""A run that is expected to restore a smaller share of the sentences is not begun unasked."""


class Expectation(NamedTuple):
    """Of ``sentences`` that are sent, the shares in [0, 1] that are expected to be restored.

    ``first_send``: from the first answer; ``within_draws``: from one of as many encodings as may
    be sent of a sentence. What is not restored then is withheld.
    """

    sentences: int
    first_send: float
    within_draws: float

    @property
    def withheld(self) -> float:
        """The share that stays in the source language, after it was sent."""
        return 1 - self.within_draws

    @property
    def is_too_little(self) -> bool:
        """Whether a run should not be begun unless its losses are accepted."""
        return self.within_draws < LEAST_EXPECTED

    @classmethod
    def of(cls, draws: Iterable[list[float]]) -> Expectation | None:
        """From the probabilities of each sentence's draws; None without any sentence."""
        sent = [shares for shares in draws if shares]
        if not sent:
            return None
        within = (1 - math.prod(1 - share for share in shares) for shares in sent)
        return cls(len(sent), fmean(shares[0] for shares in sent), fmean(within))


def draw_shares(
    encoder: Encoder,
    sentence: Sentence,
    deny_list: DenyList,
    rng: Random,
    restored: Callable[[Encoded], float],
) -> list[float]:
    """The probability (``restored``) of each draw that all of it comes back; none if not sent."""
    if not encoder.needs_translator(sentence, deny_list):
        return []
    drawn = [encoder.encode(sentence, deny_list, rng) for _ in range(encoder.most_draws)]
    if any(encoded.withheld for encoded in drawn):
        return []
    return [restored(encoded) if encoder.mechanism.restores else 1.0 for encoded in drawn]
