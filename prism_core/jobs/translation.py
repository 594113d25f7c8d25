"""Compose the stages to a run, in one place. How a stage is run is injected: see ``Stages``.

Entry: ``translate`` -> ``ingest`` -> ``_translate_documents`` (``check_run``, then ``Pipeline``:
send, and at the same time write answered documents and encode the next ones) -> ``report``.
``watch`` starts such a run whenever files of a folder are ready.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, CancelledError, Future, ThreadPoolExecutor, wait
from contextlib import closing, contextmanager, suppress
from contextvars import copy_context
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from prism_core.errors import (
    ConfigurationError,
    PrismError,
    StateError,
    StoreInUse,
    Transient,
    TranslatorError,
)
from prism_core.jobs.sharding import Fleet, translate_in_shards
from prism_core.report import ReportFolder, RunReport
from prism_core.settings import Job, new_run_id
from prism_core.stages import (
    Folders,
    Run,
    StageResult,
    Summary,
    Wave,
    check_run,
    copy_untranslated,
    decode,
    encode,
    ingest,
    keep_formulas_here,
    name_outputs,
    open_workers,
    prune,
    read,
    recall,
    report,
    settle_reviewed,
    submit,
    translate_here,
    write,
)
from prism_core.stages import translate as translate_wave
from prism_core.state import Chunk, Part, StatePlace
from prism_core.storage import make_absolute

Result = TypeVar("Result")
Work = tuple[Chunk, *tuple[Part, ...]]
"""Arguments of one call of a stage, beside its run: a chunk, or a part of its sentences."""
ChunkStage = Callable[..., StageResult]
_RETRY = 60.0
"""Seconds before a run that could not reach its translator or its state is tried again."""


def run_in_workers(stage: ChunkStage, run: Run, works: Sequence[Work]) -> list[StageResult]:
    """Run ``stage`` over ``works``, as many at a time as ``run`` has workers.

    ``stage`` is called in threads that wait for the workers, each with the context of this thread,
    where Prefect keeps the run. A single chunk runs in this thread: it is not worth a process. The
    first error cancels the rest, and is raised when the work in progress is done; Ctrl-C ends all.
    """
    count = run.want_workers(len(works))
    if count < 2:
        results = []
        for work in works:
            if run.stopping.is_set():  # start no further one when the run is ending
                raise CancelledError
            results.append(stage(run, *work))
        return results
    with ThreadPoolExecutor(count, thread_name_prefix="prism-chunks") as threads:
        futures = [threads.submit(copy_context().run, partial(stage, run, *work)) for work in works]
        try:
            wait(futures, return_when=FIRST_EXCEPTION)
        except BaseException:
            run.stop()
            raise
        finally:
            for future in futures:
                future.cancel()
    # Cancelled futures have no result; the error that cancelled them is raised by another one.
    return [future.result() for future in futures if not future.cancelled()]


@contextmanager
def run_in_background(run: Run, work: Callable[[], Result]) -> Iterator[Future[Result]]:
    """Run ``work`` in another thread while the block runs in this one; both end together.

    An error of the block, Ctrl-C too, ends the workers that ``work`` waits for and is raised; else
    an error of ``work`` is.
    """
    with ThreadPoolExecutor(1, thread_name_prefix="prism-background") as thread:
        future = thread.submit(copy_context().run, work)
        try:
            yield future
        except BaseException:
            run.stop()
            raise
    future.result()


@dataclass(frozen=True)
class Stages:
    """The stages of a run as callables: plain functions, or wrappers of them.

    ``each`` runs a stage over chunks of documents, or parts of them, in any order or at the same
    time, and returns or raises when all of them are done.
    """

    ingest: Callable[[Run], StageResult] = ingest
    read: ChunkStage = read
    encode: ChunkStage = encode
    submit: Callable[[Run, Wave], StageResult] = submit
    translate: Callable[[Run, Wave], StageResult] = translate_wave
    decode: ChunkStage = decode
    translate_here: ChunkStage = translate_here
    write: ChunkStage = write
    report: Callable[[Run], StageResult] = report
    each: Callable[[ChunkStage, Run, Sequence[Work]], Sequence[StageResult]] = run_in_workers


LOCAL_STAGES = Stages()
"""Stages as plain calls, over several chunks at a time in worker processes."""


def translate(job: Job, stages: Stages = LOCAL_STAGES, fleet: Fleet | None = None) -> Summary:
    """Translate the archive of ``job``; one run at a time over an output folder.

    Failed documents are counted, never raised. A ``TranslatorError`` that stops the run is raised
    after all received answers are written and reported, and so is an error that stops a shard; any
    other ``PrismError`` is raised at once. If the settings ask for several shards, ``fleet`` runs
    them.
    """
    if job.settings.shards.count > 1 and fleet is None:
        raise ConfigurationError(
            "a run in shards needs a deployment of Prefect that does them: give --engine prefect "
            "and name it in shards.deployment (docs/shards.md), or leave shards.count out"
        )
    folders = Folders(job)
    folders.check()
    with StatePlace.of(job).hold():
        try:
            with Run.open(job) as run:
                run.store.runs.begin(job.run_id)
                # The run may be continued from any folder, so every path that it keeps is absolute.
                kept = job.model_dump(exclude={"run_id", "temporary_state", "shard", "still"})
                stored = json.dumps(kept, default=lambda place: str(make_absolute(place)))
                run.store.keep("job", stored.encode())
                stages.ingest(run)
                stopped = _translate_documents(run, stages, fleet)
                copy_untranslated(run)
                prune(run)
                run.stopped = stopped if isinstance(stopped, TranslatorError) else None
                stages.report(run)
                outcome = type(stopped).__name__ if stopped else "complete"
                run.store.runs.end(job.run_id, outcome)
                summary = Summary.from_run(run)
        finally:
            folders.remove_partial()
    if stopped is not None:
        raise stopped
    return summary


def _translate_documents(run: Run, stages: Stages, fleet: Fleet | None) -> PrismError | None:
    """Read the archive and send it; return the error that stopped this early.

    Nothing is sent if too little is expected to come back.
    """
    if fleet is not None and run.job.settings.shards.count > 1:
        return translate_in_shards(run, fleet)
    try:
        with open_workers(run):
            stages.each(stages.read, run, [(chunk,) for chunk in run.unread_chunks()])
            archive = run.waves()
            recall(run)
            check_run(run, archive)
            pipeline = Pipeline(run, stages)
            if any(settings.answers_by_the_batch for settings in run.job.settings.translators):
                pipeline.submit(archive)
            pipeline.translate(archive)
    except TranslatorError as error:
        return error
    return None


class Pipeline:
    """Waves of documents on their way through a translator.

    While one wave is in flight, the answered one before it is written, and the one after it is
    encoded. The job is bound by the translator, so the translator waits only for the first wave. A
    sentence that could not be restored is sent again with the next wave, three times at most.
    """

    def __init__(self, run: Run, stages: Stages) -> None:
        self._run = run
        self._stages = stages

    def translate(self, archive: Sequence[Wave]) -> None:
        """Send all of ``archive``.

        Raises the ``TranslatorError`` that ended it early, after the answers received are written.
        """
        waiting = iter(archive)
        answered: Wave = ()
        in_flight = self._encode(next(waiting, ()))
        while in_flight or answered:
            # nothing is in flight now: what is withheld here is in no request
            keep_formulas_here(self._run, in_flight)
            prepare = partial(self._write_and_encode, answered, next(waiting, ()))
            send = partial(self._stages.translate, self._run, in_flight)
            with run_in_background(self._run, prepare) as prepared:
                stopped = _catch_translator_error(send) if in_flight else None
            if stopped is not None:
                self._write(in_flight)
                raise stopped
            in_flight, answered = prepared.result(), in_flight

    def submit(self, archive: Sequence[Wave]) -> None:
        """Submit all waves, one by one, so that they are answered at the same time.

        An error that ends this early occurs again when the waves are collected, because submitted
        waves come first.
        """
        for wave in archive or ((),):
            self._encode(wave)
            keep_formulas_here(self._run, wave)
            if _catch_translator_error(partial(self._stages.submit, self._run, wave)) is not None:
                return

    def _write_and_encode(self, answered: Wave, wave: Wave) -> Wave:
        """Write the ``answered`` wave; encode ``wave`` with its chunks that must be sent again."""
        return self._encode((*self._write(answered), *wave))

    def _encode(self, wave: Wave) -> Wave:
        self._stages.each(self._stages.encode, self._run, self._run.parts(wave))
        return wave

    def _write(self, wave: Wave) -> Wave:
        """Decode, translate locally, name and write ``wave``.

        Returns the chunks in which a document waits for a sentence that must be sent again.
        """
        self._stages.each(self._stages.decode, self._run, self._run.parts(wave))
        if wave:
            if self._run.job.bounded_treatments:  # these had to be sent before their reviews count
                settle_reviewed(self._run)
            self._stages.each(self._stages.translate_here, self._run, self._run.parts(wave))
            name_outputs(self._run, wave)
        written = self._stages.each(self._stages.write, self._run, [(chunk,) for chunk in wave])
        return tuple(chunk for chunk, result in zip(wave, written, strict=True) if result.again)


def _catch_translator_error(work: Callable[[], object]) -> TranslatorError | None:
    """Call ``work`` and return the translator error that stopped it, to be raised later."""
    try:
        work()
    except TranslatorError as error:
        return error
    return None


def watch(
    job: Job,
    run: Callable[[Job], object],
    tell: Callable[[Exception], object],
    every: float = 1.0,
) -> None:
    """Call ``run`` with ``job`` under a new id whenever files are ready, until Ctrl-C.

    A file is ready when it has not changed for a while (``Job.still``). ``every`` are the seconds
    between two looks. Where a translator does not answer, or another run has the state, ``tell``
    gets the error and the run is tried again. Raises ``ConfigurationError`` unless the input is a
    folder.
    """
    if not isinstance(job.input, Path) or not job.input.is_dir():
        raise ConfigurationError(f"{job.input} is not a folder of this machine: watch needs one")
    done: dict[str, tuple[int, int]] = {}
    while True:
        pause, ready = every, dict[str, tuple[int, int]]()
        with closing(Folders(job)) as folders:
            for found in folders.found_files():
                with suppress(OSError):  # it went away meanwhile, or may not be read
                    seen = (job.input / found.path).lstat()
                    ready[found.path] = seen.st_size, seen.st_mtime_ns
        if any(done.get(path) != seen for path, seen in ready.items()):
            try:
                run(job.model_copy(update={"run_id": new_run_id()}))
                done = ready
            except (Transient, StoreInUse) as error:
                tell(error)
                pause = _RETRY
        try:
            time.sleep(pause)
        except KeyboardInterrupt:  # no run is under way
            return


def last_job(job: Job) -> Job:
    """Return the job that the output folder of ``job`` was last translated by, as a new run.

    The location of the store, its key and the output folder are those of ``job``, because the
    folder may have been moved. Everything else is as it was. Raises ``ConfigurationError`` when the
    folder holds no state, and ``StateError`` when the stored job cannot be used.
    """
    StatePlace.of(job).check_exists()
    with Run.view(job) as run:
        kept = run.store.kept("job")
    try:
        last = Job.model_validate_json(kept or b"")
    except ValidationError:  # its message quotes paths
        last = None
    if last is None:
        raise StateError(
            "the state does not say what was translated, or another version of PRISM wrote it; "
            "run the whole command once: prism translate IN OUT …"
        )
    locations = {"state": job.settings.state, "key": job.settings.key}
    settings = last.settings.model_copy(update=locations)
    return Job(input=last.input, output=job.output, settings=settings)


def last_report(job: Job) -> RunReport:
    """Return the report of the last finished run over ``job.output``.

    Raises ``ConfigurationError`` when the folder holds no state or no report.
    """
    StatePlace.of(job).check_exists()
    last = ReportFolder(job.report_folder).latest()
    if last is None:
        raise ConfigurationError(
            f"{job.report_folder} holds no report of a finished run; translate first, or give the "
            "settings that say where the report is (--settings)"
        )
    return last
