"""What share of a document is expected back, and what it will lose, by what others like it did.

A ``GateModel`` has a ``Table`` for each translator that was seen. Sentences come back by a logistic
curve over their features; what a document loses (chrF, in points) is linear in the means of its
sentences' features and their squares; what stays as it was loses the same everywhere. A few
hundred numbers, evaluated in NumPy.

It does not extrapolate: of a translator, a mechanism or features that were not seen, or of too few
sentences, ``Table.predict`` says why nothing is predicted.

Entry: ``load_gate_model`` -> ``GateModel.table`` -> ``Table.predict``.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from prism_core.dictionary import called
from prism_core.encoding import Expectation, all_back
from prism_core.errors import ConfigurationError
from prism_core.prospects.features import FEATURES, Vector

FEWEST = 3
"""Sentences of a document from which on something is predicted of it."""
_SLACK = 0.1
"""Beyond the range that was seen, as a share of it, something is predicted all the same."""
CLOSEST = 1e-3
"""To 0 and 1 a share comes no closer whose odds are moved."""
VERSION = 2
_NUMBERS = {
    **dict.fromkeys(("centre", "scale", "loss_centre", "loss_scale", "low", "high"), len(FEATURES)),
    **dict.fromkeys(("restored", "loss"), 2 * len(FEATURES) + 1),
    "spread": 2,
}
"""How many numbers each list of a table holds."""


class Observation(NamedTuple):
    """A document that came back: ``features`` (n × ``FEATURES``) of the n sentences that were sent,
    which of them were ``restored``, how many others were ``withheld``, and the ``loss`` in points
    of chrF against a reference: of the plain translation less of what was decoded; NaN: not known.

    ``drawn``: the same features of what is drawn for its sentences, as a run sees them before it
    sends. Where roles are swapped they are others: what was sent is the natural text, which is more
    seldom restored, and what was drawn is put in its place.

    ``left``: the share of its sentences that stayed as they were in what ``loss`` is of, and
    ``left_cost`` what is lost if all of them do. ``group``: the document, the same under every
    strength.
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
        """Whether enough of it was restored to tell what is lost."""
        return math.isfinite(self.loss)

    @property
    def share(self) -> float:
        """The share restored of what was sent."""
        return float(self.restored.mean())


class Prospect(NamedTuple):
    """What is predicted of a document: the share in [0, 1] of its sent sentences that are restored,
    the loss in points of chrF, and its standard error; ``unknown`` says why nothing is."""

    sentences: int
    restored: float = math.nan
    loss: float = math.nan
    spread: float = math.nan
    unknown: str = ""

    @property
    def is_known(self) -> bool:
        """Whether anything is predicted."""
        return not self.unknown

    def likely_over(self, loss: float) -> float:
        """The probability that more than ``loss`` points are lost."""
        return 0.5 * math.erfc((loss - self.loss) / (self.spread * math.sqrt(2)))


@dataclass(frozen=True)
class Table:
    """What was learned of one translator.

    ``sends``: of how many sends ``restored`` tells. ``low`` and ``high`` bound the means of the
    features over a few sentences; ``offset`` mends the odds of a document by finished runs.
    ``spread``: a, b of the standard error √(a + b/n) of the loss of n sentences. ``loss`` is of
    what is restored, by features with a mean and deviation of their own (``Observation.drawn``),
    ``left_cost`` of what stays as it was.
    """

    mechanisms: tuple[str, ...]
    corpora: tuple[str, ...]
    documents: int
    sends: int
    centre: tuple[float, ...]
    scale: tuple[float, ...]
    restored: tuple[float, ...]
    loss_centre: tuple[float, ...]
    loss_scale: tuple[float, ...]
    loss: tuple[float, ...]
    left_cost: float
    spread: tuple[float, float]
    low: tuple[float, ...]
    high: tuple[float, ...]
    offset: float = 0.0

    def sentence_odds(self, features: Vector) -> Vector:
        """The probability that each sentence comes back, in (0, 1)."""
        score = expand(self.standardise(features)) @ np.array(self.restored)
        return np.asarray(1 / (1 + np.exp(-np.clip(score, -30, 30))))

    def standardise(self, features: Vector) -> Vector:
        """``features`` by mean and standard deviation of those that were seen, within ±4."""
        return within_reach(features, self.centre, self.scale)

    def predict(
        self,
        features: Vector,
        withheld: int,
        mechanism: str,
        sends: int | None = None,
        redraws: float = math.inf,
    ) -> Prospect:
        """Of a document with the sentences ``features`` and ``withheld`` others.

        ``sends``: how often a sentence may be sent, with at most ``redraws`` further encodings of a
        sentence on average; None: as often as those that were seen.
        """
        count = len(features)
        if mechanism not in self.mechanisms:
            return Prospect(count, unknown="mechanism")
        if count < FEWEST:
            return Prospect(count, unknown="too-few-sentences")
        means, low, high = features.mean(axis=0), np.array(self.low), np.array(self.high)
        reach = _SLACK * (high - low)
        if ((means < low - reach) | (means > high + reach)).any():
            return Prospect(count, unknown="unlike-what-was-seen")
        odds = self.sentence_odds(features)
        restored = float(odds.mean())
        if sends is not None and sends > self.sends:
            restored = _within(odds, features[:, FEATURES.index("to_restore")], sends, redraws)
        restored = _moved(restored, self.offset)
        loss = self.loss_of(features, 1 - restored * count / (count + withheld))
        return Prospect(count, restored, loss, self.error_of(count))

    def loss_of(self, features: Vector, left: float) -> float:
        """What a document loses of which a share ``left`` stays as it was, in points of chrF."""
        rows = within_reach(features, self.loss_centre, self.loss_scale)
        of_restored = float(of_document(rows) @ np.array(self.loss))
        return (1 - left) * of_restored + left * self.left_cost

    def error_of(self, sentences: int) -> float:
        """The standard error of the loss that is predicted of so many sentences."""
        return math.sqrt(self.spread[0] + self.spread[1] / sentences)


