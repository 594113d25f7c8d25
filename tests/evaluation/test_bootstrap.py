from __future__ import annotations

import numpy as np
import pytest

from prism_core.evaluation.summary import BoundedFigure, estimate, weights


def test_every_draw_has_as_many_documents_and_draws_differ() -> None:
    drawn = weights(7)
    assert set(drawn.sum(1)) == {7}
    assert len({tuple(row) for row in drawn}) > 500
    assert drawn.mean(0) == pytest.approx(np.ones(7), abs=0.1)


def test_the_same_seed_gives_the_same_draws() -> None:
    assert (weights(5, seed=3) == weights(5, seed=3)).all()
    assert (weights(5, seed=3) != weights(5, seed=4)).any()


def test_the_interval_of_a_share_is_as_wide_as_theory_says() -> None:
    """Neither narrower nor wider: 30 of 100 documents count, so 1.96 * sqrt(.3 * .7 / 100)."""
    counts = np.array([1.0] * 30 + [0.0] * 70)
    found = estimate(0.3, list(weights(100, draws=4000) @ counts / 100))
    assert found.low is not None
    assert found.high is not None
    assert found.low < 0.3 < found.high
    assert (found.high - found.low) / 2 == pytest.approx(0.0898, rel=0.12)


def test_a_figure_that_most_draws_lack_has_no_interval() -> None:
    assert estimate(0.5, [0.5] * 94 + [None] * 6) == BoundedFigure(0.5)
    assert estimate(0.5, [0.5] * 96 + [None] * 4) == BoundedFigure(0.5, 0.5, 0.5)
    assert estimate(None, [0.5] * 100) == BoundedFigure(None)


def test_a_figure_is_written_with_its_bounds_or_a_dash() -> None:
    assert str(BoundedFigure(0.5, 0.4, 0.6)) == "0.500 [0.400, 0.600]"
    assert BoundedFigure(91.25).written(1) == "91.2"
    assert str(BoundedFigure(None)) == "–"
