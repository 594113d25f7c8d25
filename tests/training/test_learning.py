from __future__ import annotations

import math
import os
import random
import signal
import time
from pathlib import Path

import pytest
import torch

from prism_core.errors import ConfigurationError, StateError
from prism_core.training import (
    ComputeOptions,
    Example,
    LedgerTerms,
    ModelFolder,
    NoisePlan,
    PrivacyLedger,
    Watch,
    export_model,
    learn_privately,
    learn_vocabulary,
)
from prism_core.training.data import batches
from prism_core.training.learning import Adam, Copies, _add_noise
from prism_core.training.lot_sampling import Bits
from prism_core.training.transformer import PADDING, ModelShape, Transformer

TERMS = LedgerTerms("document", None, 0.5, 5.0, 1e-3)
EXAMPLES = [
    Example([[4 + n, 5, 2]] * (1 + n % 3), [[1, 6 + n, 7, 8, 2]] * (1 + n % 3)) for n in range(12)
] + [Example([], [])]


def small_model() -> Transformer:
    torch.manual_seed(3)
    return Transformer(ModelShape(40, 8, 1, 8, 1, 1, 16))


def go_on(
    folder: Path, plan: NoisePlan, bits: Bits = os.urandom, devices: tuple[str, ...] = ("cpu",)
) -> int:
    """Train on what is in ``folder``; gives how many steps are spent then."""
    ledger = PrivacyLedger.open(folder / "ledger.jsonl", plan, TERMS)
    options = ComputeOptions(keep_seconds=0.0, devices=devices)
    try:
        learn_privately(
            small_model(),
            EXAMPLES,
            plan,
            0.5,
            1e-3,
            ledger,
            folder / "kept.pt",
            options,
            Watch(),
            bits,
        )
    finally:
        ledger.close()
    return ledger.spent


def spent_and_used(folder: Path, plan: NoisePlan) -> tuple[int, int]:
    """What the ledger says, and of how many steps the model on the way is."""
    ledger = PrivacyLedger.open(folder / "ledger.jsonl", plan, TERMS)
    ledger.close()
    kept = folder / "kept.pt"
    used = torch.load(kept, weights_only=True)["step"] if kept.exists() else 0
    return ledger.spent, used


def test_killed_at_any_moment_it_goes_on_and_never_understates(tmp_path: Path) -> None:
    plan, chance = NoisePlan(13, 4, 150, 1.0), random.Random(5)
    before = 0
    for _ in range(6):
        child = os.fork()
        if not child:
            go_on(tmp_path, plan)
            os._exit(0)
        _wait_for_lines(tmp_path / "ledger.jsonl", before + chance.randrange(1, 12))
        time.sleep(chance.uniform(0, 0.01))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        spent, used = spent_and_used(tmp_path, plan)
        assert before < spent < plan.steps
        assert used <= spent
        before = spent
    assert go_on(tmp_path, plan) == plan.steps
    assert spent_and_used(tmp_path, plan) == (150, 150)
    assert (tmp_path / "ledger.jsonl").read_text().count('"step":') == 150


def _wait_for_lines(path: Path, steps: int) -> None:
    until = time.monotonic() + 60
    while not path.exists() or path.read_bytes().count(b"\n") <= steps:
        assert time.monotonic() < until
        time.sleep(0.001)


def test_a_model_on_the_way_without_its_ledger_is_refused(tmp_path: Path) -> None:
    plan = NoisePlan(13, 4, 3, 1.0)
    go_on(tmp_path, plan)
    (tmp_path / "ledger.jsonl").unlink()
    with pytest.raises(StateError, match="more steps than the ledger"):
        go_on(tmp_path, plan)


@pytest.mark.parametrize("broken", [b"", b"\x80\x02?", b"PK\x03\x04", b"\x80\x04N."])
def test_a_model_on_the_way_that_is_broken_is_said(tmp_path: Path, broken: bytes) -> None:
    (tmp_path / "kept.pt").write_bytes(broken)
    with pytest.raises(StateError, match="cannot be read"):
        go_on(tmp_path, NoisePlan(13, 4, 3, 1.0))


def test_dropout_is_of_the_bits_that_are_passed_in_and_of_no_seed(tmp_path: Path) -> None:
    seeds = []
    for n in (1, 1, 2):
        torch.manual_seed(0)  # as a program around it may have done
        folder = tmp_path / str(len(seeds))
        folder.mkdir()
        go_on(folder, NoisePlan(13, 4, 1, 1.0), random.Random(n).randbytes)
        seeds.append(torch.initial_seed())
    assert seeds[0] == seeds[1] != seeds[2]


def test_a_step_whose_spending_cannot_be_written_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, plan = small_model(), NoisePlan(13, 4, 3, 1.0)
    before = [weight.clone() for weight in model.parameters()]
    ledger = PrivacyLedger.open(tmp_path / "ledger.jsonl", plan, TERMS)

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StateError, match="No space left"):
        learn_privately(
            model,
            EXAMPLES,
            plan,
            0.5,
            1e-3,
            ledger,
            tmp_path / "kept.pt",
            ComputeOptions(),
            Watch(),
        )
    assert all(map(torch.equal, before, model.parameters()))


