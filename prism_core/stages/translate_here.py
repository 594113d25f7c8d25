"""Between decoding and writing: a model on this machine translates what nothing may be sent of.

What it gives is never taken for the translator's: its sentences have a status, columns in the
report and a mark of their own. Nothing leaves for it, and nothing of it is written anywhere else.

Entry: ``translate_here`` for the sentences of a wave; ``count_taken_here`` for a plan;
``describe_models`` for the report.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import file_digest
from pathlib import Path
from random import SystemRandom

from prism_core.errors import Rejected
from prism_core.model_card import read_guarantee
from prism_core.settings import Job, TranslatorSettings
from prism_core.stages.chunks import StageResult
from prism_core.stages.run import Run, Wave, stage
from prism_core.translators import AnswerChecks, Translator, make_translator

_AT_ONCE = 32
_TRIED = 100


@dataclass(frozen=True, slots=True)
class TakenHere:
    """How many different ``sentences`` a model on this machine would be given, on how many of them
    it was ``tried``, and of how many of those it made something (``taken``)."""

    sentences: int
    tried: int
    taken: int


@stage("translate_here")
def translate_here(run: Run, wave: Wave) -> StageResult:
    """Have the model of ``on_withheld`` translate the sentences of ``wave`` that stay here.

    Those are what is withheld, by the policy of its document or for a reason of its own, what came
    back without a word that was looked for, and what every translator refused. One that the model
    cannot translate stays in the source language. Raises ``Misconfigured`` for a model that cannot
    be loaded.
    """
    translated, model = 0, None
    for batch in _withheld(run, wave):
        model = model or local_model(run.job)
        found = dict(asyncio.run(_translate(model, run.job, batch)))
        run.store.sentences.set_local(found)
        translated += len(found)
    return StageResult(sentences=translated)


def count_taken_here(run: Run, found: Sequence[Wave]) -> TakenHere:
    """How many sentences of the waves ``found``, which are encoded, the model would be given, and
    of how many of a sample it makes something. Nothing of them leaves, and nothing is stored.

    What only a translator's answer would bring here is not foreseen. Raises ``Misconfigured`` for a
    model that cannot be loaded.
    """
    rng, seen = SystemRandom(), set()
    sample: list[tuple[str, str]] = []
    for wave in found:
        for row_id, text in (each for batch in _withheld(run, wave) for each in batch):
            if row_id not in seen:
                seen.add(row_id)
                place = len(sample) if len(sample) < _TRIED else rng.randrange(len(seen))
                if place < _TRIED:
                    sample[place : place + 1] = [(row_id, text)]
    taken = asyncio.run(_translate(local_model(run.job), run.job, sample)) if sample else []
    return TakenHere(len(seen), len(sample), len(taken))


def _withheld(run: Run, wave: Wave) -> Iterator[list[tuple[str, str]]]:
    """Ids and texts of what the model is given of ``wave``, a batch at a time."""
    for chunk in wave:
        for treatment, group in run.by_treatment(chunk).items():
            if run.job.under(treatment).settings.on_withheld == "local":
                yield from run.store.sentences.withheld(group, run.part)


def local_model(job: Job) -> Translator:
    """The model of ``on_withheld``, not loaded yet. Raises ``Misconfigured`` if there is none."""
    folder = job.settings.local_folder
    settings = TranslatorSettings.choose(name="local", folder=folder)
    return make_translator(settings, job.source, job.target)


async def _translate(
    model: Translator, job: Job, batch: Sequence[tuple[str, str]]
) -> list[tuple[str, str]]:
    """Ids and translations of those sentences of ``batch``, ids and texts, that have any."""
    checks, found = AnswerChecks(), []
    for start in range(0, len(batch), _AT_ONCE):
        some = batch[start : start + _AT_ONCE]
        try:
            answers = await model.translate([text for _, text in some], job.source, job.target)
        except Rejected:  # one of them is too long: each by itself will tell which
            if len(some) > 1:
                for one in some:
                    found += await _translate(model, job, [one])
            continue
        for (row_id, text), answer in zip(some, answers, strict=True):
            if checks.fault_of(text, answer) is None:
                found.append((row_id, answer))
    return found


def describe_models(job: Job) -> Iterator[str]:
    """For the report: what each model on this machine is for, its digest, and its guarantee."""
    for place, settings in enumerate(job.settings.translators, 1):
        folder = getattr(settings, "folder", None)
        if settings.name == "local" and folder is not None:
            yield f"translator-{place}: {_describe(folder)}"
    if job.settings.translates_here and job.settings.local_folder is not None:
        yield f"withheld: {_describe(job.settings.local_folder)}"


def _describe(folder: Path) -> str:
    try:
        with (folder / "model.bin").open("rb") as file:
            digest = file_digest(file, "sha256").hexdigest()[:16]
    except OSError:
        digest = "unknown"
    return f"model={digest} {read_guarantee(folder)}"
