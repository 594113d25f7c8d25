"""Train the compact translator from Spanish to English that ships, on public text.

    python -m scripts.training.parallel_text --output pairs.tsv
    python -m scripts.training.translator --pairs pairs.tsv --output MODEL --minutes 70

Without privacy, for the text is public; on one thread of a processor. What little time there is
goes further by three things: it begins knowing words (``_begin_with_words``: which piece stands for
which is counted by IBM's model 1, and attention begins along the diagonal), by short sentences, and
by a rate that falls with the time that is left. Every few minutes the model as it is then is
written to ``--output`` (``training/weights.pt`` and what CTranslate2 runs), so that it may be
stopped. The same command goes on from there, with a rate that rises anew. ``--plain`` begins from
random weights, to compare. ``--device cuda --places 16384 --bfloat16`` is for a GPU, and untried.
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import numpy as np
import torch
from numpy.typing import NDArray

from prism_core.training import (
    Card,
    Example,
    ModelFolder,
    ModelShape,
    SubwordVocabulary,
    Transformer,
    export_model,
    learn_vocabulary,
)
from prism_core.training.data import Pair, batches, encode_documents
from prism_core.training.gradients import Batch
from prism_core.training.transformer import PADDING, losses

_LONGEST = 56
_PLACES = 640
_RATE = 7e-4
_WARMUP = 60
_PIECES = 6000
_SEED = 7


def main() -> None:
    """Train, tell how it goes, and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=70.0, help="by the clock")
    parser.add_argument("--keep-minutes", type=float, default=5.0)
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("--device", default="cpu", help="cuda for a GPU")
    parser.add_argument("--places", type=int, default=_PLACES, help="of a batch; 16384 for a GPU")
    parser.add_argument("--bfloat16", action="store_true", help="1.6 times as fast with AVX-512")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(_SEED)
    pairs = read_pairs(arguments.pairs)
    folder = ModelFolder(arguments.output)
    folder.make()
    goes_on = (arguments.output / "model.bin").exists()
    if goes_on:
        vocabulary, model = folder.vocabulary(), folder.weights(0.0)
    else:
        vocabulary = learn_vocabulary((text for pair in pairs[::3] for text in pair), _PIECES)
        folder.save_vocabulary(vocabulary)
        model = Transformer(ModelShape(len(vocabulary), 192, 3, 576, 2, 2))
    examples = [
        one
        for one in encode_documents([[pair] for pair in pairs], vocabulary, _LONGEST, None)
        if one.sources
    ]
    if not (arguments.plain or goes_on):
        _begin_with_words(model, examples)
    model.to(arguments.device)
    _tell(f"{len(examples):,} pairs, {sum(p.numel() for p in model.parameters()):,} weights")
    seconds, keep_seconds = 60 * arguments.minutes, 60 * arguments.keep_minutes
    learn(
        model,
        examples,
        vocabulary,
        folder,
        seconds,
        keep_seconds,
        places=arguments.places,
        bfloat16=arguments.bfloat16,
    )


def read_pairs(file: Path) -> list[Pair]:
    """What ``parallel_text`` wrote; those that people translated twice."""
    with file.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [
        Pair(source, target) for source, target, kind in rows for _ in range(1 + (kind == "human"))
    ]


