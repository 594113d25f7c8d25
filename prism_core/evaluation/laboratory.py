"""Sweep: every corpus, method, strength and seed, measured once and stored.

Entry: ``Laboratory``: ``expect`` counts what is to be done, ``measure`` does one method over one
corpus, ``summaries`` says what came of it.
"""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from random import Random

from prism_core.dictionary import Dictionary
from prism_core.errors import ConfigurationError
from prism_core.evaluation.corpora import (
    Corpus,
    Texts,
    Translate,
    ordinary_words,
    prepare,
    read_texts,
)
from prism_core.evaluation.local_model import LocalModel
from prism_core.evaluation.methods import (
    BY_VECTORS,
    FOR_REPRODUCTION,
    FRAME,
    METHODS,
    MethodSetting,
    Tools,
    check_methods,
    methods_of,
)
from prism_core.evaluation.metrics import signatures
from prism_core.evaluation.panels import Panel
from prism_core.evaluation.paper_procedures import CALLS, WordDictionary, paper_dictionary
from prism_core.evaluation.results import (
    Measurement,
    Provenance,
    Result,
    Results,
    tally,
)
from prism_core.evaluation.summary import BASELINE, CorpusSummary, summaries
from prism_core.language import LanguageModel

_NAMED = ("prism-translate", "spacy", "numpy", "sacrebleu")


@dataclass(frozen=True)
class SweepPlan:
    """Plan of a sweep.

    ``documents`` takes the first so many of each corpus; ``repeats`` is over how many draws of the
    substitutes a strength is measured, with seeds from ``seed`` on. No ``methods`` are all, those
    that go by word vectors only where ``vectors`` are given, the model on this machine only with
    ``local``. ``calls`` are the texts for each word of the paper's dictionary. Raises
    ``ConfigurationError`` for a name that is not known.
    """

    corpora: tuple[str, ...]
    methods: tuple[str, ...]
    data: Path
    languages: tuple[str, str] = ("en", "es")
    documents: int | None = None
    repeats: int = 3
    seed: int = 1
    vectors: Path | None = None
    local: bool = False
    calls: int = CALLS

    def __post_init__(self) -> None:
        check_methods(self.methods)

    @property
    def all_methods(self) -> list[str]:
        """Return all methods with the bounds of every score, in the order of ``METHODS``."""
        wanted = {*self.methods, *FRAME} if self.methods else {*METHODS}
        if not self.methods:
            wanted -= {*FOR_REPRODUCTION, *(() if self.vectors else BY_VECTORS)}
        if self.local:
            wanted.add(BASELINE)
        elif BASELINE not in self.methods:
            wanted.discard(BASELINE)
        return [name for name in METHODS if name in wanted]


@dataclass(frozen=True)
class Equipment:
    """Tools of a sweep: our dictionary, the language model, T, the panel.

    ``away`` says that texts leave this machine, to T or the panel: then only what is public may be
    measured. A reader must see y_pri, which is the private text in another language, and T is
    given x_pri itself, for T(x_pri). For MCTest that is safe since everybody can read it anyway.
    """

    dictionary: Dictionary
    model: LanguageModel
    translate: Translate
    translator: str
    panel: Panel
    away: bool = False


@dataclass
class SweepProgress:
    """Progress of a sweep, for display."""

    stage: str = "loading"
    total: int = 0
    done: int = 0
    known: int = 0


