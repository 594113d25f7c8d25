"""What is walked, and where nothing may be written."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from prism_core.errors import OutputError
from prism_core.job import Job
from prism_core.stages.folders import found_files, output_path, partial_path, put_in_place
from tests.stages.archive import make_job, write_archive


@pytest.fixture
def job(tmp_path: Path) -> Job:
    write_archive(tmp_path / "in")
    return make_job(tmp_path)


def test_links_and_pipes_are_named_and_not_opened(job: Job, tmp_path: Path) -> None:
    outside = write_archive(tmp_path / "outside")
    (job.input / "folder").symlink_to(outside)
    (job.input / "file.txt").symlink_to(outside / "notes.txt")
    (job.input / "dangling").symlink_to("nowhere")
    os.mkfifo(job.input / "pipe")
    found = {file.path: file.error for file in found_files(job)}
    refused = {path for path, error in found.items() if error}
    assert refused == {"folder", "file.txt", "dangling", "pipe"}
    assert set(found) - refused == {"letters/first.txt", "letters/second.txt", "notes.txt"}


def test_a_link_in_the_output_folder_may_not_lead_out_of_it(job: Job, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    job.output.mkdir()
    (job.output / "letters").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OutputError, match="leads out"):
        output_path(job, "letters/first.txt")


def test_an_output_has_the_time_and_mode_of_its_source(job: Job) -> None:
    source = job.input / "notes.txt"
    source.chmod(0o640)
    os.utime(source, ns=(10**18, 10**18 + 7))
    final = output_path(job, "notes.txt")
    partial = partial_path(job, "d1", final)
    partial.write_text("translated")
    put_in_place(partial, source, final, replace=False)
    assert final.read_text() == "translated"
    assert final.stat().st_mtime_ns == 10**18 + 7
    assert stat.S_IMODE(final.stat().st_mode) == 0o640
    assert not partial.exists()


def test_an_output_that_cannot_be_replaced_is_an_output_error(job: Job) -> None:
    final = output_path(job, "notes.txt")
    final.mkdir()
    partial = partial_path(job, "d1", final)
    partial.write_text("translated")
    with pytest.raises(OutputError, match="cannot be written"):
        put_in_place(partial, job.input / "notes.txt", final, replace=True)
