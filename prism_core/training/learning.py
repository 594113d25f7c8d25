"""Training: DP-SGD with Adam over the examples' clipped gradients, or plain for public text.

Entry: ``learn_privately``. A step draws a lot, adds the clipped gradients of its examples batch by
batch without dividing by anything, adds noise once, writes to the ledger that the step is spent,
and only then uses the result: divided by the expected lot L, a constant that is published (Abadi et
al. 2016; the number that was really drawn is private). A lot that is empty has noise all the same.
Checkpoints are kept, so that a killed training goes on behind the last step it spent.

A lot is summed on one device or several (``Copies``). Each has a copy of the model, and every
example of a lot goes to one of them. Their sums are added up on the first, which alone has noise,
optimiser and ledger: so lots, q, σ and ε are those of one device.
"""

from __future__ import annotations

import copy
import math
import os
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from prism_core.errors import ConfigurationError, StateError
from prism_core.files import atomic_write
from prism_core.training.bases import Model
from prism_core.training.data import Example, batches
from prism_core.training.ghost import add_clipped, choose_clipping
from prism_core.training.gradients import Batch, ClippingMethod, norm_of, trainable
from prism_core.training.guarantee import epsilon_of
from prism_core.training.ledger import PrivacyLedger
from prism_core.training.lot_sampling import Bits, NoisePlan, draw_normal, lots, shuffle
from prism_core.training.transformer import BEGIN, BROKEN, PADDING, UNKNOWN, losses

KEEP_SECONDS = 60.0
REPORT_EVERY_SECONDS = 10.0

_WARMUP = 0.1
"""Share of the steps in which the learning rate rises; then it falls to zero."""


@dataclass
class Watch:
    """Progress of a training, for another thread to read; the loss is private.

    ``see`` is shown the noisy sum of each step, by parameter, as the guarantee allows anybody.
    """

    stage: str = "reading"
    step: int = 0
    steps: int = 0
    began: int = 0
    loss: float = math.nan
    epsilon: float = 0.0
    see: Callable[[Sequence[Tensor]], None] | None = None


class Adam:
    """Adam (Kingma and Ba 2015) over ``weights``, with the same numbers as PyTorch's.

    The first step of PyTorch's imports a compiler, which takes seconds.
    """

    def __init__(self, weights: Iterable[Tensor]) -> None:
        self.weights = list(weights)
        self._steps = 0
        self._means = [torch.zeros_like(weight) for weight in self.weights]
        self._squares = [torch.zeros_like(weight) for weight in self.weights]

    def step(self, gradients: Sequence[Tensor], rate: float) -> None:
        """Update the weights by their ``gradients``, each by at most about ``rate``."""
        self._steps += 1
        slow, slower = 0.9, 0.999
        torch._foreach_lerp_(self._means, gradients, 1 - slow)
        torch._foreach_mul_(self._squares, slower)
        torch._foreach_addcmul_(self._squares, gradients, gradients, 1 - slower)
        sizes = torch._foreach_sqrt(self._squares)
        torch._foreach_div_(sizes, math.sqrt(1 - slower**self._steps))
        torch._foreach_add_(sizes, 1e-8)
        with torch.no_grad():
            share = -rate / (1 - slow**self._steps)
            torch._foreach_addcdiv_(self.weights, self._means, sizes, share)

    def state_dict(self) -> dict[str, Any]:
        """Return the state from which a training resumes."""
        return {"steps": self._steps, "means": self._means, "squares": self._squares}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Load a ``state_dict``. Raises ``KeyError`` or ``RuntimeError`` for another model's."""
        for moment, saved in zip(
            self._means + self._squares, state["means"] + state["squares"], strict=True
        ):
            moment.copy_(saved)
        self._steps = state["steps"]


