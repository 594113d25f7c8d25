"""Documents that are taken away, replaced or altered while a run goes on are rows, and no more."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest

from prism_core.errors import DocumentError
from prism_core.formats import read_input_document
from prism_core.jobs import LOCAL_STAGES, translate
from prism_core.settings import Job
from prism_core.settings.sections import LimitSettings
from prism_core.stages import Folders, Run, StageResult
from prism_core.stages.folders import FoundFile
from tests.stages.archive import backwards, make_job, outputs, texts_received, write_archive
from tests.timing import processor_limit

SECRET = "The colonel buried the silver."
LETTER = "The doctor opened the window.\n"


def _link(path: Path) -> None:
    path.unlink()
    path.symlink_to(path.parents[1] / "outside" / "letter.txt")


def _link_folder(path: Path) -> None:
    shutil.rmtree(path.parent)
    path.parent.symlink_to(path.parents[2] / "outside", target_is_directory=True)


def _folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def _pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


CHANGES: dict[str, Callable[[Path], None]] = {
    "deleted.txt": Path.unlink,
    "folder.txt": _folder,
    "pipe.txt": _pipe,
    "link.txt": _link,
    "below/letter.txt": _link_folder,
    "rewritten.txt": lambda path: path.write_text("The farmer closed the door.\n") and None,
    "longer.txt": lambda path: path.write_text(LETTER + "The dog ran.\n") and None,
}
"""What becomes of each of these files, and of whatever is in its place."""


@pytest.fixture
def job(tmp_path: Path) -> Job:
    write_archive(tmp_path / "in", dict.fromkeys((*CHANGES, "stays.txt"), LETTER))
    write_archive(tmp_path / "outside", {"letter.txt": SECRET})
    return make_job(tmp_path)


def change_all(job: Job) -> None:
    for name, change in CHANGES.items():
        change(job.input / name)


def outcomes(job: Job) -> dict[str, str]:
    with Run.open(job) as run:
        return {d.path: d.failure for d in run.store.documents.of_run(job.run_id)}


def test_between_listing_and_opening(job: Job, log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    listing = Folders.found_files

    def list_then_change(folders: Folders) -> Iterator[FoundFile]:
        found = list(listing(folders))
        change_all(job)
        yield from found

    monkeypatch.setattr(Folders, "found_files", list_then_change)
    translate(job)
    gone = {name for name in CHANGES if name not in ("rewritten.txt", "longer.txt")}
    there = {*CHANGES, "stays.txt"} - gone
    assert outcomes(job) == dict.fromkeys(gone, "unrebuildable") | dict.fromkeys(there, "")
    assert SECRET not in texts_received(log)


@pytest.mark.parametrize("before", ["read", "write"])
def test_before_a_stage(job: Job, log: Path, before: str) -> None:
    stage = getattr(LOCAL_STAGES, before)

    def change_then_run(run: Run, chunk: tuple[str, ...]) -> StageResult:
        if (job.input / "deleted.txt").exists():
            change_all(job)
        return stage(run, chunk)

    translate(job, replace(LOCAL_STAGES, **{before: change_then_run}))
    assert outcomes(job) == dict.fromkeys(CHANGES, "unrebuildable") | {"stays.txt": ""}
    assert outputs(job) == {"stays.txt": backwards(LETTER).encode()}
    assert SECRET not in texts_received(log)
    assert bool(texts_received(log))


def test_a_source_that_goes_while_its_translation_is_put_in_place_does_not_end_the_run(
    job: Job, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = import_module("prism_core.storage.folder_location")
    placing = folder.put_in_place

    def remove_then_place(partial: Path, source: int, final: Path, *, replace: bool) -> None:
        (job.input / final.name).unlink(missing_ok=True)
        placing(partial, source, final, replace=replace)

    monkeypatch.setattr(folder, "put_in_place", remove_then_place)
    assert translate(job).documents_written == len(CHANGES) + 1


def test_a_file_over_the_limit_is_refused_by_its_size_alone(tmp_path: Path, log: Path) -> None:
    write_archive(tmp_path / "in", {"sparse.txt": LETTER})
    os.truncate(tmp_path / "in" / "sparse.txt", 30_000_000_000)
    job = make_job(tmp_path, limits=LimitSettings(workers=1))
    with processor_limit(10):
        translate(job)
    assert outcomes(job) == {"sparse.txt": "too-large"}


@pytest.mark.parametrize("name", [name for name in CHANGES if "rewritten" not in name][:5])
def test_a_reader_never_follows_or_waits_for_what_took_a_files_place(job: Job, name: str) -> None:
    CHANGES[name](job.input / name)
    with pytest.raises(DocumentError, match="unrebuildable"):
        read_input_document(job.input, name)
