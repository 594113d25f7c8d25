"""How good predictions are, on documents that they were not fitted on.

Entry: ``judge_predictions``; ``confidence`` bounds any of its figures over documents.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from prism_core.prospects.features import Vector
from prism_core.prospects.model import Observation, Prospect

Told = tuple[Observation, Prospect]
TOO_LOSSY = 8.0
"""Points of chrF above which a document is called lossy where figures are stated."""
_BINS = 10


class Quality(NamedTuple):
    """Of ``documents``: of a loss above ``TOO_LOSSY`` the share that has it, the AUC and the
    calibration error (mean over tenths); of the loss R² and RMSE; of the share restored the mean
    absolute error by document, the error of the mean, and the error that chance alone makes."""

    documents: int
    lossy: float
    auc: float
    calibration: float
    r2: float
    rmse: float
    restored_error: float
    restored_bias: float
    restored_chance: float


def judge_predictions(told: Sequence[Told]) -> Quality:
    """``told`` are documents with what was predicted of each, all known."""
    known = [pair for pair in told if pair[0].knows_loss]
    losses = np.array([one.loss for one, _ in known])
    expected = np.array([prospect.loss for _, prospect in known])
    odds = np.array([prospect.likely_over(TOO_LOSSY) for _, prospect in known])
    shares = np.array([one.share for one, _ in told])
    predicted = np.array([prospect.restored for _, prospect in told])
    sizes = np.array([len(one.features) for one, _ in told])
    chance = np.sqrt(2 / math.pi * predicted * (1 - predicted) / sizes)
    spread = ((losses - losses.mean()) ** 2).sum()
    lossy = (losses > TOO_LOSSY).astype(float)
    return Quality(
        len(told),
        float(lossy.mean()),
        area_under_curve(lossy, odds),
        calibration_error(lossy, odds),
        1 - float(((losses - expected) ** 2).sum() / spread) if spread else math.nan,
        float(np.sqrt(((losses - expected) ** 2).mean())),
        float(np.abs(shares - predicted).mean()),
        float((predicted - shares).mean()),
        float(chance.mean()),
    )


def area_under_curve(hits: Vector, scores: Vector) -> float:
    """How often one of ``hits`` 1 has a higher score than one of 0; ties count half."""
    yes, no = scores[hits > 0], np.sort(scores[hits <= 0])
    if not len(yes) or not len(no):
        return math.nan
    below = np.searchsorted(no, yes, "left") + np.searchsorted(no, yes, "right")
    return float(below.mean() / 2 / len(no))


def calibration_error(hits: Vector, odds: Vector) -> float:
    """The mean distance of what was predicted and what came, over tenths by ``odds``."""
    parts = np.array_split(np.argsort(odds, kind="stable"), _BINS)
    gaps = [abs(hits[part].mean() - odds[part].mean()) * len(part) for part in parts if len(part)]
    return float(sum(gaps) / len(odds))


def confidence(
    told: Sequence[Told], figure: Callable[[Sequence[Told]], float], draws: int = 400, seed: int = 1
) -> tuple[float, float]:
    """The 95 % interval of ``figure`` by a bootstrap over documents, with all strengths of each."""
    groups: dict[str, list[Told]] = {}
    for one in told:
        groups.setdefault(one[0].group, []).append(one)
    rng, names = np.random.default_rng(seed), list(groups)
    found = []
    for _ in range(draws):
        drawn = rng.integers(0, len(names), len(names))
        found.append(figure([one for place in drawn for one in groups[names[place]]]))
    low, high = np.nanpercentile(found, [2.5, 97.5])
    return float(low), float(high)
