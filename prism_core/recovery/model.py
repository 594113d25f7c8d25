"""The recovery model: what was learned of a translator from documents that came back.

A ``RecoveryModel`` has a ``Table`` for each translator that was seen. A sentence comes back by a
logistic curve over its features. What a document loses (points of chrF) is linear in the means of
its sentences' features and their squares; what stays in the source language loses the same
everywhere. A few hundred numbers, evaluated in NumPy.

The model does not extrapolate: for a translator, a mechanism or features that were not seen, or too
few sentences, the forecast says why nothing is predicted.

Entry: ``load_recovery_model`` -> ``RecoveryModel.table`` -> ``Table.predict``.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, field
from pathlib import Path
from typing import Annotated

import numpy as np
from pydantic import ConfigDict, Field, FiniteFloat, PositiveInt, TypeAdapter
from pydantic.dataclasses import dataclass

from prism_core import encoding
from prism_core.dictionary import canonical_translator
from prism_core.errors import ConfigurationError
from prism_core.recovery.forecast import FEATURES, Forecast, Vector, restored_by_send

FEWEST = 3
"""Fewest sentences of a document for which anything is predicted."""
_SLACK = 0.1
"""Share of the range that was seen by which features may lie outside it."""
CLOSEST = 1e-3
"""Least distance to 0 and 1 of a share whose odds are moved."""
VERSION = 2
_COUNT = len(FEATURES)
PerFeature = Annotated[tuple[FiniteFloat, ...], Field(min_length=_COUNT, max_length=_COUNT)]
Positive = Annotated[FiniteFloat, Field(gt=0)]
Scales = Annotated[tuple[Positive, ...], Field(min_length=_COUNT, max_length=_COUNT)]
_WIDTH = 2 * _COUNT + 1
Weights = Annotated[tuple[FiniteFloat, ...], Field(min_length=_WIDTH, max_length=_WIDTH)]
"""A weight for the constant, for each feature, and for its square."""
NotNegative = Annotated[FiniteFloat, Field(ge=0)]


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Table:
    """Fitted numbers of one translator.

    ``sends``: for how many sends ``restored`` holds. ``low`` and ``high`` bound the means of the
    features over a few sentences; ``offset`` moves the odds of a document to those of finished
    runs. ``spread``: a, b of the standard error √(a + b/n) of the loss of n sentences. ``loss`` is
    of what is restored, by features with a mean and deviation of their own
    (``Observation.drawn``), ``left_cost`` of what stays in the source language. Numbers that would
    predict nothing, or nonsense, are refused: documents would be judged by them.
    """

    mechanisms: tuple[str, ...]
    corpora: tuple[str, ...]
    documents: int
    sends: PositiveInt
    centre: PerFeature
    scale: Scales
    restored: Weights
    loss_centre: PerFeature
    loss_scale: Scales
    loss: Weights
    left_cost: FiniteFloat
    spread: tuple[NotNegative, NotNegative]
    low: PerFeature
    high: PerFeature
    offset: FiniteFloat = 0.0

    def predict(
        self,
        features: Vector,
        withheld: int,
        mechanism: str,
        sends: int | None = None,
        redraws: float = math.inf,
    ) -> Forecast:
        """Forecast a document.

        Args:
            features: Those of its sentences that would be sent.
            withheld: How many others it has.
            mechanism: The name of the mechanism.
            sends: How often a sentence may be sent; None: as often as those that were seen.
            redraws: How many further encodings a sentence may have, on average.
        """
        count = len(features)
        if mechanism not in self.mechanisms:
            return Forecast(count, unknown="mechanism")
        if count < FEWEST:
            return Forecast(count, unknown="too-few-sentences")
        means, low, high = features.mean(axis=0), np.array(self.low), np.array(self.high)
        reach = _SLACK * (high - low)
        if ((means < low - reach) | (means > high + reach)).any():
            return Forecast(count, unknown="unlike-what-was-seen")
        rows = expand(standardise(features, self.centre, self.scale))
        odds = logistic(rows @ np.array(self.restored))
        restored = float(odds.mean())
        if sends is not None and sends > self.sends:
            restored = _add_sends(odds, features[:, FEATURES.index("to_restore")], sends, redraws)
        if self.offset:
            restored = float(logistic(log_odds(restored) + self.offset))
        loss = self.loss_of(features, 1 - restored * count / (count + withheld))
        return Forecast(count, restored, loss, self.error_of(count))

    def loss_of(self, features: Vector, left: float) -> float:
        """Return the loss of a document of which the share ``left`` stays as it was, in chrF."""
        rows = standardise(features, self.loss_centre, self.loss_scale)
        of_restored = float(sum_up_document(rows) @ np.array(self.loss))
        return (1 - left) * of_restored + left * self.left_cost

    def error_of(self, sentences: int) -> float:
        """Return the standard error of the loss predicted for so many sentences."""
        return math.sqrt(self.spread[0] + self.spread[1] / sentences)


def _add_sends(first: Vector, to_restore: Vector, sends: int, redraws: float) -> float:
    """Return the share restored within ``sends``, from the odds of the ``first`` answer.

    Every word of a sentence is taken to have the same recovery rate.
    """
    shares = []
    for odds, words in zip(first, np.rint(np.expm1(to_restore)).astype(int), strict=True):
        rates = [[float(odds) ** (1 / max(words, 1))] * sends] * max(words, 1)
        shares.append(restored_by_send(rates, sends, encoding.most_redrawn(words)))
    return Forecast.from_sentences(shares, redraws).restored


def logistic(score: Vector | float) -> Vector:
    """Return the probability, in (0, 1), whose log-odds are ``score``."""
    return np.asarray(1 / (1 + np.exp(-np.clip(score, -30, 30))))


def log_odds(share: Vector | float) -> Vector:
    """Return the log-odds of ``share``, which comes no closer to 0 and 1 than ``CLOSEST``."""
    share = np.clip(share, CLOSEST, 1 - CLOSEST)
    return np.asarray(np.log(share / (1 - share)))


def standardise(features: Vector, centre: Sequence[float], scale: Sequence[float]) -> Vector:
    """Return ``features`` less ``centre``, in units of ``scale``, within ±4."""
    return np.asarray(np.clip((features - np.array(centre)) / np.array(scale), -4, 4))


def expand(rows: Vector) -> Vector:
    """Return a constant, the columns of ``rows`` and their squares."""
    return np.hstack([np.ones((len(rows), 1)), rows, rows**2])


def sum_up_document(rows: Vector) -> Vector:
    """Return the numbers that the loss of a document with sentences ``rows`` is linear in."""
    return np.asarray(expand(rows.mean(axis=0, keepdims=True))[0])


@dataclass(frozen=True)
class RecoveryModel:
    """Tables of the translators of a language pair, by what dictionaries call each."""

    pair: str
    tables: Mapping[str, Table] = field(default_factory=dict)

    def table(self, translator: str) -> Table | None:
        """Return the table of ``translator``; None where nothing was learned of it."""
        return self.tables.get(canonical_translator(translator))

    def with_table(self, translator: str, table: Table) -> RecoveryModel:
        """Return this model with ``table`` for ``translator``."""
        return RecoveryModel(self.pair, {**self.tables, canonical_translator(translator): table})

    def write(self, path: Path) -> None:
        """Write the model to ``path``, as JSON that ``load_recovery_model`` reads."""
        tables = json.loads(
            json.dumps({name: asdict(table) for name, table in sorted(self.tables.items())}),
            parse_float=lambda number: float(f"{float(number):.6g}"),
        )
        content = {"version": VERSION, "features": FEATURES, "pair": self.pair, "tables": tables}
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def load_recovery_model(path: Path, pair: str) -> RecoveryModel:
    """Read the model at ``path``, or one without tables. Raises ``ConfigurationError``."""
    if not path.exists():
        return RecoveryModel(pair)
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        known = content["version"], tuple(content["features"]), content["pair"]
        tables = TypeAdapter(dict[str, Table]).validate_python(content["tables"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        known, tables = (0, (), ""), {}
    if known != (VERSION, FEATURES, pair):
        raise ConfigurationError(
            f"{path} is no model of the gate for {pair} that this PRISM can use: train one (prism "
            "gate train), or take gate.model out of the settings"
        )
    return RecoveryModel(pair, tables)
