from __future__ import annotations

import math
from dataclasses import replace

import dp_accounting as dp
import numpy as np
import pytest
from dp_accounting import rdp
from dp_accounting.pld.privacy_loss_distribution import from_gaussian_mechanism
from dp_accounting.rdp.rdp_privacy_accountant import _compute_rdp_poisson_subsampled_gaussian
from scipy.optimize import brentq
from scipy.special import logsumexp
from scipy.stats import binom, norm

from prism_core.errors import ConfigurationError
from prism_core.training import NoisePlan, epsilon_of, find_noise

SETTINGS = [
    (4_548_885, 1_048_576, 125, 13.18, 1e-8),
    (20_000, 2_048, 250, 1.0, 1e-8),
    (968, 256, 100, 1.0, 1e-8),
    (968, 256, 100, 4.0, 1e-4),
    (29_000, 4_096, 240, 2.57, 1e-6),
    (29_000, 4_096, 240, 10.7, 1e-6),
    (42, 6, 210, 1.2, 1e-3),
    (200_000, 8_192, 250, 1.11, 1e-7),
    (60_000, 256, 2_000, 1.1, 1e-5),
    (100, 100, 10, 6.0, 1e-3),
]


@pytest.mark.parametrize(("examples", "lot", "steps", "noise", "delta"), SETTINGS)
def test_epsilon_is_that_of_the_reference(
    examples: int, lot: int, steps: int, noise: float, delta: float
) -> None:
    """Not by the accountants that we call: by dp-accounting's distributions of privacy loss and
    divergences themselves. The best order's divergence is also an integral: between two whole
    orders dp-accounting bounds it from above, by 1.2 % of ε at most here."""
    plan, rate = NoisePlan(examples, lot, steps, noise), lot / examples
    losses = from_gaussian_mechanism(noise, sampling_prob=rate)
    true = losses.self_compose(steps).get_epsilon_for_delta(delta)
    assert epsilon_of(plan, delta) == pytest.approx(true, abs=1e-3)
    accountant = rdp.RdpAccountant()
    accountant.compose(dp.PoissonSampledDpEvent(rate, dp.GaussianDpEvent(noise)), steps)
    _, order = accountant.get_epsilon_and_optimal_order(delta)
    every = np.array([*range(2, 65), order])
    spent = steps * _compute_rdp_poisson_subsampled_gaussian(rate, noise, every)
    found = epsilon_of(plan, delta, "rdp")
    assert found == pytest.approx(rdp.compute_epsilon(every, spent, delta)[0], abs=1e-3)
    true = steps * divergence(order, rate, noise)
    true += math.log1p(-1 / order) - math.log(delta * order) / (order - 1)
    assert true - 1e-3 <= found <= true * (1 if order % 1 == 0 else 1.02) + 1e-3


def divergence(order: float, rate: float, noise: float) -> float:
    """Of order α, of one step of the sampled Gaussian (Mironov et al. 2019, equation 6): with z of
    N(0, σ²), ln E[(1 - q + q exp((2z - 1) / 2σ²))^α] / (α - 1)."""
    z = np.linspace(-40 * noise, order + 40 * noise, 200_001)
    ratio = np.logaddexp(
        math.log1p(-rate) if rate < 1 else -math.inf,
        math.log(rate) + (2 * z - 1) / (2 * noise**2),
    )
    density = norm.logpdf(z, scale=noise) + order * ratio
    return float(logsumexp(density) + math.log(z[1] - z[0])) / (order - 1)


