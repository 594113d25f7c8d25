"""Estimate of the quality of a translation, without knowing what is right.

The model on this machine is made to write the translation. The less sure it is of the five words
that it is least sure of (entropy), and the less the translation is like its own (agreement), the
worse is the translation of others and its own: that was measured (``python -m
benchmarks.quality``). The mean of all words finds fewer of the serious errors.

Entry: ``estimate_quality``.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from functools import cache
from heapq import nlargest

from prism_core.drafts.doubtful_words import WrittenWord
from prism_core.resources import SHIPPED

_LEAST_SURE = 5


def estimate_quality(entropy: float, agreement: float) -> float:
    """Return the expected likeness, 0 to 1, of a translation to the nearest of three good ones.

    ``entropy`` is that of ``peak_entropy``, ``agreement`` that of ``measure_agreement``.
    """
    weights = _read_weights()
    loss = weights["entropy"] * entropy + weights["disagreement"] * (1 - agreement)
    return min(max(weights["best"] - loss, 0.0), 1.0)


def peak_entropy(words: Sequence[WrittenWord]) -> float:
    """Return the mean entropy, in nats, of the words that the model is least sure of."""
    least_sure = nlargest(_LEAST_SURE, (word.entropy for word in words))
    return sum(least_sure) / len(least_sure)


@cache
def _read_weights() -> dict[str, float]:
    return tomllib.loads((SHIPPED / "data" / "quality.toml").read_text("utf-8"))
