from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from torch import Tensor, nn

from prism_core.training.ghost import (
    NotExact,
    add_clipped,
    choose_clipping,
    clip_by_ghosts,
    find_obstacle,
)
from prism_core.training.gradients import (
    Batch,
    Clipped,
    Losses,
    clip_factors,
    clip_one_by_one,
    clip_vectorised,
    norm_of,
)
from prism_core.training.transformer import Transformer, losses
from tests.training.conftest import made_up_batch

Clip = Callable[[nn.Module, Batch, Losses, float], Clipped]


@pytest.mark.parametrize("clip", [clip_vectorised, clip_by_ghosts])
@pytest.mark.parametrize("sentences", [1, 3, 12])
def test_norms_and_sums_are_those_of_one_example_at_a_time(
    model: Transformer, clip: Clip, sentences: int
) -> None:
    batch = made_up_batch(4, sentences)
    found, true = clip(model, batch, losses, 3.0), clip_one_by_one(model, batch, losses, 3.0)
    torch.testing.assert_close(found.norms, true.norms, rtol=1e-4, atol=0)
    torch.testing.assert_close(found.losses, true.losses, rtol=1e-4, atol=0)
    assert found.total.keys() == true.total.keys()
    for name, part in true.total.items():
        torch.testing.assert_close(found.total[name], part, rtol=1e-4, atol=1e-5)


def test_one_at_a_time_is_what_autograd_gives_for_a_document_by_itself(model: Transformer) -> None:
    batch = made_up_batch(2, 3)
    loss = losses(model, batch.source[1], batch.target[1]).sum()
    true = torch.autograd.grad(loss, list(model.parameters()))
    alone = Batch(batch.source[1:], batch.target[1:])
    found = clip_one_by_one(model, alone, losses, 1e9, rows=2)
    torch.testing.assert_close(found.norms[0], norm_of(true))
    torch.testing.assert_close(list(found.total.values()), list(true), rtol=1e-4, atol=1e-5)


def test_a_document_weighs_the_same_whatever_it_is_filled_up_with(model: Transformer) -> None:
    batch = made_up_batch(3, 4)
    alone = Batch(batch.source[-1:, :1], batch.target[-1:, :1])
    full, single = (clip_by_ghosts(model, each, losses, 1.0) for each in (batch, alone))
    torch.testing.assert_close(full.norms[-1], single.norms[0], rtol=1e-4, atol=0)


@pytest.mark.parametrize("clipping", ["ghost", "vectorised", "one-by-one"])
def test_no_example_moves_the_sum_by_more_than_the_norm(model: Transformer, clipping: str) -> None:
    batch = made_up_batch(4, 2)
    every = add_clipped(model, batch, losses, 0.5, clipping).total  # type: ignore[arg-type]
    kept = torch.tensor([True, False, True, True])
    without = add_clipped(model, batch.only(kept), losses, 0.5, clipping).total  # type: ignore[arg-type]
    moved = norm_of([every[name] - without[name] for name in every])
    assert 0.499 < moved <= 0.5


def test_short_gradients_are_not_lengthened() -> None:
    assert clip_factors(torch.tensor([0.0, 0.1, 4.0]), 1.0).tolist() == pytest.approx(
        [1, 1, 0.25], rel=2e-4
    )


def test_a_layer_used_twice_is_counted_with_both_uses() -> None:
    class Twice(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.lookup, self.map = nn.Embedding(90, 8), nn.Linear(8, 8)

        def forward(self, pieces: Tensor) -> Tensor:
            return self.map(self.map(self.lookup(pieces)).tanh()).square().sum((1, 2))

    def of(model: nn.Module, source: Tensor, _target: Tensor) -> Tensor:
        return model(source)

    torch.manual_seed(2)
    twice, batch = Twice(), made_up_batch(3, 2)
    true = clip_one_by_one(twice, batch, of, 1.0).norms
    torch.testing.assert_close(clip_by_ghosts(twice, batch, of, 1.0).norms, true, rtol=1e-4, atol=0)


def test_a_frozen_part_has_no_gradient(model: Transformer) -> None:
    model.encoder.requires_grad_(False)
    batch = made_up_batch(3, 2)
    found = clip_by_ghosts(model, batch, losses, 1.0)
    assert not any(name.startswith("encoder") for name in found.total)
    true = clip_one_by_one(model, batch, losses, 1.0)
    torch.testing.assert_close(found.norms, true.norms, rtol=1e-4, atol=0)


def test_a_tied_model_is_refused_to_ghosts_and_exact_the_other_way(model: Transformer) -> None:
    model.output.weight = model.decoder.embedding.weight
    batch = made_up_batch(3, 2)
    clipping, reason = choose_clipping(model, batch, losses)
    assert clipping == "vectorised"
    assert reason == "decoder.embedding and output share a weight (tied)"
    found, true = (c(model, batch, losses, 1.0) for c in (clip_vectorised, clip_one_by_one))
    torch.testing.assert_close(found.norms, true.norms, rtol=1e-4, atol=0)


def test_a_weight_used_past_its_layer_is_found_by_trying() -> None:
    class Hidden(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.lookup = nn.Embedding(90, 8)

        def forward(self, pieces: Tensor) -> Tensor:
            return (self.lookup(pieces) @ self.lookup.weight.T).logsumexp(2).sum(1)

    hidden = Hidden()
    assert find_obstacle(hidden) == ""
    clipping, reason = choose_clipping(hidden, made_up_batch(2, 2), lambda m, s, _t: m(s))
    assert (clipping, reason) == (
        "vectorised",
        "its norms differ from those of one example at a time",
    )


def test_unknown_layers_go_the_other_way_and_mixing_ones_nowhere(model: Transformer) -> None:
    model.encoder.norm = nn.RMSNorm(16)  # type: ignore[assignment]
    assert find_obstacle(model) == "encoder.norm is a RMSNorm, whose norms are not known"
    model.encoder.norm = nn.BatchNorm1d(16)  # type: ignore[assignment]
    with pytest.raises(NotExact, match="several examples together"):
        choose_clipping(model, made_up_batch(2, 1), losses)


@pytest.mark.parametrize("clipping", ["ghost", "vectorised", "one-by-one"])
def test_an_example_without_a_finite_gradient_weighs_nothing(clipping: str) -> None:
    class Fragile(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.lookup = nn.Embedding(90, 4)

        def forward(self, pieces: Tensor) -> Tensor:
            weighed = torch.where(pieces == 5, torch.inf, 1.0)
            return (self.lookup(pieces).sum(2) * weighed).sum(1)

    fragile, batch = Fragile(), made_up_batch(3, 1)
    batch.source[batch.source == 5] = 6
    fine = add_clipped(fragile, Batch(batch.source[1:], batch.target[1:]), _plain, 1.0, clipping)  # type: ignore[arg-type]
    batch.source[0, 0, 0] = 5
    found = add_clipped(fragile, batch, _plain, 1.0, clipping)  # type: ignore[arg-type]
    torch.testing.assert_close(found.total, fine.total)


def _plain(model: nn.Module, source: Tensor, _target: Tensor) -> Tensor:
    return model(source)