@pytest.mark.parametrize(("noise", "rate"), [(0.8, 0.3), (1.5, 0.05), (2.0, 1.0)])
def test_one_step_is_the_closed_form_of_the_sampled_gaussian(noise: float, rate: float) -> None:
    plan = NoisePlan(1000, round(1000 * rate), 1, noise)
    found = epsilon_of(plan, 1e-4)

    def delta(epsilon: float, sign: int) -> float:
        """Of removing (1) and of adding (-1) an example; equal densities are at x."""
        if sign == 1:
            rest = (math.exp(epsilon) - 1 + rate) / rate
            x = noise**2 * math.log(rest) + 0.5 if rest > 0 else -math.inf
            mixed = rate * norm.sf((x - 1) / noise) + (1 - rate) * norm.sf(x / noise)
            return float(mixed - math.exp(epsilon) * norm.sf(x / noise))
        rest = (math.exp(-epsilon) - 1 + rate) / rate
        x = noise**2 * math.log(rest) + 0.5 if rest > 0 else -math.inf
        mixed = rate * norm.cdf((x - 1) / noise) + (1 - rate) * norm.cdf(x / noise)
        return float(norm.cdf(x / noise) - math.exp(epsilon) * mixed)

    true = brentq(lambda e: max(delta(e, 1), delta(e, -1)) - 1e-4, 1e-6, 50)
    assert true <= found + 1e-9
    assert found == pytest.approx(true, abs=1e-3)


def test_shuffling_costs_a_gaussian_for_every_pass_that_was_begun() -> None:
    plan = NoisePlan(29_000, 1_024, 30 * 29, 2.0, "shuffled")
    scale = math.sqrt(30) / 2.0

    def delta(e: float) -> float:
        upper, lower = scale / 2 - e / scale, -scale / 2 - e / scale
        return float(norm.cdf(upper) - math.exp(e) * norm.cdf(lower))

    true = brentq(lambda e: delta(e) - 1e-8, 0.1, 60)
    assert epsilon_of(plan, 1e-8) == pytest.approx(true, abs=2e-3)
    assert epsilon_of(plan, 1e-8, steps=1) == epsilon_of(plan, 1e-8, steps=29)
    assert epsilon_of(plan, 1e-8) > 5 * epsilon_of(replace(plan, sampling="poisson"), 1e-8)


def test_truncation_costs_something_and_where_it_is_common_everything() -> None:
    plan = NoisePlan(29_000, 4_096, 240, 2.57)
    rare = replace(plan, sampling="truncated-poisson", largest=4_800)
    assert epsilon_of(plan, 1e-6) < epsilon_of(rare, 1e-6) < epsilon_of(plan, 1e-6) + 0.3
    common = replace(rare, largest=4_100)
    assert epsilon_of(common, 1e-6) == math.inf
    with pytest.raises(ConfigurationError, match="no noise keeps"):
        find_noise(common, 5, 1e-6)


@pytest.mark.parametrize(("largest", "delta"), [(200, 1.3e-5), (202, 1e-5)])
def test_no_more_of_delta_than_truncation_costs_is_kept_for_it(largest: int, delta: float) -> None:
    """With half of δ for either, the first would have no ε at all."""
    plan = NoisePlan(1_000, 125, 240, 1.4, "truncated-poisson", largest)
    whole = replace(plan, sampling="poisson", largest=None)
    found = epsilon_of(plan, delta)
    assert epsilon_of(whole, delta) < found < 0.995 * epsilon_of(whole, delta / 4)
    cost = plan.steps * float(binom.sf(largest, plan.examples, plan.rate))
    left = delta - cost * (1 + math.exp(found))
    assert left > 0
    assert epsilon_of(whole, left) <= found  # so (found, left) holds without cutting off


@pytest.mark.parametrize("epsilon", [0.5, 5.0])
def test_the_noise_found_keeps_epsilon_and_is_hardly_more_than_needed(epsilon: float) -> None:
    plan = find_noise(NoisePlan(2_000, 100, 60, 1.0), epsilon, 1e-5)
    assert epsilon_of(plan, 1e-5) <= epsilon
    assert epsilon_of(replace(plan, noise=plan.noise * 0.995), 1e-5) > epsilon


def test_no_step_costs_nothing_and_more_cost_more() -> None:
    plan = NoisePlan(2_000, 100, 60, 1.0)
    spent = [epsilon_of(plan, 1e-5, steps=steps) for steps in (0, 1, 30, 60)]
    assert spent[0] == 0
    assert spent == sorted(set(spent))


@pytest.mark.parametrize("delta", [0.0, 1.0, -1.0])
def test_a_delta_that_is_none_is_refused(delta: float) -> None:
    with pytest.raises(ConfigurationError):
        epsilon_of(NoisePlan(10, 2, 1, 1.0), delta)