def learn(
    model: Transformer,
    examples: Sequence[Example],
    vocabulary: SubwordVocabulary,
    folder: ModelFolder,
    seconds: float,
    keep_seconds: float,
    *,
    places: int,
    bfloat16: bool,
) -> None:
    """Train for ``seconds`` by the clock; the model is written every ``keep_seconds``."""
    device = str(next(model.parameters()).device)
    optimiser = torch.optim.Adam(model.parameters(), lr=_RATE, betas=(0.9, 0.98), fused=True)
    began, used = time.monotonic(), time.process_time()
    kept = told = began
    shown, seen, average = 0, 0, math.nan
    model.train()
    for step, batch in enumerate(_drawn(examples, places, device, began, seconds)):
        done = (time.monotonic() - began) / seconds
        for group in optimiser.param_groups:
            group["lr"] = _RATE * min((step + 1) / _WARMUP, max(1 - done, 0.02))
        pieces = int((batch.target[:, 0, 1:] != PADDING).sum())
        with torch.autocast(
            device.partition(":")[0], torch.bfloat16, bfloat16
        ):  # for one step: it keeps weights
            loss = losses(model, batch.source[:, 0], batch.target[:, 0]).sum() / pieces
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        seen += batch.source.shape[0]
        average = loss.item() if math.isnan(average) else 0.95 * average + 0.05 * loss.item()
        now = time.monotonic()
        if now - told > 30 or step == 0:
            told = now
            record = {
                "step": step + 1,
                "sentences": seen,
                "minutes": round((now - began) / 60, 1),
                "processor_minutes": round((time.process_time() - used) / 60, 1),
                "loss": round(average, 3),
            }
            _tell(json.dumps(record))
        if now - kept > keep_seconds:
            kept = now
            write(model, vocabulary, folder)
        shown = step + 1
    if math.isfinite(average):
        write(model, vocabulary, folder)
    minutes = (time.process_time() - used) / 60
    _tell(f"{shown:,} steps, {seen:,} sentences, {minutes:.1f} minutes of processor time")


def _tell(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def write(model: Transformer, vocabulary: SubwordVocabulary, folder: ModelFolder) -> None:
    """The weights, to go on from, what CTranslate2 runs, and the card, which says public."""
    folder.save_weights(model)
    export_model(model, vocabulary, folder.folder)
    Card("es", "en", sum(weight.numel() for weight in model.parameters()), "nothing").write(
        folder.folder
    )


def _drawn(
    examples: Sequence[Example], places: int, device: str, began: float, seconds: float
) -> Iterator[Batch]:
    """Batches in any order, of short sentences in the first third of the time."""
    random = Random(_SEED)
    made = list(batches(examples, places, device))
    while True:
        random.shuffle(made)
        for batch in made:
            done = (time.monotonic() - began) / seconds
            if done >= 1:
                return
            if batch.target.shape[2] <= 18 + 60 * done:
                yield batch


def _begin_with_words(model: Transformer, examples: Sequence[Example]) -> None:
    """Let a source piece begin as the mean of what it is translated by, so that attending to it
    already says it; and let attention look to the same place of the source first."""
    width, pieces = model.shape.width, model.shape.vocabulary
    outward = model.output.weight.data
    outward /= outward.norm(dim=1, keepdim=True)
    source = outward.clone()
    for piece, others in count_translations(examples, pieces).items():
        mean = sum(share * outward[other] for other, share in others)
        source[piece] = mean / mean.norm()
    model.encoder.embedding.weight.data = source
    one = torch.eye(width)
    for layer in model.decoder.layers:
        crossing = layer.crossing
        crossing.inward[0].weight.data = 0.4 * one
        crossing.inward[1].weight.data = torch.cat([0.4 * one, one])
        crossing.outward.weight.data = one.clone()


def count_translations(
    examples: Sequence[Example], pieces: int, rounds: int = 4, most: int = 40_000
) -> dict[int, list[tuple[int, float]]]:
    """What each source piece is translated by, with its probability (at least .1), by IBM's model 1
    over the shortest ``most`` examples."""
    chosen = sorted(examples, key=lambda one: one.widest)[:most]
    keys, owners, count = [], [], 0
    for one in chosen:
        source = np.array(sorted(set(one.sources[0][:-1])))
        for piece in one.targets[0][1:-1]:
            keys.append(source * pieces + piece)
            owners.append(np.full(len(source), count, dtype=np.int32))
            count += 1
    flat, owner = np.concatenate(keys), np.concatenate(owners)
    known, place = np.unique(flat, return_inverse=True)
    from_piece = known // pieces
    chance: NDArray[np.float64] = np.ones(len(known))
    for _ in range(rounds):
        weights = chance[place]
        weights /= np.bincount(owner, weights, count)[owner]
        counted = np.bincount(place, weights, len(known))
        chance = counted / np.bincount(from_piece, counted, pieces)[from_piece]
    found: dict[int, list[tuple[int, float]]] = {}
    for key, share in zip(known[chance >= 0.1], chance[chance >= 0.1], strict=True):
        found.setdefault(int(key // pieces), []).append((int(key % pieces), float(share)))
    return found


if __name__ == "__main__":
    main()
