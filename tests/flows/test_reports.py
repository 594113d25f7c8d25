"""What the report of a real run says, and what becomes of it when the run goes on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from prism_core.jobs import translate
from prism_core.report.chain import Signer, report_name
from prism_core.report.reading import find_run_folder, read_rows
from prism_core.report.verifying import Signed, verify_report
from prism_core.settings import Job, MechanismSettings
from prism_core.settings.sections import IdentifierSettings
from prism_core.stages import Run, report, report_rows
from prism_core.state import UserKey
from tests.stages.archive import (
    NAME,
    TEXTS,
    Backwards,
    again,
    install,
    make_job,
    received,
    write_archive,
)


def a_job(folder: Path, texts: dict[str, str] = TEXTS, **changes: object) -> Job:
    write_archive(folder / "in", texts)
    return make_job(folder, **changes)


def table(job: Job, name: str) -> list[dict[str, Any]]:
    return list(read_rows(find_run_folder(job.report_folder, job.run_id) / f"{name}.parquet"))


def test_identifiers_are_counted_by_class_and_none_remains(tmp_path: Path, log: Path) -> None:
    job = a_job(tmp_path)
    translate(job)
    rows = table(job, "identifiers")
    names = [row for row in rows if row["identifier_class"] == "name"]
    assert sum(row["detected"] for row in names) >= 2
    assert all(row["detected"] == row["replaced"] for row in rows)
    assert all(row["remaining"] == 0 for row in rows)
    for document in table(job, "documents"):
        own = [row for row in rows if row["document_id"] == document["document_id"]]
        for count in ("detected", "replaced", "remaining"):
            assert document[f"identifiers_{count}"] == sum(row[count] for row in own)
    assert NAME not in str(rows)


def test_sentences_stand_in_their_order_however_few_are_read_at_a_time(
    tmp_path: Path, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(report_rows, "_AT_ONCE", 2)
    job = a_job(
        tmp_path, {"a.txt": "The dog followed the farmer.\n" * 3 + TEXTS["letters/first.txt"]}
    )
    translate(job)
    sentences = table(job, "sentences")
    assert [row["ordinal"] for row in sentences] == list(range(7))
    first, *others = [row["sentence_id"] for row in sentences]
    assert [place for place, other in enumerate(others, 1) if other == first] == [1, 2, 6]
    assert len(set(others)) == 4
    assert table(job, "documents")[0]["sentences"] == 7


def test_sentences_are_counted_that_are_sent_with_nothing_replaced(
    tmp_path: Path, log: Path
) -> None:
    job = a_job(tmp_path, {"a.txt": "He did not.\n\nThe old doctor did not.\n\n1987\n"})
    translate(job)
    assert any("He did not." in texts for texts in received(log))
    assert [row["sentences_in_clear"] for row in table(job, "documents")] == [1]
    assert table(job, "run")[0]["sentences_in_clear"] == 1


def test_what_was_sent_of_a_document_that_could_not_be_written_is_counted(
    tmp_path: Path, log: Path
) -> None:
    job = a_job(tmp_path)
    lost = job.input / "notes.txt"

    def remove(number: int) -> None:
        if number == 1:
            lost.unlink()

    size = lost.stat().st_size
    install(Backwards(log, before=remove))
    assert translate(job).documents_failed == 1
    (row,) = [row for row in table(job, "documents") if row["bytes"] == size]
    assert (row["outcome"], row["failure"]) == ("failed", "unrebuildable")
    assert row["tokens"] > 0
    assert row["tokens_kept"] > 0
    assert row["epsilon_document"] == float("inf")
    own = [s for s in table(job, "sentences") if s["document_id"] == row["document_id"]]
    assert len(own) == row["sentences"] > 0
    assert all(sentence["sends"] == 1 for sentence in own if sentence["tokens_kept"])
    assert row["identifiers_remaining"] == 0


def test_what_remains_is_measured_in_what_was_sent(
    tmp_path: Path, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A leak check that lets everything pass is found out by the report."""
    monkeypatch.setattr("prism_core.identifiers.leak_check.Leaks.__bool__", lambda _: False)
    monkeypatch.setattr(
        "prism_core.identifiers.surrogates.SentenceSurrogates.draw",
        lambda _s, _i, text: text,
    )
    job = a_job(tmp_path)
    translate(job)
    assert any(NAME in text for request in received(log) for text in request)
    names = [row for row in table(job, "identifiers") if row["identifier_class"] == "name"]
    assert sum(row["remaining"] for row in names) >= 2
    assert sum(row["identifiers_remaining"] for row in table(job, "documents")) >= 2


