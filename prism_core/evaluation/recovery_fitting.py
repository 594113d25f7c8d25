"""Fitting of recovery rates and of the recovery model, from text that came back.

A run fits nothing. Least squares and logistic regression in NumPy.

Entry: ``FittedRates`` of sightings of words. ``fit_table`` of observed documents;
``predict_unseen`` says what such a table predicts of documents that it was not fitted on,
``judge_predictions`` how good that is, and ``bootstrap_interval`` bounds any of its figures.
``mend_table`` moves a table to what finished runs restored.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from statistics import fmean
from typing import NamedTuple

import numpy as np

from prism_core.dictionary import Dictionary
from prism_core.errors import ConfigurationError
from prism_core.record import Replacement
from prism_core.recovery import (
    FEWEST,
    Forecast,
    Group,
    MeasuredRates,
    Rate,
    Table,
    Vector,
    WordGroups,
    expand,
    family_of,
    log_odds,
    logistic,
    standardise,
    sum_up_document,
)

_SIGHTINGS = 2.0
"""Sightings that the rate of a group counts for in that of a word."""
_WORDS = 5
"""Words that the rate of a family counts for in that of a group."""
FOLDS = 5
_RIDGE = 3.0
"""The strength of the penalty, in observations."""
_NEWTON_STEPS = 50
_MOST_LEFT = 0.8
_LARGE = 30
_PART = 5
"""Sentences that stand together and count as a document that was seen."""
TOO_LOSSY = 8.0
"""Points of chrF above which a document is called lossy where figures are stated."""
_BINS = 10


class FittedRates:
    """Recovery rates of words, fitted to sightings of substitutes in real answers.

    The rate of a group (``WordGroups``) is the mean over its words, each counted once, not as often
    as text has it. The fewer sightings a word has, the more its rate is drawn to that of its group.
    """

    def __init__(self, sightings: Iterable[tuple[Replacement, bool]], dictionary: Dictionary):
        """Count ``sightings``: each a replacement, and whether its substitute was found."""
        self._groups = WordGroups(dictionary)
        self._seen: Counter[tuple[Group, str]] = Counter()
        self._found: Counter[tuple[Group, str]] = Counter()
        for replacement, was_found in sightings:
            if (group := self._groups.group_of(replacement)) is not None:
                word = group, replacement.substitute.lower()
                self._seen[word] += 1
                self._found[word] += was_found
        by_group: dict[Group, list[float]] = defaultdict(list)
        by_family: dict[str, list[float]] = defaultdict(list)
        for word, seen in self._seen.items():
            by_group[word[0]].append(self._found[word] / seen)
            by_family[word[0][0]].append(self._found[word] / seen)
        self._by_family = {family: fmean(rates) for family, rates in by_family.items()}
        self.by_group = {
            group: Rate(
                (sum(rates) + _WORDS * self._by_family[group[0]]) / (len(rates) + _WORDS),
                len(rates),
            )
            for group, rates in by_group.items()
        }

    def measured(self, corpora: Iterable[str]) -> MeasuredRates:
        """Return the rates of the groups, to be stated by a dictionary."""
        return MeasuredRates(tuple(corpora), self.by_group)

    def rate_of(self, replacement: Replacement) -> float:
        """Return the probability in [0, 1] that the substitute of ``replacement`` comes back.

        An unseen group has the rate of its family; without that its words are taken to come back.
        """
        group = self._groups.group_of(replacement) or (family_of(replacement),)
        known = self.by_group.get(group)
        mean = known.share if known else self._by_family.get(group[0], 1.0)
        word = group, replacement.substitute.lower()
        return (self._found[word] + _SIGHTINGS * mean) / (self._seen[word] + _SIGHTINGS)


class Observation(NamedTuple):
    """A document that came back.

    ``features`` (n × ``FEATURES``) are those of the n sentences that were sent, ``restored`` which
    of these were restored, ``withheld`` how many others there were. ``loss``, in points of chrF
    against a reference, is that of the plain translation less that of what was decoded; NaN: not
    known. ``left`` is the share of sentences that stayed as they were in what ``loss`` is of, and
    ``left_cost`` the loss if all of them do. ``group`` is the document, the same under every
    strength.

    ``drawn`` has the features of what is drawn for the sentences, as a run sees them before it
    sends. Where roles are swapped they are others: the natural text was sent, which is more seldom
    restored, and what was drawn is put in its place.
    """

    group: str
    mechanism: str
    features: Vector
    restored: Vector
    withheld: int
    loss: float
    left: float
    left_cost: float
    drawn: Vector

    @property
    def knows_loss(self) -> bool:
        """True if enough of it was restored to tell the loss."""
        return math.isfinite(self.loss)

    @property
    def share(self) -> float:
        """Share of the sent sentences that was restored."""
        return float(self.restored.mean())


def fit_table(observed: Iterable[Observation], corpora: Sequence[str], sends: int) -> Table:
    """Fit a table to ``observed``; the errors it states are those of unseen documents.

    Raises:
        ConfigurationError: There are fewer documents than can teach anything.
    """
    known = [document for document in observed if len(document.features) >= FEWEST]
    if (documents := len({document.group for document in known})) < 4 * FOLDS:
        raise ConfigurationError(
            f"a gate is trained on {4 * FOLDS} documents at least, and {documents} came back; give "
            "more text"
        )
    if (telling := len({document.group for document in known if document.knows_loss})) < 4 * FOLDS:
        raise ConfigurationError(
            f"of {documents} documents {telling} are restored far enough to tell what they lose, "
            f"and {4 * FOLDS} are needed; give more text"
        )
    table = _fit(known, tuple(corpora), sends)
    pairs = [pair for pair in predict_unseen(known, corpora, sends) if pair[0].knows_loss]
    errors = np.array([(document.loss - forecast.loss) ** 2 for document, forecast in pairs])
    sizes = np.array([1 / len(document.features) for document, _ in pairs])
    fixed, by_size = _fit_line(sizes, errors)
    return replace(table, spread=(max(fixed, 0.05), max(by_size, 0.0)))


def predict_unseen(
    observed: Sequence[Observation], corpora: Sequence[str], sends: int
) -> Iterator[Predicted]:
    """Yield each document with its forecast by a table fitted without it and a fifth of the others.

    Documents without a forecast are left out. Where roles were swapped (``sends`` 1) the loss is
    that of what is restored: in a run the rest is sent again.
    """
    for fold in range(FOLDS):
        inside = [document for document in observed if _fold(document.group) == fold]
        outside = [document for document in observed if _fold(document.group) != fold]
        if inside and outside:
            table = _fit(outside, tuple(corpora), sends)
            for document in inside:
                forecast = table.predict(document.features, document.withheld, document.mechanism)
                if forecast.is_known and sends == 1:
                    loss = table.loss_of(document.drawn, document.left)
                    forecast = forecast._replace(loss=loss)
                if forecast.is_known:
                    yield document, forecast


def _fold(group: str) -> int:
    return hashlib.sha256(group.encode()).digest()[0] % FOLDS


def _fit(observed: Sequence[Observation], corpora: tuple[str, ...], sends: int) -> Table:
    rows = np.vstack([document.features for document in observed])
    drawn = np.vstack([document.drawn for document in observed])
    back = np.concatenate([document.restored for document in observed]).astype(float)
    seen = [rows for document in observed for rows in (document.features, document.drawn)]
    parts = (rows[n : n + _PART] for rows in seen for n in range(len(rows)))
    means = np.array([part.mean(axis=0) for part in parts if len(part) >= FEWEST])
    centre, scale = _centre_and_scale(rows)
    loss_centre, loss_scale = _centre_and_scale(drawn)
    expanded = expand(standardise(rows, centre, scale))
    telling = [document for document in observed if document.knows_loss]
    left_cost = float(np.mean([document.left_cost for document in telling]))
    left = np.minimum([document.left for document in telling], _MOST_LEFT)
    losses = np.array([document.loss for document in telling])
    sizes = np.array([min(len(document.features), _LARGE) for document in telling]) * (1 - left)
    summed = np.array(
        [
            sum_up_document(standardise(document.drawn, loss_centre, loss_scale))
            for document in telling
        ]
    )
    weighted = summed * (sizes / sizes.mean())[:, None]
    curve = summed.T @ weighted + np.diag(_penalty(summed))
    return Table(
        mechanisms=tuple(sorted({document.mechanism for document in observed})),
        corpora=corpora,
        documents=len({document.group for document in observed}),
        sends=sends,
        centre=centre,
        scale=scale,
        restored=tuple(fit_logistic(expanded, back, _penalty(expanded))),
        loss_centre=loss_centre,
        loss_scale=loss_scale,
        loss=tuple(np.linalg.solve(curve, weighted.T @ ((losses - left * left_cost) / (1 - left)))),
        left_cost=left_cost,
        spread=(1.0, 0.0),
        low=tuple(means.min(axis=0)),
        high=tuple(means.max(axis=0)),
    )


def _centre_and_scale(rows: Vector) -> tuple[tuple[float, ...], tuple[float, ...]]:
    scale = rows.std(axis=0)
    return tuple(rows.mean(axis=0)), tuple(np.where(scale > 0, scale, 1.0))


def _penalty(rows: Vector) -> Vector:
    """Return the ridge penalty of each column; the constant, the first one, has next to none."""
    return np.array([1e-6, *[_RIDGE] * (rows.shape[1] - 1)])


def fit_logistic(
    rows: Vector,
    hits: Vector,
    penalty: Vector,
    counts: Vector | float = 1.0,
    offset: Vector | float = 0.0,
) -> Vector:
    """Fit the weights of a logistic regression by Newton's method.

    Args:
        rows: The features, a row for each observation.
        hits: The share of hits of each.
        penalty: The strength of the ridge penalty of each column.
        counts: How often each observation counts.
        offset: Log-odds of each observation that nothing is learned of.
    """
    weights = np.zeros(rows.shape[1])
    for _ in range(_NEWTON_STEPS):
        odds = logistic(rows @ weights + offset)
        slope = rows.T @ (counts * (hits - odds)) - penalty * weights
        curve = (rows.T * (counts * odds * (1 - odds))) @ rows + np.diag(penalty)
        step = np.linalg.solve(curve, slope)
        # Where everything is expected the curve is flat, and a whole step would go too far.
        weights = weights + np.clip(step, -1, 1)
        if np.abs(step).max() < 1e-9:
            break
    return np.asarray(weights)


def _fit_line(x: Vector, y: Vector) -> tuple[float, float]:
    """Return intercept and slope of ``y`` over ``x``, neither below 0."""
    if np.ptp(x) == 0:
        return float(y.mean()), 0.0
    slope, intercept = np.polyfit(x, y, 1)
    if slope < 0 or intercept < 0:
        return (float(y.mean()), 0.0) if slope < 0 else (0.0, float((y / x).mean()))
    return float(intercept), float(slope)


def mend_table(table: Table, predicted: Vector, restored: Vector, counts: Vector) -> Table:
    """Return ``table`` with its odds moved to what finished runs restored.

    Of each document ``predicted`` and ``restored`` are shares in [0, 1], ``counts`` its sentences.
    One number is learned, the offset of the odds; little evidence moves it little.
    """
    constant, penalty = np.ones((len(predicted), 1)), np.array([_RIDGE])
    (offset,) = fit_logistic(constant, restored, penalty, counts, log_odds(predicted))
    return replace(table, offset=table.offset + float(offset))


Predicted = tuple[Observation, Forecast]
"""A document, and what was predicted of it."""


class ForecastQuality(NamedTuple):
    """Quality of the forecasts of ``documents``.

    Of a loss above ``TOO_LOSSY``: the share that has it, the AUC and the calibration error (mean
    over tenths); of the loss R² and RMSE; of the share restored the mean absolute error by
    document, the error of the mean, and the error that chance alone makes.
    """

    documents: int
    lossy: float
    auc: float
    calibration: float
    r2: float
    rmse: float
    restored_error: float
    restored_bias: float
    restored_chance: float


def judge_predictions(pairs: Sequence[Predicted]) -> ForecastQuality:
    """Return the quality of the forecasts of ``pairs``, all of which are known."""
    known = [pair for pair in pairs if pair[0].knows_loss]
    losses = np.array([document.loss for document, _ in known])
    expected = np.array([forecast.loss for _, forecast in known])
    odds = np.array([forecast.likely_over(TOO_LOSSY) for _, forecast in known])
    shares = np.array([document.share for document, _ in pairs])
    predicted = np.array([forecast.restored for _, forecast in pairs])
    sizes = np.array([len(document.features) for document, _ in pairs])
    chance = np.sqrt(2 / math.pi * predicted * (1 - predicted) / sizes)
    spread = ((losses - losses.mean()) ** 2).sum()
    lossy = (losses > TOO_LOSSY).astype(float)
    return ForecastQuality(
        len(pairs),
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
    """Return how often one of ``hits`` 1 has a higher score than one of 0; ties count half."""
    yes, no = scores[hits > 0], np.sort(scores[hits <= 0])
    if not len(yes) or not len(no):
        return math.nan
    below = np.searchsorted(no, yes, "left") + np.searchsorted(no, yes, "right")
    return float(below.mean() / 2 / len(no))


def calibration_error(hits: Vector, odds: Vector) -> float:
    """Return the mean distance of forecast and outcome over tenths by ``odds``."""
    parts = np.array_split(np.argsort(odds, kind="stable"), _BINS)
    gaps = [abs(hits[part].mean() - odds[part].mean()) * len(part) for part in parts if len(part)]
    return float(sum(gaps) / len(odds))


def bootstrap_interval(
    pairs: Sequence[Predicted],
    figure: Callable[[Sequence[Predicted]], float],
    draws: int = 400,
    seed: int = 1,
) -> tuple[float, float]:
    """Return the 95 % interval of ``figure`` by a bootstrap over documents.

    A document is drawn with all strengths that it was tried at.
    """
    groups: dict[str, list[Predicted]] = {}
    for pair in pairs:
        groups.setdefault(pair[0].group, []).append(pair)
    rng, names = np.random.default_rng(seed), list(groups)
    found = []
    for _ in range(draws):
        drawn = rng.integers(0, len(names), len(names))
        found.append(figure([pair for place in drawn for pair in groups[names[place]]]))
    low, high = np.nanpercentile(found, [2.5, 97.5])
    return float(low), float(high)
