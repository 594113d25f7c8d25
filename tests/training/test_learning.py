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
    Effort,
    Encoded,
    Ledger,
    ModelFolder,
    Plan,
    Terms,
    Watch,
    export_model,
    learn_privately,
    learn_vocabulary,
)
from prism_core.training.data import batches
from prism_core.training.learning import _add_noise, _sum_clipped
from prism_core.training.model import PADDING, Shape, Translator
from prism_core.training.randomness import Bits

TERMS = Terms("document", None, 0.5, 5.0, 1e-3)
EXAMPLES = [
    Encoded([[4 + n, 5, 2]] * (1 + n % 3), [[1, 6 + n, 7, 8, 2]] * (1 + n % 3)) for n in range(12)
] + [Encoded([], [])]


def small_model() -> Translator:
    torch.manual_seed(3)
    return Translator(Shape(40, 8, 1, 8, 1, 1, 16))


def go_on(folder: Path, plan: Plan, bits: Bits = os.urandom, keep_seconds: float = 0.0) -> int:
    """Train on what is in ``folder``; gives how many steps are spent then."""
    ledger = Ledger.open(folder / "ledger.jsonl", plan, TERMS)
    effort = Effort(keep_seconds=keep_seconds)
    try:
        learn_privately(
            small_model(),
            EXAMPLES,
            plan,
            0.5,
            1e-3,
            ledger,
            folder / "kept.pt",
            effort,
            Watch(),
            bits,
        )
    finally:
        ledger.close()
    return ledger.spent


def spent_and_used(folder: Path, plan: Plan) -> tuple[int, int]:
    """What the ledger says, and of how many steps the model on the way is."""
    ledger = Ledger.open(folder / "ledger.jsonl", plan, TERMS)
    ledger.close()
    kept = folder / "kept.pt"
    used = torch.load(kept, weights_only=True)["step"] if kept.exists() else 0
    return ledger.spent, used


def test_killed_at_any_moment_it_goes_on_and_never_understates(tmp_path: Path) -> None:
    plan, chance = Plan(13, 4, 150, 1.0), random.Random(5)
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
    plan = Plan(13, 4, 3, 1.0)
    go_on(tmp_path, plan)
    (tmp_path / "ledger.jsonl").unlink()
    with pytest.raises(StateError, match="more steps than the ledger"):
        go_on(tmp_path, plan)


def test_a_step_whose_spending_cannot_be_written_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, plan = small_model(), Plan(13, 4, 3, 1.0)
    before = [weight.clone() for weight in model.parameters()]
    ledger = Ledger.open(tmp_path / "ledger.jsonl", plan, TERMS)

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StateError, match="No space left"):
        learn_privately(
            model, EXAMPLES, plan, 0.5, 1e-3, ledger, tmp_path / "kept.pt", Effort(), Watch()
        )
    assert all(map(torch.equal, before, model.parameters()))


def test_an_empty_lot_is_noise_and_nothing_else(tmp_path: Path, bits: Bits) -> None:
    model = small_model()
    total, loss = _sum_clipped(model, [], 0.5, Effort())
    assert math.isnan(loss)
    _add_noise(total, 2.0, bits)
    drawn = torch.cat([part.flatten() for part in total.values()])
    assert 1.8 < drawn.std() < 2.2
    nobody = Plan(13, 1, 1, 1.0)
    never = b"\xff" * 8 * 13  # above every rate: nobody is drawn

    def of(count: int) -> bytes:
        return never if count == len(never) else bits(count)

    assert go_on(tmp_path, nobody, of) == 1
    after = torch.load(tmp_path / "kept.pt", weights_only=True)["model"]
    assert not torch.equal(after["output.weight"], small_model().output.weight)


def test_a_lot_larger_than_memory_is_the_same_sum_of_batches() -> None:
    model = small_model().eval()
    whole, loss = _sum_clipped(model, EXAMPLES, 0.5, Effort())
    for places in (30, 7, 1):  # then batches of a few, of one, and documents in parts
        parts, again = _sum_clipped(model, EXAMPLES, 0.5, Effort(places=places))
        assert again == pytest.approx(loss, rel=1e-4)
        for name, part in whole.items():
            torch.testing.assert_close(parts[name], part, rtol=1e-3, atol=1e-5)


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
    model = Translator(Shape(len(vocabulary), 16, 2, 24, 1, 1))
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
