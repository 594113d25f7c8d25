"""What is translated: the test stories with their questions, and clinical cases."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from benchmarks.quality.translation import CachedTranslator
from prism_core.evaluation import (
    Evaluator,
    GoldNames,
    Question,
    SlidingWindow,
    read_mctest,
)
from prism_core.language.model import LanguageModel
from prism_core.language.sentence import Sentence
from prism_core.resources import PROJECT

SHARED = Path(os.environ.get("PRISM_SHARED_DATA", "../shared/data"))
PUBLIC_TEXT = ("wmt08", "wmt09", "wmt10", "wmt11", "wmt12")
LEAST_SMALL = 2
"""A word that public text writes small at least so often is an ordinary word."""

Questions = tuple[tuple[Question, ...], ...]
"""The questions of each document."""


@dataclass(frozen=True)
class Corpus:
    """An archive: its documents as sentences, T of each sentence, and what is asked about it.

    ``asked`` are the questions as they are, ``asked_in_target`` as T translates them; both are
    empty where nothing is asked. ``stop_words`` and ``target_stop_words`` are the evaluators'.
    """

    name: str
    documents: tuple[tuple[Sentence, ...], ...]
    direct: tuple[str, ...]
    names: GoldNames
    asked: Questions = ()
    asked_in_target: Questions = ()
    stop_words: tuple[str, ...] = ()
    target_stop_words: tuple[str, ...] = ()

    @cached_property
    def sentences(self) -> list[Sentence]:
        """All sentences, in order."""
        return [sentence for document in self.documents for sentence in document]

    @cached_property
    def private(self) -> list[str]:
        """x_pri of each sentence."""
        return [sentence.text.strip() for sentence in self.sentences]

    @property
    def adversary(self) -> Evaluator:
        """Reads x_pub."""
        return SlidingWindow(self.stop_words)

    @property
    def reader(self) -> Evaluator:
        """Reads y_pri."""
        return SlidingWindow(self.target_stop_words)

    def by_document(self, texts: Sequence[str]) -> list[str]:
        """``texts``, one a sentence, joined to one a document."""
        left = iter(texts)
        return [" ".join(next(left) for _ in document) for document in self.documents]


def load_mctest(
    model: LanguageModel, translate: CachedTranslator, stories: int | None, sentences: int | None
) -> Corpus:
    """The stories of mc160.test, or the first ``stories`` of them of ``sentences`` at most.

    A story is never cut: what is asked about it may stand at its end.
    """
    folder = SHARED / "mctest"
    found = read_mctest(folder / "mc160.test.tsv", folder / "mc160.test.ans")[:stories]
    documents = [annotated(model, story.paragraphs) for story in found]
    documents = _at_most(documents, sentences)
    asked = tuple(story.questions for story in found[: len(documents)])
    stop_words = (folder / "stopwords.txt").read_text("utf-8").split()
    return replace(
        _corpus("mctest", documents, translate),
        asked=asked,
        asked_in_target=_translated(asked, translate),
        stop_words=tuple(stop_words),
        target_stop_words=tuple(translate(stop_words)),
    )


def story_paragraphs(parts: Iterable[str]) -> list[str]:
    """The paragraphs of all stories in ``parts`` of MC160 (``train``, ``dev``, ``test``)."""
    folder = SHARED / "mctest"
    found = [read_mctest(folder / f"mc160.{one}.tsv", folder / f"mc160.{one}.ans") for one in parts]
    return [p for stories in found for story in stories for p in story.paragraphs]


def load_clinspen(
    model: LanguageModel, translate: CachedTranslator, stories: int | None, sentences: int | None
) -> Corpus:
    """The clinical cases of ClinSpEn dev, in English; nothing is asked about them.

    ``stories`` and ``sentences`` bound them as they do the stories.
    """
    cases = json.loads((SHARED / "clinspen/dev.json").read_text("utf-8"))
    files: dict[str, list[str]] = {}
    for case in cases:
        files.setdefault(case["file_name"], []).append(case["en"])
    documents = [annotated(model, lines) for lines in list(files.values())[:stories]]
    return _corpus("clinspen", _at_most(documents, sentences), translate)


LOADERS: Mapping[
    str, Callable[[LanguageModel, CachedTranslator, int | None, int | None], Corpus]
] = {"mctest": load_mctest, "clinspen": load_clinspen}


def annotated(model: LanguageModel, paragraphs: Iterable[str]) -> tuple[Sentence, ...]:
    """The sentences of ``paragraphs``, in order."""
    found = [sentence for group in model.annotate(list(paragraphs)) for sentence in group]
    return tuple(sentence for sentence in found if sentence.text.strip())


def _at_most(
    documents: list[tuple[Sentence, ...]], sentences: int | None
) -> list[tuple[Sentence, ...]]:
    """The first documents that have ``sentences`` together, at least one."""
    kept, total = [], 0
    for document in documents:
        total += len(document)
        if kept and sentences is not None and total > sentences:
            break
        kept.append(document)
    return kept


def _corpus(
    name: str, documents: list[tuple[Sentence, ...]], translate: CachedTranslator
) -> Corpus:
    texts = [sentence.text.strip() for document in documents for sentence in document]
    names = GoldNames.of(texts, _public_words(), _listed_names())
    return Corpus(name, tuple(documents), tuple(translate(texts)), names)


def _translated(asked: Questions, translate: CachedTranslator) -> Questions:
    def in_target(question: Question) -> Question:
        text, *choices = translate([question.text, *question.choices])
        return Question(text, tuple(choices), question.answer)

    translate([text for one in asked for q in one for text in (q.text, *q.choices)])
    return tuple(tuple(in_target(question) for question in one) for one in asked)


def _public_words() -> frozenset[str]:
    counts: Counter[str] = Counter()
    for name in PUBLIC_TEXT:
        text = (SHARED / f"wmt/en-es/{name}.en").read_text("utf-8")
        counts.update(word for word in re.findall(r"[^\W\d_]+", text) if word.islower())
    return frozenset(word for word, count in counts.items() if count >= LEAST_SMALL)


def _listed_names() -> frozenset[str]:
    files = sorted((PROJECT / "data/names").glob("*.txt"))
    lines = [line for file in files for line in file.read_text("utf-8").splitlines()]
    return frozenset(word for line in lines if line[:1] != "#" for word in line.split())
