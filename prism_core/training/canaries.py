"""Canary audit: what an attacker proves about a plan who sees the noisy sum of every step.

A coin decides of each of many made-up documents, the canaries, whether it is one of the training.
The gradient of each is in a direction of its own, at right angles to all others, and is as long as
the norm C allows: nothing hides a canary but the noise and the chance to be drawn. The code of
private training is run on them as it is (lots, ghost clipping, noise, ledger), with the q, σ and T
of the plan. The attacker scores a canary by the sums' products with its direction, each weighed by
how likely it is with the canary and without.

Two bounds come of that, each at 95 %. ``CanaryAudit.proved`` is that of Steinke et al. (2023) and
supposes nothing about the training. ``implied`` supposes that canaries have noise of their own: an
attacker who is right so often contradicts every plan that differs from this one by more noise than
the plan of that ε has. Either above ``claimed`` shows that the guarantee does not hold.

Entry: ``audit_canaries``.
"""

from __future__ import annotations

import math
import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from prism_core.training.data import Example
from prism_core.training.guarantee import advantage_of, epsilon_of
from prism_core.training.learning import ComputeOptions, Watch, learn_privately
from prism_core.training.ledger import LedgerTerms, PrivacyLedger
from prism_core.training.lot_sampling import Bits, NoisePlan
from prism_core.training.membership import Scores, bound_epsilon, bound_rate
from prism_core.training.transformer import BEGIN, END, UNKNOWN

_WIDTH = 8
_TARGET = [BEGIN, *[UNKNOWN] * 12, END]
"""Text of every canary, long enough for a gradient that is clipped."""
_SHARES = (1.0, 0.5, 0.2, 0.1, 0.05, 0.02)
_COARSE = 1e-3
_FACTORS = (1 / 16, 16.0)
"""Range of noise, over that of the plan, in which ``implied`` is looked for."""


@dataclass(frozen=True, slots=True)
class CanaryAudit:
    """Bounds of ε at the δ of the guarantee; ``reach``: the most that ``proved`` could be."""

    canaries: int
    claimed: float
    proved: float
    implied: float
    reach: float

    @property
    def holds(self) -> bool:
        """True if nothing contradicts the claim."""
        return max(self.proved, self.implied) <= self.claimed


class _Probe(nn.Module):
    """Model with a row of weights for each canary, which alone decides how it is translated."""

    def __init__(self, canaries: int) -> None:
        super().__init__()
        self.pieces = canaries + UNKNOWN + 1
        self.rows = nn.Embedding(self.pieces, _WIDTH)
        nn.init.zeros_(self.rows.weight)

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        """Return scores [n, t, pieces of the text]."""
        scores: Tensor = self.rows(source[:, :1])
        return scores.expand(-1, target.shape[1], -1)


def audit_canaries(
    plan: NoisePlan, clip: float, delta: float, canaries: int = 10_000, bits: Bits = os.urandom
) -> CanaryAudit:
    """Audit private training by ``plan`` with so many canaries in place of its examples.

    Nothing private is read. Raises ``StateError`` if the disk is full.
    """
    claimed = epsilon_of(plan, delta)
    lot = max(1, round(canaries * plan.rate))
    tried = replace(plan, examples=canaries, lot=lot, largest=None)
    if plan.sampling != "shuffled":
        tried = replace(tried, sampling="poisson")
    inside = np.unpackbits(np.frombuffer(bits((canaries + 7) // 8), np.uint8))[:canaries] == 1
    scores = _attack(tried, clip, delta, inside, bits)
    proved, reach = bound_epsilon(scores[inside], scores[~inside], delta, _SHARES)
    implied = _imply(plan, delta, _bound_advantage(scores[inside], scores[~inside]))
    return CanaryAudit(canaries, claimed, proved, implied, reach)


def _attack(plan: NoisePlan, clip: float, delta: float, inside: Scores, bits: Bits) -> Scores:
    """Train on the canaries that are ``inside`` [n], and return the scores of all [n]."""
    canaries = [
        Example([[UNKNOWN + 1 + n]], [_TARGET]) if chosen else Example([], [])
        for n, chosen in enumerate(inside)
    ]
    model, scores = _Probe(len(canaries)), np.zeros(len(canaries))
    wanted = torch.bincount(torch.tensor(_TARGET[1:]), minlength=_WIDTH) / (len(_TARGET) - 1)
    toward = 1 / _WIDTH - wanted
    toward /= toward.norm()
    q = plan.rate if plan.sampling == "poisson" else 1 / plan.lots_a_pass

    def see(sums: Sequence[Tensor]) -> None:
        seen = (sums[0][UNKNOWN + 1 :] @ toward / clip).double().numpy()
        drawn = math.log(q) + (seen - 0.5) / plan.noise**2
        scores[:] += np.logaddexp(math.log1p(-q) if q < 1 else -math.inf, drawn)

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        terms = LedgerTerms("document", None, clip, 0.0, delta, "canaries")
        ledger = PrivacyLedger.open(folder / "ledger.jsonl", plan, terms)
        options = ComputeOptions(0.0, keep_seconds=math.inf, report_seconds=math.inf)
        checkpoint, watch = folder / "kept.pt", Watch(see=see)
        try:
            learn_privately(
                model, canaries, plan, clip, delta, ledger, checkpoint, options, watch, bits
            )
        finally:
            ledger.close()
    return scores


def _bound_advantage(members: Scores, others: Scores) -> float:
    """Return the least advantage that explains how often one threshold is right.

    The first fifth of either kind chooses the threshold, the rest is judged by it.
    """
    (first, members), (second, others) = (
        np.split(side, [len(side) // 5]) for side in (members, others)
    )
    ordered = np.sort(np.concatenate([first, second]))
    middles = (ordered[1:] + ordered[:-1]) / 2
    below = (np.searchsorted(np.sort(side), middles) / len(side) for side in (second, first))
    threshold = middles[np.argmax(np.subtract(*below))]
    return bound_rate(members > threshold) + bound_rate(others <= threshold) - 1


def _imply(plan: NoisePlan, delta: float, advantage: float) -> float:
    """Return ε of the plan with the most noise that ``advantage`` contradicts; 0 if with any."""

    def scaled(factor: float) -> NoisePlan:
        return replace(plan, noise=plan.noise * factor)

    low, high = _FACTORS
    if advantage <= advantage_of(scaled(high), _COARSE):
        return 0.0
    while high > low * 1.005:
        middle = math.sqrt(low * high)
        if advantage > advantage_of(scaled(middle), _COARSE):
            high = middle
        else:
            low = middle
    return epsilon_of(scaled(high), delta, cell=_COARSE)
