"""What is walked, and where nothing may be written."""

from __future__ import annotations

import os
import stat
import struct
from pathlib import Path

import pytest

from prism_core.errors import DocumentError, DocumentFailure, OutputError
from prism_core.formats import read_document, write_document
from prism_core.formats.sandbox import Sandbox
from prism_core.settings import Job
from prism_core.settings.run_settings import DocumentSettings
from prism_core.stages.folders import Folders
from prism_core.storage import FolderLocation
from prism_core.storage.folder_location import put_in_place
from tests.formats.aligned import wrap
from tests.stages.archive import make_job, write_archive

run = Sandbox().call


def output_path(job: Job, name: str) -> Path:
    output = Folders(job).output
    assert isinstance(output, FolderLocation)
    return output.output_path(name, Folders(job).archive)


def make_partial(job: Job) -> Path:
    output = Folders(job).output
    assert isinstance(output, FolderLocation)
    return output.make_partial() / "d1.txt"


def place(partial: Path, source: Path, final: Path, *, replace: bool = False) -> None:
    with source.open("rb") as opened:
        put_in_place(partial, opened.fileno(), final, replace=replace)


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
    found = {file.path: file.error for file in Folders(job).found_files()}
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
    partial = make_partial(job)
    partial.write_text("translated")
    place(partial, source, final)
    assert final.read_text() == "translated"
    assert final.stat().st_mtime_ns == 10**18 + 7
    assert stat.S_IMODE(final.stat().st_mode) == 0o640
    assert not partial.exists()


def test_an_output_that_cannot_be_replaced_is_an_output_error(job: Job) -> None:
    final = output_path(job, "notes.txt")
    final.mkdir()
    partial = make_partial(job)
    partial.write_text("translated")
    with pytest.raises(OutputError, match="cannot be written"):
        place(partial, job.input / "notes.txt", final, replace=True)


def test_what_is_in_the_place_of_a_new_output_stays(job: Job) -> None:
    final = output_path(job, "notes.txt")
    final.write_text("mine")
    partial = make_partial(job)
    partial.write_text("translated")
    with pytest.raises(FileExistsError):
        place(partial, job.input / "notes.txt", final)
    assert final.read_text() == "mine"


def test_an_access_list_goes_along(job: Job) -> None:
    """User 12345 may read; the group of the file may not, though the mode shows the mask."""
    source = job.input / "notes.txt"
    none = 0xFFFFFFFF
    entries = [(1, 6, none), (2, 4, 12345), (4, 0, none), (16, 4, none), (32, 0, none)]
    packed = struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *one) for one in entries)
    os.setxattr(source, "system.posix_acl_access", packed)
    assert stat.S_IMODE(source.stat().st_mode) == 0o640
    final = output_path(job, "notes.txt")
    partial = make_partial(job)
    partial.write_text("translated")
    place(partial, source, final)
    assert os.getxattr(final, "system.posix_acl_access") == packed
    assert stat.S_IMODE(final.stat().st_mode) == 0o640


def test_a_full_disk_ends_the_run_and_not_the_document(job: Job) -> None:
    document = run(read_document, job.input / "notes.txt")
    texts = [segment.text for segment in document.segments]
    with pytest.raises(OutputError, match="ENOSPC"):
        run(write_document, document, wrap(texts), Path("/dev/full"))


@pytest.mark.parametrize("name", ["n" * 300, "n" * 200 + "/" + "n" * 300])
def test_a_name_that_the_output_cannot_have_is_the_documents_failure(job: Job, name: str) -> None:
    with pytest.raises(DocumentError) as raised:
        output_path(job, f"{name}/notes.txt")
    assert raised.value.failure is DocumentFailure.UNREBUILDABLE


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ({}, ["a.txt", "b.docx", "sub/c.TXT", "sub/d~$.txt"]),
        ({"include": ["*.txt"]}, ["a.txt", "sub/c.TXT", "sub/d~$.txt"]),
        ({"exclude": ["sub/*", "Thumbs.db", "~$*"]}, ["a.txt", "b.docx"]),
        ({"include": ["SUB/*.txt"], "exclude": []}, ["sub/c.TXT", "sub/d~$.txt"]),
    ],
)
def test_what_the_settings_leave_out_is_no_document(
    tmp_path: Path, said: dict[str, list[str]], found: list[str]
) -> None:
    names = ["a.txt", "b.docx", "sub/c.TXT", "sub/d~$.txt", "THUMBS.DB", "sub/~$b.docx"]
    write_archive(tmp_path / "in", dict.fromkeys(names, "x"))
    job = make_job(tmp_path, documents=DocumentSettings.model_validate(said))
    assert sorted(file.path for file in Folders(job).found_files()) == found
