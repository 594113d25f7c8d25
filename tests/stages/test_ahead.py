"""Documents are worked on at once, in order, and never too many of them."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from prism_core.stages.read import run_ahead


def test_results_come_in_order_with_their_items() -> None:
    pairs = [(item, future.result()) for item, future in run_ahead(lambda n: n * n, range(20), 3)]
    assert pairs == [(n, n * n) for n in range(20)]


def test_no_more_items_are_taken_than_there_are_workers() -> None:
    taken = []

    def items() -> Iterator[int]:
        for number in range(10):
            taken.append(number)
            yield number

    for item, future in run_ahead(str, items(), 3):
        future.result()
        assert len(taken) <= item + 3


def test_items_are_worked_on_at_the_same_time() -> None:
    both = threading.Barrier(2, timeout=10)
    for _, future in run_ahead(lambda _n: both.wait(), range(4), 2):
        future.result()


def test_one_failure_does_not_stop_the_others() -> None:
    futures = dict(run_ahead(lambda n: 1 // n, [1, 0, 2], 2))
    assert futures[1].result() == 1
    assert futures[2].result() == 0
    with pytest.raises(ZeroDivisionError):
        futures[0].result()
