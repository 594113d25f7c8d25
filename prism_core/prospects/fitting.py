"""From documents that came back to a ``Table``: least squares and logistic regression in NumPy.

Entry: ``fit_table``; ``predict_unseen`` is how well that does on documents it was not fitted on;
``mend_table`` moves a table to what finished runs restored. ``judge_predictions`` says how good
predictions are on documents that they were not fitted on, and ``confidence`` bounds any of its
figures over documents.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from prism_core.errors import ConfigurationError
from prism_core.prospects.features import Vector
from prism_core.prospects.model import (
    CLOSEST,
    FEWEST,
    Observation,
    Prospect,
    Table,
    expand,
    of_document,
    within_reach,
)

FOLDS = 5
_RIDGE = 3.0
"""The strength of the penalty, in observations."""
_STEPS = 25
_MOST_LEFT = 0.8
_LARGE = 30
_PART = 5
"""So many sentences that stand together count as a document that was seen."""


def fit_table(observed: Iterable[Observation], corpora: Sequence[str], sends: int) -> Table:
    """What ``observed`` teach, fitted so that the errors it states are those of unseen documents.

    Raises ``ConfigurationError`` for fewer documents than can teach anything.
    """
    known = [one for one in observed if len(one.features) >= FEWEST]
    if (documents := len({one.group for one in known})) < 4 * FOLDS:
        raise ConfigurationError(
            f"a gate is trained on {4 * FOLDS} documents at least, and {documents} came back; give "
            "more text"
        )
    if sum(one.knows_loss for one in known) < 4 * FOLDS:
        raise ConfigurationError(
            "too little of these documents is restored to tell what they lose; give more text"
        )
    table = _fit(known, tuple(corpora), sends)
    pairs = [told for told in predict_unseen(known, corpora, sends) if told[0].knows_loss]
    errors = np.array([(one.loss - prospect.loss) ** 2 for one, prospect in pairs])
    sizes = np.array([1 / len(one.features) for one, _ in pairs])
    fixed, by_size = _line(sizes, errors)
    return replace(table, spread=(max(fixed, 0.05), max(by_size, 0.0)))


def predict_unseen(
    observed: Sequence[Observation], corpora: Sequence[str], sends: int
) -> Iterator[tuple[Observation, Prospect]]:
    """Each of ``observed`` with what a table fitted without its document, and a fifth of the
    others, says of it; those alone of which it says anything.

    Where roles were swapped (``sends`` 1) the loss is of what is restored: what is left is sent
    again in a run.
    """
    for fold in range(FOLDS):
        inside = [one for one in observed if _fold(one.group) == fold]
        outside = [one for one in observed if _fold(one.group) != fold]
        if inside and outside:
            table = _fit(outside, tuple(corpora), sends)
            for one in inside:
                prospect = table.predict(one.features, one.withheld, one.mechanism)
                if prospect.is_known and sends == 1:
                    prospect = prospect._replace(loss=table.loss_of(one.drawn, one.left))
                if prospect.is_known:
                    yield one, prospect


def _fold(group: str) -> int:
    return hashlib.sha256(group.encode()).digest()[0] % FOLDS


def _fit(observed: Sequence[Observation], corpora: tuple[str, ...], sends: int) -> Table:
    rows = np.vstack([one.features for one in observed])
    drawn = np.vstack([one.drawn for one in observed])
    back = np.concatenate([one.restored for one in observed]).astype(float)
    seen = [rows for one in observed for rows in (one.features, one.drawn)]
    parts = (rows[n : n + _PART] for rows in seen for n in range(len(rows)))
    means = np.array([part.mean(axis=0) for part in parts if len(part) >= FEWEST])
    scale, drawn_scale = rows.std(axis=0), drawn.std(axis=0)
    table = Table(
        mechanisms=tuple(sorted({one.mechanism for one in observed})),
        corpora=corpora,
        documents=len({one.group for one in observed}),
        sends=sends,
        centre=tuple(rows.mean(axis=0)),
        scale=tuple(np.where(scale > 0, scale, 1.0)),
        restored=(),
        loss_centre=tuple(drawn.mean(axis=0)),
        loss_scale=tuple(np.where(drawn_scale > 0, drawn_scale, 1.0)),
        loss=(),
        left_cost=0.0,
        spread=(1.0, 0.0),
        low=tuple(means.min(axis=0)),
        high=tuple(means.max(axis=0)),
    )
    table = replace(table, restored=tuple(_logistic(expand(table.standardise(rows)), back)))
    observed = [one for one in observed if one.knows_loss]
    standard = (within_reach(one.drawn, table.loss_centre, table.loss_scale) for one in observed)
    told = np.array([of_document(rows) for rows in standard])
    cost = float(np.mean([one.left_cost for one in observed]))
    left = np.minimum([one.left for one in observed], _MOST_LEFT)
    losses = (np.array([one.loss for one in observed]) - left * cost) / (1 - left)
    sizes = np.array([min(len(one.features), _LARGE) for one in observed]) * (1 - left)
    weights = _ridge(told, losses, sizes / sizes.mean())
    return replace(table, loss=tuple(weights), left_cost=cost)


def _logistic(rows: Vector, hits: Vector) -> Vector:
    """Weights of a logistic regression, by Newton's steps; the constant is not penalised."""
    penalty = np.full(rows.shape[1], _RIDGE)
    penalty[0] = 1e-6
    weights = np.zeros(rows.shape[1])
    for _ in range(_STEPS):
        odds = 1 / (1 + np.exp(-np.clip(rows @ weights, -30, 30)))
        slope = rows.T @ (hits - odds) - penalty * weights
        curve = (rows * (odds * (1 - odds))[:, None]).T @ rows + np.diag(penalty)
        step = np.linalg.solve(curve, slope)
        weights = weights + np.clip(step, -3, 3)
        if np.abs(step).max() < 1e-6:
            break
    return np.asarray(weights)


def _ridge(rows: Vector, values: Vector, weights: Vector) -> Vector:
    """Weights of a weighted linear regression; the constant, the first column, is not penalised."""
    penalty = np.full(rows.shape[1], _RIDGE)
    penalty[0] = 1e-6
    weighted = rows * weights[:, None]
    return np.asarray(np.linalg.solve(rows.T @ weighted + np.diag(penalty), weighted.T @ values))


def _line(x: Vector, y: Vector) -> tuple[float, float]:
    """Intercept and slope of ``y`` over ``x``, neither below 0."""
    if np.ptp(x) == 0:
        return float(y.mean()), 0.0
    slope, intercept = np.polyfit(x, y, 1)
    if slope < 0 or intercept < 0:
        return (float(y.mean()), 0.0) if slope < 0 else (0.0, float((y / x).mean()))
    return float(intercept), float(slope)


def mend_table(table: Table, predicted: Vector, restored: Vector, counts: Vector) -> Table:
    """``table`` with its odds moved by what finished runs restored.

    Of each document ``predicted`` and ``restored`` are shares in [0, 1], ``counts`` its sentences.
    One number is learned, the offset of the odds; of little evidence it moves little.
    """
    shares = np.clip(predicted, CLOSEST, 1 - CLOSEST)
    score, offset = np.log(shares / (1 - shares)), 0.0
    for _ in range(_STEPS):
        odds = 1 / (1 + np.exp(-(score + offset)))
        slope = float((counts * (restored - odds)).sum()) - _RIDGE * offset
        step = slope / (float((counts * odds * (1 - odds)).sum()) + _RIDGE)
        offset += min(max(step, -1.0), 1.0)  # where all was expected the curve is flat
    return replace(table, offset=table.offset + offset)


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
