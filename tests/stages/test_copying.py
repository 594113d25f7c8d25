"""What is not translated is copied as it is on request, and later nights keep it right."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from prism_core.jobs import translate
from prism_core.report import ReportFolder, RunReport
from prism_core.settings import Job
from prism_core.settings.run_settings import DocumentSettings
from prism_core.settings.sections import LimitSettings
from tests.stages.archive import (
    EXPECTED,
    Backwards,
    again,
    backwards,
    install,
    make_job,
    outputs,
    write_archive,
)

PICTURE = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"
OTHERS = {
    "scans/photo.png": PICTURE,
    "blank.txt": b" \n",
    "broken.docx": b"PK\x03\x04 no document",
    "large.bin": bytes(range(256)) * 400,
}
COPIES = DocumentSettings(copy_untranslated=True)
LATER = 1_900_000_000


@pytest.fixture
def job(tmp_path: Path) -> Job:
    """An archive with a picture, an empty file, a broken one and one that is too large."""
    install(Backwards(tmp_path / "log"))
    write_archive(tmp_path / "in")
    for name, content in OTHERS.items():
        (tmp_path / "in" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "in" / name).write_bytes(content)
    (tmp_path / "in" / "link.txt").symlink_to("notes.txt")
    return make_job(tmp_path, documents=COPIES, limits=LimitSettings(document_mb=0.1, workers=1))


def report_of(job: Job) -> RunReport:
    found = ReportFolder(job.report_folder).find(job.run_id)
    assert found is not None
    return found


def test_what_is_not_translated_is_copied_byte_by_byte_and_the_report_says_so(job: Job) -> None:
    photo = job.input / "scans/photo.png"
    photo.chmod(0o640)
    os.utime(photo, (LATER, LATER))
    translate(job)
    assert outputs(job) == EXPECTED | OTHERS, "but not the link"
    status = (job.output / "scans/photo.png").stat()
    assert (status.st_mode & 0o777, status.st_mtime) == (0o640, LATER)
    report = report_of(job)
    totals = report.totals
    assert (totals.documents_copied, totals.documents_empty, totals.documents_pictures) == (4, 2, 1)
    assert sorted(row.failure for row in report.failures) == ["corrupt", "too-large", "unsupported"]
    copied = {row.failure for row in report.failures if "copied" in row.notices}
    assert copied == {"corrupt", "too-large"}


def test_nothing_is_copied_unless_it_is_asked_for(job: Job) -> None:
    translate(again(job, documents=DocumentSettings()))
    assert outputs(job) == EXPECTED


def test_later_nights_keep_copies_right(job: Job) -> None:
    translate(job)
    blank, photo = job.output / "blank.txt", job.output / "scans/photo.png"
    before = photo.stat().st_ino
    (job.input / "broken.docx").write_text("The old farmer cleaned the table.\n")
    (job.input / "blank.txt").write_text("\n\n\n")
    (job.output / "large.bin").write_bytes(b"changed by hand")
    night = again(job)
    assert translate(night).documents_written == 1
    made = backwards("The old farmer cleaned the table.\n").encode()
    assert (job.output / "broken.docx").read_bytes() == made, "it is a document by now"
    assert blank.read_text() == "\n\n\n"
    assert photo.stat().st_ino == before, "what is there is not copied again"
    assert (job.output / "large.bin").read_bytes() == b"changed by hand", "it is not ours"
    assert (job.output / "large (2).bin").read_bytes() == OTHERS["large.bin"]
    assert report_of(night).totals.documents_copied == 3


def test_a_copy_takes_the_place_of_a_translation_and_is_pruned_with_its_document(job: Job) -> None:
    translate(job)
    (job.input / "notes.txt").write_bytes(PICTURE)
    translate(again(job))
    assert (job.output / "notes.txt").read_bytes() == PICTURE
    for name in ("notes.txt", "scans/photo.png"):
        (job.input / name).unlink()
    gone = again(job)
    translate(gone)
    assert report_of(gone).totals.documents_copied == 3, "of what is there"
    (job.input / "link.txt").unlink()
    pruned = translate(again(job, documents=DocumentSettings(copy_untranslated=True, prune=True)))
    assert pruned.documents_pruned == 3
    left = outputs(job)
    assert not {"notes.txt", "scans/photo.png"} & left.keys()
    assert left["blank.txt"] == OTHERS["blank.txt"]
