"""Results made by hand: sums that a reader can follow."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from prism_core.evaluation.metrics import METRICS
from prism_core.evaluation.results import COLUMNS, PLACES, Measurement, Provenance, Result, span

MADE = Provenance("a machine", {"python": "3"}, "2026-01-01T00:00:00+00:00", 1.0, 0.5)


def run(
    method: str = "prism-r", setting: str = "r=0.5", *, seed: int = 1, documents: int = 4
) -> Measurement:
    return Measurement(
        "mctest/mc160.test",
        "d",
        documents,
        method,
        setting,
        "v",
        seed,
        "swd",
        "apertium",
        "en-es",
        "m",
    )


def result(
    of: Measurement, pps: Sequence[float], qs: Sequence[float], *, made: Provenance = MADE
) -> Result:
    """Documents with ten questions each, of which the adversary misses ``pps`` and the reader gets
    ``qs``."""
    table = np.zeros((len(pps), len(COLUMNS)))
    table[:, PLACES["questions"]] = 10
    table[:, PLACES["sentences"]] = 5
    table[:, PLACES["adversary_right"]] = 10 - 10 * np.array(pps)
    table[:, PLACES["reader_right"]] = 10 * np.array(qs)
    for metric in METRICS:
        table[:, span(metric)] = 20
    return Result(of, made, tuple(f"d{i}" for i in range(len(pps))), table)


def sweep(method: str, *points: tuple[str, float, float]) -> list[Result]:
    """A method at several settings, all documents alike."""
    return [result(run(method, setting), [pps] * 4, [qs] * 4) for setting, pps, qs in points]


FRAME = [*sweep("plain", ("", 0.3, 0.7)), *sweep("empty", ("", 0.75, 0.25))]
