"""Membership audit: measure if a trained model reveals which documents it was trained on.

It takes documents of the training and others of the same kind. A coin must have decided which are
which, or else the text and not the training may tell them apart. Two attacks give each document a
score that is higher for likely members:

    loss                the mean loss of a piece, negated (Yeom et al. 2018)
    likelihood ratio    how much smaller it is than under a reference, a model of other text
                        (Carlini et al. 2022, offline, with one reference)

Entry: ``audit_membership`` of two lists of ``losses_of``. ``Attack.auc`` is the probability that a
member scores above a non-member; .5 is no attack at all. ``Attack.epsilon`` is a proven lower
bound: an algorithm with a smaller ε would let the attack guess right so often with probability
under 5 % (``lower_bound``). Leaks that no attack finds may still exist.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from prism_core.errors import ConfigurationError
from prism_core.training.data import Example, batches
from prism_core.training.transformer import PADDING, losses

Scores = NDArray[np.float64]

_CONFIDENCE = 0.95
_NORMAL = 1.959964
_SHARES = (1.0, 0.5, 0.2, 0.1)
"""Shares of examples that are guessed: those with the highest and the lowest scores."""
_MOST_EPSILON = 50.0


@dataclass(frozen=True, slots=True)
class Attack:
    """Result of an attack.

    ``low`` and ``high``: 95 % interval of the AUC; ``epsilon``: least ε that the model can have, at
    95 %; ``reach``: the value of ``epsilon`` had every guess been right, which is the most that so
    many documents can show.
    """

    name: str
    auc: float
    low: float
    high: float
    epsilon: float
    reach: float

    @property
    def is_chance(self) -> bool:
        """True if .5 lies in the interval."""
        return self.low <= 0.5 <= self.high


@dataclass(frozen=True, slots=True)
class MembershipAudit:
    """Attacks on one model, and the numbers of documents of each kind."""

    members: int
    others: int
    attacks: tuple[Attack, ...]


def losses_of(model: nn.Module, examples: Sequence[Example], most_pieces: int = 4096) -> Scores:
    """Return each example's mean loss of a piece, in nats, unsmoothed; nan if empty."""
    device = str(next(model.parameters()).device)
    was_training = model.training
    model.eval()
    found = []
    with torch.no_grad():
        for example in examples:
            rows = max(1, most_pieces // max(example.widest, 1))
            total, pieces = 0.0, 0
            for start in range(0, len(example.sources), rows):
                end = start + rows
                part = Example(example.sources[start:end], example.targets[start:end])
                for batch in batches([part], most_pieces, device):
                    total += float(losses(model, batch.source[0], batch.target[0], 0.0).sum())
                    pieces += int((batch.target[:, :, 1:] != PADDING).sum())
            found.append(total / pieces if pieces else math.nan)
    model.train(was_training)
    return np.array(found)


def audit_membership(
    members: Scores,
    others: Scores,
    delta: float,
    reference: tuple[Scores, Scores] | None = None,
) -> MembershipAudit:
    """Attack by the losses of members [n] and of others [m].

    ``reference`` holds the losses of the same documents under another model. ``delta`` is that of
    the guarantee, 0 for a model without. Examples without a sentence are left out. Raises
    ``ConfigurationError`` if fewer than two of a kind are left.
    """
    scores = {"loss": (-members, -others)}
    if reference is not None:
        scores["likelihood ratio"] = (reference[0] - members, reference[1] - others)
    attacks = []
    for name, sides in scores.items():
        inside, outside = (side[np.isfinite(side)] for side in sides)
        if min(len(inside), len(outside)) < 2:
            raise ConfigurationError("an audit needs two documents of each kind, or rather fifty")
        auc, low, high = measure_auc(inside, outside)
        found, reach = bound_epsilon(inside, outside, delta)
        attacks.append(Attack(name, auc, low, high, found, reach))
    return MembershipAudit(len(members), len(others), tuple(attacks))


def measure_auc(members: Scores, others: Scores) -> tuple[float, float, float]:
    """Measure the area under the ROC curve with its 95 % interval (DeLong et al. 1988).

    A tie counts half. An area of 0 or 1 has its interval widened as if one more pair had gone the
    other way.
    """
    order = np.sort(others)
    below = (np.searchsorted(order, members, "left") + np.searchsorted(order, members, "right")) / 2
    won = below / len(others)
    order = np.sort(members)
    above = (np.searchsorted(order, others, "left") + np.searchsorted(order, others, "right")) / 2
    lost = 1 - above / len(members)
    auc = float(won.mean())
    spread = float(won.var(ddof=1) / len(members) + lost.var(ddof=1) / len(others))
    spread = max(spread, 1 / (len(members) * len(others)) ** 2)
    reach = _NORMAL * math.sqrt(spread)
    return auc, max(0.0, auc - reach), min(1.0, auc + reach)


def lower_bound(
    right: int, guesses: int, examples: int, delta: float, alpha: float = 1 - _CONFIDENCE
) -> float:
    """Return the least ε that explains ``right`` of ``guesses`` at confidence 1 - ``alpha``.

    A fair coin put ``examples`` in or left them out. Source: Steinke, Nasr, Jagielski 2023, theorem
    5.2, for (ε, δ); valid for one training.
    """
    low, high = 0.0, _MOST_EPSILON
    if _chance_of(right, guesses, examples, low, delta) > alpha:
        return 0.0
    while high - low > 1e-4:
        middle = (low + high) / 2
        if _chance_of(right, guesses, examples, middle, delta) <= alpha:
            low = middle
        else:
            high = middle
    return low


def _chance_of(right: int, guesses: int, examples: int, epsilon: float, delta: float) -> float:
    """Return the greatest probability of ``right`` or more right guesses under (ε, δ)."""
    from scipy.stats import binom

    rate = 1 / (1 + math.exp(-epsilon))
    chance = float(binom.sf(right - 1, guesses, rate))
    if not delta:
        return chance
    fewer = np.arange(1, right + 1)
    cumulated = np.cumsum(binom.pmf(right - fewer, guesses, rate))
    return min(1.0, chance + 2 * examples * delta * float((cumulated / fewer).max(initial=0.0)))


def bound_rate(found: NDArray[np.bool_]) -> float:
    """Return the least rate that explains how many of ``found`` are true.

    Two such bounds hold together at 95 %. Source: Clopper and Pearson 1934.
    """
    from scipy.stats import beta

    right = int(found.sum())
    return float(beta.ppf((1 - _CONFIDENCE) / 2, right, len(found) - right + 1)) if right else 0.0


def bound_epsilon(
    members: Scores, others: Scores, delta: float, shares: Sequence[float] = _SHARES
) -> tuple[float, float]:
    """Return the best lower bound over ``shares``, and its value if every guess were right.

    Each share has a confidence that pays for all of them. As many of either kind are taken, as of a
    fair coin.
    """
    each = min(len(members), len(others))
    drawn = np.random.default_rng(0)
    members, others = (drawn.permutation(side)[:each] for side in (members, others))
    joined = np.concatenate([members, others])
    is_member = np.repeat([True, False], each)
    order = np.argsort(joined + 0.0, kind="stable")
    found, reach = [], []
    for share in shares:
        half = max(1, int(each * share))
        right = int(is_member[order[-half:]].sum() + (~is_member[order[:half]]).sum())
        alpha = (1 - _CONFIDENCE) / len(shares)
        found.append(lower_bound(right, 2 * half, 2 * each, delta, alpha))
        reach.append(lower_bound(2 * half, 2 * half, 2 * each, delta, alpha))
    return max(found), max(reach)