def learn_privately(
    model: nn.Module,
    examples: Sequence[Example],
    plan: NoisePlan,
    clip: float,
    delta: float,
    ledger: PrivacyLedger,
    checkpoint: Path,
    options: ComputeOptions,
    watch: Watch,
    bits: Bits = os.urandom,
) -> None:
    """Train ``model`` for the rest of ``plan``, resuming from ``checkpoint`` if it exists.

    Dropout is drawn from ``bits`` too: with known masks, what the other examples of a lot add would
    depend on who is in it, and no clipping would bound that. Raises ``StateError`` if the ledger or
    the checkpoint cannot be written or read.
    """
    torch.manual_seed(int.from_bytes(bits(8)))
    optimiser = Adam(trainable(model).values())
    _load_checkpoint(checkpoint, model, optimiser, ledger)
    watch.stage, watch.steps, watch.began = "training", plan.steps, ledger.spent
    reported = saved = time.monotonic()
    copies = Copies(model.train(), options.devices)
    try:
        for step, lot in lots(plan, bits, ledger.spent):
            found = copies.sum_clipped([examples[n] for n in lot], clip, options)
            _add_noise(found.total, plan.noise * clip, bits)
            ledger.spend(step + 1)
            if watch.see is not None:
                watch.see([found.total[name] for name in trainable(model)])
            gradients = [found.total[name] / plan.lot for name in trainable(model)]
            optimiser.step(gradients, options.rate * _schedule(step, plan.steps))
            copies.follow()
            watch.step, watch.loss = step + 1, found.mean_loss
            now = time.monotonic()
            if now - reported >= options.report_seconds:
                watch.epsilon = epsilon_of(plan, delta, steps=step + 1, cell=1e-3)
                reported = time.monotonic()
            if now - saved >= options.keep_seconds:
                _save_checkpoint(checkpoint, model, optimiser, ledger.spent)
                saved = time.monotonic()
    finally:
        _save_checkpoint(checkpoint, model, optimiser, ledger.spent)


def find_clipping(model: Model) -> tuple[ClippingMethod, str]:
    """Choose the fastest exact clipping, tried on random pieces, with the reason against ghosts."""
    device = next(model.parameters()).device
    pieces = torch.randint(UNKNOWN + 1, model.vocabulary_size, (2, 2, 2, 8), device=device)
    source, target = pieces.unbind(0)
    target[:, :, 0] = BEGIN
    return choose_clipping(model, Batch(source, target), losses)


def learn_in_clear(
    model: Model,
    examples: Sequence[Example],
    passes: int,
    options: ComputeOptions,
    watch: Watch,
    bits: Bits = os.urandom,
) -> None:
    """Train ``model`` on public ``examples``, each ``passes`` times, without protection.

    It runs on the first device.
    """
    optimiser = Adam(trainable(model).values())
    single = [
        Example([source], [target])
        for example in examples
        for source, target in zip(example.sources, example.targets, strict=True)
    ]
    made = list(batches(single, options.most_pieces, options.devices[0]))
    watch.stage, watch.steps = "training", passes * len(made)
    model.train()
    drawn = (made[n] for _ in range(passes) for n in shuffle(len(made), bits))
    for step, batch in enumerate(drawn):
        source, target = batch.source.flatten(0, 1), batch.target.flatten(0, 1)
        loss = losses(model, source, target).sum() / (target[:, 1:] != PADDING).sum()
        gradients = torch.autograd.grad(loss, optimiser.weights, materialize_grads=True)
        torch._foreach_mul_(gradients, (1 / norm_of(gradients)).clamp_max(1))
        optimiser.step(gradients, options.rate * _schedule(step, watch.steps))
        watch.step, watch.loss = step + 1, loss.item()


def _add_noise(total: dict[str, Tensor], deviation: float, bits: Bits) -> None:
    for part in total.values():
        drawn = torch.from_numpy(draw_normal(part.numel(), bits)).view(part.shape)
        part.add_((deviation * drawn).to(part))


def _schedule(step: int, steps: int) -> float:
    """Return the learning rate at ``step`` as a share of the highest."""
    done = (step + 1) / steps
    return min(done / _WARMUP, (1 - done) / (1 - _WARMUP) + 1 / steps)


def _save_checkpoint(path: Path, model: nn.Module, optimiser: Adam, step: int) -> None:
    content = {"step": step, "model": model.state_dict(), "optimiser": optimiser.state_dict()}
    try:
        with atomic_write(path) as file:
            torch.save(content, file)
    except (OSError, RuntimeError) as error:  # PyTorch says a full disk by the latter
        said = getattr(error, "strerror", None) or "is the disk full?"
        raise StateError(f"{path} cannot be written: {said}") from None


