"""Loss of a sentence by its agreement with the draft, from which the chooser predicts it.

    python -m benchmarks.chooser [--pair en-pt] [--text flores-dev] [--every N] [--json]

The model on this machine is really asked for what would be sent at each strength (see
``benchmarks.margins``). Its quality in clear is that of the draft, so what the fused translation is
worse is lost by PRISM. Rows: ``loss``, the weight of ``1 - agreement`` by least squares through the
origin (a translation that is the draft loses nothing), with 95 % (bootstrap), and the ``losses``
found, with those that are predicted by the weight of all strengths in brackets, by fifths of the
agreement. All strengths weigh alike in the last row, which is ``LOSS`` of
``prism_core.drafts.fusion``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from benchmarks.margins import STRENGTHS, MarginBench
from benchmarks.measure import argument_parser, show
from benchmarks.roles import TRANSLATORS

_DRAWS = 1000
_SEED = 1
_FIFTHS = 5


def fit(products: NDArray[np.float64]) -> float:
    """Return the slope through the origin from rows of x * y and x * x."""
    product, square = products.mean(axis=0)
    return float(product / square)


def main() -> None:
    """Fit and print."""
    parser = argument_parser(__doc__)
    parser.add_argument("--pair", default="en-pt")
    parser.add_argument("--text", default="flores-dev")
    parser.add_argument("--every", type=int, default=1, help="read one of so many lines")
    given = parser.parse_args()
    observed = {}
    for strength in STRENGTHS:
        bench = MarginBench(given.pair, strength, TRANSLATORS[0])
        returned = bench.observe(bench.read(given.text, TRANSLATORS[0], given.every), asked=True)
        pairs = [(1 - found.agreement, -found.gain) for found in returned]
        observed[strength] = np.array(sorted(pairs))
    products = {name: np.c_[found.prod(1), found[:, 0] ** 2] for name, found in observed.items()}
    loss = fit(np.array([found.mean(axis=0) for found in products.values()]))
    rng = np.random.default_rng(_SEED)
    rows = []
    for name, found in products.items():
        size = len(found)
        drawn = [fit(found[rng.integers(size, size=size)]) for _ in range(_DRAWS)]
        low, high = np.percentile(drawn, [2.5, 97.5])
        fifths = np.array_split(observed[name], _FIFTHS)
        losses = [f"{part[:, 1].mean():.1f} ({loss * part[:, 0].mean():.1f})" for part in fifths]
        row = {"strength": name, "lines": size, "loss": fit(found), "low": low, "high": high}
        rows.append({**row, "losses": ", ".join(losses)})
    show([*rows, {"strength": "all", "loss": loss}], as_json=given.json)


if __name__ == "__main__":
    main()
