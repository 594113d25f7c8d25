"""Training itself: DP-SGD with Adam over the examples' clipped gradients, or plain for public text.

Entry: ``learn_privately``. A step draws a lot, adds the clipped gradients of its examples batch by
batch without dividing by anything, adds noise once, writes to the ledger that the step is spent,
and only then uses the result: divided by the expected lot L, a constant that is published (Abadi et
al. 2016; the number that was really drawn is private). A lot that is empty has noise all the same.
Models on the way are kept, so that a killed training goes on behind the last step it spent.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from prism_core.errors import ConfigurationError, StateError
from prism_core.files import replace_whole
from prism_core.training.data import Encoded, batches
from prism_core.training.ghost import add_clipped, choose_way
from prism_core.training.gradients import Batch, Way, trainable
from prism_core.training.guarantee import epsilon_of
from prism_core.training.ledger import Ledger
from prism_core.training.model import BEGIN, PADDING, UNKNOWN, Translator, losses
from prism_core.training.pretrained import Pretrained
from prism_core.training.randomness import Bits, draw_normal, shuffle
from prism_core.training.sampling import Plan, lots

Model = Translator | Pretrained

_KEEP_SECONDS = 60.0
_TELL_SECONDS = 10.0
_WARMUP = 0.1
"""The share of the steps in which the rate of learning rises; then it falls to nothing."""


@dataclass
class Watch:
    """How far a training is, for whoever looks on from another thread. The loss is private."""

    stage: str = "reading"
    step: int = 0
    steps: int = 0
    began: int = 0
    loss: float = math.nan
    epsilon: float = 0.0


@dataclass(frozen=True, slots=True)
class Effort:
    """How it is computed; nothing here changes what is private.

    ``places``: pieces, with padding, that are worked on at once; ``keep_seconds``: how often the
    model on the way is kept; ``tell_seconds``: how often it is worked out what was spent, which
    takes seconds where ε is large.
    """

    rate: float = 1e-3
    places: int = 4096
    device: str = "cpu"
    way: Way = "ghost"
    keep_seconds: float = _KEEP_SECONDS
    tell_seconds: float = _TELL_SECONDS


def learn_privately(
    model: Model,
    examples: Sequence[Encoded],
    plan: Plan,
    clip: float,
    delta: float,
    ledger: Ledger,
    kept: Path,
    effort: Effort,
    watch: Watch,
    bits: Bits = os.urandom,
) -> None:
    """Train ``model`` for what is left of ``plan``, going on from ``kept`` where it is.

    Raises ``StateError`` where the ledger or the model on the way cannot be written or read.
    """
    optimiser = torch.optim.Adam(trainable(model).values(), lr=effort.rate)
    _restore(kept, model, optimiser, ledger)
    watch.stage, watch.steps, watch.began = "training", plan.steps, ledger.spent
    told = saved = time.monotonic()
    model.train()
    try:
        for step, lot in lots(plan, bits, ledger.spent):
            total, watch.loss = _sum_clipped(model, [examples[n] for n in lot], clip, effort)
            _add_noise(total, plan.noise * clip, bits)
            ledger.spend(step + 1)
            _use(model, optimiser, total, plan.lot, effort.rate * _schedule(step, plan.steps))
            watch.step = step + 1
            now = time.monotonic()
            if now - told >= effort.tell_seconds:
                watch.epsilon = epsilon_of(plan, delta, steps=step + 1, cell=1e-3)
                told = time.monotonic()
            if now - saved >= effort.keep_seconds:
                _keep(kept, model, optimiser, ledger.spent)
                saved = time.monotonic()
    finally:
        _keep(kept, model, optimiser, ledger.spent)


def check_device(name: str) -> None:
    """Raise ``ConfigurationError`` where PyTorch knows no such device on this machine."""
    try:
        torch.zeros(1, device=name)
    except (RuntimeError, AssertionError):
        raise ConfigurationError(f"there is no device {name!r} here; cpu is always one") from None


def find_way(model: Model) -> tuple[Way, str]:
    """How gradients are clipped fastest, and why not by ghosts; tried on random pieces."""
    device = next(model.parameters()).device
    pieces = torch.randint(UNKNOWN + 1, model.pieces, (2, 2, 2, 8), device=device)
    source, target = pieces.unbind(0)
    target[:, :, 0] = BEGIN
    return choose_way(model, Batch(source, target), losses)


def learn_in_clear(
    model: Model,
    examples: Sequence[Encoded],
    passes: int,
    effort: Effort,
    watch: Watch,
    bits: Bits = os.urandom,
) -> None:
    """Train ``model`` on public ``examples``, each ``passes`` times, without any protection."""
    optimiser = torch.optim.Adam(trainable(model).values(), lr=effort.rate)
    single = [
        Encoded([source], [target])
        for one in examples
        for source, target in zip(one.sources, one.targets, strict=True)
    ]
    made = list(batches(single, effort.places, effort.device))
    watch.stage, watch.steps = "training", passes * len(made)
    model.train()
    for step, batch in enumerate(_in_any_order(made, passes, bits)):
        source, target = batch.source.flatten(0, 1), batch.target.flatten(0, 1)
        loss = losses(model, source, target).sum() / (target[:, 1:] != PADDING).sum()
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        _set_rate(optimiser, effort.rate * _schedule(step, watch.steps))
        optimiser.step()
        watch.step, watch.loss = step + 1, loss.item()


def _in_any_order(made: Sequence[Batch], passes: int, bits: Bits) -> Iterator[Batch]:
    for _ in range(passes):
        yield from (made[n] for n in shuffle(len(made), bits))


def _sum_clipped(
    model: Model, lot: Sequence[Encoded], clip: float, effort: Effort
) -> tuple[dict[str, Tensor], float]:
    """The sum over a lot, and the mean loss of a piece (nan of none)."""
    total = {name: torch.zeros_like(weight) for name, weight in trainable(model).items()}
    loss, pieces = 0.0, 0
    for batch in batches(lot, effort.places, effort.device):
        widest = max(batch.source.shape[2], batch.target.shape[2])
        whole = batch.target.numel() <= effort.places
        clipped = add_clipped(
            model,
            batch,
            losses,
            clip,
            effort.way if whole else "one-by-one",
            None if whole else max(1, effort.places // widest),
        )
        for name, part in clipped.total.items():
            total[name] += part
        loss += float(clipped.losses.sum())
        pieces += int((batch.target[:, :, 1:] != PADDING).sum())
    return total, loss / pieces if pieces else math.nan


def _add_noise(total: dict[str, Tensor], deviation: float, bits: Bits) -> None:
    for part in total.values():
        drawn = torch.from_numpy(draw_normal(part.numel(), bits)).view(part.shape)
        part.add_((deviation * drawn).to(part))


def _use(
    model: Model,
    optimiser: torch.optim.Adam,
    total: dict[str, Tensor],
    divisor: int,
    rate: float,
) -> None:
    for name, weight in trainable(model).items():
        weight.grad = total[name] / divisor
    _set_rate(optimiser, rate)
    optimiser.step()
    optimiser.zero_grad()


def _set_rate(optimiser: torch.optim.Adam, rate: float) -> None:
    for group in optimiser.param_groups:
        group["lr"] = rate


def _schedule(step: int, steps: int) -> float:
    """The rate of learning at ``step`` as a share of the highest."""
    done = (step + 1) / steps
    return min(done / _WARMUP, (1 - done) / (1 - _WARMUP) + 1 / steps)


def _keep(path: Path, model: Model, optimiser: torch.optim.Adam, step: int) -> None:
    content = {"step": step, "model": model.state_dict(), "optimiser": optimiser.state_dict()}
    try:
        with replace_whole(path) as file:
            torch.save(content, file)
    except OSError as error:
        raise StateError(f"{path} cannot be written: {error.strerror}") from None


def _restore(path: Path, model: Model, optimiser: torch.optim.Adam, ledger: Ledger) -> None:
    """Take up what was kept, if anything was.

    Raises ``StateError`` where it is of more steps than the ledger knows: nobody can tell then what
    was spent.
    """
    if not path.exists():
        return
    device = next(model.parameters()).device
    try:
        content: dict[str, Any] = torch.load(path, map_location=device, weights_only=True)
        if content["step"] > ledger.spent:
            raise StateError(
                f"{path} is of more steps than the ledger beside it says. Put the ledger back, or "
                "begin again in another folder: what was spent before still counts."
            )
        model.load_state_dict(content["model"])
        optimiser.load_state_dict(content["optimiser"])
    except (OSError, RuntimeError, ValueError, LookupError, TypeError):
        raise StateError(f"{path} cannot be read; begin again in another folder.") from None
