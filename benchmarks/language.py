"""Speed and accuracy of the shipped language model, on one core.

    python -m benchmarks.language [--json] [--sentences 1000] [--model NAME]

Rows of ``part, words_per_second`` (words between blanks, CPU seconds, public news text), then rows
of ``treebank`` with the measures of ``scripts.training.accuracy`` on its test set.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import spacy
from spacy.language import Language

from benchmarks.measure import argument_parser, cpu_seconds, show
from prism_core.language import LanguageModel
from prism_core.languages import load_language
from scripts.training.accuracy import measure
from scripts.training.treebank import read_gold

SHARED = Path(os.environ.get("PRISM_SHARED_DATA", "../shared/data"))
NOT_FOR_SENTENCES = ["morphologizer", "trainable_lemmatizer", "ner"]


def main() -> None:
    """Measure and print."""
    parser = argument_parser(__doc__)
    parser.add_argument("--sentences", type=int, default=1000)
    parser.add_argument("--model", help="another spaCy pipeline")
    arguments = parser.parse_args()
    lines = (SHARED / "wmt/en-es/wmt13.en").read_text("utf-8").splitlines()[: arguments.sentences]
    rows = speed(arguments.model, lines) + accuracy(arguments.model)
    show(rows, as_json=arguments.json)


def speed(name: str | None, lines: list[str]) -> list[dict[str, object]]:
    """One row for loading and one for each part of the pipeline."""
    model, load_time = cpu_seconds(lambda: LanguageModel.load("en", name))
    nlp = spacy.load(name or load_language("en").model)
    words = sum(len(line.split()) for line in lines)

    def row(part: str, work: Callable[[], object]) -> dict[str, object]:
        return {"part": part, "words_per_second": words / cpu_seconds(work)[1]}

    return [
        {"part": "load", "cpu_seconds": load_time},
        row("tokenizer", lambda: _pipe(nlp, lines, nlp.pipe_names)),
        row("tagger and senter", lambda: _pipe(nlp, lines, NOT_FOR_SENTENCES)),
        row("everything", lambda: _pipe(nlp, lines, [])),
        row("LanguageModel.annotate", lambda: list(model.annotate(lines))),
    ]


def accuracy(name: str | None) -> list[dict[str, object]]:
    """One row for each test set."""
    model = LanguageModel.load("en", name)
    return [
        {"treebank": path.stem} | asdict(measure(model, read_gold(path)))
        for path in sorted((SHARED / "english").glob("*_test.spacy"))
    ]


def _pipe(nlp: Language, lines: list[str], without: list[str]) -> None:
    unwanted = [name for name in without if name in nlp.pipe_names]
    with nlp.memory_zone(), nlp.select_pipes(disable=unwanted):
        for _ in nlp.pipe(lines):
            pass


if __name__ == "__main__":
    main()
