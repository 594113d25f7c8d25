"""Translate with a model on this machine what must not be sent, between decoding and writing.

Its output is never presented as the translator's: its sentences have a status, columns in the
report and a mark of their own. Nothing leaves the machine for it, and its translations are written
to the output alone.

Entry: ``translate_here`` for the sentences of a wave; ``try_local_model`` for a plan;
``describe_models`` for the report.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import file_digest
from itertools import chain
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
class LocalTrial:
    """Result of a trial of the model on this machine.

    ``sentences`` is the number of different sentences that it would be given, ``tried`` the size of
    the sample and ``taken`` the number of those that it translated.
    """

    sentences: int
    tried: int
    taken: int


@stage("translate_here")
def translate_here(run: Run, wave: Wave) -> StageResult:
    """Have the model of ``on_withheld`` translate the sentences of ``wave`` that stay here.

    These are sentences withheld by the policy of their document or for a reason of their own,
    sentences whose answer lost a word, and sentences that every translator refused. One that the
    model cannot translate stays in the source language. Raises ``Misconfigured`` for a model that
    cannot be loaded.
    """
    translated, model = 0, None
    for batch in _find_withheld(run, wave):
        model = model or local_model(run.job)
        found = dict(asyncio.run(_translate(model, run.job, batch)))
        run.store.sentences.set_local(found)
        translated += len(found)
    return StageResult(sentences=translated)


def try_local_model(run: Run, found: Sequence[Wave]) -> LocalTrial:
    """Count the sentences of the encoded waves ``found`` for the model, and try it on a sample.

    Nothing of them leaves, and nothing is stored. Sentences that only a translator's answer would
    bring here are not forecast. Raises ``Misconfigured`` for a model that cannot be loaded.
    """
    rng, seen = SystemRandom(), set()
    sample: list[tuple[str, str]] = []
    for wave in found:
        for row_id, text in chain.from_iterable(_find_withheld(run, wave)):
            if row_id not in seen:
                seen.add(row_id)
                index = len(sample) if len(sample) < _TRIED else rng.randrange(len(seen))
                if index < _TRIED:
                    sample[index : index + 1] = [(row_id, text)]
    taken = asyncio.run(_translate(local_model(run.job), run.job, sample)) if sample else []
    return LocalTrial(len(seen), len(sample), len(taken))


def _find_withheld(run: Run, wave: Wave) -> Iterator[list[tuple[str, str]]]:
    """Yield ids and texts of the sentences of ``wave`` that the model is given, in batches."""
    for chunk in wave:
        for treatment, group in run.by_treatment(chunk).items():
            if run.job.under(treatment).settings.on_withheld == "local":
                yield from run.store.sentences.withheld(group, run.part)


def local_model(job: Job) -> Translator:
    """Return the model of ``on_withheld``, not loaded yet.

    Raises ``Misconfigured`` if there is none.
    """
    folder = job.settings.local_folder
    settings = TranslatorSettings.choose(name="local", folder=folder)
    return make_translator(settings, job.source, job.target)


async def _translate(
    model: Translator, job: Job, batch: Sequence[tuple[str, str]]
) -> list[tuple[str, str]]:
    """Return ids and translations of the entries of ``batch`` (ids and texts) that have any."""
    checks, found = AnswerChecks(), []
    for start in range(0, len(batch), _AT_ONCE):
        batch_part = batch[start : start + _AT_ONCE]
        try:
            texts = [text for _, text in batch_part]
            answers = await model.translate(texts, job.source, job.target)
        except Rejected:  # one of them is too long: translating each by itself shows which
            if len(batch_part) > 1:
                for entry in batch_part:
                    found += await _translate(model, job, [entry])
            continue
        for (row_id, text), answer in zip(batch_part, answers, strict=True):
            if checks.fault_of(text, answer) is None:
                found.append((row_id, answer))
    return found


def describe_models(job: Job) -> Iterator[str]:
    """Yield for the report the purpose, digest and guarantee of each model on this machine."""
    for place, settings in enumerate(job.settings.translators, 1):
        folder = getattr(settings, "folder", None)
        if settings.name == "local" and folder is not None:
            yield f"translator-{place}: {_describe_model(folder)}"
    if job.settings.translates_here and job.settings.local_folder is not None:
        yield f"withheld: {_describe_model(job.settings.local_folder)}"


def _describe_model(folder: Path) -> str:
    try:
        with (folder / "model.bin").open("rb") as file:
            digest = file_digest(file, "sha256").hexdigest()[:16]
    except OSError:
        digest = "unknown"
    return f"model={digest} {read_guarantee(folder)}"
