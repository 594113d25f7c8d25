"""Worker processes: they run stages, give back what a stage gives, and never outlive their run."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from prism_core import errors
from prism_core.errors import (
    DocumentError,
    DocumentFailure,
    InternalFault,
    PrismError,
    QuotaExhausted,
    Transient,
    WorkerLost,
)
from prism_core.processes import ForkServer
from prism_core.settings import Job
from prism_core.stages import Run, open_workers, workers
from prism_core.stages.run import stage
from prism_core.stages.workers import Workers
from prism_core.state import StatePlace
from tests.stages import worker_stages as stages
from tests.stages.archive import make_job


@pytest.fixture(scope="module")
def job(tmp_path_factory: pytest.TempPathFactory) -> Job:
    folder = tmp_path_factory.mktemp("workers")
    (folder / "in").mkdir()
    return make_job(folder)


@pytest.fixture(scope="module")
def two(job: Job) -> Iterator[Workers]:
    opened = Workers(job, 2)
    yield opened
    opened.end()


@pytest.fixture(autouse=True)
def _no_marks(job: Job) -> None:
    for mark in job.input.iterdir():
        mark.unlink()


def both(work: Callable[[str], object]) -> list[object]:
    """What ``work`` gives for two chunks at the same time; an error counts as a result."""
    results: dict[str, object] = {}

    def run(name: str) -> None:
        try:
            results[name] = work(name)
        except PrismError as error:
            results[name] = error

    threads = [threading.Thread(target=run, args=(name,)) for name in ("a", "b")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive(), "it hangs"
    return [results["a"], results["b"]]


PF_EXITING = 0x4
"""Of Linux: the process has begun to end, its files may be closed already."""


def is_alive(process: int) -> bool:
    """Whether ``process`` runs; one that nobody has awaited yet, or that is ending, does not."""
    try:
        state, *_, flags = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[:7]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z" and not int(flags) & PF_EXITING


def wait_for(condition: Callable[[], object], seconds: float = 60) -> None:
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, "it never came"
        time.sleep(0.02)


def test_workers_share_what_tells_languages_apart(two: Workers, job: Job) -> None:
    assert two.call(stages.has_identifier, ("a",)).documents == 1


def test_stages_run_in_other_processes_at_the_same_time(two: Workers, job: Job) -> None:
    assert two.call(stages.own_process, ("a",)).documents != os.getpid()
    done = both(lambda name: two.call(stages.at_the_same_time, (name,)).documents)
    assert done == [1, 1]


def test_an_error_of_a_stage_keeps_its_class_and_its_words(two: Workers, job: Job) -> None:
    with pytest.raises(QuotaExhausted, match="no more"):
        two.call(stages.refused, ("a",))


def test_the_words_of_a_foreign_error_stay_in_the_worker(two: Workers, job: Job) -> None:
    with pytest.raises(InternalFault, match="ValueError") as caught:
        two.call(stages.quoting, ("a",))
    assert "Zorbanquist" not in repr(caught.getrepr(style="long"))


def test_every_error_of_prism_crosses_to_another_process_as_it_is() -> None:
    kinds = [k for k in vars(errors).values() if isinstance(k, type) and issubclass(k, PrismError)]
    special = {
        DocumentError: DocumentError(DocumentFailure.BOMB, "advice"),
        InternalFault: InternalFault("ValueError", "module:7"),
        Transient: Transient("later", 3.0),
    }
    for kind in kinds:
        error = special.get(kind) or kind("what to do")
        twin = pickle.loads(pickle.dumps(error))  # noqa: S301 (our own)
        assert type(twin) is kind
        assert (str(twin), vars(twin)) == (str(error), vars(error))


def test_workers_that_have_grown_or_whose_stage_is_over_do_not_wait_for_more_work(
    two: Workers, job: Job
) -> None:
    def work() -> list[int]:
        kinds = (stages.own_process, stages.grown, stages.own_process)
        return [two.call(stage, ("a",)).documents for stage in kinds]

    first, *alone = work()
    assert first not in alone
    with two._at_work():  # as while another chunk of the stage is worked on
        first, grown, last = work()
    assert first == grown != last
    wait_for(lambda: not is_alive(last))


def test_a_worker_that_is_killed_is_replaced(two: Workers, job: Job) -> None:
    done = both(lambda name: two.call(stages.killed_once, (name,)).documents)
    assert done == [1, 1]


def test_documents_that_kill_their_worker_twice_end_in_an_error(two: Workers, job: Job) -> None:
    with pytest.raises(WorkerLost, match=r"limits\.workers"):
        two.call(stages.always_killed, ("a",))
    assert two.call(stages.own_process, ("a",)).documents


def test_ending_ends_those_at_work_at_once(job: Job) -> None:
    opened = Workers(job, 2)
    timer = threading.Thread(
        target=lambda: (
            wait_for(lambda: sum(bool(mark.read_text()) for mark in job.input.iterdir()) == 2),
            opened.end(),
        )
    )
    timer.start()
    lost = both(lambda name: opened.call(stages.endless, (name,)))
    timer.join()
    assert [type(error) for error in lost] == [WorkerLost, WorkerLost]
    assert not any(is_alive(int(mark.read_text())) for mark in job.input.iterdir())


_CALLER = """
import sys
from prism_core.settings.job import Job
from prism_core.stages.workers import Workers
from tests.stages.worker_stages import endless
job = Job.model_validate_json(sys.stdin.read())
Workers(job, 1).call(endless, ("a",))
"""


def test_workers_die_with_a_caller_that_is_killed_and_hold_the_next_run_till_then(job: Job) -> None:
    mark = job.input / "a"
    caller = subprocess.Popen([sys.executable, "-c", _CALLER], stdin=subprocess.PIPE, text=True)
    assert caller.stdin is not None
    caller.stdin.write(job.model_dump_json())
    caller.stdin.close()
    wait_for(lambda: mark.exists() and mark.read_text())
    worker = int(mark.read_text())
    assert is_alive(worker)
    caller.send_signal(signal.SIGKILL)
    caller.wait()
    with StatePlace(job.state_folder).hold():
        assert not is_alive(worker)


def test_what_passes_between_processes_is_ids_and_counts(
    two: Workers, job: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    passed: list[object] = []
    send, receive, here = Connection.send, Connection.recv, threading.get_ident()

    def note(what: object) -> object:
        if threading.get_ident() == here:  # and not in a thread that another test has left
            passed.append(what)
        return what

    with two._at_work():  # so that it waits for the second call
        two.call(stages.own_process, ("a",))
        monkeypatch.setattr(Connection, "send", lambda c, what: send(c, note(what)))
        monkeypatch.setattr(Connection, "recv", lambda c: note(receive(c)))
        answer = two.call(stages.own_process, ("some-id",))
    assert passed == [(stages.own_process, ("some-id",)), (answer, False)]


def test_a_job_alone_in_its_process_starts_no_other(
    job: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(_server: ForkServer) -> None:
        raise AssertionError("started")

    monkeypatch.setattr(ForkServer, "connect", never)
    with Run.open(job) as run:
        assert run.worker_count == 1
    settings = job.settings.model_copy(
        update={"limits": job.settings.limits.model_copy(update={"workers": 3})}
    )
    several = job.model_copy(update={"settings": settings})
    with Run.open(several) as run, open_workers(run):
        assert run.worker_count == 3
        assert run.want_workers(1) == 1
        own = stage("own", in_workers=True)(stages.own_process)
        assert own(run, ("a",)).documents == os.getpid()


def test_there_are_no_more_workers_than_cores_and_memory_for_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _process: set(range(16)))
    for memory, expected in ((0, 1), (3, 3), (100, 16)):
        monkeypatch.setattr(
            workers, "_free_memory", lambda m=memory: m * workers.MEMORY_OF_A_WORKER
        )
        assert workers.count_fitting_workers() == expected
