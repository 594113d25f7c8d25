"""The one composition of the stages. How a stage is run is injected: see ``Stages``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial

from prism_core.errors import TranslatorError
from prism_core.jobs.parallel import at_once, in_workers, meanwhile, one_after_another
from prism_core.settings.job import Job
from prism_core.settings.translators import TranslatorSettings
from prism_core.stages import gather
from prism_core.stages.asking import checked_translators
from prism_core.stages.boundary import Counted
from prism_core.stages.decode import decode
from prism_core.stages.encode import encode
from prism_core.stages.folders import check_folders, remove_partial
from prism_core.stages.gather import Wave
from prism_core.stages.ingest import ingest
from prism_core.stages.naming import keep_folder_times, name_outputs
from prism_core.stages.read import read
from prism_core.stages.recall import recall
from prism_core.stages.rehearsal import (
    Candidate,
    Plan,
    Rehearsal,
    count,
    drawn,
    obstacles,
    rehearsed,
)
from prism_core.stages.report import Summary, report, summarise
from prism_core.stages.resuming import remember
from prism_core.stages.shared import close_store, open_store
from prism_core.stages.translate import submit
from prism_core.stages.translate import translate as translate_wave
from prism_core.stages.workers import ChunkStage, workers_for
from prism_core.stages.write import write
from prism_core.state import Chunk, exclusive, places
from prism_core.translators import Forecast, answers_by_the_batch, terms_of


@dataclass(frozen=True)
class Stages:
    """The stages of a run as callables: plain functions, or whatever wraps them.

    ``each`` runs a stage over chunks of documents, in any order or at the same time, and returns
    or raises when all of them are done.
    """

    ingest: Callable[[Job], Counted] = ingest
    read: ChunkStage = read
    encode: ChunkStage = encode
    submit: Callable[[Job, Wave], Counted] = submit
    translate: Callable[[Job, Wave], Counted] = translate_wave
    decode: ChunkStage = decode
    write: ChunkStage = write
    report: Callable[[Job], Counted] = report
    each: Callable[[ChunkStage, Job, Sequence[Chunk]], Sequence[Counted]] = one_after_another


LOCAL_STAGES = Stages(
    read=in_workers(read),
    encode=in_workers(encode),
    decode=in_workers(decode),
    write=in_workers(write),
    each=at_once,
)
"""Every stage as a plain call, over several chunks at a time in worker processes."""


def translate(job: Job, stages: Stages = LOCAL_STAGES) -> Summary:
    """Translate the archive of ``job``; one run at a time over an output folder.

    Failed documents are counted, never raised. A ``TranslatorError`` that stops the run is raised
    after everything that was answered is written and reported; any other ``PrismError`` at once.
    """
    check_folders(job)
    with exclusive(job.state_folder, job.settings.state.url):
        try:
            open_store(job).runs.begin(job.run_id)
            remember(job)
            stages.ingest(job)
            with workers_for(job):
                stopped = _stopped_by(_translate_documents, job, stages)
            keep_folder_times(job)
            stages.report(job)
            open_store(job).runs.end(job.run_id, type(stopped).__name__ if stopped else "complete")
            summary = summarise(job)
        finally:
            remove_partial(job)
            close_store(job)
    if stopped is not None:
        raise stopped
    return summary


def rehearse(job: Job, shown: int = 10) -> Rehearsal:
    """What ``translate`` would send, with ``shown`` texts of it; sends nothing, leaves nothing."""
    translator = checked_translators(job)[0]
    forecast = Forecast(translator.limits, translator.price)
    with _encoded_for_nobody(job) as (temporary, waves):
        count(temporary, waves, [forecast])
        samples = drawn(temporary, waves, shown)
        return Rehearsal(summarise(temporary), forecast.expected(), samples)


def plan(job: Job, asked: Sequence[TranslatorSettings]) -> Plan:
    """What ``translate`` would send to each of those who may be ``asked``, and would leave out.

    Sends nothing and leaves nothing behind; a translator need not be set up for it. Where the
    output folder holds a state, each is rehearsed on its own: one has answers that another lacks.
    """
    candidates = [Candidate(one, terms_of(one, job.source, job.target)) for one in asked]
    known = places.has_state(job.state_folder, job.settings.state.url)
    plans = [
        _plan(job, group) for group in ([[one] for one in candidates] if known else [candidates])
    ]
    return replace(plans[0], rows=tuple(row for one in plans for row in one.rows))


def _plan(job: Job, candidates: Sequence[Candidate]) -> Plan:
    """The plan for several candidates that would be sent the same; run as for the first."""
    settings = job.settings.model_copy(update={"translator": candidates[0].settings})
    forecasts = [candidate.forecast() for candidate in candidates]
    with _encoded_for_nobody(job.model_copy(update={"settings": settings})) as (temporary, waves):
        count(temporary, waves, [forecast for forecast in forecasts if forecast])
        expected = [forecast.expected() if forecast else None for forecast in forecasts]
        rows = tuple(zip(candidates, expected, strict=True))
        return Plan(summarise(temporary), rows, obstacles(temporary))


@contextmanager
def _encoded_for_nobody(job: Job) -> Iterator[tuple[Job, tuple[Wave, ...]]]:
    """The archive read and encoded as for a run, on a state that is gone afterwards."""
    with read_for_nobody(job) as (temporary, waves):
        for wave in waves:
            one_after_another(encode, temporary, wave)
        yield temporary, waves


@contextmanager
def read_for_nobody(job: Job) -> Iterator[tuple[Job, tuple[Wave, ...]]]:
    """The archive read as for a run, on a state that is gone afterwards."""
    with rehearsed(job) as temporary:
        open_store(temporary).runs.begin(temporary.run_id)
        ingest(temporary)
        one_after_another(read, temporary, gather.unread(temporary))
        waves = gather.waves(temporary)
        recall(temporary)
        yield temporary, waves


def _translate_documents(job: Job, stages: Stages) -> None:
    """Send wave after wave; what was answered is written, what comes is encoded, meanwhile.

    The translator is what the job waits for, so it waits for nothing but the first wave. A
    sentence that could not be restored goes out again with the next wave, three times at most.
    """
    stages.each(stages.read, job, gather.unread(job))
    archive = gather.waves(job)
    recall(job)
    if any(map(answers_by_the_batch, job.settings.translators)):
        _submit_ahead(job, stages, archive)
    waves = iter(archive)
    ready: Wave = _encoded(job, stages, next(waves, ()))
    answered: Wave = ()
    while ready or answered:
        local = partial(_write_and_encode, job, stages, answered, next(waves, ()))
        with meanwhile(job, local) as coming:
            stopped = _stopped_by(stages.translate, job, ready) if ready else None
        if stopped is not None:
            _written(job, stages, ready)
            raise stopped
        ready, answered = coming.result(), ready


def _submit_ahead(job: Job, stages: Stages, waves: Sequence[Wave]) -> None:
    """Hand in all waves, one by one, so that they are answered at the same time.

    What ends this early is met again when the waves are collected: those handed in come first.
    """
    for wave in waves or ((),):
        if _stopped_by(stages.submit, job, _encoded(job, stages, wave)) is not None:
            return


def _write_and_encode(job: Job, stages: Stages, answered: Wave, wave: Wave) -> Wave:
    """Write what was ``answered``; gives what is to be sent next: what is left of it, and
    ``wave``."""
    return _encoded(job, stages, (*_written(job, stages, answered), *wave))


def _written(job: Job, stages: Stages, wave: Wave) -> Wave:
    """Decode, name and write ``wave``; gives the chunks in which a document waits for a sentence
    that must go out again."""
    stages.each(stages.decode, job, wave)
    if wave:
        name_outputs(job, wave)
    written = stages.each(stages.write, job, wave)
    return tuple(chunk for chunk, counted in zip(wave, written, strict=True) if counted.again)


def _encoded(job: Job, stages: Stages, wave: Wave) -> Wave:
    stages.each(stages.encode, job, wave)
    return wave


def _stopped_by(function: Callable[..., object], *args: object) -> TranslatorError | None:
    """Call ``function``; the error that stopped it, to be raised when the rest is done."""
    try:
        function(*args)
    except TranslatorError as error:
        return error
    return None
