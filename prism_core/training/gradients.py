"""Gradients of examples, each clipped to a norm, and their sum, which private training may use.

An example is a document: the rows [S, …] of its sentences, whose losses are added. Many are given
at once as [D, S, …], filled up with padding, or rows of nothing but padding, which weigh nothing.
There are three ways to the same sum, all exact, and a test holds them together:

    one by one   a backward pass for each example; any model; also for one too large for a batch
    vectorised   ``torch.func``: gradients of several examples at once; memory of as many models
    ghost        ``ghost.py``: the norms from what goes in and out of each layer; the fastest

Entry: ``clip_one_by_one`` and ``clip_vectorised``; ``ghost.py`` chooses among the three.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Literal

import torch
from torch import Tensor, nn
from torch.func import functional_call, grad_and_value, vmap

ClippingMethod = Literal["ghost", "vectorised", "one-by-one"]
Losses = Callable[[nn.Module, Tensor, Tensor], Tensor]
"""Loss of each row [n] of sources [n, s] and targets [n, t]; the model is in training mode."""

_NUMBERS_AT_ONCE = (200_000_000, 2_000_000_000)
"""Maximum gradients in memory, on a processor and on a GPU: .8 and 8 GB."""

_TRIM_THRESHOLD, _MMAP_MAX = -1, -4
"""Parameters of ``mallopt`` in ``malloc.h``."""

MARGIN = 1e-4
"""Relative precision of a norm: everything is clipped to so much less."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Examples as ``source`` [D, S, s] and ``target`` [D, S, t]."""

    source: Tensor
    target: Tensor

    def __len__(self) -> int:
        return len(self.source)

    def only(self, kept: Tensor) -> Batch:
        """Return the examples that ``kept`` [D] selects."""
        return Batch(self.source[kept], self.target[kept])


@dataclass(frozen=True, slots=True)
class Clipped:
    """Sum of clipped gradients by parameter, with each example's norm and loss [D].

    Norms and losses are private: they are never written anywhere.
    """

    total: dict[str, Tensor]
    norms: Tensor
    losses: Tensor


def trainable(model: nn.Module) -> dict[str, nn.Parameter]:
    """Return the trained parameters, each once, by name; a frozen part costs nothing."""
    return {name: weight for name, weight in model.named_parameters() if weight.requires_grad}


def clip_factors(norms: Tensor, clip: float) -> Tensor:
    """Return the factor in [0, 1] of each gradient that keeps its norm at most ``clip``."""
    return (clip / (norms * (1 + MARGIN)).clamp_min(torch.finfo(norms.dtype).tiny)).clamp_max(1)


def norm_of(gradients: Iterable[Tensor]) -> Tensor:
    """Return the norm of all gradients as one vector."""
    return torch.stack([each.square().sum() for each in gradients]).sum().sqrt()


def clip_vectorised(model: nn.Module, batch: Batch, losses: Losses, clip: float) -> Clipped:
    """Clip all gradients of some examples at once, by ``torch.func``.

    It takes as many examples as fit into ``_NUMBERS_AT_ONCE``; with more, fetching memory
    dominates.
    """
    if not batch.source.is_cuda:
        keep_memory()
    weights = {name: weight.detach() for name, weight in trainable(model).items()}

    def loss(chosen: dict[str, Tensor], source: Tensor, target: Tensor) -> Tensor:
        return losses(_Bound(model, chosen), source, target).sum()

    each_gradient = vmap(grad_and_value(loss), (None, 0, 0), randomness="different")
    total = {name: torch.zeros_like(weight) for name, weight in weights.items()}
    size = sum(weight.numel() for weight in weights.values())
    some = max(1, _NUMBERS_AT_ONCE[batch.source.is_cuda] // size)
    all_norms, all_losses = [], []
    for source, target in zip(batch.source.split(some), batch.target.split(some), strict=True):
        gradients, found = each_gradient(weights, source, target)
        flat = {name: each.flatten(1) for name, each in gradients.items()}
        norms = torch.stack([torch.linalg.vector_norm(each, dim=1) for each in flat.values()])
        all_norms.append(torch.linalg.vector_norm(norms, dim=0))
        all_losses.append(found)
        factors = clip_factors(all_norms[-1], clip)
        for name, each in flat.items():
            total[name] += (factors @ each).view_as(total[name])
    return Clipped(total, torch.cat(all_norms), torch.cat(all_losses))


@cache
def keep_memory() -> None:
    """Let this process reuse freed memory, however large, instead of returning it.

    That is half of the time of ``clip_vectorised``. It works for glibc alone; otherwise nothing is
    done.
    """
    with suppress(OSError, AttributeError):
        allocator = ctypes.CDLL(None)
        allocator.mallopt(_MMAP_MAX, 0)
        allocator.mallopt(_TRIM_THRESHOLD, -1)


class _Bound(nn.Module):
    """Model with other weights, called as the model is."""

    def __init__(self, model: nn.Module, weights: dict[str, Tensor]) -> None:
        super().__init__()
        self._model = (model,)  # in a tuple, so that it is no part of this one
        self._weights = weights

    def forward(self, *given: Tensor) -> Tensor:
        """Call the model with these weights."""
        result: Tensor = functional_call(self._model[0], self._weights, given)
        return result


def clip_one_by_one(
    model: nn.Module, batch: Batch, losses: Losses, clip: float, rows: int | None = None
) -> Clipped:
    """Clip by a backward pass for each example, ``rows`` sentences at a time (all of its)."""
    weights = trainable(model)
    total = {name: torch.zeros_like(weight) for name, weight in weights.items()}
    norms, found = [], []
    for source, target in zip(batch.source, batch.target, strict=True):
        added: Sequence[Tensor] = [torch.zeros_like(weight) for weight in weights.values()]
        whole = torch.zeros((), device=source.device)
        for start in range(0, len(source), rows or len(source)):
            end = start + (rows or len(source))
            loss = losses(model, source[start:end], target[start:end]).sum()
            whole += loss.detach()
            parts = torch.autograd.grad(loss, list(weights.values()), materialize_grads=True)
            torch._foreach_add_(added, parts)
        norms.append(norm_of(added))
        found.append(whole)
        torch._foreach_add_(
            list(total.values()), torch._foreach_mul(added, clip_factors(norms[-1], clip))
        )
    return Clipped(total, torch.stack(norms), torch.stack(found))
