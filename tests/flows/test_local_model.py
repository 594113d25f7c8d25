"""What nothing may be sent of goes to a model on this machine, where the settings ask for it."""

from __future__ import annotations

import json
from dataclasses import asdict
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from flows.command.plan import plan_json, print_plan
from prism_core.cat.jobs.reviewing import export_review
from prism_core.errors import ConfigurationError, Misconfigured
from prism_core.jobs import translate
from prism_core.jobs.planning import plan
from prism_core.report import ReportFolder
from prism_core.report.reading import read_table
from prism_core.settings import IdentifierClass, Job, MechanismSettings, PolicySettings
from prism_core.settings.sections import IdentifierSettings, LocalModelSettings
from prism_core.stages import LocalTrial
from prism_core.training import Card, NoisePlan
from tests.copying_model import make_copying_model, turned
from tests.stages.archive import (
    EXPECTED,
    TEXTS,
    again,
    make_job,
    outputs,
    texts_received,
    write_archive,
)

SECOND = "letters/second.txt"


@pytest.fixture
def private(tmp_path: Path) -> Path:
    """A model with a card of private training."""
    folder = make_copying_model(tmp_path / "model")
    plan = NoisePlan(500, 50, 100, 1.5)
    Card("en", "es", 7, "nothing", 4.98, 5.4, 1e-4, "document", None, 1.0, plan, "ab").write(folder)
    return folder


def job_with(folder: Path, **changes: object) -> Job:
    write_archive(folder / "in", TEXTS)
    return make_job(folder, **changes)


def rows(job: Job, table: str) -> list[dict[str, object]]:
    folder = ReportFolder(job.report_folder).find(job.run_id)
    assert folder is not None
    return read_table(folder.folder / f"{table}.parquet").to_pylist()


def test_a_withheld_sentence_is_translated_here_and_never_said_to_be_the_translators(
    tmp_path: Path, log: Path, private: Path
) -> None:
    job = job_with(
        tmp_path,
        identifiers=IdentifierSettings(withhold=(IdentifierClass.NAME,)),
        on_withheld="local",
        local_model=LocalModelSettings(folder=private),
    )
    summary = translate(job)
    assert summary.sentences_withheld == 0
    assert not [text for text in texts_received(log) if "Quibble" in text]
    painted = "Anna Quibble painted the kitchen."
    assert turned(painted) in outputs(job)[SECOND].decode()
    (run,) = rows(job, "run")
    assert run["sentences_by_local_model"] == 2
    assert [said.partition(" ")[2].split(" ", 1)[1] for said in run["local_models"]] == [
        "epsilon=4.98 delta=0.0001 unit=document"
    ]
    here = [row for row in rows(job, "sentences") if row["by_local_model"]]
    assert [(row["outcome"], row["reason"], row["sends"]) for row in here] == [
        ("translated", "withheld-class: name-changed", 0)
    ] * 2
    page = (ReportFolder(job.report_folder).find(job.run_id).folder / "index.html").read_text()
    assert "2 sentences that must not be sent" in page
    assert "epsilon=4.98 delta=0.0001 unit=document" in page
    review = tmp_path / "review.tsv"
    assert export_review(job, review).units == 2
    assert "unsure: withheld-class: name-changed" in review.read_text()


def test_a_plan_says_what_the_model_would_take_and_sends_nothing(
    tmp_path: Path, log: Path, private: Path
) -> None:
    endless = " ".join(["Anna Quibble painted the kitchen"] * 20) + "."
    write_archive(tmp_path / "in", TEXTS | {"long.txt": endless})
    job = make_job(
        tmp_path,
        identifiers=IdentifierSettings(withhold=(IdentifierClass.NAME,)),
        on_withheld="local",
        local_model=LocalModelSettings(folder=private),
    )
    planned = plan(job, job.settings.translators)
    assert planned.here == LocalTrial(sentences=3, tried=3, taken=2, doubted=2), "one is too long"
    assert planned.summary.sentences_withheld == 3
    print_plan(Console(file=(printed := StringIO()), width=200), planned)
    assert "it translated 2 of the 3 in a trial (67%)" in printed.getvalue()
    assert json.loads(plan_json(planned))["local_model"] == asdict(planned.here)
    assert not texts_received(log)
    leaving = job.model_copy(
        update={"settings": job.settings.model_copy(update={"on_withheld": "leave"})}
    )
    assert plan(leaving, job.settings.translators).here is None


