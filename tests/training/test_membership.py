from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from prism_core.errors import ConfigurationError
from prism_core.training.data import Example
from prism_core.training.membership import (
    audit_membership,
    losses_of,
    lower_bound,
    measure_auc,
)
from prism_core.training.transformer import BEGIN, END, Transformer, losses


def test_auc_is_the_share_of_pairs_won() -> None:
    members, others = np.array([3.0, 1.0, 2.0]), np.array([0.0, 2.0])
    auc, low, high = measure_auc(members, others)
    assert auc == pytest.approx((1 + 0.5 + 1 + 1 + 0 + 1) / 6)
    assert 0 <= low < auc < high <= 1


def test_its_interval_holds_the_truth_about_as_often_as_it_says() -> None:
    drawn = np.random.default_rng(3)
    held = [
        low <= 0.5 <= high
        for _ in range(400)
        for _, low, high in [measure_auc(drawn.normal(size=40), drawn.normal(size=40))]
    ]
    assert 0.91 <= np.mean(held) <= 0.98


def test_no_more_is_proved_of_randomised_response_than_its_epsilon() -> None:
    """The mechanism for which the bound is tight: an answer is right with e^ε / (1 + e^ε)."""
    drawn, epsilon = np.random.default_rng(5), 1.0
    rate = 1 / (1 + math.exp(-epsilon))
    found = [lower_bound(int(drawn.binomial(300, rate)), 300, 300, 0.0) for _ in range(200)]
    assert np.mean(np.array(found) > epsilon) <= 0.09
    assert np.median(found) > 0.6


def test_delta_leaves_less_to_be_proved() -> None:
    exact = lower_bound(100, 100, 100, 0.0)
    assert exact == pytest.approx(-math.log(0.05 ** (-1 / 100) - 1), abs=1e-3)
    assert lower_bound(100, 100, 100, 1e-3) < exact
    assert lower_bound(50, 100, 100, 0.0) == 0


def test_an_audit_tells_what_was_learned_by_heart_from_what_was_not() -> None:
    drawn = np.random.default_rng(8)
    members, others = drawn.normal(1, 0.2, 60), drawn.normal(3, 0.2, 60)
    known = (np.full(60, 3.0), np.full(60, 3.0))
    loss, ratio = audit_membership(members, others, 1e-5, known).attacks
    assert not loss.is_chance
    assert not ratio.is_chance
    assert 2 < loss.epsilon <= loss.reach
    blind = audit_membership(others, drawn.normal(3, 0.2, 60), 1e-5).attacks[0]
    assert blind.is_chance
    assert blind.epsilon == 0
    with pytest.raises(ConfigurationError, match="two documents"):
        audit_membership(members[:1], others, 0.0)


def test_the_loss_of_a_document_is_the_mean_over_its_pieces(model: Transformer) -> None:
    example = Example([[5, 6, END], [7, END]], [[BEGIN, 8, END], [BEGIN, 9, 10, 11, END]])
    model.eval()
    with torch.no_grad():
        total = sum(
            float(losses(model, torch.tensor([s]), torch.tensor([t]), 0.0))
            for s, t in zip(example.sources, example.targets, strict=True)
        )
    found = losses_of(model, [example, Example([], [])], most_pieces=4)
    assert found[0] == pytest.approx(total / 6, rel=1e-5)
    assert math.isnan(found[1])
