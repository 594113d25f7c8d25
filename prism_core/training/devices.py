"""Clipped gradient sum over a lot, on one device or several.

Each device has a copy of the model, and every example of a lot goes to one of them: none is doubled
to fill a device up, and one with nothing to do adds nothing. Their sums are added up on the first,
which alone has noise, optimiser and ledger. So lots, q, σ and ε are those of one device.

Entry: ``check_devices``; then ``Copies.sum_clipped`` for each lot, and ``Copies.follow`` behind
each step.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from prism_core.errors import ConfigurationError
from prism_core.training.data import Example, batches
from prism_core.training.ghost import add_clipped
from prism_core.training.gradients import Batch, Way, trainable
from prism_core.training.transformer import PADDING, losses

KEEP_SECONDS = 60.0
REPORT_EVERY_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class ComputeOptions:
    """Options of computation; nothing here changes what is private.

    ``places``: pieces, with padding, processed at once on a device. ``devices``: as PyTorch names
    them; the first has the optimiser. ``keep_seconds``: interval of checkpoints.
    ``report_seconds``: interval at which the privacy loss spent is computed, which takes seconds
    where ε is large.
    """

    rate: float = 1e-3
    places: int = 4096
    devices: tuple[str, ...] = ("cpu",)
    way: Way = "ghost"
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

    def sum_clipped(self, lot: Sequence[Example], clip: float, effort: ComputeOptions) -> LotSum:
        """Sum the clipped gradients over ``lot``, undivided and without noise, on the first."""
        made = list(batches(lot, effort.places, "cpu"))
        count = len(self._models)

        def sum_up(n: int) -> LotSum:
            return _sum_batches(self._models[n], made[n::count], clip, effort)

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
    model: nn.Module, made: Iterable[Batch], clip: float, effort: ComputeOptions
) -> LotSum:
    total = {name: torch.zeros_like(weight) for name, weight in trainable(model).items()}
    device = next(model.parameters()).device
    loss, pieces = 0.0, 0
    for batch in made:
        widest = max(batch.source.shape[2], batch.target.shape[2])
        whole = batch.target.numel() <= effort.places
        clipped = add_clipped(
            model,
            Batch(batch.source.to(device), batch.target.to(device)),
            losses,
            clip,
            effort.way if whole else "one-by-one",
            None if whole else max(1, effort.places // widest),
        )
        for name, part in clipped.total.items():
            total[name] += part
        loss += float(clipped.losses.sum())
        pieces += int((batch.target[:, :, 1:] != PADDING).sum())
    return LotSum(total, loss, pieces)
