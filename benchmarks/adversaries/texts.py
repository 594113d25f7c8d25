"""The texts of the attack: an archive, documents of its kind beside it, public text, and decoys."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from prism_core.evaluation.adversaries.base import Words
from prism_core.evaluation.adversaries.watching import Documents
from prism_core.language import LanguageModel, Sentence

SHARED = Path(os.environ.get("PRISM_SHARED_DATA", "../shared/data"))
ARCHIVE = ("wmt14", "wmt15", "wmt16", "wmt17", "wmt18", "wmt19", "wmt22")
PUBLIC = ("wmt08", "wmt09", "wmt10", "wmt12", "wmt13", "iwslt17", "flores-dev", "flores-test")
DECOYS = ("wmt20", "wmt21", "wmt11")
_TOKEN = re.compile(r"\w+(?:['’-]\w+)*|[^\w\s]")
LINES = 5
"""Lines that make a document: news come in order, so that one document is mostly one article."""


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


def load(model: LanguageModel, documents: int, outsiders: int) -> Texts:
    """So many ``documents`` of news and clinical cases, with ``outsiders`` from among them."""
    groups = [("clinical", group) for group in _clinical()]
    groups += [("news", group) for group in _of_lines(ARCHIVE)]
    total = documents + outsiders
    step = len(groups) / total
    chosen = [groups[int(at * step)] for at in range(min(total, len(groups)))]
    annotated = [_annotated(model, group) for _, group in chosen]
    every = max(total // max(outsiders, 1), 2)
    return Texts(
        inside=[one for at, one in enumerate(annotated) if at % every],
        outside=[one for at, one in enumerate(annotated) if not at % every],
        genres=[genre for at, (genre, _) in enumerate(chosen) if at % every],
        public=[tuple(_TOKEN.findall(line)) for line in _lines(PUBLIC)],
        decoys=_annotated(model, list(dict.fromkeys(_lines(DECOYS)))[: LINES * documents]),
    )


def _annotated(model: LanguageModel, lines: Iterable[str]) -> tuple[Sentence, ...]:
    found = [sentence for group in model.annotate(list(lines)) for sentence in group]
    return tuple(sentence for sentence in found if sentence.text.strip())


def _of_lines(names: Sequence[str]) -> list[tuple[str, ...]]:
    return list(_batched(_lines(names)))


def _clinical() -> list[tuple[str, ...]]:
    """The clinical cases of ClinSpEn train, each cut into documents of so many lines."""
    cases: dict[str, list[str]] = {}
    for row in json.loads((SHARED / "clinspen/train.json").read_text("utf-8")):
        cases.setdefault(row["file_name"], []).append(row["en"])
    return [group for lines in cases.values() for group in _batched(lines)]


def _batched(lines: Sequence[str]) -> Iterator[tuple[str, ...]]:
    for start in range(0, len(lines), LINES):
        yield tuple(lines[start : start + LINES])


def _lines(names: Sequence[str]) -> list[str]:
    return [
        line
        for name in names
        for line in (SHARED / f"wmt/en-de/{name}.en").read_text("utf-8").splitlines()
    ]