@dataclass
class Laboratory:
    """Laboratory that measures ``plan`` part by part: one method over one corpus.

    Results are kept in the folder ``output`` as they come; what is dear to make, in ``kept``.
    """

    plan: SweepPlan
    equipment: Equipment
    output: Path
    kept: Path
    progress: SweepProgress = field(default_factory=SweepProgress)
    _known_methods: dict[str, list[MethodSetting]] = field(default_factory=dict, init=False)
    _known_texts: dict[str, Texts] = field(default_factory=dict, init=False)
    _prepared: dict[str, Corpus] = field(default_factory=dict, init=False)
    _word_lists: dict[bool, WordDictionary] = field(default_factory=dict, init=False)

    def parts(self) -> list[tuple[str, str]]:
        """Return every corpus with every method, in the order they are measured."""
        return [(corpus, name) for corpus in self.plan.corpora for name in self.plan.all_methods]

    def expect(self) -> None:
        """Read all corpora and count the work. Raises ``ConfigurationError``."""
        self.progress.stage = "reading corpora"
        _ = self._ordinary  # what is missing is told before anything is measured
        self.progress.total = sum(
            1 for corpus, name in self.parts() for _ in self._runs(self._texts(corpus), name)
        )

    def measure(self, corpus: str, name: str) -> None:
        """Measure every run of the method ``name`` over ``corpus`` that is not known yet."""
        texts = self._texts(corpus)
        for method, run in self._runs(texts, name):
            self.progress.stage = " ".join(part for part in (corpus, name, method.setting) if part)
            if run in self._results:
                self.progress.known += 1
            else:
                self._results.add(self._measure_run(self._corpus(corpus), method, run))
            self.progress.done += 1

    def summaries(self) -> list[CorpusSummary]:
        """Summarise what is known of the plan."""
        keys = {
            run.key
            for corpus, name in self.parts()
            for _, run in self._runs(self._texts(corpus), name)
        }
        return summaries(
            [result for result in self._results if result.run.key in keys], list(METHODS)
        )

    @cached_property
    def _results(self) -> Results:
        return Results(self.output)

    def _measure_run(self, corpus: Corpus, method: MethodSetting, run: Measurement) -> Result:
        began, wall, cpu = datetime.now(UTC), time.monotonic(), _cpu_seconds()
        outcomes = method.run(corpus, self.equipment.translate, Random(run.seed))
        table = tally(corpus, outcomes, self.equipment.panel)
        provenance = Provenance(
            machine=machine(),
            versions={**versions(), **self._digests(method.name)},
            date=began.isoformat(timespec="seconds"),
            seconds=round(time.monotonic() - wall, 2),
            cpu_seconds=round(_cpu_seconds() - cpu, 2),
            signatures=signatures(),
        )
        return Result(run, provenance, tuple(document.name for document in corpus.documents), table)

    def _runs(self, texts: Texts, name: str) -> Iterator[tuple[MethodSetting, Measurement]]:
        if name not in self._known_methods:
            equipment = self.equipment
            tools = Tools(
                equipment.dictionary,
                equipment.model.retag,
                self._reference,
                self.plan.vectors,
                LocalModel(*self.plan.languages),
            )
            self._known_methods[name] = methods_of([name], tools)
        for method in self._known_methods[name]:
            repeats = self.plan.repeats if method.draws else 1
            for seed in range(self.plan.seed, self.plan.seed + repeats):
                run = Measurement(
                    corpus=texts.name,
                    corpus_digest=texts.digest,
                    documents=len(texts.documents),
                    method=method.name,
                    setting=method.setting,
                    version=method.version + self._calls_of(method.name),
                    seed=seed,
                    panel=self.equipment.panel.name,
                    translator=self.equipment.translator,
                    languages="-".join(self.plan.languages),
                    model=self.equipment.model.version.digest[:16],
                )
                yield method, run

    def _texts(self, corpus: str) -> Texts:
        if corpus not in self._known_texts:
            source, target = self.plan.languages
            texts = read_texts(corpus, self.plan.data, source, target)
            if self.equipment.away and not texts.public:
                raise ConfigurationError(
                    f"{corpus} is not known to be public, so it is read on this machine alone: "
                    "use --evaluator swd and a translator that runs here."
                )
            self._known_texts[corpus] = texts.first(self.plan.documents)
        return self._known_texts[corpus]

    def _corpus(self, corpus: str) -> Corpus:
        """Return the corpus as methods need it; one is kept at a time."""
        if corpus not in self._prepared:
            self._prepared.clear()
            texts = self._texts(corpus)
            model, translate = self.equipment.model, self.equipment.translate
            self._prepared[corpus] = prepare(texts, model, translate, self._ordinary)
        return self._prepared[corpus]

    @cached_property
    def _ordinary(self) -> frozenset[str]:
        return ordinary_words(self.plan.data, self.plan.languages[0])

    def _digests(self, name: str) -> dict[str, str]:
        """Return the digest of the paper's dictionary that the method ``name`` uses, if any."""
        if not name.startswith("reference"):
            return {}
        tagged = name != "reference-r"
        return {
            f"dictionary {'with' if tagged else 'without'} tags": self._reference(tagged).digest()
        }

    def _calls_of(self, name: str) -> str:
        """Return the version of a dictionary of the paper that is not built as it usually is."""
        usual = self.plan.calls == CALLS or not name.startswith("reference")
        return "" if usual else f" of {self.plan.calls} texts a word"

    def _reference(self, tagged: bool) -> WordDictionary:
        """Build a dictionary of the paper's procedures when it is first asked for."""

        def about_to_ask() -> None:
            self.progress.stage = "building the dictionary of the paper's procedure"

        if tagged not in self._word_lists:
            self._word_lists[tagged] = paper_dictionary(
                self.plan.data,
                self.kept,
                self.equipment.translator,
                self.plan.languages,
                self.equipment.model,
                self.equipment.translate,
                about_to_ask,
                tagged=tagged,
                calls=self.plan.calls,
            )
        return self._word_lists[tagged]


def machine() -> str:
    """Describe this machine, without its name."""
    return f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"


def versions() -> dict[str, str]:
    """Return the versions of what was used, by name."""
    found = {"python": platform.python_version()}
    for name in _NAMED:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def _cpu_seconds() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system
