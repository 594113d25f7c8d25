"""Documents that the archive has no more: reported, and destroyed where that is asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from prism_core.alignment import Translation
from prism_core.errors import QuotaExhausted
from prism_core.jobs import translate
from prism_core.report import ReportFolder
from prism_core.settings import Job
from prism_core.settings.run_settings import DocumentSettings
from prism_core.stages import Run, ingest, prune
from prism_core.state import DocumentStatus, Reviewed
from prism_core.state.schema import document_sentences, metadata, outputs, reviews, sentences
from tests.stages.archive import (
    EXPECTED,
    TEXTS,
    Backwards,
    again,
    backwards,
    install,
    make_job,
    texts_received,
    write_archive,
)

GONE = "wards/patient.txt"
TEXT = "Martin Zorbanquist painted the narrow tunnel.\n\nThe dog followed the farmer.\n"
ALL = {**TEXTS, GONE: TEXT}
PRUNES = {"documents": DocumentSettings(prune=True)}


@pytest.fixture
def log(tmp_path: Path) -> Path:
    install(Backwards(tmp_path / "log"))
    return tmp_path / "log"


@pytest.fixture
def job(tmp_path: Path, log: Path) -> Job:
    """A translated archive, one document of which is gone since."""
    write_archive(tmp_path / "in", ALL)
    job = make_job(tmp_path)
    translate(job)
    (job.input / GONE).unlink()
    return job


def rows_of(job: Job, table: str) -> list[object]:
    with Run.open(job) as run:
        return list(run.store._database.rows(metadata.tables[table].select()))


def outcomes(job: Job) -> dict[str, int]:
    found = ReportFolder(job.report_folder).find(job.run_id)
    assert found is not None
    names = ("documents", "documents_gone", "documents_pruned")
    return {name: getattr(found.totals, name) for name in names}


def test_a_document_that_is_gone_is_reported_every_night_and_its_translation_stays(job: Job):
    for night in (again(job), again(job)):
        summary = translate(night)
        assert (summary.documents, summary.documents_gone) == (len(TEXTS), 1)
        assert outcomes(night) == {"documents": 3, "documents_gone": 1, "documents_pruned": 0}
        assert (job.output / GONE).read_text() == backwards(TEXT)


def test_of_a_pruned_document_nothing_is_left_but_an_empty_row(job: Job) -> None:
    with Run.open(again(job)) as run:
        languages = (job.source, job.target)
        reviewed = {
            run.store.reviews.id_of(text, languages): Reviewed(Translation(text[::-1]), "Eve")
            for text in ("Martin Zorbanquist painted the narrow tunnel.", "The dog barked.")
        }
        run.store.reviews.record(reviewed, [])
    night = again(job, **PRUNES)
    summary = translate(night)
    assert (summary.documents, summary.documents_gone, summary.documents_pruned) == (3, 0, 1)
    assert outcomes(night) == {"documents": 3, "documents_gone": 0, "documents_pruned": 1}
    assert not (job.output / GONE).parent.exists()
    with Run.open(again(job)) as run:
        store = run.store
        [row] = [d for d in store.documents.of_run(night.run_id) if d.status.is_absent]
        assert (row.path, row.output, row.content) == ("", None, "")
        texts = store.sentences.texts(row.id)
        assert texts == {}
        assert "Zorbanquist" not in " ".join(store.identifiers)
        assert any("Quibble" in form for form in store.identifiers), "others have this name"
        assert list(store.reviews.find(reviewed)) == [list(reviewed)[1]]
    held = {link.sentence for link in rows_of(job, document_sentences.name)}
    assert {row.id for row in rows_of(job, sentences.name)} == held
    assert len(rows_of(job, outputs.name)) == len(TEXTS)
    assert len(rows_of(job, reviews.name)) == 1


def test_what_other_documents_need_stays_and_is_not_sent_again(job: Job, log: Path) -> None:
    sent = texts_received(log)
    assert translate(again(job, **PRUNES)).documents_unchanged == len(TEXTS)
    write_archive(job.input, {"new.txt": "The dog followed the farmer.\n"})
    translate(again(job, **PRUNES))
    assert texts_received(log) == sent
    assert (job.output / "new.txt").read_text() == backwards("The dog followed the farmer.\n")


def test_a_pruned_document_that_comes_back_is_translated_anew(job: Job, log: Path) -> None:
    translate(again(job, **PRUNES))
    sent = len(texts_received(log))
    write_archive(job.input, ALL)
    summary = translate(again(job, **PRUNES))
    assert (summary.documents_written, summary.documents_pruned) == (1, 0)
    assert (job.output / GONE).read_text() == backwards(TEXT)
    assert len(texts_received(log)) == sent + 1


def test_a_translation_that_a_person_changed_is_not_destroyed(job: Job) -> None:
    (job.output / GONE).write_text("corrected by hand")
    summary = translate(again(job, **PRUNES))
    assert (summary.documents_gone, summary.documents_pruned) == (1, 0)
    assert (job.output / GONE).read_text() == "corrected by hand"


def test_nothing_is_pruned_where_the_input_holds_no_document_at_all(job: Job) -> None:
    for name in TEXTS:
        (job.input / name).unlink()
    summary = translate(again(job, **PRUNES))
    assert (summary.documents_gone, summary.documents_pruned) == (len(ALL), 0)
    assert {name: (job.output / name).read_bytes() for name in TEXTS} == EXPECTED


def test_nothing_is_pruned_where_the_input_vanishes_while_the_run_goes_on(job: Job) -> None:
    with Run.open(again(job, **PRUNES)) as run:
        run.store.runs.begin(run.job.run_id)
        ingest(run)
        for name in TEXTS:
            (job.input / name).unlink()
        prune(run)
        counts = run.store.documents.count(run.job.run_id)
    assert counts[DocumentStatus.GONE] == 1
    assert DocumentStatus.PRUNED not in counts
    assert (job.output / GONE).read_text() == backwards(TEXT)


def test_a_document_under_another_name_is_renamed_and_not_gone(job: Job, log: Path) -> None:
    sent = texts_received(log)
    write_archive(job.input, {"archive/patient-7.txt": TEXT})
    for night in (again(job), again(job)):
        summary = translate(night)
        assert (summary.documents_gone, summary.documents_renamed) == (0, 1)
    assert {(job.output / name).read_text() for name in (GONE, "archive/patient-7.txt")} == {
        backwards(TEXT)
    }
    summary = translate(again(job, **PRUNES))
    assert (summary.documents_renamed, summary.documents_pruned) == (0, 1)
    assert not (job.output / GONE).parent.exists()
    assert (job.output / "archive/patient-7.txt").read_text() == backwards(TEXT)
    assert texts_received(log) == sent, "no sentence is sent again"


def test_a_document_that_is_gone_under_its_new_name_too_is_gone(job: Job) -> None:
    write_archive(job.input, {"new.txt": TEXT, "empty.txt": ""})
    assert translate(again(job)).documents_renamed == 1
    for name in ("new.txt", "empty.txt"):
        (job.input / name).unlink()
    write_archive(job.input, {"another-empty.txt": ""})
    summary = translate(again(job))
    assert (summary.documents_gone, summary.documents_renamed) == (3, 0)


def test_the_old_name_is_pruned_only_when_the_new_one_is_written(job: Job, log: Path) -> None:
    def fail(_request: int) -> None:
        raise QuotaExhausted("the quota is used up")

    write_archive(job.input, {"new.txt": TEXT})
    afresh = {"mechanism": job.settings.mechanism.model_copy(update={"threshold": 0.6})}
    install(Backwards(log, before=fail))
    stopped = again(job, **PRUNES, **afresh)
    with pytest.raises(QuotaExhausted):
        translate(stopped)
    assert (job.output / GONE).read_text() == backwards(TEXT)
    install(Backwards(log))
    assert translate(again(stopped)).documents_pruned == 1
    assert not (job.output / GONE).exists()


def test_what_is_excluded_or_not_asked_for_is_not_gone(job: Job) -> None:
    excludes = DocumentSettings(exclude=("notes.txt",), prune=True)
    night = again(job, documents=excludes)
    assert translate(night).documents_pruned == 1, "the one that is gone, not the excluded one"
    assert (job.output / "notes.txt").exists()
    single = again(job, **PRUNES).model_copy(update={"input": job.input / "letters/first.txt"})
    summary = translate(single)
    assert (summary.documents_gone, summary.documents_pruned) == (0, 0)


def test_the_status_says_what_became_of_a_document() -> None:
    absent = {status for status in DocumentStatus if status.is_absent}
    assert absent == {DocumentStatus.GONE, DocumentStatus.RENAMED, DocumentStatus.PRUNED}
