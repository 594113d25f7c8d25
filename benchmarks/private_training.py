"""What privacy costs in quality: the layout of the DP-NMT paper's Table 1 and Figure 2, in small.

    python -m benchmarks.private_training multi30k [--seed 0 …]   # measure, and store; or wmt
    python -m benchmarks.private_training clinspen --base MODELS/pt-en [--seed 0 …]
    python -m benchmarks.private_training draw          # figures and tables from what is stored

``multi30k``: a model of half a million weights that saw 3,000 public captions once is fine-tuned on
1,000 others, as sentences, at ε ∞, 1000, 5 and 1 (δ 1e-8), lots drawn by Poisson or shuffled, and
translates 150 captions of test_2016_flickr. ``wmt``: the same with short lines of news, of which
150 of 2013 are translated. ``clinspen``: a model of Firefox Translations, or one made from it with
``--public``, is fine-tuned by ``prism train`` on four fifths of 50 cases of COVID-19, a document
the unit, ε 8, and translates the other fifth, five times over; what it gains over the base has an
interval over documents. A few lines say little: read the intervals.
"""

from __future__ import annotations

import argparse
import copy
import json
import math
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import torch

from benchmarks.firefox_forward import engine_answers
from benchmarks.training_runs import (
    LONGEST,
    STORED,
    Budget,
    captions,
    cases,
    fine_tune,
    news,
    small_base,
    store,
    stored,
    translate,
)
from prism_core.evaluation.figures import INK, empty_figure, save_figure
from prism_core.evaluation.overlap import measure_overlap
from prism_core.resources import installed_folder
from prism_core.training import Watch, encode_documents, losses_of
from prism_core.training.data import Pair
from prism_core.training.jobs.train import Trained, TrainingRecipe, train

EPSILONS = (None, 1000.0, 5.0, 1.0)
TABLE = (
    ("Multi30k, part", "de-en", "1,000 (base: 3,000)", 150),
    ("WMT news, short", "de-en", "1,000 of 2011 (base: 3,000 of 2008 to 2010)", 150),
    ("ClinSpEn-CC", "es-en", "≤ 8 of each of 42 cases", 97),
)
_TITLES = {"bleu": "BLEU", "chrf": "chrF", "loss": "loss, nats a piece"}
_PUBLIC, _FIRST, _PRIVATE, _TESTED = 3_000, 20_000, 1_000, 150
_FOLDS = 5


