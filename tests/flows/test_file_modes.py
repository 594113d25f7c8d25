"""Who may read what a run writes, under the usual umask: its owner alone, unless told otherwise."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from prism_core.jobs import translate
from prism_core.settings import Job
from prism_core.settings.sections import ReportSettings
from tests.stages.archive import TEXTS, again, make_job, outputs, write_archive


@pytest.fixture(autouse=True)
def usual_umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def modes(folder: Path) -> set[tuple[bool, int]]:
    """Of ``folder`` and of all that is in it: whether it is a folder, and its mode."""
    return {(path.is_dir(), stat.S_IMODE(path.stat().st_mode)) for path in everything(folder)}


def everything(folder: Path) -> list[Path]:
    return [folder, *folder.rglob("*")]


@pytest.fixture
def job(tmp_path: Path) -> Job:
    write_archive(tmp_path / "in", TEXTS)
    return make_job(tmp_path)


def test_state_and_report_are_the_owners_and_documents_are_as_readable_as_their_sources(
    job: Job, log: Path
) -> None:
    guarded = sorted(job.input.rglob("*.txt"))[0]
    guarded.chmod(0o640)
    translate(job)
    assert modes(job.report_folder) == {(True, 0o700), (False, 0o600)}
    assert modes(job.state_folder) == {(True, 0o700), (False, 0o600)}
    for name in outputs(job):
        written, source = (stat.S_IMODE((f / name).stat().st_mode) for f in (job.output, job.input))
        assert written == source == (0o640 if job.input / name == guarded else 0o644)
    own = {*everything(job.report_folder), *everything(job.state_folder)}
    others = {path for path in everything(job.output) if path.is_file()} - own
    assert others == {job.output / name for name in outputs(job)}, "nothing else was written"


@pytest.mark.parametrize(
    ("readable_by", "expected"),
    [("group", {(True, 0o750), (False, 0o640)}), ("everyone", {(True, 0o755), (False, 0o644)})],
)
def test_the_report_is_for_whom_the_settings_name(
    job: Job, log: Path, readable_by: str, expected: set[tuple[bool, int]]
) -> None:
    os.umask(0o077)
    settings = ReportSettings.model_validate({"readable_by": readable_by})
    translate(again(job, report=settings))
    assert modes(job.report_folder) == expected


def test_a_later_report_leaves_the_mode_of_the_folder_it_finds(job: Job, log: Path) -> None:
    job.report_folder.mkdir(parents=True, mode=0o755)
    translate(job)
    assert stat.S_IMODE(job.report_folder.stat().st_mode) == 0o755
    inside = [modes(path) for path in job.report_folder.iterdir()]
    assert set.union(*inside) == {(True, 0o700), (False, 0o600)}
