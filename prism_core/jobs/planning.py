"""Plan a run: what it would send, without sending anything and without leaving anything behind.

Entry: ``plan`` -> ``encode_on_scratch_state`` -> ``read_on_scratch_state`` ->
``open_scratch_run``; then ``_add_requests`` to the forecasts, and ``_list_obstacles``.
``measure_strengths`` opens a scratch run of its own.
"""

from __future__ import annotations

import secrets
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from operator import attrgetter
from pathlib import Path
from random import SystemRandom
from typing import NamedTuple

from prism_core.drafts import Drafter
from prism_core.errors import ConfigurationError, DocumentFailure
from prism_core.margins import Margin
from prism_core.recovery import Forecast
from prism_core.settings import AUTO, GateSettings, Job, Stay, TranslatorSettings
from prism_core.stages import (
    GateDecision,
    LocalTrial,
    Run,
    StrengthTrial,
    Summary,
    Wave,
    encode,
    forecast_encoded,
    forecast_sample,
    ingest,
    keep_formulas_here,
    list_cautions,
    list_unwritten,
    make_items,
    pick_any_pair,
    read,
    recall,
    sample_unsent,
    try_local_model,
    try_strengths,
)
from prism_core.state import DocumentStatus, StatePlace, Store, UserKey
from prism_core.storage import ObjectAddress, parse_address
from prism_core.translators import CostForecast, Expected, Terms, terms_of


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Reason why a document would not be translated in full, and how much of it that affects.

    ``sentences`` is None for a document of which nothing would be sent, else the number of its
    sentences that would be withheld. ``path`` is for the person at the terminal only.
    """

    path: str
    reason: str
    sentences: int | None = None
    advice: str = ""


class Outlook(NamedTuple):
    """Forecast of a document with the first translator, and what the gate ``decided`` for it.

    ``forecast`` may be unknown. ``wasted`` is the part of the price that would be paid for
    sentences that are not restored; None where the price is unknown. ``path`` is for the person at
    the terminal only.
    """

    path: str
    forecast: Forecast
    decided: str
    wasted: float | None


class PlanRow(NamedTuple):
    """Requests that a candidate would get, and the forecast of what it restores.

    The forecast is that of sentences drawn from the archive; unknown where nothing would be sent.
    """

    settings: TranslatorSettings
    terms: Terms
    expected: Expected
    restored: Forecast


@dataclass(frozen=True, slots=True)
class Plan:
    """Requests of a run with each of several translators, and what the run would leave out.

    ``summary``, ``obstacles``, ``outlooks`` and ``cautions`` (what makes the run weaker than it
    seems) are those of a run with the first translator. ``here`` is the trial of a model on this
    machine with the sentences that stay here; None where the settings use none. ``stays`` is the
    reason if these are all, and ``margins`` what sending would gain, as far as it was measured.
    ``assessment`` names that decision; the report of the run that follows has the same.
    ``strengths`` are the trials of the strengths, where these were asked for. ``samples`` are texts
    as a request would hold them, for the person at the terminal only. A real run draws anew, so its
    texts will differ.
    """

    summary: Summary
    rows: tuple[PlanRow, ...]
    obstacles: tuple[Obstacle, ...]
    cautions: tuple[str, ...]
    outlooks: tuple[Outlook, ...] = ()
    here: LocalTrial | None = None
    stays: Stay | None = None
    assessment: str = ""
    margins: tuple[Margin, ...] = ()
    strengths: tuple[StrengthTrial, ...] = ()
    samples: tuple[str, ...] = ()


def plan(job: Job, asked: Sequence[TranslatorSettings], samples: int = 0) -> Plan:
    """Plan what ``translate`` would send to each of the ``asked`` translators, and leave out.

    ``samples`` is the number of texts to show.

    Sends nothing and leaves nothing behind; a translator need not be set up for it. Where the
    output folder holds a state, or a model on this machine may do better, each translator is
    planned on its own, because their stored answers or what they get differ.
    """
    apart = StatePlace.of(job).exists or job.settings.local_translator is not None
    groups = [[settings] for settings in asked] if apart else [asked]
    plans = [_plan_group(job, group, samples) for group in groups]
    return replace(plans[0], rows=tuple(row for plan in plans for row in plan.rows))


def _plan_group(job: Job, asked: Sequence[TranslatorSettings], samples: int) -> Plan:
    """Plan several translators that would get the same requests, run as for the first."""
    settings = job.settings.model_copy(update={"translator": asked[0]})
    source = job.under(pick_any_pair(job)).source
    terms = [terms_of(candidate, source, job.target) for candidate in asked]
    forecasts = [CostForecast(term.limits, term.price, term.marks) for term in terms]
    with encode_on_scratch_state(job.model_copy(update={"settings": settings})) as (run, found):
        _add_requests(forecasts, run, found)
        expected = [forecast.expected() for forecast in forecasts]
        sample = sample_unsent(run, found)
        restored = [forecast_sample(run, sample, candidate) for candidate in asked]
        rows = tuple(map(PlanRow, asked, terms, expected, restored))
        outlooks = tuple(_forecast_documents(run, expected[0]))
        waves = (run.store.sentences.to_send(wave) for wave in found if samples)
        texts = [text for _, text in next(filter(None, waves), [])]
        stays = job.settings.translates_here or run.job.settings.stays
        here = try_local_model(run, found) if stays else None
        return Plan(
            Summary.from_run(run),
            rows,
            _list_obstacles(run),
            (*list_unwritten(run.job), *list_cautions(run)),
            outlooks,
            here,
            run.job.settings.stays,
            run.job.settings.assessment(run.job.settings.digest()),
            run.job.settings.margins,
            samples=tuple(SystemRandom().sample(texts, min(samples, len(texts)))),
        )


def _forecast_documents(run: Run, expected: Expected) -> Iterator[Outlook]:
    """Yield the outlook of each document that would be sent in part, or that the gate judged."""
    seen: set[str] = set()
    for document in run.store.documents.of_run(run.job.run_id):
        decision = GateDecision.read(document.gate)
        forecast, characters = Forecast(0, unknown="not-sent"), 0
        if document.status is DocumentStatus.READ and not document.treatment.stays_here:
            forecast, characters = forecast_encoded(run, document, seen)
        elif decision is not None and decision.restored is not None:
            forecast = Forecast(decision.sentences, decision.restored, decision.loss or 0.0)
        if not characters and decision is None:
            continue
        lost, wasted = forecast.withheld if forecast.is_known else 0.0, None
        if expected.cost is not None:
            wasted = expected.cost * characters / max(expected.characters, 1) * lost
        yield Outlook(document.path, forecast, decision.decided if decision else "", wasted)


def measure_strengths(job: Job) -> tuple[StrengthTrial, ...]:
    """Try every strength on sentences of the archive, with the model on this machine as translator.

    Sends nothing and leaves nothing behind. Policies, the gate and answers of earlier runs do not
    count. Raises ``ConfigurationError`` without a model of the pair.
    """
    settings = job.settings
    if settings.source == AUTO:
        raise ConfigurationError("strengths are tried with one source language: name it (--from)")
    drafter = Drafter.open(settings.local_translator, job.source, job.target)
    if settings.local_translator is None or drafter is None:
        pair = f"{job.source}-{job.target}"
        raise ConfigurationError(
            "strengths are tried with a model of Firefox on this machine, and there is none from "
            f"{job.source} to {job.target}: prism models add {pair}"
        )
    changes = {
        "translator": settings.local_translator.model_copy(update={"sees": "encoded"}),
        "other_translators": (),
        "send": "always",
        "policies": (),
        "gate": GateSettings(),
    }
    alone = {
        "settings": settings.model_copy(update=changes),
        "output": choose_unused_output(job.input),
    }
    with read_on_scratch_state(job_without_state(job.model_copy(update=alone))) as (run, found):
        return try_strengths(run, found, drafter)


def select_candidates(
    listed: Sequence[TranslatorSettings], names: Sequence[str]
) -> Sequence[TranslatorSettings]:
    """Return settings for each of ``names``, from ``listed`` where they are; by default all listed.

    The settings of other translators are the defaults: the address, rates or price of one would be
    wrong for another.
    """
    known = {settings.name: settings for settings in reversed(listed)}
    return [known.get(name) or TranslatorSettings.choose(name=name) for name in names] or listed


def job_without_state(job: Job) -> Job:
    """Return ``job`` without the state that the settings name, which belongs to some output."""
    settings = job.settings.model_copy(update={"state": type(job.settings.state)()})
    return job.model_copy(update={"settings": settings})


def choose_unused_output(archive: Path | ObjectAddress) -> Path:
    """Return a folder that does not exist and will not be made, beside the input where possible."""
    if isinstance(parse_address(archive), ObjectAddress):
        return Path(tempfile.gettempdir(), f".prism-plan-of-{secrets.token_hex(8)}")
    folder = Path(str(archive)).expanduser().absolute()
    if folder.parent == folder:
        raise ConfigurationError("the root of a file system cannot be planned without OUT")
    return folder.parent / f".prism-plan-of-{folder.name}"


@contextmanager
def encode_on_scratch_state(job: Job) -> Iterator[tuple[Run, tuple[Wave, ...]]]:
    """Read and encode the archive as for a run, on a temporary store that is deleted at the end."""
    with read_on_scratch_state(job) as (run, found):
        for wave in found:
            for chunk in wave:
                encode(run, chunk)
            keep_formulas_here(run, wave)
        yield run, found


@contextmanager
def read_on_scratch_state(job: Job) -> Iterator[tuple[Run, tuple[Wave, ...]]]:
    """Read the archive as for a run, on a temporary store that is deleted at the end."""
    with open_scratch_run(job) as run:
        ingest(run)
        for chunk in run.unread_chunks():
            read(run, chunk)
        found = run.waves()
        recall(run)
        yield run, found


@contextmanager
def open_scratch_run(job: Job) -> Iterator[Run]:
    """Open a run of ``job`` on a temporary state store, which is deleted at the end.

    It starts as a copy of the archive's own store, if there is one, so that sentences with answers
    are not counted again. Else it is empty and has a key that is written nowhere.
    """
    folder = Path(tempfile.mkdtemp(prefix="prism-rehearsal-"))
    temporary = job_without_state(job).model_copy(update={"temporary_state": folder})
    try:
        key = UserKey.random()
        if (state := StatePlace.of(job)).exists:
            key = UserKey(job.settings.key).load_for_state(state)
            state.copy_to(folder)
        with Run(temporary, Store.open(StatePlace(folder), key)) as run:
            run.store.runs.begin(temporary.run_id)
            yield run
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _add_requests(forecasts: Sequence[CostForecast], run: Run, found: Sequence[Wave]) -> None:
    """Add the requests of the encoded waves ``found`` to each of ``forecasts``.

    Requests in batches of the first translator count as sent already.
    """
    store = run.store
    seen = store.batches.held(run.translators_for()[0])
    for wave in found:
        for pair in run.pairs:
            unsent = store.sentences.to_send(wave, pair.source)
            waiting = [(row_id, text) for row_id, text in unsent if row_id not in seen]
            seen.update(row_id for row_id, _ in waiting)
            items = make_items(run, wave, waiting, pair)
            for forecast in forecasts:
                forecast.add(items)


def _list_obstacles(run: Run) -> tuple[Obstacle, ...]:
    """List every document that would fail, then every one with sentences to be withheld."""
    documents, run_id = run.store.documents, run.job.run_id
    withheld = documents.withheld(run_id)
    failed: list[Obstacle] = []
    in_part: list[Obstacle] = []
    for document in documents.of_run(run_id):
        is_failed = document.status is DocumentStatus.FAILED
        if is_failed and not DocumentFailure(document.failure).is_nothing:
            failed.append(Obstacle(document.path, document.failure, advice=document.advice))
        for reason, count in sorted(withheld.get(document.id, Counter()).items()):
            if reason in list(Stay):
                continue
            in_part.append(Obstacle(document.path, reason, count))
    by_reason = attrgetter("reason", "path")
    return (*sorted(failed, key=by_reason), *sorted(in_part, key=by_reason))
