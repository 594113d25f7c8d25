"""Composition of an evaluation: corpora, methods and judges in, results and figures out.

Entry: ``make_evaluation_recipe`` -> ``evaluate`` -> ``laboratory`` -> each of its parts ->
``publish``; the command and the Prefect flow both call it; see docs/evaluation.md.

``measure_dictionary`` measures how often the words of a dictionary come back from each translator.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from prism_core.building import AnswerStore, QuerySession
from prism_core.building.jobs import parse_parallel, write_dictionary
from prism_core.connections import is_this_machine
from prism_core.dictionary import load_dictionary, read_dictionary
from prism_core.errors import ConfigurationError
from prism_core.evaluation import (
    CALLS,
    TRAINING,
    AnsweredText,
    CorpusSummary,
    Equipment,
    Examinee,
    Laboratory,
    LanguagePanel,
    OfflinePanel,
    SweepPlan,
    SweepProgress,
    measure_rates,
    publish,
    read_answered,
    train_ranker,
)
from prism_core.language import LanguageModel
from prism_core.recovery import MeasuredRates, read_rates, write_rates
from prism_core.resources import shipped_dictionary
from prism_core.settings import ModelSettings, Settings, TranslatorSettings, load_settings
from prism_core.stages import open_shared_pace
from prism_core.state import StatePlace, UserKey
from prism_core.translators import Budget, Translator, make_translator

_KEPT = ".answers"
EVALUATORS = ("swd", "ranker", "llm")


@dataclass(frozen=True)
class EvaluationRecipe:
    """Request of an evaluation: what to measure, where to, and who translates and judges.

    ``evaluator`` says who answers the questions, ``reader`` is the language model that does.
    ``draw`` asks for figures beside the tables.
    """

    plan: SweepPlan
    output: Path
    settings: Settings
    evaluator: str = "swd"
    reader: ModelSettings | None = None
    draw: bool = True


Each = Callable[[Laboratory, str, str], object]
"""Runner of a part (corpus, method): a plain call, or a task of Prefect."""


@dataclass(frozen=True)
class Evaluated:
    """Result of an evaluation: summaries of what was asked for, and the files written."""

    summaries: tuple[CorpusSummary, ...]
    files: tuple[Path, ...]


def make_evaluation_recipe(
    *,
    corpora: Sequence[str] = (),
    methods: Sequence[str] = (),
    documents: int | None = None,
    repeats: int = 3,
    seed: int = 1,
    data: Path | None = None,
    vectors: Path | None = None,
    local: bool = False,
    calls: int = CALLS,
    output: Path | None = None,
    draw: bool = True,
    settings_file: Path | None = None,
    flags: Mapping[str, object] | None = None,
    reader_settings: Path | None = None,
    evaluator: str = "swd",
    model: str | None = None,
    endpoint: str | None = None,
    max_cost: float | None = None,
) -> EvaluationRecipe:
    """Check the request of a person or a deployment. Raises ``ConfigurationError`` before any work.

    ``evaluator`` is one of ``EVALUATORS``. ``model``, ``endpoint`` and ``max_cost`` are those of a
    language model, and ``reader_settings`` is a settings file whose ``[translator]`` table
    describes one.
    """
    settings = load_settings(settings_file, os.environ, flags)
    plan = SweepPlan(
        corpora=tuple(dict.fromkeys(corpora)) or ("mctest",),
        methods=tuple(methods),
        data=(data or Path(os.environ.get("PRISM_SHARED_DATA", "../shared/data"))).absolute(),
        languages=(settings.source, settings.target),
        documents=documents,
        repeats=repeats,
        seed=seed,
        vectors=vectors and vectors.absolute(),
        local=local,
        calls=calls,
    )
    given = {
        "translator.model": model,
        "translator.base_url": endpoint,
        "translator.max_cost": max_cost,
    }
    reader = _read_reader(evaluator, reader_settings, given)
    if evaluator == "ranker" and TRAINING in plan.corpora:
        raise ConfigurationError(f"The ranker is trained on {TRAINING}: measure another corpus.")
    folder = (output or Path("evaluation")).absolute()
    return EvaluationRecipe(plan, folder, settings, evaluator, reader, draw)


def _read_reader(
    evaluator: str, settings_file: Path | None, given: Mapping[str, object]
) -> ModelSettings | None:
    """Return the language model that judges; None if none is asked.

    Raises ``ConfigurationError`` for what would not be heeded.
    """
    if evaluator not in EVALUATORS:
        raise ConfigurationError(
            f"There is no evaluator {evaluator}: choose from {', '.join(EVALUATORS)}."
        )
    if evaluator == "llm":
        flags = {"translator.name": "openai", **given}
        return cast(ModelSettings, load_settings(settings_file, {}, flags).translator)
    if settings_file is not None:
        raise ConfigurationError(
            "--evaluator-settings describe a language model: add --evaluator llm."
        )
    if any(value is not None for value in given.values()):
        raise ConfigurationError(
            "--model, --endpoint and --max-cost are those of a language model: add --evaluator llm."
        )
    return None


def evaluate(
    recipe: EvaluationRecipe, progress: SweepProgress | None = None, each: Each = Laboratory.measure
) -> Evaluated:
    """Measure the parts of ``recipe`` that are not known yet, then write tables and figures.

    Every result is kept as it comes and every answer by what was asked, so an evaluation that was
    stopped, however it was, goes on when it is started again.
    """
    with laboratory(recipe, progress or SweepProgress()) as lab:
        lab.expect()
        for corpus, method in lab.parts():
            each(lab, corpus, method)
        lab.progress.stage = "drawing"
        found = tuple(lab.summaries())
        return Evaluated(found, tuple(publish(recipe.output, draw=recipe.draw)))


@contextmanager
def laboratory(recipe: EvaluationRecipe, progress: SweepProgress) -> Iterator[Laboratory]:
    """Open the laboratory of ``recipe`` while the block lasts, one at a time a folder."""
    kept = recipe.output / _KEPT
    settings = recipe.settings
    with ExitStack() as stack:
        stack.enter_context(StatePlace(kept).hold())
        translator = make_translator(settings.translator, settings.source, settings.target)
        asked_of = " ".join((settings.translator.asked_of(), *recipe.plan.languages))
        translate = _asking(stack, recipe, translator, settings.translator, kept, asked_of)
        ranker = train_ranker(recipe.plan.data) if recipe.evaluator == "ranker" else None
        panel: OfflinePanel | LanguagePanel = OfflinePanel(ranker)
        away = not is_this_machine(translator.endpoint)
        if recipe.reader is not None:
            reader = Examinee(recipe.reader)
            name = reader.described
            panel = LanguagePanel(
                name, _asking(stack, recipe, reader, recipe.reader, kept / "reader", name)
            )
            away = away or not reader.local
        equipment = Equipment(
            dictionary=load_dictionary(
                settings.dictionary.path or shipped_dictionary(settings.source, settings.target),
                settings.translator.name,
            ),
            model=LanguageModel.load(settings.source, settings.language.model),
            translate=translate,
            translator=_translator_name(settings.translator, translator),
            panel=panel,
            away=away,
        )
        yield Laboratory(recipe.plan, equipment, recipe.output, kept, progress)


def _asking(
    stack: ExitStack,
    recipe: EvaluationRecipe,
    translator: Translator,
    settings: TranslatorSettings,
    folder: Path,
    asked_of: str,
) -> QuerySession:
    """Put ``translator`` behind the scheduler, with a memory of its answers."""
    answers = AnswerStore.open(folder, UserKey(recipe.settings.key).load(), asked_of)
    stack.callback(answers.close)
    pace = stack.enter_context(open_shared_pace(settings, translator))
    checks = translator.checks if isinstance(translator, Examinee) else None
    return stack.enter_context(
        QuerySession(
            translator,
            *recipe.plan.languages,
            answers,
            budget=Budget.of(settings, translator),
            pace=pace,
            checks=checks,
        )
    )


def _translator_name(settings: TranslatorSettings, translator: Translator) -> str:
    """Return the name of T in stored results."""
    if isinstance(settings, ModelSettings):
        return (
            f"{settings.name} {settings.model} at {translator.endpoint}, {settings.prompt} prompt"
        )
    return settings.name


def measure_dictionary(
    dictionary: Path,
    parallel: Sequence[str],
    output: Path,
    settings: Settings,
    most: int | None = None,
) -> Mapping[str, MeasuredRates]:
    """Write ``dictionary`` with the rates measured in ``parallel`` (``TEXT:TRANSLATION:NAME``).

    The texts must not be what it was built from. Of each, ``most`` lines count. Those of
    other translators that the file states already stay. ``output`` may be the same file; its
    entries are unchanged. ``settings`` are those of a run with the dictionary. Gives all that the
    file now states. Raises ``ConfigurationError``.
    """
    if not parallel:
        raise ConfigurationError(
            "nothing to measure on: give --parallel TEXT:TRANSLATION:NAME, a text that the "
            "dictionary was not built from and what the translator made of it"
        )
    model = LanguageModel.load(settings.source, settings.language.model)
    texts: dict[str, list[AnsweredText]] = defaultdict(list)
    for said in parallel:
        source, answers, translator = parse_parallel(said)
        texts[translator].append(read_answered(source, answers, model, "", most))
    stored = read_dictionary(dictionary)
    rates = {**read_rates(stored.provenance), **measure_rates(settings, texts)}
    write_dictionary(stored.entries, {**stored.provenance, **write_rates(rates)}, output)
    return rates