def _within(first: Vector, to_restore: Vector, sends: int, redraws: float) -> float:
    """The share of sentences restored within ``sends``, of which the ``first`` answer restores each
    with that probability; every word of a sentence is taken to be as sure as the others."""
    draws = []
    for odds, words in zip(first, np.rint(np.expm1(to_restore)).astype(int), strict=True):
        rates = [[float(odds) ** (1 / max(words, 1))] * sends] * max(words, 1)
        most = math.ceil(words / 4)
        draws.append([all_back(rates, send, most) for send in range(1, sends + 1)])
    expected = Expectation.of(draws, redraws)
    return expected.within_draws if expected else math.nan


def _moved(share: float, offset: float) -> float:
    """``share`` with its odds moved by ``offset``, a logarithm; reports tell nothing finer than
    ``CLOSEST`` to 0 and 1."""
    if not offset:
        return share
    share = min(max(share, CLOSEST), 1 - CLOSEST)
    return 1 / (1 + (1 - share) / share * math.exp(-offset))


def within_reach(features: Vector, centre: Sequence[float], scale: Sequence[float]) -> Vector:
    """``features`` less ``centre``, in units of ``scale``, within ±4."""
    return np.asarray(np.clip((features - np.array(centre)) / np.array(scale), -4, 4))


def expand(rows: Vector) -> Vector:
    """A constant, the columns of ``rows`` and their squares."""
    return np.hstack([np.ones((len(rows), 1)), rows, rows**2])


def of_document(rows: Vector) -> Vector:
    """What the loss of a document with sentences ``rows`` is linear in."""
    return np.asarray(expand(rows.mean(axis=0, keepdims=True))[0])


@dataclass(frozen=True)
class GateModel:
    """A table for each translator, by what dictionaries call it."""

    pair: str
    tables: Mapping[str, Table] = field(default_factory=dict)

    def table(self, translator: str) -> Table | None:
        """What was learned of ``translator``; None where nothing was."""
        return self.tables.get(called(translator))

    def with_table(self, translator: str, table: Table) -> GateModel:
        """This model with another ``table`` for ``translator``."""
        return GateModel(self.pair, {**self.tables, called(translator): table})

    def write(self, path: Path) -> None:
        """To ``path``, as JSON that ``load_gate_model`` reads."""
        tables = {name: _round(asdict(table)) for name, table in sorted(self.tables.items())}
        content = {"version": VERSION, "features": FEATURES, "pair": self.pair, "tables": tables}
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def load_gate_model(path: Path, pair: str) -> GateModel:
    """The model at ``path``; one without tables where there is no file.

    Raises ``ConfigurationError`` for one that cannot be read or is for another pair or version.
    """
    if not path.exists():
        return GateModel(pair)
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        known = content["version"], tuple(content["features"]), content["pair"]
        tables = {name: _read_table(table) for name, table in content["tables"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        known, tables = (0, (), ""), {}
    if known != (VERSION, FEATURES, pair):
        raise ConfigurationError(
            f"{path} is no model of the gate for {pair} that this PRISM can use: train one (prism "
            "gate train), or take gate.model out of the settings"
        )
    return GateModel(pair, tables)


def _read_table(stored: Mapping[str, Any]) -> Table:
    """The table that ``stored`` holds; raises ``ValueError`` or ``TypeError`` for one that would
    predict nothing, or nonsense: a document would be judged by it."""
    lists = {name: tuple(map(float, stored[name])) for name in _NUMBERS}
    single = {name: float(stored[name]) for name in ("left_cost", "offset")}
    counts = {name: int(stored[name]) for name in ("documents", "sends")}
    words = {name: tuple(stored[name]) for name in ("mechanisms", "corpora")}
    is_whole = (
        stored.keys() == {one.name for one in fields(Table)}
        and all(len(lists[name]) == count for name, count in _NUMBERS.items())
        and all(map(math.isfinite, chain(single.values(), *lists.values())))
        and min(*lists["scale"], *lists["loss_scale"]) > 0
        and min(lists["spread"]) >= 0
        and counts["sends"] > 0
        and all(isinstance(stored[name], list) for name in words)
    )
    if not is_whole:
        raise ValueError
    found: dict[str, Any] = {**words, **counts, **lists, **single}
    return Table(**found)


def _round(table: dict[str, object]) -> dict[str, object]:
    def short(value: object) -> object:
        return float(f"{value:.6g}") if isinstance(value, float) else value

    return {
        name: [short(one) for one in value] if isinstance(value, tuple) else short(value)
        for name, value in table.items()
    }
