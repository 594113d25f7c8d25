"""Job of ``prism gate train``: public text, or finished runs, into what the gate knows.

Entry: ``train_gate`` -> ``read_lessons`` -> ``observe_bundles`` -> ``fit_table``;
``mend_gate`` with the reports of finished runs.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from prism_core.connections import is_this_machine
from prism_core.dictionary import canonical_translator, load_dictionary
from prism_core.encoding import load_encoder
from prism_core.errors import ConfigurationError
from prism_core.evaluation import (
    Bundle,
    ForecastQuality,
    Observation,
    Translate,
    fit_table,
    judge_predictions,
    load_roles_encoder,
    mend_table,
    observe_roles,
    observe_run,
    predict_unseen,
    read_bundles,
)
from prism_core.language import LanguageModel
from prism_core.recovery import Table, load_recovery_model
from prism_core.report import ReportFolder, RunReport
from prism_core.settings import MechanismSettings, Settings
from prism_core.translators import Translator, make_translator

THRESHOLDS = (0.0, 0.1, 0.2, 0.2, 0.5, 0.7, 0.9)
PROBABILITIES = (0.1, 0.3, 0.5, 0.7)
"""Strengths that are tried: τ of prism-star (the default twice), r of prism-r."""
_AT_ONCE = 200
_ARCHIVE = 40
"""Number of documents that are encoded together, as an archive."""


class Lesson(NamedTuple):
    """Public text, line by line, from which the gate learns.

    ``source``, a ``reference`` translation (a person's, or another translator's), and a
    translator's own ``answers``; without these it is really translated.
    """

    source: Path
    reference: Path
    answers: Path | None = None

    @classmethod
    def parse(cls, said: str, *, answered: bool) -> Lesson:
        """Parse ``SOURCE[:ANSWERS]:REFERENCE``. Raises ``ConfigurationError``."""
        parts = [Path(part) for part in said.split(":")]
        if len(parts) != 2 + answered:
            form = "SOURCE:ANSWERS:REFERENCE" if answered else "SOURCE:REFERENCE"
            raise ConfigurationError(f"{said} should be {form}, three files at most")
        return cls(parts[0], parts[-1], parts[1] if answered else None)


@dataclass(frozen=True)
class Taught:
    """Result of training, with its quality on documents that it was not fitted on."""

    table: Table
    quality: ForecastQuality


def train_gate(
    settings: Settings, lessons: Sequence[Lesson], output: Path, most: int | None = None
) -> Taught:
    """Learn of the translator of ``settings`` from ``lessons``, ``most`` lines of each.

    The table goes into ``output``, beside those of other translators there. Raises
    ``ConfigurationError`` for files that do not fit together or teach too little, and for text that
    would have to be sent to a translator elsewhere: its own output does as well.
    """
    pair, translator = f"{settings.source}-{settings.target}", settings.translator.name
    model = load_recovery_model(output, pair)
    if not lessons or len({lesson.answers is None for lesson in lessons}) > 1:
        raise ConfigurationError("give --text, which is translated, or --answered, and not both")
    observed = observe_bundles(settings, read_lessons(lessons, most))
    swaps = lessons[0].answers is not None
    corpora = [lesson.source.stem for lesson in lessons]
    table = fit_table(observed, corpora, sends=1 if swaps else 3)
    model.with_table(translator, table).write(output)
    pairs = predict_unseen(observed, corpora, table.sends)
    spread = [
        (seen, found._replace(spread=table.error_of(found.sentences))) for seen, found in pairs
    ]
    return Taught(table, judge_predictions(spread))


def read_lessons(lessons: Sequence[Lesson], most: int | None = None) -> list[Bundle]:
    """Read the documents of ``lessons``, ``most`` lines of each file."""
    return [
        bundle
        for lesson in lessons
        for bundle in read_bundles(lesson.source, lesson.reference, lesson.answers, most)
    ]


def observe_bundles(
    settings: Settings,
    bundles: Sequence[Bundle],
    strengths: Sequence[MechanismSettings] | None = None,
) -> list[Observation]:
    """Observe ``bundles`` with the translator of ``settings`` at several ``strengths``.

    All bundles have answers, or none. Raises ``ConfigurationError`` as ``train_gate`` does.
    """
    swaps = any(bundle.answers for bundle in bundles)
    translator = None
    if not swaps:  # texts go to it in clear
        translator = make_translator(settings.translator, settings.source, settings.target)
        if not is_this_machine(translator.endpoint):
            raise ConfigurationError(
                f"{translator.name} is not on this machine: give what it made of public text "
                "(--answered SOURCE:ANSWERS:REFERENCE) instead of text to be sent to it"
            )
    language = LanguageModel.load(settings.source, settings.language.model)
    if strengths is None:
        strengths = [MechanismSettings.choose(threshold=tau) for tau in THRESHOLDS]
        others = [{"name": "prism-r", "replace_probability": r} for r in PROBABILITIES]
        strengths += [MechanismSettings.choose(**table) for table in others if not swaps]
    variants = [settings.model_copy(update={"mechanism": strength}) for strength in strengths]
    load = cache(load_dictionary)  # one for all strengths
    if translator is None:
        name = settings.translator.name
        encoders = [load_roles_encoder(variant, name, load) for variant in variants]
        return list(observe_roles(encoders, bundles, language))
    encoders = [load_encoder(variant, language.retag, load) for variant in variants]
    observed: list[Observation] = []
    ask = _asking(translator, settings)
    for start in range(0, len(bundles), _ARCHIVE):
        archive = bundles[start : start + _ARCHIVE]
        observed += observe_run(encoders, archive, language, ask, seed=start)
    return observed


def _asking(translator: Translator, settings: Settings) -> Translate:
    async def ask(texts: Sequence[str]) -> list[str]:
        answers: list[str] = []
        for start in range(0, len(texts), _AT_ONCE):
            some = texts[start : start + _AT_ONCE]
            answers += await translator.translate(some, settings.source, settings.target)
        return answers

    return lambda texts: asyncio.run(ask(list(texts)))


def mend_gate(settings: Settings, runs: Sequence[Path], model: Path, output: Path) -> int:
    """Move the predictions of ``model`` to what the documents of finished ``runs`` restored.

    ``runs`` are output folders, of the translator of ``settings``. Writes the result to ``output``
    and returns the number of documents. Raises ``ConfigurationError`` when the gate predicted
    nothing in them or knows no such translator, and for runs of another pair or translator;
    ``OutputError`` for reports of another version.
    """
    pair = f"{settings.source}-{settings.target}"
    known = load_recovery_model(model, pair)
    table = known.table(settings.translator.name)
    reports = [_report(run, settings) for run in runs]
    rows = [row for report in reports for row in report.documents if row.gate_predicted]
    rows = [row for row in rows if row.gate == "send"]
    if table is None or not rows:
        raise ConfigurationError(
            f"there is nothing to learn from: the gate knows nothing of "
            f"{settings.translator.name}, or predicted nothing in these runs (set [gate] limits)"
        )
    columns = [(row.gate_restored, row.sent_restored, row.sentences) for row in rows]
    predicted, restored, counts = np.array(columns, dtype=float).T
    mended = mend_table(table, predicted, restored, counts)
    known.with_table(settings.translator.name, mended).write(output)
    return len(rows)


def _report(run: Path, settings: Settings) -> RunReport:
    """Read the last report in ``run`` of the pair and the translator of ``settings``."""
    folder = ReportFolder(run / "prism-report")
    last = folder.latest()
    report = folder.find(last.row["run_id"]) if last is not None else None
    if report is None:
        raise ConfigurationError(f"{run} holds no report of a finished run")
    told = report.row
    asked = (settings.source, settings.target, canonical_translator(settings.translator.name))
    if (told["source"], told["target"], canonical_translator(told["provider"])) != asked:
        raise ConfigurationError(
            f"{run} was translated from {told['source']} to {told['target']} by "
            f"{told['provider']}, which tells nothing of another pair or translator"
        )
    if told["routing"] == "split":
        raise ConfigurationError(
            f"{run} was shared by several translators: nobody knows whose the losses are"
        )
    return report
