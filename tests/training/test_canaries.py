"""The canary audit finds each fault of private training that is planted, and none where none is."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
import torch

from prism_core.training import (
    CanaryAudit,
    NoisePlan,
    audit_canaries,
    find_noise,
    ghost,
    learning,
    lot_sampling,
)

DELTA, CLIP, CANARIES = 1e-5, 0.7, 4000


def make_plan(lot: int, steps: int) -> NoisePlan:
    return find_noise(NoisePlan(400, lot, steps, 1.0), 8.0, DELTA)


def audit(plan: NoisePlan) -> CanaryAudit:
    return audit_canaries(plan, CLIP, DELTA, CANARIES, random.Random(11).randbytes)


@pytest.mark.parametrize(
    ("lot", "steps", "proved", "implied"), [(400, 2, 3.0, 6.5), (100, 8, 1.4, 4.0)]
)
def test_it_proves_much_of_what_is_claimed_and_no_more(
    lot: int, steps: int, proved: float, implied: float
) -> None:
    found = audit(make_plan(lot, steps))
    assert found.holds
    assert found.claimed == pytest.approx(8, abs=0.01)
    assert proved < found.proved < found.reach
    assert implied < found.implied


def half_noise(add: Callable[..., None]) -> Callable[..., None]:
    return lambda total, deviation, bits: add(total, deviation / 2, bits)


def no_noise(_: object) -> Callable[..., None]:
    return lambda *_: None


def no_clipping(_: object) -> Callable[..., torch.Tensor]:
    return lambda norms, _: torch.ones_like(norms)


def all_are_drawn(_: object) -> Callable[..., Any]:
    return lambda count, _, bits: lot_sampling.shuffle(count, bits)


FAULTS = [
    (learning, "_add_noise", half_noise),
    (learning, "_add_noise", no_noise),
    (ghost, "clip_factors", no_clipping),
    (lot_sampling, "draw_members", all_are_drawn),
]


@pytest.mark.parametrize(
    ("place", "name", "fault"), FAULTS, ids=lambda p: getattr(p, "__name__", p)
)
def test_it_tells_a_training_that_does_not_keep_its_epsilon(
    monkeypatch: pytest.MonkeyPatch, place: Any, name: str, fault: Any
) -> None:
    plan = make_plan(100, 8)
    monkeypatch.setattr(place, name, fault(getattr(place, name)))
    found = audit(plan)
    assert not found.holds
    assert found.implied > 1.5 * found.claimed


def test_without_noise_it_proves_more_than_a_small_epsilon_by_any_means(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plan = find_noise(NoisePlan(400, 400, 2, 1.0), 3.0, DELTA)
    assert audit(plan).proved < 3
    monkeypatch.setattr(learning, "_add_noise", lambda *_: None)
    assert audit(plan).proved > 2 * 3
