"""The whole run with two worker processes: the promises of one process, kept by several."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from prism_core.errors import ExitCode, OutputError, QuotaExhausted
from prism_core.jobs import LOCAL_STAGES, run_in_workers, translate
from prism_core.settings import Job
from prism_core.settings.sections import LimitSettings
from prism_core.stages import Run, StageResult, encode, open_workers, read
from prism_core.stages import run as stages_run
from tests.flows.killing import answered_texts
from tests.interrupting import heed_interrupts
from tests.stages.archive import (
    DISTINCT,
    NAME,
    NOUNS,
    TEXTS,
    Backwards,
    again,
    backwards,
    install,
    make_job,
    outputs,
    texts_received,
    write_archive,
)

COPIES = {f"{place}/{name}": text for place in "abcdef" for name, text in TEXTS.items()}
EXPECTED = {name: backwards(text).encode() for name, text in COPIES.items()}


@pytest.fixture
def job(tmp_path: Path) -> Job:
    write_archive(tmp_path / "in", COPIES)
    return make_job(tmp_path, limits=LimitSettings(chunk_documents=3, workers=2))


def check_complete(job: Job, log: Path) -> None:
    """The output is the only right one, and each sentence left once, encoded."""
    assert outputs(job) == EXPECTED
    assert len(texts_received(log)) == len(set(texts_received(log))) == DISTINCT
    assert not any(NAME in text for text in texts_received(log))


def test_workers_give_what_one_process_gives(job: Job, log: Path) -> None:
    children = set(_children())
    summary = translate(job)
    assert summary.documents_written == len(COPIES)
    check_complete(job, log)
    assert set(_children()) <= children, "workers are left"


def test_the_sentences_of_one_large_document_are_shared_by_the_workers(
    tmp_path: Path, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "".join(f"The old {noun} opened the heavy window.\n" for noun in NOUNS)
    write_archive(tmp_path / "in", {"large.txt": text})
    job = make_job(tmp_path, limits=LimitSettings(workers=2))
    monkeypatch.setattr(stages_run, "_SENTENCES_OF_A_CHUNK", 5)
    monkeypatch.setattr(stages_run, "_BYTES_OF_A_CHUNK", 1000)
    shares: list[int] = []

    def noted(*work: Any) -> StageResult:
        counted = encode(*work)
        shares.append(counted.sentences)
        return counted

    def read_there(run: Run, chunk: tuple[str, ...]) -> StageResult:
        assert run.workers is not None
        assert run.workers.wanted, "the command itself keeps the memory of what it reads"
        return read(run, chunk)

    translate(job, replace(LOCAL_STAGES, read=read_there, encode=noted))
    shares = [count for count in shares if count]
    assert len(shares) > 3, "one worker did it all"
    assert sum(shares) == len(NOUNS)
    assert outputs(job) == {"large.txt": backwards(text).encode()}
    assert len(texts_received(log)) == len(NOUNS)


def test_a_quota_that_ends_ends_the_workers_and_keeps_what_was_answered(
    job: Job, log: Path
) -> None:
    def refuse(number: int) -> None:
        if number == 2:
            raise QuotaExhausted("no more")

    install(Backwards(log, before=refuse))
    with pytest.raises(QuotaExhausted):
        translate(job)
    install(Backwards(log))
    translate(again(job))
    assert outputs(job) == EXPECTED


_RUN = """
import sys
from pathlib import Path
from prism_core.jobs.translation import translate
from prism_core.settings.job import Job
from tests.stages.archive import Backwards, install
install(Backwards(Path(sys.argv[1])))
translate(Job.model_validate_json(sys.stdin.read()))
"""


@pytest.mark.parametrize("moment", ["workers started", "half is read", "a request is out"])
def test_a_run_killed_with_its_workers_at_work_is_finished_by_the_next(
    job: Job, log: Path, moment: str
) -> None:
    run = subprocess.Popen([sys.executable, "-c", _RUN, str(log)], stdin=subprocess.PIPE, text=True)
    assert run.stdin is not None
    run.stdin.write(job.model_dump_json())
    run.stdin.close()
    has_come = {
        "workers started": _has_workers(run),
        "half is read": _has_read(job, 8),
        "a request is out": log.exists,
    }[moment]
    _wait_for(lambda: has_come() or run.poll() is not None)
    assert run.poll() is None
    workers = _descendants(run.pid)
    run.send_signal(signal.SIGKILL)
    run.wait()
    answered = answered_texts(job)
    before = len(texts_received(log))
    translate(again(job, limits=LimitSettings(workers=1)))  # what it goes on from is in the state
    assert outputs(job) == EXPECTED
    assert not answered & set(texts_received(log)[before:])
    assert len(set(texts_received(log))) == DISTINCT
    assert not any(_is_alive(worker) for worker in workers)


def test_ctrl_c_ends_the_command_and_its_workers(job: Job, tmp_path: Path) -> None:
    settings = tmp_path / "prism.toml"
    settings.write_text(
        f'dictionary.path = "{job.settings.dictionary.path}"\nkey.file = "{tmp_path / "key"}"\n'
        '[translator]\nname = "fake"\n[limits]\nworkers = 2\nchunk_documents = 3\n'
    )
    command = [
        sys.executable,
        "-m",
        "flows.command",
        "translate",
        str(job.input),
        str(job.output),
    ]
    running = subprocess.Popen(
        [*command, "--settings", str(settings)],
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=heed_interrupts,
    )
    _wait_for(lambda: _has_workers(running)() or running.poll() is not None)
    workers = _descendants(running.pid)
    started = time.monotonic()
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=60)
    assert running.returncode == ExitCode.INTERRUPTED, err
    assert "Run the same command again" in err
    assert "Traceback" not in err
    assert time.monotonic() - started < 20
    _wait_for(lambda: not any(_is_alive(worker) for worker in workers))


def test_the_first_error_ends_what_has_not_begun(job: Job) -> None:
    begun: list[str] = []

    def stage(_run: Run, chunk: tuple[str, ...]) -> StageResult:
        begun.append(chunk[0])
        if chunk[0] == "1":
            raise OutputError("the disk is full")
        time.sleep(0.2)
        return StageResult(documents=1)

    with Run.open(job) as run, open_workers(run), pytest.raises(OutputError):
        run_in_workers(stage, run, [((str(n),),) for n in range(60)])
    assert len(begun) < 50


def test_results_come_in_the_order_of_the_chunks(job: Job) -> None:
    def stage(_run: Run, chunk: tuple[str, ...]) -> StageResult:
        time.sleep(0.05 * (4 - int(chunk[0])))
        return StageResult(documents=int(chunk[0]))

    with Run.open(job) as run, open_workers(run):
        counted = run_in_workers(stage, run, [((str(n),),) for n in range(5)])
    assert [one.documents for one in counted] == [0, 1, 2, 3, 4]


def _has_workers(run: subprocess.Popen[str]) -> Callable[[], bool]:
    """Whether the server of ``run`` has forked: it, the server and two workers."""
    return lambda: sum(map(_is_worker, _descendants(run.pid))) >= 3


def _has_read(job: Job, documents: int) -> Callable[[], bool]:
    from prism_core.state import StatePlace

    return lambda: StatePlace.of(job).progress(job.run_id).documents_read >= documents


def _is_worker(process: int) -> bool:
    try:
        command = Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return False
    return b"prism_core.stages.workers" in command


def _children(process: int | None = None) -> Iterator[int]:
    for task in Path(f"/proc/{process or os.getpid()}/task").glob("*/children"):
        try:
            yield from map(int, task.read_text().split())
        except OSError:
            continue


def _descendants(process: int) -> list[int]:
    below = list(_children(process))
    return below + [one for child in below for one in _descendants(child)]


def _is_alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def _wait_for(condition: Callable[[], object], seconds: float = 120) -> None:
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, "it never came"
        time.sleep(0.02)