def test_a_document_that_nobody_may_see_stays_here_whole(
    tmp_path: Path, log: Path, private: Path
) -> None:
    bounded = MechanismSettings.choose(name="prism-r", replace_probability=0.9, minimum_pool=2)
    policy = PolicySettings(
        name="sealed",
        folders=("letters",),
        mechanism=bounded,
        translators=(),
        on_withheld="local",
    )
    job = job_with(tmp_path, policies=(policy,), local_model=LocalModelSettings(folder=private))
    summary = translate(job)
    assert (summary.documents_failed, summary.documents_partly) == (0, 0)
    assert outputs(job)["letters/first.txt"] == turned(TEXTS["letters/first.txt"]).encode()
    assert outputs(job)["notes.txt"] == EXPECTED["notes.txt"]
    assert len(texts_received(log)) == 3
    of_letters = [row for row in rows(job, "documents") if row["treatment"]]
    assert {row["treatment"] for row in of_letters} == {"sealed+here"}
    assert all(row["sentences_by_local_model"] == row["sentences"] for row in of_letters)
    assert [row["epsilon_document"] for row in of_letters] == [0, 0]  # that it is missing tells it
    assert all(row["tokens"] == row["tokens_withheld"] > 0 for row in of_letters)


def test_a_document_over_its_budget_stays_here(tmp_path: Path, log: Path, private: Path) -> None:
    keeping = MechanismSettings.choose(hidden_words="none", minimum_pool=2, unknown_words="keep")
    policy = PolicySettings(name="all", folders=("*",), mechanism=keeping, min_privacy_score=0.5)
    unknown = "The zebra chased the giraffe. The lion hunted the antelope.\n"
    write_archive(tmp_path / "in", {"zoo.txt": unknown})
    here = LocalModelSettings(folder=private)
    job = make_job(tmp_path, policies=(policy,), on_withheld="local", local_model=here)
    translate(job)
    assert outputs(job)["zoo.txt"] == turned(unknown).encode()
    assert not texts_received(log)
    (row,) = rows(job, "documents")
    assert (row["treatment"], row["sentences_by_local_model"]) == ("all+here", 2)


def test_without_the_setting_what_was_translated_here_is_withheld_again(
    tmp_path: Path, log: Path, private: Path
) -> None:
    job = job_with(
        tmp_path,
        identifiers=IdentifierSettings(withhold=(IdentifierClass.NAME,)),
        on_withheld="local",
        local_model=LocalModelSettings(folder=private),
    )
    translate(job)
    sent = texts_received(log)
    settings = job.settings.model_copy(update={"on_withheld": "leave"})
    summary = translate(again(job).model_copy(update={"settings": settings}))
    assert summary.sentences_withheld == 2
    assert "Anna Quibble painted" in outputs(job)[SECOND].decode()
    assert texts_received(log) == sent


def test_a_model_that_is_not_there_is_refused_before_anything_is_sent(
    tmp_path: Path, log: Path
) -> None:
    nowhere = LocalModelSettings(folder=tmp_path / "nowhere")
    with pytest.raises((Misconfigured, ConfigurationError)):
        translate(job_with(tmp_path, on_withheld="local", local_model=nowhere))
    assert not texts_received(log)
    with pytest.raises(ValueError, match=r"local_model\.folder"):
        job_with(tmp_path, on_withheld="local")
