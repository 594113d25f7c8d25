"""Tables and documents of the gate that are made up, with a truth that is known."""

from __future__ import annotations

import math

import numpy as np

from prism_core.evaluation.recovery_fitting import Observation
from prism_core.recovery import FEATURES, Table

WIDTH = len(FEATURES)
MECHANISM = "prism-star-threshold"


def table(odds: float = 0.9, *, loss: float = 2.0, replaced: float = 0.0) -> Table:
    """One that expects every sentence back with probability ``odds``, and ``loss`` lost of it; each
    share of ``replaced`` words takes so much from the logarithm of the odds. It knows all there
    is."""
    weights = [math.log(odds / (1 - odds)), *[0.0] * (2 * WIDTH)]
    weights[1 + FEATURES.index("replaced")] = -replaced
    return Table(
        mechanisms=(MECHANISM,),
        corpora=("invented",),
        documents=50,
        sends=3,
        centre=(0.0,) * WIDTH,
        scale=(1.0,) * WIDTH,
        restored=tuple(weights),
        loss_centre=(0.0,) * WIDTH,
        loss_scale=(1.0,) * WIDTH,
        loss=(loss, *[0.0] * (2 * WIDTH)),
        left_cost=40.0,
        spread=(1.0, 9.0),
        low=(-1e9,) * WIDTH,
        high=(1e9,) * WIDTH,
    )


def observations(count: int, seed: int = 1, sentences: int = 20) -> list[Observation]:
    """Documents of which a sentence comes back the less, the more doubt there is of it, and loses
    the more, the more of it is replaced."""
    rng, found = np.random.default_rng(seed), []
    for number in range(count):
        rows = rng.random((sentences, WIDTH)) * rng.uniform(0.2, 1)
        odds = 1 / (1 + np.exp(4 * rows[:, FEATURES.index("doubt")] - 2.5))
        restored = rng.random(sentences) < odds
        left = float(1 - restored.mean())
        of_restored = 20 * rows[:, FEATURES.index("replaced")].mean() + rng.normal(0, 0.5)
        loss = (1 - left) * of_restored + left * 30
        name = f"invented/{number}"
        found.append(Observation(name, MECHANISM, rows, restored, 0, float(loss), left, 30.0, rows))
    return found
