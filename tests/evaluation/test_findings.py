"""Exact intervals, and what they call different from chance."""

import pytest

from prism_core.evaluation.findings import Finding, area, exact_interval, share


@pytest.mark.parametrize(
    ("hits", "trials", "low", "high"),
    [
        (0, 10, 0.0, 0.3085),
        (5, 10, 0.1871, 0.8129),
        (10, 10, 0.6915, 1.0),
        (81, 263, 0.2527, 0.3676),
        (0, 0, 0.0, 1.0),
    ],
)
def test_the_interval_is_that_of_clopper_and_pearson(hits, trials, low, high) -> None:
    assert exact_interval(hits, trials, 0.95) == pytest.approx((low, high), abs=5e-5)


def test_a_figure_above_or_below_chance_differs_and_one_near_it_does_not() -> None:
    assert share("a", 130, 0.1, 1000).differs_from_chance()
    assert share("a", 70, 0.1, 1000).differs_from_chance()
    assert not share("a", 110, 0.1, 1000).differs_from_chance()


def test_dependent_cases_make_the_interval_wider() -> None:
    assert share("a", 130, 0.1, 1000).differs_from_chance()
    assert not share("a", 130, 0.1, 1000, trials=100).differs_from_chance()


def test_a_correlation_is_judged_by_its_spread_under_chance() -> None:
    assert Finding("a", 0.2, 0.0, 50, spread=0.1).differs_from_chance()
    assert not Finding("a", 0.19, 0.0, 50, spread=0.1).differs_from_chance()
    assert Finding("a", 0.9, 0.0, 50, spread=0.2).interval()[1] == 1.0


def test_an_attack_without_a_case_is_no_finding() -> None:
    nothing = share("a", 0, 0.0, 0)
    assert nothing.interval() == (0.0, 1.0)
    assert not nothing.differs_from_chance()


def test_the_interval_of_very_many_trials_is_nearly_the_exact_one() -> None:
    for share_of_hits in (0.0002, 0.01, 0.5, 0.999):
        few = exact_interval(round(share_of_hits * 100_000), 100_000, 0.95)
        many = exact_interval(round(share_of_hits * 100_001), 100_001, 0.95)
        assert many == pytest.approx(few, abs=3e-5)
    low, high = exact_interval(0, 10_000_000, 0.95)
    assert low == 0.0
    assert 0 < high < 1e-6


def test_an_area_under_the_curve_is_a_probability_with_its_spread() -> None:
    apart = area("membership", [3.0, 4.0], [1.0, 2.0])
    assert (apart.value, apart.chance, apart.n) == (1.0, 0.5, 4)
    assert area("membership", [1.0, 2.0], [1.0, 2.0]).value == 0.5
    assert area("membership", [], [1.0]).value == 0.5
    many = area("membership", [1.0] * 300, [0.0] * 300)
    assert many.differs_from_chance()
