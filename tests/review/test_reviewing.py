"""What a person reviewed is in the documents, in later nights and in the report; the rest stays."""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from prism_core.cat.jobs.reviewing import OpenReview, export_review, import_review
from prism_core.cat.review import Correction, Reason
from prism_core.errors import ConfigurationError
from prism_core.jobs import make_notice, translate
from prism_core.report import ReportFolder
from prism_core.settings import Job
from tests.stages.archive import (
    TEXTS,
    Backwards,
    again,
    install,
    make_job,
    outputs,
    texts_received,
    write_archive,
)

REPEATED = "The dog followed the farmer."
LONG = "The old dog and the small house and the green river followed the quiet table."


class Refusing(Backwards):
    """Answers nothing of use to the sentence with many words."""

    async def translate(self, texts: Sequence[str], source: str, target: str) -> list[str]:
        answers = await super().translate(texts, source, target)
        return ["" if text.count(" ") > 11 else answers[n] for n, text in enumerate(texts)]


@pytest.fixture
def job(tmp_path: Path) -> Job:
    """A job that was run: of one document the only sentence has no translation."""
    write_archive(tmp_path / "in", {**TEXTS, "bad.txt": f"{LONG}\n"})
    install(Refusing(tmp_path / "log"))
    job = make_job(tmp_path)
    translate(job)
    return again(job)


