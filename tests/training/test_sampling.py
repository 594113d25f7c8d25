from __future__ import annotations

import os
from dataclasses import replace
from statistics import mean, pvariance

import numpy as np
import pytest

from prism_core.errors import ConfigurationError
from prism_core.training import NoisePlan
from prism_core.training.lot_sampling import Bits, draw_members, draw_normal, lots, shuffle

PLAN = NoisePlan(examples=50, lot=10, steps=400, noise=1.0)


def test_each_example_is_drawn_by_itself_with_the_real_rate(bits: Bits) -> None:
    drawn = np.zeros((PLAN.steps, 50))
    for step, lot in lots(PLAN, bits):
        drawn[step, lot] = 1
    sizes = drawn.sum(1)
    assert drawn.mean() == pytest.approx(0.2, abs=0.01)
    assert 6 < pvariance(sizes) < 10.5  # 50 · .2 · .8 = 8; of fixed lots 0
    assert abs(np.corrcoef(drawn[:, 0], drawn[:, 1])[0, 1]) < 0.15


def test_empty_lots_are_steps(bits: Bits) -> None:
    plan = NoisePlan(examples=3, lot=1, steps=200, noise=1.0)
    sizes = [len(lot) for _, lot in lots(plan, bits)]
    assert len(sizes) == 200
    assert mean(size == 0 for size in sizes) == pytest.approx((2 / 3) ** 3, abs=0.1)


def test_a_truncated_lot_is_cut_evenly_and_no_other_is(bits: Bits) -> None:
    plan = replace(PLAN, sampling="truncated-poisson", largest=10)
    seen = np.zeros(50)
    sizes = []
    for _, lot in lots(plan, bits):
        assert len(set(lot)) == len(lot)
        seen[lot] += 1
        sizes.append(len(lot))
    assert max(sizes) == 10
    assert min(sizes) < 8
    assert seen[:10].sum() == pytest.approx(seen[-10:].sum(), rel=0.15)


def test_a_shuffled_pass_takes_each_example_once_and_the_last_lot_is_not_filled(bits: Bits) -> None:
    plan = NoisePlan(examples=7, lot=3, steps=6, noise=1.0, sampling="shuffled")
    taken = dict(lots(plan, bits))
    assert [len(taken[step]) for step in range(6)] == [3, 3, 1, 3, 3, 1]
    for begin in (0, 3):
        assert sorted(n for step in range(begin, begin + 3) for n in taken[step]) == list(range(7))


def test_a_shuffled_pass_that_was_broken_off_is_not_gone_on_with(bits: Bits) -> None:
    plan = NoisePlan(examples=7, lot=3, steps=6, noise=1.0, sampling="shuffled")
    assert [step for step, _ in lots(plan, bits, first=1)] == [3, 4, 5]


def test_what_is_drawn_is_not_the_same_twice() -> None:
    assert not np.array_equal(shuffle(40, os.urandom), shuffle(40, os.urandom))
    assert not np.array_equal(draw_normal(4, os.urandom), draw_normal(4, os.urandom))


@pytest.mark.parametrize(("rate", "count"), [(0.0, 0), (1.0, 9)])
def test_a_rate_of_nothing_draws_nobody_and_of_one_all(bits: Bits, rate: float, count: int) -> None:
    assert len(draw_members(9, rate, bits)) == count


def test_noise_is_normal_neither_too_narrow_nor_too_wide(bits: Bits) -> None:
    drawn = draw_normal(100_001, bits)
    assert len(drawn) == 100_001
    assert abs(drawn.mean()) < 0.015
    assert 0.985 < drawn.std() < 1.015
    assert 0.0023 < (np.abs(drawn) > 3).mean() < 0.0031  # .0027
    assert abs(np.corrcoef(drawn[:50_000], drawn[50_001:])[0, 1]) < 0.02


@pytest.mark.parametrize(
    "wrong",
    [
        {"lot": 51},
        {"lot": 0},
        {"steps": 0},
        {"noise": 0.0},
        {"largest": 20},
        {"sampling": "truncated-poisson"},
        {"sampling": "truncated-poisson", "largest": 9},
        {"sampling": "uniform"},
    ],
)
def test_plans_that_no_accountant_covers_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ConfigurationError):
        replace(PLAN, **wrong)  # type: ignore[arg-type]
