"""What is refused is refused before anything of it is sent, and says what can be done."""

from __future__ import annotations

from pathlib import Path

from prism_core.formats.base import count_sentences
from prism_core.jobs import translate
from prism_core.settings import Job
from prism_core.settings.sections import LimitSettings
from prism_core.stages import Run
from tests.formats.docx_files import document, word_file
from tests.formats.test_repaired import PICTURE, change_entry, spoil_data
from tests.stages.archive import make_job, texts_received, write_archive

SENTENCE = "The doctor opened the window."


def refused(job: Job) -> dict[str, tuple[str, str]]:
    with Run.open(job) as run:
        found = run.store.documents.of_run(job.run_id)
        return {d.path: (d.failure, d.advice) for d in found if d.failure}


def test_a_document_with_too_many_sentences(tmp_path: Path, log: Path) -> None:
    write_archive(tmp_path / "in", {"long.txt": f"{SENTENCE}\n\n" * 6, "short.txt": SENTENCE})
    job = make_job(tmp_path, limits=LimitSettings(workers=1, document_sentences=5))
    assert translate(job).documents_written == 1
    assert list(refused(job)) == ["long.txt"]
    failure, advice = refused(job)["long.txt"]
    assert failure == "too-large"
    assert "limits.document_sentences" in advice
    assert len(texts_received(log)) == 1


def test_a_document_that_could_not_be_written(tmp_path: Path, log: Path) -> None:
    (tmp_path / "in").mkdir()
    source = word_file(tmp_path / "in" / "a.docx", document(SENTENCE), {"word/a.bmp": PICTURE})
    change_entry(source, "word/a.bmp", spoil_data)
    job = make_job(tmp_path)
    translate(job)
    assert refused(job)["a.docx"][0] == "corrupt"
    assert not texts_received(log)


def test_work_is_estimated_by_the_number_and_the_length_of_sentences() -> None:
    assert count_sentences([SENTENCE] * 10) == 10
    assert count_sentences([f"{SENTENCE} " * 10]) in (10, 11)
    assert count_sentences(["and so on " * 100]) > 40
    assert count_sentences(["a" * 100_000]) > 4_000


def test_a_document_whose_writer_left_a_text_is_translated_in_part(
    tmp_path: Path, log: Path
) -> None:
    dense = "[" * 40_000 + "and so on"
    whole = f"# The letter\n\n**{SENTENCE}**\n\n"
    write_archive(tmp_path / "in", {"whole.md": whole, "dense.md": f"{whole}{dense}\n"})
    job = make_job(tmp_path)
    summary = translate(job)
    assert (summary.documents_written, summary.documents_partly) == (2, 1)
    with Run.open(job) as run:
        partly = [d for d in run.store.documents.of_run(job.run_id) if d.left_in_source]
    assert [(d.path, d.notices) for d in partly] == [("dense.md", ("blocks-unchanged:1",))]