def edit(path: Path, change: Callable[[dict[str, str]], object]) -> None:
    """Have a person go through a table."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file, dialect="excel-tab"))
    for row in rows:
        change(row)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0], dialect="excel-tab")
        writer.writeheader()
        writer.writerows(rows)


def documents(job: Job) -> list[dict[str, object]]:
    """The documents of the last report."""
    last = max(job.report_folder.glob("run=*/documents.parquet"), key=lambda p: p.stat().st_mtime)
    return pq.ParquetFile(last).read().to_pylist()


def test_what_was_withheld_is_found_corrected_and_in_the_document(job: Job, tmp_path: Path) -> None:
    before = outputs(job)
    assert before["bad.txt"].decode() == f"{LONG}\n"
    exported = export_review(job, tmp_path / "r.tsv")
    assert (exported.units, exported.documents, exported.in_clear) == (1, 1, True)
    edit(tmp_path / "r.tsv", lambda row: row.update(translation="El perro viejo."))
    found = import_review(job, tmp_path / "r.tsv", "M. Ortega")
    assert (found.corrected, found.confirmed, found.misfits, found.rebuilt) == (1, 0, (), 1)
    after = outputs(job)
    assert after.pop("bad.txt").decode() == "El perro viejo.\n"
    assert after == {name: content for name, content in before.items() if name != "bad.txt"}
    rows = documents(job)
    assert len(rows) == len(TEXTS) + 1, "the report is of the whole archive"
    (reviewed,) = (row for row in rows if row["reviewers"])
    assert (reviewed["reviewers"], reviewed["sentences_reviewed"]) == ("M. Ortega", 1)
    assert (reviewed["outcome"], reviewed["sentences_unrestored"]) == ("translated", 0)
    kept = b"".join(file.read_bytes() for file in job.state_folder.iterdir() if file.is_file())
    assert not any(text in kept for text in (b"perro viejo", b"Ortega")), "it is sealed"
    with pytest.raises(ConfigurationError, match="nothing to review"):
        export_review(job, tmp_path / "again.tsv")


def test_a_review_shows_units_of_the_memory_and_reviews_that_resemble_a_sentence(
    tmp_path: Path,
) -> None:
    """Neither is written for the sentence, nor is it a translation that comes back."""
    like = LONG.replace("quiet", "loud")
    memory = tmp_path / "a.tsv"
    memory.write_text(f"{like}\tO cão velho.\n")
    write_archive(tmp_path / "in", {**TEXTS, "bad.txt": f"{LONG}\n"})
    install(Refusing(tmp_path / "log"))
    job = make_job(tmp_path, memory={"files": [memory]})
    translate(job)
    assert outputs(job)["bad.txt"].decode() == f"{LONG}\n"

    def rows(name: str) -> list[dict[str, str]]:
        export_review(again(job), tmp_path / name)
        text = (tmp_path / name).read_text("utf-8-sig")
        return list(csv.DictReader(text.splitlines(), dialect="excel-tab"))

    (row,) = rows("1.tsv")
    assert (row["memory"], row["memory translation"]) == ("93 %: quiet ← loud", "O cão velho.")
    memory.unlink()  # a review needs no memory
    edit(tmp_path / "1.tsv", lambda row: row.update(translation="El perro viejo."))
    import_review(again(job), tmp_path / "1.tsv", "M. Ortega")
    write_archive(job.input, {"worse.txt": LONG.replace("green", "blue") + "\n"})
    translate(job := again(job).model_copy(update={"settings": make_job(tmp_path).settings}))
    (row,) = rows("2.tsv")
    assert (row["memory"], row["memory translation"]) == ("93 %: blue ← green", "El perro viejo.")


def test_page_mail_and_report_say_every_night_how_many_sentences_a_review_lists(
    job: Job, tmp_path: Path
) -> None:
    """One that stands in two documents counts once, and two documents are partly translated."""
    write_archive(job.input, {"worse.txt": f"{LONG} {REPEATED}\n"})
    for night in range(3):
        install(Refusing(tmp_path / "log"))
        translate(job := again(job))
        exported = export_review(again(job), tmp_path / f"{night}.tsv")
        report = ReportFolder(job.report_folder).find(job.run_id)
        assert report is not None
        totals, notice = report.totals, make_notice(job, None)
        assert (exported.units, totals.sentences_to_look_at, totals.documents_partly) == (1, 1, 2)
        assert totals.documents_unchanged + totals.documents_translated == len(TEXTS)
        assert "1 sentence should be looked at" in Path(report.html_path).read_text("utf-8")
        assert "1 sentence should be looked at" in notice.to_text()
        assert "1 sentence to look at" in notice.title
        assert sum(document["sentences_to_look_at"] for document in documents(job)) == 1
    edit(tmp_path / "2.tsv", lambda row: row.update(translation="El perro viejo."))
    import_review(again(job), tmp_path / "2.tsv", "M. Ortega")
    assert not sum(document["sentences_to_look_at"] for document in documents(job))
    translate(job := again(job))
    report = ReportFolder(job.report_folder).find(job.run_id)
    assert report is not None
    assert (report.totals.sentences_to_look_at, report.totals.documents_partly) == (0, 0)


def with_marks(job: Job, *, wanted: bool) -> Job:
    """The same job, in which documents say what was not translated."""
    documents = job.settings.documents.model_copy(update={"mark_untranslated": wanted})
    settings = job.settings.model_copy(update={"documents": documents})
    return again(Job(input=job.input, output=job.output, settings=settings))


def test_documents_are_marked_where_that_is_asked_for_and_as_before_where_not(
    job: Job, tmp_path: Path
) -> None:
    before, sent = outputs(job), len(texts_received(tmp_path / "log"))
    translate(job := with_marks(job, wanted=True))
    after = outputs(job)
    said = " ".join(after["bad.txt"].decode().split())
    assert said == f"[Not translated: empty answer.] {LONG}"
    assert {**after, "bad.txt": before["bad.txt"]} == before, "nothing is said of the others"
    translate(again(job))
    assert outputs(job) == after
    export_review(again(job), tmp_path / "r.tsv")
    edit(tmp_path / "r.tsv", lambda row: row.update(translation="El perro viejo."))
    assert import_review(again(job), tmp_path / "r.tsv", "M. Ortega").rebuilt == 1
    assert outputs(job)["bad.txt"].decode() == "El perro viejo.\n", "it has its translation now"
    translate(with_marks(job, wanted=False))
    assert outputs(job) == {**before, "bad.txt": b"El perro viejo.\n"}
    texts = texts_received(tmp_path / "log")[sent:]
    assert all(text.count(" ") > 11 for text in texts), "only what had no answer is asked for"


def test_a_mark_names_the_words_that_were_left(job: Job) -> None:
    write_archive(job.input, {"unknown.txt": "The farmer washed the zorblax.\n"})
    translate(job := with_marks(job, wanted=True))
    said = " ".join(outputs(job)["unknown.txt"].decode().split())
    assert said.startswith("[Words left in the source language: washed, zorblax.]")


def test_it_wins_in_later_nights_wherever_the_sentence_stands(job: Job, tmp_path: Path) -> None:
    export_review(job, tmp_path / "r.tsv", only=frozenset(Reason))

    def correct(row: dict[str, str]) -> None:
        if row["source"] == REPEATED:
            row["translation"] = "El perro siguió al granjero."

    edit(tmp_path / "r.tsv", correct)
    assert import_review(job, tmp_path / "r.tsv", "M. Ortega").rebuilt == 2, "it stands in two"
    texts = outputs(job)
    assert all("granjero" in texts[f"letters/{n}.txt"].decode() for n in ("first", "second"))
    sent = len(texts_received(tmp_path / "log"))
    install(Backwards(tmp_path / "log"))
    write_archive(tmp_path / "in", {"new.txt": f"{REPEATED}\n", "letters/first.txt": REPEATED})
    translate(again(job))
    assert outputs(job)["new.txt"].decode() == "El perro siguió al granjero.\n"
    assert outputs(job)["letters/first.txt"].decode() == "El perro siguió al granjero."
    assert all(text.count(" ") > 11 for text in texts_received(tmp_path / "log")[sent:])


def test_what_was_taken_and_not_put_in_place_is_by_the_next_night(job: Job, tmp_path: Path) -> None:
    review = OpenReview(job, "M. Ortega")
    (unit,) = review.units()
    review.take(iter([Correction(unit.id, unit.source, "El perro viejo.", approved=False)]))
    sent = len(texts_received(tmp_path / "log"))
    translate(again(job))
    assert outputs(job)["bad.txt"].decode() == "El perro viejo.\n"
    assert len(texts_received(tmp_path / "log")) == sent


def test_nights_go_on_showing_what_is_still_withheld(job: Job, tmp_path: Path) -> None:
    for night in ("second", "third"):
        translate(job := again(job))
        assert sum(row["sentences_unrestored"] for row in documents(job)) == 1, night
        assert export_review(job, tmp_path / f"{night}.tsv").units == 1


def test_a_night_may_pass_while_somebody_reviews(job: Job, tmp_path: Path) -> None:
    review = OpenReview(job, "M. Ortega")
    (unit,) = review.units()
    translate(again(job))
    review.take(iter([Correction(unit.id, unit.source, "El perro viejo.", approved=False)]))
    assert review.finish().rebuilt == 1
    assert outputs(job)["bad.txt"].decode() == "El perro viejo.\n"
    assert len(documents(job)) == len(TEXTS) + 1


def test_importing_sends_nothing_and_what_is_not_in_the_archive_is_reported(
    job: Job, tmp_path: Path
) -> None:
    export_review(job, tmp_path / "r.tsv", only=frozenset(Reason))
    sent = len(texts_received(tmp_path / "log"))
    (tmp_path / "in" / "notes.txt").write_text("Another text stands here now.\n")

    def spoil(row: dict[str, str]) -> None:
        if row["source"].startswith("The proud"):
            row["source"] += " Not this."
        row["approved"] = "yes"

    edit(tmp_path / "r.tsv", spoil)
    before = outputs(job)
    found = import_review(job, tmp_path / "r.tsv", "M. Ortega")
    assert len(found.misfits) == 1
    assert (found.corrected, found.changed) == (0, ("notes.txt",))
    assert outputs(job) == before, "nothing was changed by confirming it"
    assert len(texts_received(tmp_path / "log")) == sent


def test_a_document_or_a_kind_alone_may_be_asked_for(job: Job, tmp_path: Path) -> None:
    every = export_review(job, tmp_path / "all.tsv", only=frozenset(Reason))
    assert every.documents == len(TEXTS) + 1
    some = export_review(job, tmp_path / "s.xlf", only=[Reason.TRANSLATED], documents="letters/*")
    assert 0 < some.units < every.units
    with pytest.raises(ConfigurationError, match="exists already"):
        export_review(job, tmp_path / "all.tsv")


@pytest.mark.parametrize("name", ["", "\n", "a" * 81])
def test_who_reviewed_has_to_be_said(job: Job, tmp_path: Path, name: str) -> None:
    export_review(job, tmp_path / "r.tsv")
    with pytest.raises(ConfigurationError, match="--reviewer"):
        import_review(job, tmp_path / "r.tsv", name)
