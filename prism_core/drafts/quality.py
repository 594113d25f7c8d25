"""Estimate of the quality of a translation, without knowing what is right.

The model on this machine is made to write the translation. The less sure it is of each next piece
(entropy), and the less the translation is like its own (agreement), the worse is the translation of
others and its own: that was measured (``python -m benchmarks.quality``).

Entry: ``estimate_quality``.
"""

from __future__ import annotations

import tomllib
from functools import cache

from prism_core.resources import SHIPPED


def estimate_quality(entropy: float, agreement: float) -> float:
    """Return the expected likeness, 0 to 1, of a translation to the nearest of three good ones.

    ``entropy`` is the mean over its pieces, in nats; ``agreement`` that of ``measure_agreement``.
    """
    weights = _read_weights()
    loss = weights["entropy"] * entropy + weights["disagreement"] * (1 - agreement)
    return min(max(weights["best"] - loss, 0.0), 1.0)


@cache
def _read_weights() -> dict[str, float]:
    return tomllib.loads((SHIPPED / "data" / "quality.toml").read_text("utf-8"))
