"""Ghost clipping: the norm of each example's gradient without the gradient.

For a linear map with input a_t and output gradient b_t at the places t of an example, the gradient
is G = Σ_t b_t a_tᵀ, and ‖G‖² = Σ_{t,u} (a_t·a_u)(b_t·b_u) (Goodfellow 2015; Li et al. 2022). The
clipped sum then is one product of the a's with the b's, each b times its example's factor, so one
backward pass is enough (*book-keeping*, Bu et al. 2023). A layer that is used several times has all
these places. Lookups and layer normalisation are done alike, so that nothing is approximated.

That holds as long as every weight belongs to one layer, which is called as a layer, and nothing
mixes sentences. ``find_obstacle`` says what is in the way; ``choose_clipping`` then takes
``torch.func``.

Entry: ``choose_clipping``, once, then ``add_clipped`` for each batch, by any of the three ways of
``gradients.py``. ``clip_by_ghosts`` -> ``_record`` (one forward and backward pass) -> a
``_PassedLayer`` for each.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from prism_core.training.gradients import (
    MARGIN,
    Batch,
    Clipped,
    ClippingMethod,
    Losses,
    clip_factors,
    clip_one_by_one,
    clip_vectorised,
    trainable,
)

_KNOWN = (nn.Linear, nn.Embedding, nn.LayerNorm)
_MIXING = (nn.modules.batchnorm._BatchNorm, nn.InstanceNorm1d)


class NotExact(Exception):
    """Error raised when ghost clipping is not exact for a model, with the reason."""


def choose_clipping(model: nn.Module, sample: Batch, losses: Losses) -> tuple[ClippingMethod, str]:
    """Choose ghost clipping where it is exact, else ``vectorised`` with the reason.

    ``sample`` is of made-up pieces, nobody's text: on it the norms are compared with those of one
    example at a time. Raises ``NotExact`` for a model that mixes examples, for which no way is
    exact.
    """
    mixing = [name for name, part in model.named_modules() if isinstance(part, _MIXING)]
    if mixing:
        raise NotExact(f"{mixing[0]} takes its statistics from several examples together")
    was_training = model.training
    model.eval()  # no dropout, which would differ from pass to pass
    try:
        true = clip_one_by_one(model, sample, losses, 1.0).norms
        reason = find_obstacle(model) or _differs(clip_by_ghosts, true, model, sample, losses)
        if not reason:
            return "ghost", ""
        slower = _differs(clip_vectorised, true, model, sample, losses)
        if not slower:
            return "vectorised", reason
        return "one-by-one", f"{reason}; by torch.func {slower}"
    finally:
        model.train(was_training)


def _differs(
    clip: Callable[[nn.Module, Batch, Losses, float], Clipped],
    true: Tensor,
    model: nn.Module,
    sample: Batch,
    losses: Losses,
) -> str:
    """Return why the norms of ``clip`` differ from the ``true`` ones; "" if they agree."""
    try:
        found = clip(model, sample, losses, 1.0).norms
    except NotExact as inexact:
        return str(inexact)
    except RuntimeError:  # vmap has no rule for what the model does
        return "nothing is computed"
    same = torch.allclose(found, true, rtol=MARGIN, atol=0)
    return "" if same else "its norms differ from those of one example at a time"


def find_obstacle(model: nn.Module) -> str:
    """Return what keeps ghost clipping from being exact for ``model``; "" if its parts allow it."""
    trained = {
        name: weights
        for name, part in model.named_modules()
        if (weights := [w for w in part.parameters(recurse=False) if w.requires_grad])
    }
    owners: dict[int, str] = {}
    for name, weights in trained.items():
        for weight in weights:
            if id(weight) in owners:
                return f"{owners[id(weight)]} and {name} share a weight (tied)"
            owners[id(weight)] = name
    for name in trained:
        part = model.get_submodule(name)
        if type(part) not in _KNOWN:
            return f"{name or 'the model'} is a {type(part).__name__}, whose norms are not known"
        if isinstance(part, nn.Embedding) and (part.max_norm or part.scale_grad_by_freq):
            return f"{name} is a lookup whose gradient depends on other examples"
    return ""


def clip_by_ghosts(model: nn.Module, batch: Batch, losses: Losses, clip: float) -> Clipped:
    """Clip by ghost norms. Raises ``NotExact`` if a layer is not called once a sentence."""
    found, layers = _record(model, batch, losses)
    norms = torch.stack([layer.squares() for layer in layers]).sum(0).clamp_min(0).sqrt()
    factors = clip_factors(norms, clip)
    total: dict[str, Tensor] = {}
    for layer in layers:
        for kind, summed in layer.weighted(factors).items():
            total[f"{layer.name}.{kind}" if layer.name else kind] = summed
    for name, weight in trainable(model).items():  # a part that was not called
        total.setdefault(name, torch.zeros_like(weight))
    return Clipped(total, norms, found)


def _record(
    model: nn.Module, batch: Batch, losses: Losses
) -> tuple[Tensor, Sequence[_PassedLayer]]:
    """Record the losses of the examples, and the inputs and output gradients of each layer."""
    rows = batch.source.shape[0] * batch.source.shape[1]
    calls: dict[str, list[tuple[Tensor, Tensor]]] = {}

    def keeper(name: str) -> Callable[[nn.Module, tuple[Tensor, ...], Tensor], None]:
        def keep(_part: nn.Module, given: tuple[Tensor, ...], result: Tensor) -> None:
            if len(result) != rows:
                raise NotExact(f"{name} is not called once for each sentence")
            calls.setdefault(name, []).append((given[0].detach(), result))

        return keep

    parts = {
        name: part
        for name, part in model.named_modules()
        if any(weight.requires_grad for weight in part.parameters(recurse=False))
    }
    handles = [part.register_forward_hook(keeper(name)) for name, part in parts.items()]
    try:
        each = losses(model, batch.source.flatten(0, 1), batch.target.flatten(0, 1))
    finally:
        for handle in handles:
            handle.remove()
    results = [result for made in calls.values() for _, result in made]
    backward = iter(torch.autograd.grad(each.sum(), results, materialize_grads=True))

    def places(tensors: list[Tensor], inner: int) -> Tensor:
        """Stack all places of an example, over all calls of a layer, into one tensor [D, T, …]."""
        shape = (len(batch), -1, *tensors[0].shape[tensors[0].dim() - inner :])
        return torch.cat([tensor.reshape(shape) for tensor in tensors], 1)

    layers = []
    for name, made in calls.items():
        inward = places(
            [given for given, _ in made], 0 if isinstance(parts[name], nn.Embedding) else 1
        )
        outward = places([next(backward) for _ in made], 1)
        layers.append(_PassedLayer(name, parts[name], inward, outward))
    return each.detach().view(len(batch), -1).sum(1), layers


@dataclass(frozen=True, slots=True)
class _PassedLayer:
    """Layer with inputs ``a`` [D, T, i] (lookup [D, T]) and output gradients ``b`` [D, T, o]."""

    name: str
    part: nn.Module
    a: Tensor
    b: Tensor

    def squares(self) -> Tensor:
        """Return the squared norm of each example's gradient [D]."""
        part = self.part
        if isinstance(part, nn.Embedding):
            return self._looked_up()
        squares = torch.zeros(len(self.b), dtype=self.b.dtype, device=self.b.device)
        if isinstance(part, nn.Linear):
            if part.weight.requires_grad:
                squares = squares + self._mapped()
        elif part.weight is not None and part.weight.requires_grad:  # layer normalisation
            squares = squares + (self.b * self._normed()).sum(1).square().sum(1)
        if part.bias is not None and part.bias.requires_grad:
            squares = squares + self.b.sum(1).square().sum(1)
        return squares

    def weighted(self, factors: Tensor) -> dict[str, Tensor]:
        """Return the sum of the gradients, each times its factor [D], by parameter."""
        part, b = self.part, self.b * factors[:, None, None]
        if isinstance(part, nn.Embedding):
            total = torch.zeros_like(part.weight)
            return {"weight": total.index_add_(0, self.a.flatten(), self._kept(b).flatten(0, 1))}
        total = {}
        if part.weight is not None and part.weight.requires_grad:
            if isinstance(part, nn.Linear):
                total["weight"] = b.flatten(0, 1).T @ self.a.flatten(0, 1)
            else:
                total["weight"] = (b * self._normed()).sum((0, 1))
        if part.bias is not None and part.bias.requires_grad:
            total["bias"] = b.sum((0, 1))
        return total

    def _mapped(self) -> Tensor:
        """Compute the squares of a linear map in the order that takes fewer products."""
        (_, places, inner), outer = self.a.shape, self.b.shape[2]
        if places * (inner + outer) <= inner * outer:
            return ((self.a @ self.a.mT) * (self.b @ self.b.mT)).sum((1, 2))
        return torch.stack([(b.T @ a).square().sum() for a, b in zip(self.a, self.b, strict=True)])

    def _looked_up(self) -> Tensor:
        """Compute the squares of a lookup: gradients of one piece in an example are added first."""
        count = len(self.a)
        examples = torch.arange(count, device=self.a.device)[:, None]
        pieces = self.part.num_embeddings
        keys, place = torch.unique(examples * pieces + self.a, return_inverse=True)
        summed = self.b.new_zeros(len(keys), self.b.shape[2])
        summed.index_add_(0, place.flatten(), self._kept(self.b).flatten(0, 1))
        squares = self.b.new_zeros(count)
        return squares.index_add_(0, keys // pieces, summed.square().sum(1))

    def _kept(self, b: Tensor) -> Tensor:
        """Return ``b`` without the padding of the lookup, which is not trained."""
        padding = self.part.padding_idx
        return b if padding is None else b.masked_fill((self.a == padding)[:, :, None], 0)

    def _normed(self) -> Tensor:
        part = self.part
        assert isinstance(part, nn.LayerNorm)  # noqa: S101
        return functional.layer_norm(self.a, part.normalized_shape, eps=part.eps)


def add_clipped(
    model: nn.Module,
    batch: Batch,
    losses: Losses,
    clip: float,
    clipping: ClippingMethod,
    rows: int | None = None,
) -> Clipped:
    """Add the clipped sum of ``batch``, without examples whose gradient is not finite.

    A left-out example weighs nothing, so it costs no privacy; with it the sum would tell of it
    alone.
    """
    if clipping == "ghost":
        clipped = clip_by_ghosts(model, batch, losses, clip)
    elif clipping == "vectorised":
        clipped = clip_vectorised(model, batch, losses, clip)
    else:
        clipped = clip_one_by_one(model, batch, losses, clip, rows)
    finite = clipped.norms.isfinite()
    if finite.all():
        return clipped
    if finite.any():
        return add_clipped(model, batch.only(finite), losses, clip, clipping, rows)
    nothing = {name: torch.zeros_like(weight) for name, weight in trainable(model).items()}
    return Clipped(nothing, clipped.norms[:0], clipped.losses[:0])
