"""How an archive is cut into chunks: enough for every worker, and none for nothing."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import pytest

from prism_core.settings import Job
from prism_core.settings.sections import LimitSettings
from prism_core.stages import Run, open_workers
from prism_core.state.schema import DocumentStatus
from prism_core.state.stage_records import Sighting
from tests.stages.archive import make_job


@pytest.fixture
def job(tmp_path: Path) -> Job:
    return make_job(tmp_path, limits=LimitSettings(chunk_documents=50, workers=4))


def unread(job: Job, sizes: list[int], *, workers: bool = True) -> list[list[int]]:
    """The sizes of the documents in each chunk, when documents of ``sizes`` are to be read."""
    seen = [
        (Sighting(f"{n}.txt", size, "c", "f"), DocumentStatus.FOUND) for n, size in enumerate(sizes)
    ]
    with Run.open(job) as run:
        run.store.documents.record(job.run_id, seen)
        with open_workers(run) if workers else nullcontext():
            chunks = run.unread_chunks()
        size_of = {d.id: d.bytes for d in run.store.documents.of_run(job.run_id)}
    assert sorted(one for chunk in chunks for one in chunk) == sorted(size_of)
    return [[size_of[one] for one in chunk] for chunk in chunks]


def test_a_small_archive_is_one_chunk(job: Job) -> None:
    assert len(unread(job, [3_000] * 10)) == 1


def test_a_large_one_gives_every_worker_several_chunks(job: Job) -> None:
    chunks = unread(job, [30_000] * 120)
    assert len(chunks) == 12
    assert {len(chunk) for chunk in chunks} == {10}


def test_a_few_large_documents_are_worth_workers(job: Job) -> None:
    assert len(unread(job, [2_000_000] * 4)) == 4


def test_a_large_document_does_not_take_the_small_ones_with_it(job: Job) -> None:
    small = [
        chunk for chunk in unread(job, [5_000] * 100 + [20_000_000]) if 20_000_000 not in chunk
    ]
    assert sum(map(len, small)) >= 50


def test_one_process_has_chunks_of_the_size_that_is_set(job: Job) -> None:
    chunks = unread(job, [30_000] * 120, workers=False)
    assert [len(chunk) for chunk in chunks] == [50, 50, 20]


def test_no_chunk_is_larger_than_is_set(tmp_path: Path) -> None:
    job = make_job(tmp_path, limits=LimitSettings(chunk_documents=7, workers=2))
    assert max(len(chunk) for chunk in unread(job, [30_000] * 120)) == 7
