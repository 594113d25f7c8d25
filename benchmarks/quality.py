"""Does the estimate of quality find the worst translations, and is it right on average?

    python -m benchmarks.quality [--pair en-pt] [--text flores-test] [--fit] [--every N] [--json]

Translations are those of the model on this machine (``local``), and what that model really makes of
encodings at each strength. The truth of one is its chrF to the nearest of three translations: of a
person, Google and Microsoft. That forgives a wording that one of them has, and no invention. Rows:
the shares of the ``twentieth``, ``tenth`` and ``fifth`` that are worst among the fifth that is read
first by the estimate; ``low`` and ``high`` bound that of the tenth with 95 % (bootstrap); and means
by fifths of the estimate, ``found`` with what was expected in brackets. ``--fit`` (FLORES dev)
prints the weights of ``data/quality.toml`` instead, where each kind of translation weighs alike.

That truth is a noisy one: of the lines with a serious error (``benchmarks/serious_errors.toml``) it
puts few among the worst. So ``serious`` is the share of these that the estimate finds in the fifth
of the lines of which they were read, and ``by_likeness`` what the truth itself would find.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.margins import MarginBench
from benchmarks.measure import argument_parser, show
from benchmarks.roles import TRANSLATORS
from prism_core.drafts.fusion import estimate_quality, peak_entropy
from prism_core.evaluation.metrics import CHRF

_STRENGTHS = ("standard", "light")
_READ = 0.2
_WORST = {"twentieth": 0.05, "tenth": 0.1, "fifth": 0.2}
_SERIOUS = Path(__file__).with_name("serious_errors.toml")
_READ_ONE_OF = 4
_DRAWS = 1000
_SEED = 1

Floats = NDArray[np.float64]
Table = Floats
"""Rows of entropy, agreement and true quality."""


def observe(pair: str, text: str, every: int) -> Iterator[tuple[str, Table]]:
    """Yield each kind of translations with what is known of them, the local ones first."""
    for strength in _STRENGTHS:
        bench = MarginBench(pair, strength, TRANSLATORS[0])
        rows, others = (bench.read(text, translator, every) for translator in TRANSLATORS)
        lines = {
            row.reference: (row.line.text.strip(), (row.reference, row.answer, other.answer))
            for row, other in zip(rows, others, strict=True)
        }
        local = zip(rows, bench.translate_here(rows), strict=True)
        kinds = {
            strength: [(r.reference, r.fused, r.agreement) for r in bench.observe(rows, asked=True)]
        }
        if strength == _STRENGTHS[0]:
            kinds = {"local": [(row.reference, found, 1.0) for row, found in local], **kinds}
        for kind, translations in kinds.items():
            pairs = [(lines[reference][0], found) for reference, found, _ in translations]
            entropies = [peak_entropy(judged.written) for judged in bench.drafter.judge(pairs)]
            likenesses = [
                max(CHRF.compare([found], [to]) for to in lines[reference][1])
                for reference, found, _ in translations
            ]
            agreements = [agreement for *_, agreement in translations]
            yield kind, np.array([entropies, agreements, likenesses]).T / (1, 1, 100)


def judge(table: Table) -> dict[str, object]:
    """Return the row of one kind of translations."""
    expected = np.array([estimate_quality(entropy, agreement) for entropy, agreement, _ in table])
    found = table[:, 2]

    def recall(worst: float, rows: NDArray[np.int64]) -> float:
        bad = found[rows] <= np.quantile(found[rows], worst)
        read = expected[rows] <= np.quantile(expected[rows], _READ)
        return float((bad & read).sum() / bad.sum())

    rng, size = np.random.default_rng(_SEED), len(table)
    drawn = [recall(_WORST["tenth"], rng.integers(size, size=size)) for _ in range(_DRAWS)]
    low, high = np.percentile(drawn, [2.5, 97.5])
    fifths = np.array_split(np.argsort(expected), 5)
    means = [f"{found[part].mean():.2f} ({expected[part].mean():.2f})" for part in fifths]
    shares = {name: recall(worst, np.arange(size)) for name, worst in _WORST.items()}
    return {"lines": size, **shares, "low": low, "high": high, "found": ", ".join(means)}


def judge_serious(table: Table, lines: list[int]) -> dict[str, object]:
    """Return the shares of serious errors, on ``lines``, that the estimate and the truth find."""
    part = table[::_READ_ONE_OF]
    bad = np.isin(np.arange(len(part)) * _READ_ONE_OF, lines)

    def recall(scores: Floats) -> float:
        return float(bad[scores <= np.quantile(scores, _READ)].sum() / bad.sum())

    expected = np.array([1 - entropy for entropy, *_ in part])
    return {"serious": recall(expected), "by_likeness": recall(part[:, 2])}


def fit(tables: list[Table]) -> dict[str, object]:
    """Return the weights of the estimate by least squares."""
    whole = np.concatenate(tables)
    weights = np.concatenate([np.full(len(table), len(table) ** -0.5) for table in tables])
    known = np.c_[np.ones(len(whole)), -whole[:, 0], whole[:, 1] - 1]
    solved, *_ = np.linalg.lstsq(known * weights[:, None], whole[:, 2] * weights, rcond=None)
    return dict(zip(("best", "entropy", "disagreement"), map(float, solved), strict=True))


def main() -> None:
    """Measure, or fit, and print."""
    parser = argument_parser(__doc__)
    parser.add_argument("--pair", default="en-pt")
    parser.add_argument("--text", default="flores-test")
    parser.add_argument("--every", type=int, default=1, help="read one of so many lines")
    parser.add_argument("--fit", action="store_true")
    given = parser.parse_args()
    text = "flores-dev" if given.fit else given.text
    observed = list(observe(given.pair, text, given.every))
    judged = [{"translation": kind, **judge(table)} for kind, table in observed]
    serious = tomllib.loads(_SERIOUS.read_text("utf-8")).get(text)
    if serious and given.every == 1 and given.pair == "en-pt":
        judged[0] |= judge_serious(observed[0][1], serious)
    show([fit([table for _, table in observed])] if given.fit else judged, as_json=given.json)


if __name__ == "__main__":
    main()
