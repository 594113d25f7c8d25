"""Weights of the choice between the fused translation and that of the model on this machine.

    python -m benchmarks.chooser --pair en-pt --text flores-dev [--json] [--write data/chooser.json]

Fits a ridge regression of the gain (chrF of the fused less that of the local translation, of a
sentence) on the counts of ``prism_core.drafts.chooser``. Half of the weight is of recorded answers
with swapped roles, half of answers that the model on this machine really gave to what is sent, for
every fourth line (see ``benchmarks.margins``). Recorded answers alone show no translation that
nonsense has spoilt, and teach to take those. Rows: chrF as ``benchmarks.margins`` has it, with the
choice made by weights that were fitted to the other nine tenths of the lines.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from zlib import crc32

import numpy as np

from benchmarks.margins import MarginBench, Returned, summarize
from benchmarks.measure import argument_parser, show
from benchmarks.roles import TRANSLATORS
from prism_core.drafts import FusionCounts, GainModel

_FOLDS = 10
_PENALTY = 10.0
_EVERY = 4
"""Of so many lines one is really asked for."""


@dataclass(frozen=True, slots=True)
class Example:
    """A line, and whether its answer was really asked for."""

    found: Returned
    asked: bool


def fit(examples: Sequence[Example]) -> GainModel:
    """Fit the weights to ``examples``; both kinds together weigh alike."""
    rows = np.array([example.found.counts for example in examples], dtype=float)
    gains = np.array([example.found.gain for example in examples])
    asked = np.array([example.asked for example in examples])
    shares = np.where(asked, 0.5 / max(asked.sum(), 1), 0.5 / max((~asked).sum(), 1))
    shares *= len(examples)
    means, spreads = np.average(rows, axis=0, weights=shares), rows.std(0) + 1e-9
    mean_gain = np.average(gains, weights=shares)
    scaled = (rows - means) / spreads
    weighted = (scaled * shares[:, None]).T
    squares = weighted @ scaled + _PENALTY * np.eye(scaled.shape[1])
    weights = np.linalg.solve(squares, weighted @ (gains - mean_gain)) / spreads
    return GainModel(float(mean_gain - weights @ means), FusionCounts(*map(float, weights)))


def choose_unseen(examples: Sequence[Example]) -> list[bool]:
    """Return of which lines the fused translation is taken, by weights fitted to the others.

    All lines with one reference are in the same tenth.
    """
    folds = [crc32(example.found.reference.encode()) % _FOLDS for example in examples]
    models = [
        fit([example for example, at in zip(examples, folds, strict=True) if at != fold])
        for fold in range(_FOLDS)
    ]
    return [
        models[fold].predict(example.found.counts) >= 0
        for example, fold in zip(examples, folds, strict=True)
    ]


def write(model: GainModel, path: Path) -> None:
    """Write the weights as ``prefers_local`` reads them."""
    stored = {"intercept": model.intercept, "weights": model.weights._asdict()}
    path.write_text(json.dumps(stored, indent=1) + "\n", "utf-8")


def main() -> None:
    """Fit, print and write."""
    parser = argument_parser(__doc__)
    parser.add_argument("--pair", default="en-pt")
    parser.add_argument("--text", default="flores-dev")
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    examples: dict[tuple[str, bool], list[Example]] = {}
    for translator, asked in [*((name, False) for name in TRANSLATORS), (TRANSLATORS[0], True)]:
        bench = MarginBench(given.pair, "standard", translator)
        read = bench.read(given.text, translator, _EVERY if asked else 1)
        observed = bench.observe(read, asked=asked)
        examples[translator, asked] = [Example(found, asked) for found in observed]
    everything = list(chain(*examples.values()))
    takes_fused = iter(choose_unseen(everything))
    rows = []
    for (translator, asked), kind in examples.items():
        takes = list(islice(takes_fused, len(kind)))
        row = summarize([example.found for example in kind], takes, asked=asked)
        rows.append({"translator": translator, "asked": asked, **row})
    show(rows, as_json=given.json)
    if given.write:
        write(fit(everything), given.write)


if __name__ == "__main__":
    main()
