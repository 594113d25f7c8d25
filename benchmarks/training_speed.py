"""What a private step costs over one without privacy, in processor time of one thread.

``python -m benchmarks.training_speed``: a new model, made-up pieces, each way in turns; the median.
Nothing of it is private, so nothing is stored but what it prints.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from statistics import median

import torch

from prism_core.training.ghost import clip_by_ghosts
from prism_core.training.gradients import Batch, clip_one_by_one, clip_vectorised
from prism_core.training.transformer import BEGIN, ModelShape, Transformer, losses


def measure(examples: int, pieces: int, turns: int) -> dict[str, float]:
    """Seconds of a step by its name: forward, backward and, where it is private, the clipping."""
    torch.manual_seed(1)
    model = Transformer(ModelShape(8000), 0.1).train()
    batch = Batch(*torch.randint(4, 8000, (2, examples, 1, pieces)).unbind())
    batch.target[:, :, 0] = BEGIN
    ways: dict[str, Callable[[], object]] = {
        "plain": lambda: losses(model, batch.source[:, 0], batch.target[:, 0]).sum().backward(),
        "ghost": lambda: clip_by_ghosts(model, batch, losses, 1.0),
        "torch.func": lambda: clip_vectorised(model, batch, losses, 1.0),
        "one by one": lambda: clip_one_by_one(model, batch, losses, 1.0),
    }
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    for turn in range(turns + 1):
        for name, step in ways.items():
            model.zero_grad()
            began = time.process_time()
            step()
            if turn:  # the first one fetches memory
                seconds[name].append(time.process_time() - began)
    return {name: median(each) for name, each in seconds.items()}


def main() -> None:
    """Print each way's time over that of a plain step."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--examples", type=int, default=32)
    parser.add_argument("--pieces", type=int, default=32)
    parser.add_argument("--turns", type=int, default=3)
    given = parser.parse_args()
    torch.set_num_threads(1)
    seconds = measure(given.examples, given.pieces, given.turns)
    for name, each in seconds.items():
        print(f"{name:12} {each:7.3f} s {each / seconds['plain']:6.2f}")


if __name__ == "__main__":
    main()
