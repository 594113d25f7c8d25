"""The order of a run: rehearsed, told as progress, in waves and in threads."""

from __future__ import annotations

import threading
from pathlib import Path

from prism_core.jobs import LOCAL_STAGES, Stages, translate
from prism_core.settings import Job
from prism_core.settings.sections import LimitSettings
from prism_core.state import StatePlace
from tests.stages.archive import (
    DISTINCT,
    EXPECTED,
    NAME,
    Backwards,
    again,
    install,
    make_job,
    outputs,
    received,
    rehearse,
    texts_received,
    write_archive,
)


def test_a_rehearsal_counts_sends_nothing_and_leaves_nothing(job: Job, log: Path) -> None:
    found = rehearse(job, samples=4)
    assert (found.rows[0].expected.texts, found.rows[0].expected.requests, len(found.samples)) == (
        DISTINCT,
        3,
        4,
    )
    assert found.summary.documents == 3
    assert not any(NAME in sample for sample in found.samples)
    assert not log.exists()
    assert not job.output.exists()
    assert not job.settings.key.file.exists()


def test_a_rehearsal_counts_only_what_a_run_would_still_send(job: Job, log: Path) -> None:
    translate(job)
    (job.input / "new.txt").write_text("The small dog moved the candle.\n")
    assert rehearse(job).rows[0].expected.texts == 1
    assert translate(again(job)).documents_written == 1


def test_progress_can_be_read_while_the_run_goes_on(job: Job, log: Path) -> None:
    seen = []
    install(Backwards(log, after=lambda _n: seen.append(StatePlace.of(job).progress(job.run_id))))
    assert StatePlace.of(job).progress(job.run_id).documents_total == 0
    translate(job)
    done = StatePlace.of(job).progress(job.run_id)
    assert [progress.stage for progress in seen] == ["translate"] * 3
    assert [progress.requests for progress in seen] == [1, 2, 3]
    assert seen[0].documents_read == seen[0].documents_total == 3
    assert (done.documents_done, done.sentences_done, done.sentences_total) == (
        3,
        DISTINCT,
        DISTINCT,
    )


def test_documents_are_processed_in_waves_of_bounded_size(tmp_path: Path, log: Path) -> None:
    texts = {
        f"{noun}.txt": f"The {noun} opened the window.\n" for noun in "dog river table".split()
    }
    write_archive(tmp_path / "in", texts)
    job = make_job(tmp_path, limits=LimitSettings(wave_documents=1, chunk_documents=1, workers=1))
    order: list[str] = []

    def noted(name: str, stage):  # type: ignore[no-untyped-def]
        def run(*ids: object) -> object:
            order.append(name)
            return stage(*ids)

        return run

    local = LOCAL_STAGES
    names = ("read", "encode", "translate", "write")
    translate(job, Stages(**{name: noted(name, getattr(local, name)) for name in names}))
    assert order[:4] == ["read"] * 3 + ["encode"]
    assert order.count("translate") == order.count("encode") == order.count("write") == 3
    assert len(received(log)) == 3


def test_the_next_wave_is_encoded_while_one_is_sent(tmp_path: Path, log: Path) -> None:
    nouns = "dog river table".split()
    write_archive(tmp_path / "in", {f"{n}.txt": f"The {n} opened the window.\n" for n in nouns})
    job = make_job(tmp_path, limits=LimitSettings(wave_documents=1, chunk_documents=1, workers=1))
    encoded: list[int] = []
    both = threading.Barrier(2, timeout=60)

    def noted(*work):  # type: ignore[no-untyped-def]
        encoded.append(len(encoded))
        if len(encoded) == 2:
            both.wait()  # passed only while the translator is asked
        return LOCAL_STAGES.encode(*work)

    install(Backwards(log, after=lambda number: both.wait() if number == 1 else None))
    translate(job, Stages(encode=noted))
    assert len(outputs(job)) == 3


def test_stages_may_run_in_threads(job: Job, log: Path) -> None:
    job = job.model_copy(
        update={
            "settings": job.settings.model_copy(update={"limits": LimitSettings(chunk_documents=1)})
        }
    )

    def in_threads(stage, run, works):  # type: ignore[no-untyped-def]
        results: list[object] = [None] * len(works)

        def work(place: int) -> None:
            results[place] = stage(run, *works[place])

        threads = [threading.Thread(target=work, args=(n,)) for n in range(len(works))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return results

    translate(job, Stages(each=in_threads))
    assert outputs(job) == EXPECTED
    assert len(texts_received(log)) == DISTINCT