def main() -> None:
    """Measure or draw."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", choices=["multi30k", "wmt", "clinspen", "draw"])
    parser.add_argument("--seed", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--base", type=Path, default=installed_folder("pt", "en"))
    parser.add_argument("--sentences", type=int, default=8, help="of a document of ClinSpEn")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    if arguments.part == "draw":
        draw()
    elif arguments.part == "clinspen":
        fine_tune_cases(arguments.base, arguments.seed, arguments.sentences)
    else:
        fine_tune_sentences(arguments.part, arguments.seed)


def fine_tune_sentences(corpus: str, seeds: Sequence[int]) -> None:
    """A row for each ε, sampling and seed."""
    if corpus == "wmt":
        public = news(("wmt08", "wmt09", "wmt10"), _PUBLIC)
        private, tested = news(("wmt11",), _PRIVATE), news(("wmt13",), _TESTED)
    else:
        public, private = (
            captions("train", 0, _PUBLIC),
            captions("train", _FIRST, _FIRST + _PRIVATE),
        )
        tested = captions("test_2016_flickr", 0, _TESTED)
    base, vocabulary = small_base(public, passes=1)
    examples = encode_documents(private, vocabulary, LONGEST, None)
    sources, references = zip(*(pair for one in tested for pair in one), strict=True)
    judged = encode_documents(tested, vocabulary, LONGEST, None)
    before = translate(base, vocabulary, sources)
    _note(corpus, "none", 0, 0, base, judged, measure_overlap(before, references), {})
    for seed in seeds:
        for epsilon in EPSILONS:
            for sampling in ("poisson", "shuffled"):
                if epsilon is None and sampling == "poisson":
                    continue  # without noise there is no choice to compare
                budget = Budget(epsilon, 4, 125, 2e-3, sampling, delta=1e-8)  # type: ignore[arg-type]
                model = copy.deepcopy(base)
                torch.manual_seed(seed)
                cost = fine_tune(model, examples, budget)
                found = measure_overlap(
                    translate(model, vocabulary, sources), references, others=before
                )
                _note(corpus, sampling, epsilon, seed, model, judged, found, cost)


def fine_tune_cases(base: Path, seeds: Sequence[int], sentences: int) -> None:
    """ε 8 of whole cases, by ``prism train`` with its defaults, over the base alone.

    Each fifth of the cases is translated by a model of the other four.
    """
    every = [*cases("train"), *cases("dev")]
    groups = [number for number, case in enumerate(every) for _ in case]
    sources, references = zip(*(pair for case in every for pair in case), strict=True)
    before = engine_answers(base, sources)
    corpus = f"clinspen, {base.name}"
    _note(corpus, "none", 0, 0, None, [], measure_overlap(before, references, groups=groups), {})
    for seed in seeds:
        began, answers = time.process_time(), list(before)
        for fold in range(_FOLDS):
            kept = [case for number, case in enumerate(every) if number % _FOLDS != fold]
            asked = [n for n, number in enumerate(groups) if number % _FOLDS == fold]
            with tempfile.TemporaryDirectory() as folder:
                trained = _train_on(kept, base, Path(folder), sentences)
                found = engine_answers(trained.folder, [sources[n] for n in asked])
            for n, answer in zip(asked, found, strict=True):
                answers[n] = answer
        plan = trained.card.plan
        assert plan is not None  # noqa: S101
        cost = {
            "noise": round(plan.noise, 3),
            "steps": plan.steps,
            "cpu_seconds": round(time.process_time() - began, 1),
        }
        overlap = measure_overlap(answers, references, groups=groups, others=before)
        _note(corpus, "poisson", 8.0, seed, None, [], overlap, cost)


def _train_on(
    documents: Sequence[Sequence[Pair]], base: Path, folder: Path, sentences: int
) -> Trained:
    memory = folder / "memory.jsonl"
    rows = (
        {"es": pair.source, "en": pair.target, "document": str(number)}
        for number, document in enumerate(documents)
        for pair in document
    )
    memory.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    output = folder / "model"
    recipe = TrainingRecipe(
        (memory,), output, "es", "en", epsilon=8.0, sentences=sentences, base=base
    )
    return train(recipe, Watch())


def _note(
    corpus: str,
    sampling: str,
    epsilon: float | None,
    seed: int,
    model: torch.nn.Module | None,
    judged: Sequence[Any],
    found: Mapping[str, Any],
    cost: Mapping[str, object],
) -> None:
    row = {
        "benchmark": "quality",
        "corpus": corpus,
        "sampling": sampling,
        "epsilon": epsilon,
        "seed": seed,
        **({"loss": round(float(losses_of(model, judged).mean()), 4)} if model else {}),
        **cost,
        **{
            name: [None if one is None else round(one, 3) for one in (f.value, f.low, f.high)]
            for name, f in found.items()
        },
    }
    row["epsilon"] = epsilon
    store(row)
    print(row, flush=True)


def draw() -> None:
    """``training-quality`` and ``training-membership`` as PNG and SVG, and ``training.md``."""
    rows = stored()
    quality = [row for row in rows if row["benchmark"] == "quality"]
    members = [row for row in rows if row["benchmark"] == "membership"]
    folder = STORED.parent
    save_figure(_quality_figure(quality), folder / "training-quality")
    save_figure(_membership_figure(members), folder / "training-membership")
    (folder / "training.md").write_text(_page(quality, members), encoding="utf-8")


def _quality_figure(rows: Sequence[Mapping[str, Any]]) -> Any:
    corpora = [name for name in ("multi30k", "wmt") if any(r["corpus"] == name for r in rows)]
    figure, panels = empty_figure(len(corpora), 3, (11.5, 3.4 * len(corpora)))
    for axes, (corpus, name) in zip(panels, product(corpora, _TITLES), strict=True):
        ours = [row for row in rows if row["corpus"] == corpus]
        for sampling, colour in (("poisson", "#1B6CA8"), ("shuffled", "#C0562B")):
            places, means, spreads = [], [], []
            for place, epsilon in enumerate(EPSILONS):
                values = _values(ours, sampling if epsilon else "shuffled", epsilon, name)
                if values:
                    places.append(place)
                    means.append(statistics.mean(values))
                    spreads.append(statistics.stdev(values) if len(values) > 1 else 0)
            axes.errorbar(
                places, means, spreads, color=colour, marker="o", capsize=3, label=sampling
            )
        base = _values(ours, "none", 0, name)
        if base:
            axes.axhline(base[0], color="#999999", linestyle="--", linewidth=1, label="the base")
        axes.set_xticks(range(len(EPSILONS)), ["∞", "1000", "5", "1"])
        axes.set_xlabel("ε", color=INK)
        axes.set_title(f"{_TITLES[name]} ({corpus})", loc="left", fontsize=10, color=INK)
        axes.set_ylim(bottom=None if name == "loss" else 0)
    panels[0].legend(frameon=False, fontsize=8)
    return figure


def _membership_figure(rows: Sequence[Mapping[str, Any]]) -> Any:
    figure, panels = empty_figure(1, 2, (9.5, 3.2))
    for axes, attack in zip(panels, ("loss", "likelihood ratio"), strict=True):
        for place, epsilon in enumerate((None, 8.0, 1.0)):
            chosen = [r for r in rows if (r["attack"], r["epsilon"]) == (attack, epsilon)]
            for shift, row in enumerate(chosen):
                at = place + 0.12 * (shift - (len(chosen) - 1) / 2)
                axes.plot([at, at], [row["low"], row["high"]], color="#1B6CA8", linewidth=1.5)
                axes.plot([at], [row["auc"]], color="#1B6CA8", marker="o", markersize=5)
        axes.axhline(0.5, color="#999999", linestyle="--", linewidth=1)
        axes.set_xticks(range(3), ["∞", "8", "1"])
        axes.set_xlabel("ε", color=INK)
        axes.set_ylim(0.3, 1.03)
        axes.set_title(f"AUC, {attack}", loc="left", fontsize=10, color=INK)
    return figure


def _values(
    rows: Sequence[Mapping[str, Any]], sampling: str, epsilon: float | None, name: str
) -> list[float]:
    return [
        row[name][0] if isinstance(row[name], list) else row[name]
        for row in rows
        if row["sampling"] == sampling and row["epsilon"] == epsilon and name in row
    ]


def _page(quality: Sequence[Mapping[str, Any]], members: Sequence[Mapping[str, Any]]) -> str:
    lines = [
        "# Private training, measured",
        "",
        "By `python -m benchmarks.private_training draw` from `training.jsonl`. Tiny models and "
        "few lines: what a shared processor allowed.",
        "",
        "| data | pair | trained on | tested on |",
        "| --- | --- | --- | --- |",
        *(f"| {' | '.join(map(str, row))} |" for row in TABLE),
        "",
        "Mean ± deviation over seeds; loss in nats a piece. The base of `clinspen` is the one "
        "of BLEU 5.4 [that does not ship](../training.md#not-there-yet).",
        "",
        "| corpus | lots | ε | seeds | σ | BLEU | chrF | loss | BLEU gain | chrF gain |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    grouped = defaultdict(list)
    for row in quality:
        grouped[row["corpus"], row["sampling"], row["epsilon"]].append(row)
    for (corpus, sampling, epsilon), rows in sorted(grouped.items(), key=_order):
        told = "the base" if sampling == "none" else ("∞" if epsilon is None else f"{epsilon:g}")
        drawn = sampling if epsilon else "–"
        cells = [
            _mean([_first(row[name]) for row in rows if name in row])
            for name in ("bleu", "chrf", "loss")
        ]
        gains = [
            "; ".join(
                "{:+.2f} [{:+.2f}, {:+.2f}]".format(*row[name])
                for row in rows
                if None not in row.get(name, [None])
            )
            or "–"
            for name in ("bleu_gain", "chrf_gain")
        ]
        noise = rows[0].get("noise", "–")
        parts = (corpus, drawn, told, len(rows), noise, *cells, *gains)
        lines.append(f"| {' | '.join(map(str, parts))} |")
    lines += [
        "",
        "| attack | ε | seed | members, others | AUC | ε proved | at most provable |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for row in members:
        epsilon = "∞" if row["epsilon"] is None else f"{row['epsilon']:g}"
        lines.append(
            f"| {row['attack']} | {epsilon} | {row['seed']} | {row['members']}, {row['others']} | "
            f"{row['auc']:.3f} [{row['low']:.3f}, {row['high']:.3f}] | {row['proved']:.2f} | "
            f"{row['reach']:.2f} |"
        )
    return "\n".join(lines) + "\n"


def _order(group: tuple[tuple[str, str, float | None], object]) -> tuple[object, ...]:
    corpus, sampling, epsilon = group[0]
    return corpus, sampling != "none", -(math.inf if epsilon is None else epsilon), sampling


def _first(value: Any) -> float:
    return float(value[0] if isinstance(value, list) else value)


def _mean(values: Sequence[float]) -> str:
    if not values:
        return "–"
    spread = statistics.stdev(values) if len(values) > 1 else math.nan
    return f"{statistics.mean(values):.2f}" + (f" ± {spread:.2f}" if spread == spread else "")


if __name__ == "__main__":
    main()