def test_a_name_that_is_learned_after_it_was_sent_remains(tmp_path: Path, log: Path) -> None:
    words = {"a.txt": "The farmer saw tidewater near the river.\n"}
    job = a_job(
        tmp_path, words, mechanism=MechanismSettings.choose(threshold=1.0, unknown_words="keep")
    )
    translate(job)
    (document,) = table(job, "documents")
    assert document["identifiers_remaining"] == 0
    assert "tidewater" in str(received(log))
    with Run.open(job) as run:
        with run.store._database.writing() as connection:
            run.store.identifiers.add(connection, {document["document_id"]: ["tidewater"]})
        report(run)
    (document,) = table(job, "documents")
    assert document["identifiers_remaining"] == 1
    (row,) = table(job, "identifiers")
    assert (row["identifier_class"], row["detected"], row["remaining"]) == ("name", 0, 1)


def test_withheld_identifiers_keep_their_class_and_count_as_not_replaced(tmp_path, log) -> None:
    never = tmp_path / "never.txt"
    never.write_text("tidewater\n", encoding="utf-8")
    lists = IdentifierSettings(never_send_file=never)
    mechanism = MechanismSettings.choose(threshold=1.0, unknown_words="keep")
    text = {"a.txt": "Anna Quibble saw the tidewater.\n"}
    job = a_job(tmp_path, text, identifiers=lists, mechanism=mechanism)
    translate(job)
    (document,) = table(job, "documents")
    (row,) = table(job, "identifiers")
    assert document["sentences_withheld"] == 1
    assert (row["identifier_class"], row["replaced"], row["remaining"]) == ("name", 0, 0)
    assert row["detected"] == document["identifiers_detected"] > 0


@pytest.mark.parametrize("mechanism", ["prism-r", "nested", "mixture"])
def test_a_mechanism_that_looks_for_no_identifiers_reports_none_as_unknown(
    tmp_path: Path, log: Path, mechanism: str
) -> None:
    job = a_job(tmp_path, mechanism=MechanismSettings.choose(name=mechanism, minimum_pool=2))
    translate(job)
    assert table(job, "identifiers") == []
    assert {row["identifiers_detected"] for row in table(job, "documents")} == {None}
    assert {row["identifiers_remaining"] for row in table(job, "documents")} == {None}


def test_a_run_that_goes_on_under_its_id_leaves_its_first_report_as_it_was(tmp_path, log) -> None:
    job = a_job(tmp_path)
    translate(job)
    first = find_run_folder(job.report_folder, job.run_id)
    before = {file.name: file.read_bytes() for file in first.iterdir()}
    (tmp_path / "in" / "more.txt").write_text("The dog followed the doctor.\n", encoding="utf-8")
    translate(job)
    second = find_run_folder(job.report_folder, job.run_id)
    assert report_name(second) == f"{job.run_id}.2"
    assert before == {file.name: file.read_bytes() for file in first.iterdir()}
    assert len(table(job, "documents")) == len(TEXTS) + 1
    signer = Signer(UserKey(job.settings.key).load())
    verdict = verify_report(job.report_folder, [signer])
    assert (verdict.findings, verdict.signed) == ((), (Signed.VALID, Signed.VALID))


def test_reports_of_two_archives_may_share_a_folder_and_its_chain(tmp_path, log) -> None:
    shared = {"report": {"path": tmp_path / "reports"}}
    jobs = [a_job(tmp_path / name, **shared) for name in ("one", "two")]
    for job in (*jobs, again(jobs[0])):
        translate(job)
    verdict = verify_report(tmp_path / "reports")
    assert (verdict.runs, verdict.findings) == (3, ())