def test_an_empty_lot_is_noise_and_nothing_else(tmp_path: Path, bits: Bits) -> None:
    model = small_model()
    found = Copies(model, ["cpu"]).sum_clipped([], 0.5, ComputeOptions())
    assert math.isnan(found.mean_loss)
    _add_noise(found.total, 2.0, bits)
    drawn = torch.cat([part.flatten() for part in found.total.values()])
    assert 1.8 < drawn.std() < 2.2
    nobody = NoisePlan(13, 1, 1, 1.0)
    never = b"\xff" * 8 * 13  # above every rate: nobody is drawn

    def of(count: int) -> bytes:
        return never if count == len(never) else bits(count)

    assert go_on(tmp_path, nobody, of) == 1
    after = torch.load(tmp_path / "kept.pt", weights_only=True)["model"]
    assert not torch.equal(after["output.weight"], small_model().output.weight)


def test_a_lot_larger_than_memory_is_the_same_sum_of_batches() -> None:
    copies = Copies(small_model().eval(), ["cpu"])
    whole = copies.sum_clipped(EXAMPLES, 0.5, ComputeOptions())
    for places in (30, 7, 1):  # then batches of a few, of one, and documents in parts
        parts = copies.sum_clipped(EXAMPLES, 0.5, ComputeOptions(most_pieces=places))
        assert parts.mean_loss == pytest.approx(whole.mean_loss, rel=1e-4)
        for name, part in whole.total.items():
            torch.testing.assert_close(parts.total[name], part, rtol=1e-3, atol=1e-5)


@pytest.mark.parametrize("lot", [EXAMPLES, EXAMPLES[:1], []], ids=["many", "one", "none"])
def test_two_devices_have_the_sum_of_one_and_no_example_twice(lot: list[Example]) -> None:
    model = small_model().eval()
    alone, shared = (
        Copies(model, ["cpu"] * count).sum_clipped(lot, 0.5, ComputeOptions(most_pieces=30))
        for count in (1, 2)
    )
    assert shared.pieces == alone.pieces
    for name, part in alone.total.items():
        torch.testing.assert_close(shared.total[name], part, rtol=1e-6, atol=1e-6)


def test_two_devices_take_the_lots_and_keep_the_ledger_of_one(tmp_path: Path) -> None:
    plan, found = NoisePlan(13, 4, 8, 0.5), []
    for count in (1, 2):
        folder = tmp_path / str(count)
        folder.mkdir()
        go_on(folder, plan, random.Random(20).randbytes, devices=("cpu",) * count)
        found.append(torch.load(folder / "kept.pt", weights_only=True)["model"])
    ledgers = {(tmp_path / name / "ledger.jsonl").read_bytes() for name in "12"}
    assert len(ledgers) == 1
    for name, weight in found[0].items():
        torch.testing.assert_close(found[1][name], weight, rtol=1e-4, atol=1e-5)
        assert not torch.equal(weight, small_model().state_dict()[name])


def test_a_step_is_adams() -> None:
    weight, mean, square, true = torch.tensor([1.0, -2.0]), 0.0, 0.0, 1.0
    adam = Adam([weight])
    for step, gradient in enumerate((0.5, -0.25, 2.0, 0.0), 1):
        adam.step([torch.tensor([gradient, 0.0])], 0.01)
        mean = 0.9 * mean + 0.1 * gradient
        square = 0.999 * square + 0.001 * gradient**2
        true -= 0.01 * mean / (1 - 0.9**step) / (math.sqrt(square / (1 - 0.999**step)) + 1e-8)
    assert weight.tolist() == pytest.approx([true, -2.0], rel=1e-5)


def test_batches_hold_each_example_once_and_whole() -> None:
    for places in (1, 30, 10_000):
        rows = [
            tuple(row.tolist())
            for batch in batches(EXAMPLES, places, "cpu")
            for document in batch.source
            for row in document
            if (row != PADDING).any()
        ]
        assert sorted(rows) == sorted(tuple(s) for one in EXAMPLES for s in one.sources)


def test_an_export_leaves_the_model_as_it_was_and_is_a_base(tmp_path: Path) -> None:
    vocabulary = learn_vocabulary(["one two three four five six seven"] * 4, 300)
    model = Transformer(ModelShape(len(vocabulary), 16, 2, 24, 1, 1))
    before = [weight.clone() for weight in model.state_dict().values()]
    export_model(model, vocabulary, tmp_path)
    assert all(map(torch.equal, before, model.state_dict().values()))
    for name, found in ModelFolder(tmp_path).weights(0.0).state_dict().items():
        exact = model.state_dict()[name]
        rows = exact.abs().flatten(1).amax(1, keepdim=True) if exact.dim() > 1 else exact.abs()
        assert torch.all((found - exact).abs() <= rows / 253 + 1e-7), name
    (tmp_path / "model.bin").write_bytes((tmp_path / "model.bin").read_bytes()[:999])
    with pytest.raises(ConfigurationError, match=r"model\.bin"):
        ModelFolder(tmp_path).weights(0.0)
