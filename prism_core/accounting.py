"""Differential privacy accounting: the loss ε of each mechanism, and the composition of losses.

Neighbours are two token sequences of one structure (number of tokens, white space) that differ in
one token. A mechanism is ε-DP per word when for neighbours x, x' and every output s

    Pr[A(x) = s] <= e^ε Pr[A(x') = s].

All logarithms are natural, all losses in nats. ``math.inf`` means that there is no bound.
"""

from __future__ import annotations

import math
from collections.abc import Iterable


def epsilon_prism_r(vocabulary: int, replace_probability: float) -> float:
    """Return ε of one token under PRISM-R (theorem 3.2): ln((r + |V|(1 - r)) / r).

    ``vocabulary`` is |V| >= 1, ``replace_probability`` r in [0, 1]. r = 1 gives 0, r = 0 gives
    infinity. Tokens outside V, always replaced, are covered: for w in V and o outside it

        Pr[s | w] / Pr[s | o] <= |V|(1 - r) + r,    Pr[s | o] / Pr[s | w] <= 1 / r,

    and neither exceeds (r + |V|(1 - r)) / r. The bound is reached as soon as |V| >= 2.
    """
    _check_parameters(vocabulary, replace_probability)
    return _log_one_plus(vocabulary * (1 - replace_probability), replace_probability)


def epsilon_mixture(
    vocabulary: int, replace_probability: float, table_probability: float, *, keeps: bool = False
) -> float:
    """Return ε of one token under PRISM-R with probability 1 - β, else a fixed f(w) in V.

    ``table_probability`` is β in [0, 1]; the others are as for ``epsilon_prism_r``. When f never
    keeps a word (``keeps`` false), s = w and s = f(w) are different outputs, and

        ε = ln max{(|V|(1 - r) + r) / r, 1 + β|V| / ((1 - β) r)};

    else ε = ln((|V|(1 - r) + r) / r + β|V| / ((1 - β) r)). β = 0 gives the ε of PRISM-R, β = 1
    infinity. Tokens outside V, for which f is not defined and which are replaced uniformly over V,
    are covered when |V| >= 2: the ratio 1 / ((1 - β) r) that they add exceeds at most one of the
    two terms. Without ``keeps`` the bound is reached as soon as |V| >= 3.
    """
    _check_parameters(vocabulary, replace_probability)
    if not 0 <= table_probability <= 1:
        raise ValueError("the table's probability is in [0, 1]")
    by_draw = vocabulary * (1 - replace_probability) * (1 - table_probability)
    by_table = vocabulary * table_probability
    excess = by_draw + by_table if keeps else max(by_draw, by_table)
    return _log_one_plus(excess, (1 - table_probability) * replace_probability)


def epsilon_of_sends(epsilon_word: float, tokens: int, sends: int) -> float:
    """Return ε of ``tokens`` words that were drawn and sent ``sends`` times: n · ε · k.

    This is the loss when all n words may differ at once (group privacy). Sending the same bytes
    again is no new send. Without words or sends there is no loss, even under an infinite ε.
    """
    if tokens < 0 or sends < 0:
        raise ValueError("tokens and sends cannot be negative")
    return epsilon_word * tokens * sends if tokens and sends else 0.0


def compose(losses: Iterable[float]) -> float:
    """Return the loss of several releases together: their sum (basic composition, δ = 0)."""
    return math.fsum(losses)


def _log_one_plus(excess: float, unit: float) -> float:
    """Return ln(1 + excess / unit), with 0 / 0 = 0; exact for small losses."""
    if excess == 0:
        return 0.0
    return math.log1p(excess / unit) if unit else math.inf


def _check_parameters(vocabulary: int, replace_probability: float) -> None:
    if vocabulary < 1:
        raise ValueError("V holds at least one word")
    if not 0 <= replace_probability <= 1:
        raise ValueError("the probability of a replacement is in [0, 1]")
