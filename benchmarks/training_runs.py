"""What the benchmarks of private training share: corpora, small models, runs, what is stored.

Multi30k German to English (captions; the first lines are taken to be public, the last private),
news of WMT German to English (years before 2011 public, 2011 private, 2013 to judge by) and
ClinSpEn Spanish to English (cases of COVID-19: ``train.json`` private, ``dev.json`` to judge by).
A run is a line of JSON in ``docs/evaluation/training.jsonl``; it holds figures and no text.
"""

from __future__ import annotations

import gzip
import json
import math
import os
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

import ctranslate2
import sentencepiece
import torch

from benchmarks.firefox_forward import engine_answers
from prism_core.training import (
    ComputeOptions,
    Example,
    FirefoxModel,
    LedgerTerms,
    ModelShape,
    NoisePlan,
    PrivacyLedger,
    Sampling,
    SubwordVocabulary,
    Transformer,
    Watch,
    encode_documents,
    epsilon_of,
    export_model,
    learn_in_clear,
    learn_privately,
    learn_vocabulary,
)
from prism_core.training.data import Pair

SHARED = Path(os.environ.get("PRISM_SHARED_DATA", "../shared/data"))
STORED = Path(__file__).parents[1] / "docs/evaluation/training.jsonl"
LONGEST = 64
KEYS = ("benchmark", "corpus", "sampling", "epsilon", "seed", "attack")
"""What tells one stored run from another."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How a model is fine-tuned: ``epsilon`` None without any protection."""

    epsilon: float | None
    passes: int
    lot: int = 0
    rate: float = 1e-3
    sampling: Sampling = "poisson"
    delta: float = 1e-5
    unit: str = "sentence"
    clip: float = 1.0


def captions(part: str, first: int, last: int) -> list[list[Pair]]:
    """Lines of Multi30k as documents of one sentence."""
    packed = [(SHARED / "multi30k" / f"{part}.{name}.gz").read_bytes() for name in ("de", "en")]
    sides = [gzip.decompress(one).decode().splitlines()[first:last] for one in packed]
    return [[Pair(*pair)] for pair in zip(*sides, strict=True)]


def news(names: Sequence[str], count: int) -> list[list[Pair]]:
    """The first ``count`` lines of WMT's news, German to English, of at most 100 characters, as
    documents of one sentence."""
    found = []
    for name in names:
        files = (SHARED / "wmt/de-en" / f"{name}.de", SHARED / "wmt/en-de" / f"{name}.en")
        sides = [file.read_text(encoding="utf-8").split("\n") for file in files]
        found += [[Pair(*pair)] for pair in zip(*sides, strict=True) if 0 < len(pair[0]) <= 100]
    return found[:count]


def cases(part: str) -> list[list[Pair]]:
    """ClinSpEn, Spanish to English, by document."""
    rows = json.loads((SHARED / "clinspen" / f"{part}.json").read_text(encoding="utf-8"))
    return [
        [Pair(row["es"], row["en"]) for row in document]
        for _, document in groupby(rows, key=lambda row: row["file_name"])
    ]


def small_base(
    pairs: Sequence[Sequence[Pair]], passes: int
) -> tuple[Transformer, SubwordVocabulary]:
    """A model of .5 million weights, and its vocabulary, from public ``pairs``."""
    vocabulary = learn_vocabulary((text for one in pairs for pair in one for text in pair), 1500)
    torch.manual_seed(0)
    model = Transformer(ModelShape(len(vocabulary), 64, 2, 256, 1, 1))
    examples = encode_documents(pairs, vocabulary, LONGEST, None)
    learn_in_clear(model, examples, passes, ComputeOptions(3e-3, most_pieces=1024), Watch())
    return model, vocabulary


def fine_tune(
    model: Transformer | FirefoxModel, examples: Sequence[Example], budget: Budget
) -> dict[str, object]:
    """Train ``model``; gives what it cost: ε by PLD, σ, steps, seconds of processor."""
    began = time.process_time()
    if budget.epsilon is None:
        learn_in_clear(
            model, examples, budget.passes, ComputeOptions(budget.rate, most_pieces=1024), Watch()
        )
        return {"epsilon": None, "cpu_seconds": round(time.process_time() - began, 1)}
    steps = max(1, round(budget.passes * len(examples) / budget.lot))
    plan = _plan(len(examples), budget.lot, steps, budget.sampling, budget.epsilon, budget.delta)
    terms = LedgerTerms("sentence", None, budget.clip, budget.epsilon, budget.delta)
    with tempfile.TemporaryDirectory() as folder:
        ledger = PrivacyLedger.open(Path(folder) / "ledger.jsonl", plan, terms)
        try:
            learn_privately(
                model,
                examples,
                plan,
                budget.clip,
                budget.delta,
                ledger,
                Path(folder) / "kept.pt",
                ComputeOptions(budget.rate, report_seconds=math.inf, keep_seconds=math.inf),
                Watch(),
            )
        finally:
            ledger.close()
    return {
        "epsilon": budget.epsilon,
        "noise": round(plan.noise, 3),
        "steps": steps,
        "cpu_seconds": round(time.process_time() - began, 1),
    }


@cache
def _plan(
    examples: int, lot: int, steps: int, sampling: Sampling, epsilon: float, delta: float
) -> NoisePlan:
    """With the least noise, to a hundredth. Cells are coarser than in ``prism train``, or an ε
    of 1000 would take minutes: an upper bound all the same."""
    low, high = 0.05, 64.0
    while high / low > 1.01:
        plan = NoisePlan(examples, lot, steps, math.sqrt(low * high), sampling)
        if epsilon_of(plan, delta, cell=1e-2 if epsilon > 20 else 1e-3) <= epsilon:
            high = plan.noise
        else:
            low = plan.noise
    return NoisePlan(examples, lot, steps, high, sampling)


def translate(
    model: Transformer | FirefoxModel, vocabulary: SubwordVocabulary, texts: Sequence[str]
) -> list[str]:
    """What the exported model makes of ``texts``, beam 1."""
    if isinstance(model, FirefoxModel):
        with tempfile.TemporaryDirectory() as folder:
            model.save(Path(folder), vocabulary, "esen")
            return engine_answers(Path(folder), texts)
    pieces = sentencepiece.SentencePieceProcessor(model_proto=vocabulary.model)
    with tempfile.TemporaryDirectory() as folder:
        export_model(model.eval(), vocabulary, Path(folder))
        engine = ctranslate2.Translator(folder, compute_type="int8", intra_threads=1)
        found = engine.translate_batch(
            pieces.encode(list(texts), out_type=str),
            beam_size=1,
            max_batch_size=32,
            max_decoding_length=80,
        )
    return [pieces.decode(one.hypotheses[0]) for one in found]


def store(row: Mapping[str, object]) -> None:
    """Put ``row`` in the place of that of the same benchmark, setting and seed."""
    rows = {_key(one): one for one in (*stored(), row)}
    STORED.write_text("".join(json.dumps(one) + "\n" for one in rows.values()), encoding="utf-8")


def _key(row: Mapping[str, object]) -> tuple[object, ...]:
    return tuple(row.get(name) for name in KEYS)


def stored() -> list[dict[str, Any]]:
    """All rows that were stored."""
    if not STORED.exists():
        return []
    return [json.loads(line) for line in STORED.read_text(encoding="utf-8").splitlines()]
