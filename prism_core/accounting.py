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
    check_parameters(vocabulary, replace_probability)
    return log_one_plus(vocabulary * (1 - replace_probability), replace_probability)


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


def log_one_plus(excess: float, unit: float) -> float:
    """Return ln(1 + excess / unit), with 0 / 0 = 0; exact for small losses."""
    if excess == 0:
        return 0.0
    return math.log1p(excess / unit) if unit else math.inf


def check_parameters(vocabulary: int, replace_probability: float) -> None:
    """Raise ``ValueError`` unless V has a word and the probability is one."""
    if vocabulary < 1:
        raise ValueError("V holds at least one word")
    if not 0 <= replace_probability <= 1:
        raise ValueError("the probability of a replacement is in [0, 1]")
