"""Is the ledger of a private training ever wrong, whenever the training is killed?

``python -m benchmarks.killed_training --out FILE``: a small model, a process of its own for each
training, SIGKILL at random moments, each time gone on with. Written is a line of JSON a kill: the
steps that the ledger has, and those that the model on the way was made of, which may not be more:
ε follows from the former.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import torch

from prism_core.training import (
    ComputeOptions,
    Example,
    LedgerTerms,
    ModelShape,
    NoisePlan,
    PrivacyLedger,
    Transformer,
    Watch,
    learn_privately,
)

DELTA = 1e-3
TERMS = LedgerTerms("document", None, 0.5, 5.0, DELTA)
EXAMPLES = [
    Example([[4 + n, 5, 2]] * (1 + n % 3), [[1, 6 + n, 7, 8, 2]] * (1 + n % 3)) for n in range(12)
]


def train(folder: Path, plan: NoisePlan) -> None:
    """Go on with what is in ``folder``, keeping the model as often as may be."""
    model = Transformer(ModelShape(40, 16, 2, 16, 1, 1, 16))
    ledger = PrivacyLedger.open(folder / "ledger.jsonl", plan, TERMS)
    kept, options = folder / "kept.pt", ComputeOptions(keep_seconds=0.05)
    learn_privately(model, EXAMPLES, plan, 0.5, DELTA, ledger, kept, options, Watch())
    ledger.close()


def kill(folder: Path, plan: NoisePlan, times: int) -> Iterator[dict[str, float]]:
    """Train and kill ``times`` times, then train to the end; gives what was found after each."""
    before, chance = 0, random.SystemRandom()
    for number in range(1, times + 2):
        child = os.fork()
        if not child:
            train(folder, plan)
            os._exit(0)
        after = chance.randrange(30) if number % 5 else 0  # each fifth while it begins
        if number <= times:
            _wait_for(folder / "ledger.jsonl", before + after)
            time.sleep(chance.uniform(0, 0.02 if after else 0.3))
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        ledger = PrivacyLedger.open(folder / "ledger.jsonl", plan, TERMS)
        ledger.close()
        before = ledger.spent
        kept = folder / "kept.pt"
        used = torch.load(kept, weights_only=True)["step"] if kept.exists() else 0
        yield {
            "kill": number if number <= times else 0,
            "waited_for_steps": after,
            "spent": ledger.spent,
            "used": used,
        }


def _wait_for(ledger: Path, steps: int) -> None:
    """Until ``ledger`` has so many; its first line is the plan."""
    while steps and (not ledger.exists() or ledger.read_bytes().count(b"\n") <= steps):
        time.sleep(0.001)


def main() -> None:
    """Kill, print and store; exit code 1 where a ledger said less than was used, or fell back."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--steps", type=int, default=600)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    plan = NoisePlan(len(EXAMPLES), 4, given.steps, 8.0)
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:  # what is loaded here, no child has to load
        train(Path(folder), replace(plan, steps=1))
    with tempfile.TemporaryDirectory() as folder:
        found = []
        for each in kill(Path(folder), plan, given.times):
            print(json.dumps(each), flush=True)
            found.append(each)
    if given.out:
        lines = "".join(f"{json.dumps(each)}\n" for each in found)
        given.out.write_text(lines, encoding="utf-8")
    steps = [each["spent"] for each in found]
    understated = any(each["used"] > each["spent"] for each in found)
    if understated or steps != sorted(steps) or steps[-1] != given.steps:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
