"""Cost of private training: (ε, δ) of a plan, the noise for a requested ε, and the ledger.

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

The ledger is a file of JSON lines: one a step, on disk before the step's result is used. The first
holds the plan; each other line the number of a step and the hash of all before it. The file only
grows, so that whatever kills a process, it never says less than was spent. A step whose result was
lost stays spent and is not repeated. ``PrivacyLedger.open``; then ``spend`` for each step.
"""

from __future__ import annotations

import fcntl
import json
import logging
import math
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO, Literal

from prism_core.errors import ConfigurationError, StateError, StoreInUse
from prism_core.training.lot_sampling import NoisePlan

_VERSION = 1
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
    """Return the most by which an attacker finds a member more often than takes another for one.

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


class PrivacyLedger:
    """Ledger of one training, locked against any other process until ``close``."""

    def __init__(self, file: BinaryIO, path: Path, spent: int, head: str) -> None:
        self._file = file
        self._path = path
        self.spent = spent
        """Number of the last step that was taken, counted from 1."""
        self.head = head
        """Hash of all lines."""

    @classmethod
    def open(cls, path: Path, plan: NoisePlan, terms: LedgerTerms) -> PrivacyLedger:
        """Open the ledger at ``path``, or create it.

        A line that a kill cut off counts as a step. Raises ``StoreInUse`` while another process has
        it open, and ``StateError`` if it belongs to another plan or was altered.
        """
        begins = _line({"version": _VERSION, **asdict(plan), **asdict(terms)}, "")
        try:
            file = os.fdopen(os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600), "a+b")
        except OSError as error:
            raise StateError(f"{path} cannot be opened: {error.strerror}") from None
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.close()
            raise StoreInUse(f"{path} is in use: another training writes to it.") from None
        try:
            return cls._read(file, path, begins)
        except StateError:
            file.close()
            raise

    @classmethod
    def _read(cls, file: BinaryIO, path: Path, begins: bytes) -> PrivacyLedger:
        file.seek(0)
        first, *lines = file.read().split(b"\n") or [b""]
        if not lines and begins.startswith(first):  # new, or killed when it was
            file.truncate(0)
            ledger = cls(file, path, 0, _head(begins))
            ledger._write(begins)
            return ledger
        if first + b"\n" != begins:
            raise StateError(
                f"{path} is of another training: of more or fewer documents, other settings, noise "
                "or base. Name another folder, or the same settings as before."
            )
        ledger = cls(file, path, 0, _head(begins))
        torn = lines.pop()
        for line in lines:
            ledger._follow(line + b"\n")
        if torn:
            file.truncate(file.tell() - len(torn))
            ledger.spend(ledger.spent + 1)
        return ledger

    def spend(self, step: int) -> None:
        """Record that ``step`` (from 1, later than all before) is taken; it is on disk afterwards.

        Raises ``StateError`` if that fails: the step's result may not be used then.
        """
        if step <= self.spent:
            raise ValueError("a step is taken once")
        line = _line({"step": step}, self.head)
        self._write(line)
        self.spent, self.head = step, _head(line)

    def close(self) -> None:
        """Release the lock. What could not be written stays unwritten: it was not spent."""
        with suppress(OSError):
            self._file.close()

    def _follow(self, line: bytes) -> None:
        """Account for a line that was written before."""
        try:
            step = int(json.loads(line)["step"])
        except (ValueError, LookupError, TypeError):
            step = 0
        if step <= self.spent or _line({"step": step}, self.head) != line:
            raise StateError(f"{self._path} is not as it was written; its training cannot go on.")
        self.spent, self.head = step, _head(line)

    def _write(self, line: bytes) -> None:
        try:
            self._file.write(line)
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            raise StateError(f"{self._path} cannot be written: {error.strerror}") from None


@dataclass(frozen=True, slots=True)
class LedgerTerms:
    """Terms of a guarantee that a resumed training must not change.

    ``unit``: the protected unit; ``sentences``: the most of it that count; ``clip`` C > 0;
    ``epsilon`` and ``delta`` as requested; ``model``: a digest of the public facts of the model:
    its pieces, its shape, its trained parts, the base.
    """

    unit: str
    sentences: int | None
    clip: float
    epsilon: float
    delta: float
    model: str = ""


def _line(content: dict[str, Any], head: str) -> bytes:
    chained = {**content, "after": head}
    return json.dumps(chained, sort_keys=True, separators=(",", ":")).encode() + b"\n"


def _head(line: bytes) -> str:
    return sha256(line).hexdigest()
