"""The names that documents have in the output folder, and what is never written over."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from prism_core.errors import ExitCode
from prism_core.jobs import translate
from prism_core.settings import Job, new_run_id
from prism_core.settings.run_settings import DocumentSettings
from prism_core.stages import Run
from tests.flows.killing import run_in_child
from tests.permissions import heed_modes
from tests.shared_data import shared
from tests.stages.archive import (
    TEXTS,
    Backwards,
    backwards,
    install,
    make_job,
    outputs,
    received,
    write_archive,
)

NAMED = {
    "files/old_letter.txt": "The old doctor opened the window.\n",
    "files/old-letter.txt": "The quiet farmer cleaned the table.\n",
    "files/old letter.txt": "The soldier moved the ladder.\n",
    "files/2024-03-01_heavy-table_v2.txt": "The teacher carried a basket.\n",
    "files/1987.txt": "The dog followed the farmer.\n",
}
SPOKEN = {
    "files/dlo_rettel.txt": "files/old_letter.txt",
    "files/dlo-rettel.txt": "files/old-letter.txt",
    "files/dlo rettel.txt": "files/old letter.txt",
    "files/2024-03-01_yvaeh-elbat_v2.txt": "files/2024-03-01_heavy-table_v2.txt",
    "files/1987.txt": "files/1987.txt",
}
TRANSLATE_NAMES = DocumentSettings(file_names="translate")

pytestmark = pytest.mark.usefixtures("log")


def job_over(folder: Path, texts: dict[str, str], **changes: object) -> Job:
    write_archive(folder / "in", texts)
    return make_job(folder, **changes)


def again(job: Job, **documents: object) -> Job:
    changed = job.settings.documents.model_copy(update=documents)
    settings = job.settings.model_copy(update={"documents": changed})
    return job.model_copy(update={"run_id": new_run_id(), "settings": settings})


def texts(job: Job) -> dict[str, str]:
    return {path: content.decode() for path, content in outputs(job).items()}


def notices(job: Job) -> dict[str, tuple[str, ...]]:
    with Run.open(job) as run:
        return {d.path: d.notices for d in run.store.documents.of_run(job.run_id) if d.notices}


def test_a_file_that_was_there_before_is_never_overwritten(tmp_path: Path) -> None:
    job = job_over(tmp_path, TEXTS)
    write_archive(job.output, {"notes.txt": "Mine.\n", "notes (2).txt": "Mine too.\n"})
    summary = translate(job)
    expected = {name: backwards(text) for name, text in TEXTS.items()}
    expected["notes (3).txt"] = expected["notes.txt"]
    expected |= {"notes.txt": "Mine.\n", "notes (2).txt": "Mine too.\n"}
    assert texts(job) == expected
    assert summary.documents_written == len(TEXTS)
    assert notices(job) == {"notes.txt": ("renamed",)}
    assert translate(again(job)).documents_unchanged == len(TEXTS)
    (job.input / "notes.txt").write_text("The dog followed the farmer.\n")
    later = again(job)
    translate(later)
    expected["notes (3).txt"] = backwards("The dog followed the farmer.\n")
    assert texts(job) == expected
    assert notices(later) == {"notes.txt": ("renamed",)}


@pytest.mark.parametrize("kind", ["folder", "link", "dangling", "pipe"])
def test_nothing_else_that_is_there_is_replaced(tmp_path: Path, kind: str) -> None:
    job = job_over(tmp_path, {"notes.txt": TEXTS["notes.txt"]})
    job.output.mkdir()
    there, mine = job.output / "notes.txt", tmp_path / "mine"
    mine.write_text("Mine.\n")
    {
        "folder": there.mkdir,
        "link": lambda: there.symlink_to(mine),
        "dangling": lambda: there.symlink_to("nowhere"),
        "pipe": lambda: os.mkfifo(there),
    }[kind]()
    before = os.lstat(there)
    translate(job)
    assert os.lstat(there) == before
    assert mine.read_text() == "Mine.\n"
    assert (job.output / "notes (2).txt").read_text() == backwards(TEXTS["notes.txt"])


def test_a_hard_link_to_an_earlier_output_keeps_what_it_has(tmp_path: Path) -> None:
    job = job_over(tmp_path, {"a.txt": "The dog followed the farmer.\n"})
    translate(job)
    os.link(job.output / "a.txt", tmp_path / "kept")
    before = (tmp_path / "kept").read_bytes()
    (job.input / "a.txt").write_text("The soldier moved the ladder.\n")
    translate(again(job))
    assert (tmp_path / "kept").read_bytes() == before
    assert texts(job) == {"a.txt": backwards("The soldier moved the ladder.\n")}


def test_a_translation_that_somebody_edited_stays_beside_the_new_one(tmp_path: Path) -> None:
    job = job_over(tmp_path, {"a.txt": "The dog followed the farmer.\n"})
    translate(job)
    (job.output / "a.txt").write_text("Edited by hand.\n")
    assert translate(again(job)).documents_unchanged == 1
    (job.input / "a.txt").write_text("The soldier moved the ladder.\n")
    later = again(job)
    translate(later)
    new = backwards("The soldier moved the ladder.\n")
    assert texts(job) == {"a.txt": "Edited by hand.\n", "a (2).txt": new}
    assert notices(later) == {"a.txt": ("renamed",)}


def test_without_its_state_store_a_run_leaves_its_old_output_alone(tmp_path: Path) -> None:
    job = job_over(tmp_path, {"a.txt": "The dog followed the farmer.\n"})
    translate(job)
    for file in job.state_folder.iterdir():
        file.unlink()
    translate(again(job))
    new = backwards("The dog followed the farmer.\n")
    assert texts(job) == {"a.txt": new, "a (2).txt": new}


def test_a_suffix_that_is_added_never_meets_another_documents_name(tmp_path: Path) -> None:
    message = shared("documents/msg/poi__message_normal_submission_chunk.msg").read_bytes()
    job = job_over(tmp_path, {"note.msg.eml": "Subject: The garden\nFrom: a@b.c\n\nThe dog.\n"})
    (job.input / "note.msg").write_bytes(message)
    (job.input / "folder.msg").write_bytes(message)
    write_archive(job.input, {"folder.msg.eml/a.txt": "The dog followed the farmer.\n"})
    assert translate(job).documents_written == 4
    assert set(outputs(job)) == {
        "note.msg.eml",
        "note.msg (2).eml",
        "folder.msg (2).eml",
        "folder.msg.eml/a.txt",
    }
    assert b"Subject: The nedrag" in outputs(job)["note.msg.eml"]
    assert {path for path, said in notices(job).items() if "renamed" in said} == {
        "note.msg",
        "folder.msg",
    }


def test_the_folders_of_prism_are_its_own(tmp_path: Path) -> None:
    names = (".prism/a.txt", ".prism-partial/a.txt", "prism-report/a.txt", "x/.prism/a.txt")
    job = job_over(tmp_path, dict.fromkeys(names, "The dog followed the farmer.\n"))
    assert translate(job).documents_written == 4
    expected = {".prism (2)/a.txt", ".prism-partial (2)/a.txt", "prism-report (2)/a.txt"}
    assert set(outputs(job)) == expected | {"x/.prism/a.txt"}


def test_a_name_that_gets_too_long_is_cut(tmp_path: Path) -> None:
    message = shared("documents/msg/poi__message_normal_submission_chunk.msg").read_bytes()
    job = job_over(tmp_path, TEXTS)
    for start in ("a", "b"):
        (job.input / f"{start * 251}.msg").write_bytes(message)
    (job.input / f"{'a' * 250}.msg").write_bytes(message)
    assert translate(job).documents_written == 6
    written = {name for name in outputs(job) if name.endswith(".eml")}
    assert len(written) == 3
    assert all(len(name.encode()) <= 255 for name in written)


def test_names_are_translated_with_what_joins_their_words(tmp_path: Path, log: Path) -> None:
    job = job_over(tmp_path, NAMED, documents=TRANSLATE_NAMES)
    assert translate(job).documents_partly == 0
    assert texts(job) == {name: backwards(NAMED[path]) for name, path in SPOKEN.items()}
    sent = [text for request in received(log) for text in request]
    assert len(sent) == len(NAMED) + 2, "a sentence of each, and two different names"
    assert not {"old letter", "heavy table"} <= set(sent), "one may be drawn for itself by chance"
    assert translate(again(job)).documents_unchanged == len(NAMED)


def test_a_name_that_cannot_be_sent_stays(tmp_path: Path, log: Path) -> None:
    never = tmp_path / "never.txt"
    never.write_text("heavy table\n")
    job = job_over(
        tmp_path,
        {"heavy_table.txt": "The dog followed the farmer.\n", "letter.txt": "The dog moved.\n"},
        documents=TRANSLATE_NAMES,
        mechanism={"threshold": 0.5, "minimum_pool": 2, "unknown_words": "withhold"},
    )
    (job.input / "heavy_table.txt").rename(job.input / "heavy_zyxophone.txt")
    assert translate(job).documents_written == 2
    assert set(outputs(job)) == {"heavy_zyxophone.txt", "rettel.txt"}


def test_a_later_run_with_other_names_takes_its_old_output_away(tmp_path: Path) -> None:
    job = job_over(tmp_path, NAMED)
    translate(job)
    assert set(outputs(job)) == set(NAMED)
    (job.output / "files/old letter.txt").write_text("Edited by hand.\n")
    translate(again(job, file_names="translate"))
    expected = {name: backwards(NAMED[path]) for name, path in SPOKEN.items()}
    assert texts(job) == expected | {"files/old letter.txt": "Edited by hand.\n"}
    last = again(job, file_names="keep")
    translate(last)
    expected = {path: backwards(text) for path, text in NAMED.items()}
    expected["files/old letter (2).txt"] = expected["files/old letter.txt"]
    assert texts(job) == expected | {"files/old letter.txt": "Edited by hand.\n"}
    assert notices(last) == {"files/old letter.txt": ("renamed",)}


def test_originals_stay_as_they_are_and_read_only_ones_are_translated(tmp_path: Path) -> None:
    job = job_over(tmp_path, TEXTS, documents=TRANSLATE_NAMES)
    for path in job.input.rglob("*"):
        os.utime(path, ns=(10**18, 10**18 + 7))
        path.chmod(0o555 if path.is_dir() else 0o440)
    before = {path: _look(path) for path in job.input.rglob("*")}
    code = run_in_child(job, lambda: heed_modes())
    assert code == ExitCode.OK
    assert {path: _look(path) for path in job.input.rglob("*")} == before
    for path in job.output.rglob("*.txt"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o440
    (job.input / "notes.txt").chmod(0o640)
    (job.input / "notes.txt").write_text("The dog followed the farmer.\n")
    assert run_in_child(again(job), heed_modes) == ExitCode.OK
    for path in job.input.rglob("*"):
        path.chmod(0o755)


def _look(path: Path) -> tuple[object, ...]:
    status = path.lstat()
    content = path.read_bytes() if path.is_file() else sorted(path.iterdir())
    return content, status.st_mode, status.st_mtime_ns, status.st_ctime_ns, status.st_nlink


def test_folders_have_the_modes_of_their_sources(tmp_path: Path) -> None:
    job = job_over(tmp_path, {**TEXTS, "deep/er/a.txt": "The dog followed the farmer.\n"})
    (job.output / "letters").mkdir(parents=True, mode=0o700)
    for folder, mode in (("letters", 0o755), ("deep", 0o750), ("deep/er", 0o550)):
        (job.input / folder).chmod(mode)
    translate(job)
    modes = {name: stat.S_IMODE((job.output / name).stat().st_mode) for name in ("deep", "deep/er")}
    assert modes == {"deep": 0o750, "deep/er": 0o750}, "the owner may always write"
    assert stat.S_IMODE((job.output / "letters").stat().st_mode) == 0o700, "it was there before"
    (job.input / "deep/er").chmod(0o755)


def test_a_file_that_may_not_be_read_is_a_row_and_the_others_are_written(tmp_path: Path) -> None:
    job = job_over(tmp_path, TEXTS)
    (job.input / "notes.txt").chmod(0)
    (job.input / "locked").mkdir(mode=0)
    assert run_in_child(job, heed_modes) == ExitCode.OK
    assert set(outputs(job)) == {"letters/first.txt", "letters/second.txt"}
    assert failures(job) == {"notes.txt": "restricted", "locked": "restricted"}
    (job.input / "locked").chmod(0o755)


def failures(job: Job) -> dict[str, str]:
    with Run.open(job) as run:
        return {d.path: d.failure for d in run.store.documents.of_run(job.run_id) if d.failure}


@pytest.mark.parametrize("change", ["removed", "rewritten", "link"])
def test_a_file_that_changes_during_the_run_is_a_row(
    tmp_path: Path, log: Path, change: str
) -> None:
    job = job_over(tmp_path, TEXTS)
    notes = job.input / "notes.txt"

    def meddle(number: int) -> None:
        if number == 1:
            notes.unlink()
        if number == 1 and change == "rewritten":
            notes.write_text("Another text.\n")
        if number == 1 and change == "link":
            notes.symlink_to(job.input / "letters/first.txt")

    install(Backwards(log, before=meddle))
    summary = translate(job)
    assert (summary.documents_written, summary.documents_failed) == (2, 1)
    assert failures(job) == {"notes.txt": "unrebuildable"}
    assert set(outputs(job)) == {"letters/first.txt", "letters/second.txt"}


def test_an_output_folder_that_may_not_be_written_ends_the_run_and_the_next_goes_on(
    tmp_path: Path, log: Path
) -> None:
    job = job_over(tmp_path, TEXTS)
    (job.output / "letters").mkdir(parents=True)
    (job.output / "letters").chmod(0o555)

    def prepare() -> None:
        heed_modes()
        install(Backwards(log))

    assert run_in_child(job, prepare) == ExitCode.OUTPUT_UNWRITABLE
    sent = len(received(log))
    (job.output / "letters").chmod(0o755)
    translate(again(job))
    assert texts(job) == {name: backwards(text) for name, text in TEXTS.items()}
    assert len(received(log)) == sent


def test_a_file_in_the_place_of_a_folder_ends_the_run(tmp_path: Path) -> None:
    job = job_over(tmp_path, TEXTS)
    write_archive(job.output, {"letters": "Mine.\n"})
    assert run_in_child(job, lambda: None) == ExitCode.OUTPUT_UNWRITABLE
    assert (job.output / "letters").read_text() == "Mine.\n"
