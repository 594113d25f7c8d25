"""The texts of the attack: an archive, documents of its kind beside it, public text, and decoys.

Entry: ``load``, by the source language; ``SOURCES`` says which files are what. No dictionary is
built from an archive: of Spanish, French and German that are the sets for evaluation alone.
"""

from __future__ import annotations

import gzip
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from prism_core.evaluation.adversaries.base import Words
from prism_core.evaluation.adversaries.observer import Documents
from prism_core.language import LanguageModel, Sentence

SHARED = Path(os.environ.get("PRISM_SHARED_DATA", "../shared/data"))
_TOKEN = re.compile(r"\w+(?:['’-]\w+)*|[^\w\s]")
LINES = 5
"""Lines that make a document: news come in order, so that one document is mostly one article."""
_LEAST_CHARACTERS = 40
"""Shorter lines of a clinical case are headings of its form."""


@dataclass(frozen=True)
class Texts:
    """``inside`` is the archive, ``outside`` are documents of the same sources, not in it.

    ``genres``: the genre of each document ``inside``.

    ``public`` and ``decoys`` are of other years.
    """

    inside: Documents
    outside: Documents
    genres: Sequence[str]
    public: Sequence[Words]
    decoys: Sequence[Sentence]


@dataclass(frozen=True)
class Source:
    """The texts of a language: ``cases`` of another ``genre`` than news, one after another, and
    sets of news in ``folder``: the ``archive``'s, ``public`` ones, and ``decoys``."""

    genre: str
    cases: Callable[[], Iterable[Sequence[str]]]
    folder: str
    archive: Sequence[str]
    public: Sequence[str]
    decoys: Sequence[str]


def load(model: LanguageModel, documents: int, outsiders: int, source: str = "en") -> Texts:
    """So many ``documents`` of news and of cases, with ``outsiders`` from among them."""
    sets = SOURCES[source]

    def lines(names: Sequence[str]) -> list[str]:
        files = (SHARED / f"wmt/{sets.folder}/{name}.{source}" for name in names)
        return [line for file in files for line in file.read_text("utf-8").splitlines()]

    groups = [(sets.genre, group) for case in sets.cases() for group in _batched(case)]
    groups += [("news", group) for group in _batched(lines(sets.archive))]
    total = documents + outsiders
    step = len(groups) / total
    chosen = [groups[int(at * step)] for at in range(min(total, len(groups)))]
    annotated = [_annotated(model, group) for _, group in chosen]
    every = max(total // max(outsiders, 1), 2)
    return Texts(
        inside=[one for at, one in enumerate(annotated) if at % every],
        outside=[one for at, one in enumerate(annotated) if not at % every],
        genres=[genre for at, (genre, _) in enumerate(chosen) if at % every],
        public=[tuple(_TOKEN.findall(line)) for line in lines(sets.public)],
        decoys=_annotated(model, list(dict.fromkeys(lines(sets.decoys)))[: LINES * documents]),
    )


def _annotated(model: LanguageModel, lines: Iterable[str]) -> tuple[Sentence, ...]:
    found = [sentence for group in model.annotate(list(lines)) for sentence in group]
    return tuple(sentence for sentence in found if sentence.text.strip())


def _clinspen(language: str) -> Iterator[Sequence[str]]:
    """The clinical cases of ClinSpEn train."""
    cases: dict[str, list[str]] = {}
    for row in json.loads((SHARED / "clinspen/train.json").read_text("utf-8")):
        cases.setdefault(row["file_name"], []).append(row[language])
    yield from cases.values()


def _meddocan() -> Iterator[Sequence[str]]:
    """Those of MEDDOCAN's dev set, with what their forms say of the patient."""
    with gzip.open(SHARED / "spanish/meddocan.jsonl.gz", "rt", encoding="utf-8") as file:
        for row in map(json.loads, file):
            if row["part"] == "dev":
                lines = map(str.strip, row["text"].splitlines())
                yield [line for line in lines if len(line) >= _LEAST_CHARACTERS]


def _judgments(language: str) -> Iterator[Sequence[str]]:
    """The European Court's judgments, all as one: a sentence a paragraph of the file."""
    lines = []
    for path in sorted((SHARED / language).glob("echr_*.tsv")):
        for paragraph in path.read_text("utf-8").split("\n\n"):
            tokens = [line.split("\t")[0] for line in paragraph.splitlines() if line]
            lines.append(re.sub(r"(?<=['’(]) | (?=[.,;:)])", "", " ".join(tokens)))
    yield [line for line in lines if len(line) >= _LEAST_CHARACTERS]


def _captions(language: str) -> Iterator[Sequence[str]]:
    """What 1,000 pictures show (Multi30k, test of 2016)."""
    path = SHARED / f"multi30k/test_2016_flickr.{language}.gz"
    yield gzip.decompress(path.read_bytes()).decode("utf-8").splitlines()


def _batched(lines: Sequence[str]) -> Iterator[tuple[str, ...]]:
    for start in range(0, len(lines), LINES):
        yield tuple(lines[start : start + LINES])


SOURCES: Mapping[str, Source] = {
    "en": Source(
        "clinical",
        lambda: _clinspen("en"),
        "en-de",
        ("wmt14", "wmt15", "wmt16", "wmt17", "wmt18", "wmt19", "wmt22"),
        ("wmt08", "wmt09", "wmt10", "wmt12", "wmt13", "iwslt17", "flores-dev", "flores-test"),
        ("wmt20", "wmt21", "wmt11"),
    ),
    "es": Source(
        "clinical",
        lambda: [*_clinspen("es"), *_meddocan()],
        "es-en",
        ("wmt13", "flores-test", "mtedx_test"),
        ("wmt08", "wmt09", "wmt10", "wmt12", "flores-dev"),
        ("wmt11",),
    ),
    "fr": Source(
        "court",
        lambda: _judgments("french"),
        "fr-en",
        ("wmt13", "flores-test", "mtedx_test"),
        ("wmt08", "wmt09", "wmt10", "wmt12", "wmt14", "wmt15", "iwslt17", "flores-dev"),
        ("wmt11",),
    ),
    "de": Source(
        "captions",
        lambda: _captions("de"),
        "de-en",
        ("wmt13", "flores-test"),
        ("wmt08", "wmt09", "wmt10", "wmt12", "wmt14", "wmt15", "iwslt17", "flores-dev"),
        ("wmt11",),
    ),
}
"""What is attacked, by the language it is translated from."""
