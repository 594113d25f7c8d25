"""A translation made on this machine is written where it is better than the restored one."""

from __future__ import annotations

from pathlib import Path

import pytest

from prism_core.cat.jobs.reviewing import export_review
from prism_core.errors import ConfigurationError
from prism_core.jobs import translate
from prism_core.jobs.planning import plan
from prism_core.report import ReportFolder
from prism_core.report.reading import read_table
from prism_core.settings import Job, Settings, TranslatorSettings
from prism_core.stages import Run
from prism_core.state import LOCAL_BETTER

TEXT = "The doctor opened the window.\n"
HERE = "O médico abriu a janela.\n"


def make_job(folder: Path, **changes: object) -> Job:
    """A job for a translator that sees encodings, and answers as a neural one does."""
    (folder / "in").mkdir(exist_ok=True)
    (folder / "in/a.txt").write_text(TEXT)
    encoded = TranslatorSettings.choose(name="firefox", sees="encoded")
    settings = Settings(**{"target": "pt", "translator": encoded, "send": "always", **changes})
    return Job(input=folder / "in", output=folder / "out", settings=settings)


def sentences_of(job: Job) -> list[dict[str, object]]:
    found = ReportFolder(job.report_folder).find(job.run_id)
    assert found is not None
    return read_table(found.folder / "sentences.parquet").to_pylist()


def test_the_better_translation_is_written_and_nothing_is_sent_again(tmp_path: Path) -> None:
    job = make_job(tmp_path)  # of the translator no lead over the model here was measured
    assert translate(job).requests == 1
    assert (tmp_path / "out/a.txt").read_text() == HERE
    (row,) = sentences_of(job)
    assert (row["outcome"], row["reason"], row["sends"]) == ("translated", LOCAL_BETTER, 1)
    assert row["by_local_model"]
    assert 0.7 < row["quality"] <= 1
    found = ReportFolder(job.report_folder).find(job.run_id)
    (document,) = read_table(found.folder / "documents.parquet").to_pylist()
    assert document["quality"] == row["quality"]
    exported = export_review(job, tmp_path / "worst.tsv", worst=20)
    assert exported.units == 1, "the worst fifth of one"
    with pytest.raises(ConfigurationError, match="nothing to review"):
        export_review(job, tmp_path / "review.tsv")
    with Run.open(job) as run:  # the allowance for sending again is as if it had been restored
        losses = run.store.redraws.count(job.run_id)
    assert (losses.answered, losses.lost) == (1, 0)
    (tmp_path / "in/b.txt").write_text(TEXT)
    assert translate(make_job(tmp_path)).requests == 0
    assert (tmp_path / "out/b.txt").read_text() == HERE


def test_a_sentence_with_a_word_that_stays_in_the_source_language_is_translated_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("prism_core.drafts.prefers_local", lambda *_: False)
    monkeypatch.setattr("prism_core.drafts.fuse", lambda *_: {})
    job = make_job(tmp_path)
    (tmp_path / "in/a.txt").write_text("He lost the thimble.\n\nThe doctor lost the book.\n")
    translate(job)
    assert [row["reason"] for row in sentences_of(job)] == [LOCAL_BETTER, ""]
    assert "thimble" not in (tmp_path / "out/a.txt").read_text()


@pytest.mark.parametrize("is_local_better", [True, False])
def test_a_term_of_the_user_stands_in_what_is_written(
    is_local_better: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("prism_core.drafts.prefers_local", lambda *_: is_local_better)
    (tmp_path / "terms.csv").write_text("source,target,kind\nwindow,vidraça,noun\n")
    job = make_job(tmp_path, dictionary={"glossary": tmp_path / "terms.csv"})
    translate(job)
    assert "vidraça" in (tmp_path / "out/a.txt").read_text()
    assert [row["reason"] for row in sentences_of(job)] == [LOCAL_BETTER if is_local_better else ""]


def test_a_user_who_wants_nothing_from_the_model_here_gets_the_answer(tmp_path: Path) -> None:
    job = make_job(tmp_path, on_withheld="leave")
    translate(job)
    (row,) = sentences_of(job)
    assert (row["outcome"], row["reason"], row["by_local_model"]) == ("translated", "", 0)


def test_the_answer_stays_where_the_model_here_has_no_translation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("prism_core.drafts.checked._CheckedModel._ask", nothing)
    job = make_job(tmp_path)
    translate(job)
    (row,) = sentences_of(job)
    assert (row["outcome"], row["by_local_model"]) == ("translated", 0)
    assert (tmp_path / "out/a.txt").read_text() != TEXT


async def nothing(_model: object, texts: list[str], *_languages: str) -> list[None]:
    return [None for _ in texts]


def test_the_plan_says_that_answers_will_be_paid_for_and_not_written(tmp_path: Path) -> None:
    for on_withheld, is_said in (("local", True), ("leave", False)):
        job = make_job(tmp_path, on_withheld=on_withheld)
        planned = plan(job, job.settings.translators)
        said = [c for c in planned.cautions if "answers of firefox are not written" in c]
        assert bool(said) is is_said