def _load_checkpoint(path: Path, model: nn.Module, optimiser: Adam, ledger: PrivacyLedger) -> None:
    """Restore the checkpoint, if there is one.

    Raises ``StateError`` if it is of more steps than the ledger knows: nobody can tell then what
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
    except BROKEN:
        raise StateError(f"{path} cannot be read; begin again in another folder.") from None


@dataclass(frozen=True, slots=True)
class ComputeOptions:
    """Options of computation; nothing here changes what is private.

    ``most_pieces``: pieces, with padding, processed at once on a device. ``devices``: as PyTorch
    names them; the first has the optimiser. ``keep_seconds``: interval of checkpoints.
    ``report_seconds``: interval at which the privacy loss spent is computed, which takes seconds
    where ε is large.
    """

    rate: float = 1e-3
    most_pieces: int = 4096
    devices: tuple[str, ...] = ("cpu",)
    clipping: ClippingMethod = "ghost"
    keep_seconds: float = KEEP_SECONDS
    report_seconds: float = REPORT_EVERY_SECONDS


@dataclass(frozen=True, slots=True)
class LotSum:
    """Sum of clipped gradients by parameter, with the summed loss of ``pieces`` pieces.

    All of it is private until noise is added to ``total``.
    """

    total: dict[str, Tensor]
    loss: float
    pieces: int

    @property
    def mean_loss(self) -> float:
        """Mean loss of a piece; nan without pieces."""
        return self.loss / self.pieces if self.pieces else math.nan


def check_devices(names: Sequence[str]) -> None:
    """Raise ``ConfigurationError`` if PyTorch knows no such device on this machine."""
    for name in names:
        try:
            torch.zeros(1, device=name)
        except (RuntimeError, AssertionError):
            there = ["cpu", *(f"cuda:{n}" for n in range(torch.cuda.device_count()))]
            raise ConfigurationError(
                f"there is no device {name!r} here, but {', '.join(there)}"
            ) from None


class Copies:
    """Model on the first of ``devices``, with copies of it on the others."""

    def __init__(self, model: nn.Module, devices: Sequence[str]) -> None:
        self._models = [model, *(copy.deepcopy(model).to(name) for name in devices[1:])]

    def sum_clipped(self, lot: Sequence[Example], clip: float, options: ComputeOptions) -> LotSum:
        """Sum the clipped gradients over ``lot``, undivided and without noise, on the first."""
        made = list(batches(lot, options.most_pieces, "cpu"))
        count = len(self._models)

        def sum_up(n: int) -> LotSum:
            return _sum_batches(self._models[n], made[n::count], clip, options)

        if count == 1:
            return sum_up(0)
        with ThreadPoolExecutor(count) as threads:
            first, *others = threads.map(sum_up, range(count))
        for other in others:
            for name, part in other.total.items():
                first.total[name] += part.to(first.total[name].device)
        parts = (first, *others)
        return LotSum(first.total, sum(p.loss for p in parts), sum(p.pieces for p in parts))

    def follow(self) -> None:
        """Copy the weights of the first device to the others."""
        first, *others = map(trainable, self._models)
        with torch.no_grad():
            for other in others:
                for name, weight in other.items():
                    weight.copy_(first[name])


def _sum_batches(
    model: nn.Module, made: Iterable[Batch], clip: float, options: ComputeOptions
) -> LotSum:
    total = {name: torch.zeros_like(weight) for name, weight in trainable(model).items()}
    device = next(model.parameters()).device
    loss, pieces = 0.0, 0
    for batch in made:
        widest = max(batch.source.shape[2], batch.target.shape[2])
        whole = batch.target.numel() <= options.most_pieces
        clipped = add_clipped(
            model,
            Batch(batch.source.to(device), batch.target.to(device)),
            losses,
            clip,
            options.clipping if whole else "one-by-one",
            None if whole else max(1, options.most_pieces // widest),
        )
        for name, part in clipped.total.items():
            total[name] += part
        loss += float(clipped.losses.sum())
        pieces += int((batch.target[:, :, 1:] != PADDING).sum())
    return LotSum(total, loss, pieces)
