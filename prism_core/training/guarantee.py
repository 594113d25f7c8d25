"""Cost of private training: (ε, δ) of a plan, and the noise for a requested ε.

Entry: ``epsilon_of`` and ``find_noise``. Both go by dp-accounting (the extra ``train``).

Two collections are neighbours when they are equal but for one example, which has no sentence in
one of them (*zero-out*). The number N of examples is the same in both, so it may be published. An
algorithm A is (ε, δ)-private when for neighbours x, x' and every set S of outcomes

    Pr[A(x) in S] <= e^ε Pr[A(x') in S] + δ.

What is private are all steps together: every model on the way, not only the last. A step clips
each example's gradient to norm C, adds them, and adds noise N(0, σ²C²); what follows (division by a
constant, Adam) sees no example. So one step is the Gaussian mechanism of sensitivity C, on a
sample:

    poisson             PLD or RDP of the Poisson-sampled Gaussian mechanism, T times; zeroing out
                        has the dominating pair of adding or removing an example
    truncated-poisson   a step differs from that with probability Ψ = Pr[Binomial(N, q) > largest];
                        so (ε, δ') for Poisson is (ε, δ' + T (1 + e^ε) Ψ) here (Chua et al. 2024)
    shuffled            the Gaussian mechanism, once a pass: what an order that nobody knows may add
                        to privacy is not counted, since no proof of use covers adaptive steps
"""

from __future__ import annotations

import logging
import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Literal

from prism_core.errors import ConfigurationError
from prism_core.training.lot_sampling import NoisePlan

Accountant = Literal["pld", "rdp"]

FINEST = 1e-4
"""Width of a cell of the privacy loss distribution; losses are rounded up to it."""

_COARSE = 1e-3
_CLOSE = 1e-4
"""Relative precision with which the noise is found."""
_LEAST_NOISE, _MOST_NOISE = 0.05, 2.0**14
_ENDLESS = 700.0
"""Value of ε from which e^ε is beyond a float."""


def epsilon_of(
    plan: NoisePlan,
    delta: float,
    accountant: Accountant = "pld",
    *,
    steps: int | None = None,
    cell: float = FINEST,
) -> float:
    """Return ε at ``delta`` in (0, 1) of the first ``steps`` of a plan (default all); 0 for none.

    Both accountants give an upper bound: privacy loss distributions (``pld``) are close to the true
    value to ``cell``; Rényi divergences (``rdp``) are what most papers state. Returns ``math.inf``
    if δ is smaller than the cost of truncation alone.
    """
    return _epsilon(plan, delta, accountant, plan.steps if steps is None else steps, cell)


def find_noise(plan: NoisePlan, epsilon: float, delta: float) -> NoisePlan:
    """Return ``plan`` with the least noise σ that keeps ``epsilon`` by PLD, whatever noise it has.

    σ is at most 0.01 % larger than needed, and never smaller. Raises ``ConfigurationError`` if no σ
    is enough.
    """

    def cost(noise: float, cell: float) -> float:
        return _epsilon(replace(plan, noise=noise), delta, "pld", plan.steps, cell)

    high = 1.0
    while cost(high, _COARSE) > epsilon:
        high *= 2
        if high > _MOST_NOISE:
            raise ConfigurationError(
                f"no noise keeps ε {epsilon:g} at δ {delta:g}: draw fewer examples a lot, train "
                "for fewer steps, or let a truncated lot be larger"
            )
    low = high / 2 if high > 1 else 0.0
    while high - low > _CLOSE * high:
        middle = (low + high) / 2
        if middle > _LEAST_NOISE and cost(middle, _COARSE) <= epsilon:
            high = middle
        else:
            low = middle
    while cost(high, FINEST) > epsilon:
        high *= 1 + _CLOSE
    return replace(plan, noise=high)


def advantage_of(plan: NoisePlan, cell: float = FINEST) -> float:
    """Return the greatest advantage of a membership attack: true minus false positive rate.

    This is δ at ε 0, the total variation distance between what neighbours give; an upper bound.
    """
    return _compose(plan, "pld", plan.steps, cell).delta(0.0)


@cache
def _epsilon(
    plan: NoisePlan, delta: float, accountant: Accountant, steps: int, cell: float
) -> float:
    if not 0 < delta < 1:
        raise ConfigurationError("δ is between 0 and 1; less than one in the number of examples")
    return _compose(plan, accountant, steps, cell).epsilon(delta) if steps else 0.0


@dataclass(frozen=True, slots=True)
class _Composed:
    """Accountant of all steps, and T Ψ, what cutting off lots costs; see the module."""

    accountant: Any
    excess: float

    def delta(self, epsilon: float) -> float:
        """Return δ at ``epsilon``."""
        return float(self.accountant.get_delta(epsilon)) + self.excess * (1 + math.exp(epsilon))

    def epsilon(self, delta: float) -> float:
        """Return ε at ``delta``; ``math.inf`` if cutting off costs more than that.

        The cost of cutting off depends on ε, and ε on what it leaves of δ: both grow from the least
        ε that is possible, until one covers the other.
        """
        found, covered = float(self.accountant.get_epsilon(delta)), -1.0
        while covered < found < _ENDLESS:
            covered = found + (_CLOSE * found if self.excess else 0.0)
            left = delta - self.excess * (1 + math.exp(covered))
            found = float(self.accountant.get_epsilon(left)) if left > 0 else math.inf
        return covered if found <= covered else math.inf


def _compose(plan: NoisePlan, accountant: Accountant, steps: int, cell: float) -> _Composed:
    import dp_accounting as dp
    from dp_accounting import pld, rdp
    from scipy.stats import binom

    event: Any = dp.GaussianDpEvent(plan.noise)
    excess = 0.0
    if plan.largest is not None:
        excess = steps * float(binom.sf(plan.largest, plan.examples, plan.rate))
    if plan.sampling == "shuffled":
        steps = math.ceil(steps / plan.lots_a_pass)
    else:
        event = dp.PoissonSampledDpEvent(plan.rate, event)
    with _quiet():
        composed = (
            rdp.RdpAccountant()
            if accountant == "rdp"
            else pld.PLDAccountant(value_discretization_interval=cell)
        )
        composed.compose(dp.SelfComposedDpEvent(event, steps))
    return _Composed(composed, excess)


@contextmanager
def _quiet() -> Iterator[None]:
    """Suppress warnings about skipped Rényi orders, which never make the bound smaller."""
    logger = logging.getLogger("absl")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(level)
