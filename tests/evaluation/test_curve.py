import pytest

from prism_core.evaluation.summary import Point, aupqc, quality_at

CURVE = [Point(0.6, 0.5), Point(0.2, 0.9), Point(0.4, 0.7)]


def test_area_is_a_first_rectangle_and_trapezoids_in_order_of_privacy() -> None:
    by_hand = 0.2 * 0.9 + 0.2 * (0.9 + 0.7) / 2 + 0.2 * (0.7 + 0.5) / 2
    assert aupqc(CURVE) == pytest.approx(by_hand) == pytest.approx(0.46)


def test_area_of_one_point_is_its_rectangle() -> None:
    assert aupqc([Point(0.5, 0.6)]) == pytest.approx(0.3)


def test_quality_is_interpolated_between_neighbours() -> None:
    assert quality_at(CURVE, 0.5) == pytest.approx(0.6)
    assert quality_at(CURVE, 0.25) == pytest.approx(0.85)


def test_quality_at_a_point_is_its_own() -> None:
    assert quality_at(CURVE, 0.4) == pytest.approx(0.7)
    assert quality_at(CURVE, 0.6) == pytest.approx(0.5)


def test_quality_left_of_the_curve_is_that_of_its_first_point() -> None:
    assert quality_at(CURVE, 0.1) == 0.9


def test_quality_beyond_the_end_is_undefined() -> None:
    assert quality_at(CURVE, 0.61) is None


@pytest.mark.parametrize("measure", [aupqc, lambda points: quality_at(points, 0.5)])
def test_a_curve_without_points_is_refused(measure) -> None:
    with pytest.raises(ValueError, match="at least one"):
        measure([])
