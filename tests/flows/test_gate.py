"""Runs with the gate: what it decides of documents before anything of them is sent."""

from __future__ import annotations

import logging
import math
from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from pydantic import ValidationError

from flows.command.plan import plan_json
from prism_core.evaluation.jobs.train_gate import mend_gate
from prism_core.jobs import translate
from prism_core.jobs.planning import plan
from prism_core.recovery import Forecast, RecoveryModel, load_recovery_model
from prism_core.report import DocumentRow, ReportFolder
from prism_core.settings import (
    GateSettings,
    Job,
    MechanismSettings,
    Settings,
    new_run_id,
)
from tests.provider_server import KEY
from tests.provider_servers import LibreServer
from tests.recovery.invented import table
from tests.stages.archive import TEXTS, backwards, make_job, outputs, write_archive

TELLING = ("doctor", "rotcod", "Quibble", "window", "wodniw")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[LibreServer]:
    monkeypatch.setenv("LIBRETRANSLATE_API_KEY", KEY)
    with LibreServer(backwards) as found:
        yield found


def job_with(folder: Path, server: LibreServer, model: RecoveryModel, **gate: object) -> Job:
    write_archive(folder / "in")
    model.write(folder / "gate.json")
    changes = {key: gate.pop(key) for key in ("policies", "mechanism") if key in gate}
    asked = GateSettings.model_validate({"model": folder / "gate.json", **gate})
    return make_job(folder, translator=server.settings(), gate=asked, **changes)


def knows(odds: float, **more: float) -> RecoveryModel:
    return RecoveryModel("en-es").with_table("libretranslate", table(odds, **more))


def rows_of(job: Job) -> list[DocumentRow]:
    report = ReportFolder(job.report_folder).find(job.run_id)
    assert report is not None
    return sorted(report.documents, key=lambda row: row.bytes)


def test_a_document_of_which_too_little_would_come_back_is_not_sent(tmp_path, server) -> None:
    job = job_with(tmp_path, server, knows(0.3), minimum_restored=0.6, below="withhold")
    summary = translate(job)
    assert not server.batches
    assert summary.documents_failed == len(TEXTS)
    assert not outputs(job)
    for row in rows_of(job):
        assert (row.failure, row.gate, row.gate_reason) == (
            "withheld-by-gate",
            "withhold",
            "restored",
        )
        assert row.gate_restored == pytest.approx(0.3)
        assert "30% are expected to be restored" in row.advice
        assert not any(word in str(row) for word in TELLING)


def test_the_report_says_what_was_predicted_and_that_it_was_too_careful(tmp_path, server) -> None:
    job = job_with(tmp_path, server, knows(0.3), minimum_restored=0.6)
    translate(job)
    rows = rows_of(job)
    assert len(outputs(job)) == len(TEXTS)
    assert {(row.gate, row.gate_reason, row.sent_restored) for row in rows} == {
        ("send", "restored", 1.0)
    }
    report = ReportFolder(job.report_folder).find(job.run_id)
    assert report is not None
    assert (report.totals.gate_predicted, report.totals.gate_too_hopeful) == (len(TEXTS), 0)
    assert report.totals.gate_too_careful == sum(row.gate_too_careful for row in rows) > 0


def test_a_loss_in_quality_is_a_reason_too(tmp_path, server) -> None:
    lossy = knows(0.999, loss=12.0)
    job = job_with(tmp_path, server, lossy, maximum_loss=8, below="withhold")
    translate(job)
    assert {row.gate_reason for row in rows_of(job)} == {"loss"}
    assert not server.batches


def test_what_is_not_known_is_treated_carefully(tmp_path, server) -> None:
    job = job_with(tmp_path, server, RecoveryModel("en-es"), minimum_restored=0.6, below="withhold")
    translate(job)
    assert not server.batches
    assert {(row.gate, row.gate_reason) for row in rows_of(job)} == {("withhold", "translator")}


def test_what_is_not_known_may_be_sent_where_the_settings_say_so(tmp_path, server) -> None:
    asked = {"minimum_restored": 0.6, "below": "withhold", "unknown": "send"}
    job = job_with(tmp_path, server, RecoveryModel("en-es"), **asked)
    translate(job)
    assert len(outputs(job)) == len(TEXTS)


def test_without_limits_nothing_is_judged(tmp_path, server) -> None:
    job = job_with(tmp_path, server, knows(0.3))
    translate(job)
    assert {(row.gate, row.gate_restored) for row in rows_of(job)} == {("", None)}


def test_a_plan_shows_what_would_be_paid_for_nothing(tmp_path, server) -> None:
    job = job_with(tmp_path, server, knows(0.25))
    priced = server.settings(price_per_million=20)
    found = plan(job, [priced])
    assert len(found.outlooks) == len(TEXTS)
    expected = found.rows[0].expected
    assert expected.cost
    wasted = sum(one.wasted or 0 for one in found.outlooks)
    assert wasted == pytest.approx(0.75 * expected.cost, rel=0.05)
    assert not server.batches


def test_the_reports_of_finished_runs_teach_the_gate(tmp_path, server) -> None:
    job = job_with(tmp_path, server, knows(0.6), minimum_restored=0.1)
    translate(job)
    out = tmp_path / "mended.json"
    assert mend_gate(job.settings, [job.output], tmp_path / "gate.json", out) == len(TEXTS)
    mended = load_recovery_model(out, "en-es").table("libretranslate")
    assert mended is not None
    assert mended.offset > 0.3


@pytest.mark.parametrize(
    "table_of_gate",
    [
        {"below": "withhold"},
        {"unknown": "send"},
    ],
)
def test_a_gate_that_would_not_be_heeded_is_refused(table_of_gate) -> None:
    with pytest.raises(ValidationError):
        GateSettings.model_validate(table_of_gate)


@pytest.mark.parametrize("number", [math.nan, math.inf])
def test_what_is_no_number_never_suffices(number: float) -> None:
    """A comparison with it is false either way, and a document would be sent."""
    assert Forecast(9, math.nan, 1.0, 1.0).shortfall(0.6, 8) == "restored"
    assert Forecast(9, 0.9, number, 1.0).shortfall(0.6, 8) == "loss"
    assert Forecast(9, 0.9, 1.0, 1.0).shortfall(0.6, 8) == ""


@pytest.mark.parametrize("by_policy", [False, True])
@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"gate": {"minimum_restored": 0.6, "below": "withhold"}}, "gate.below = withhold"),
        ({"gate": {"minimum_restored": 0.6, "unknown": "withhold"}}, "gate.unknown = withhold"),
        ({"mixing": {"split_clauses": True}}, "mixing.split_clauses"),
        ({"source": "auto", "target": "es"}, "source = auto"),
    ],
)
def test_nothing_follows_from_the_text_where_epsilon_is_bounded(
    asked: dict[str, object], said: str, *, by_policy: bool
) -> None:
    for name, kind in MechanismSettings.kinds():
        chosen: dict[str, object] = {"mechanism": {"name": name}}
        if by_policy:
            chosen = {"policies": [{"name": "p", "folders": ["*"], **chosen}]}
        if kind.bounds_epsilon:
            with pytest.raises(ValidationError, match=f"{said} cannot be combined with {name}"):
                Settings.model_validate(asked | chosen)
        else:
            Settings.model_validate(asked | chosen)


def test_a_gate_that_sends_all_may_watch_where_epsilon_is_bounded() -> None:
    gate = {"minimum_restored": 0.6, "below": "send"}
    assert Settings.model_validate({"gate": gate, "mechanism": {"name": "prism-r"}}).gate.is_on


@pytest.mark.parametrize("by_policy", [False, True])
def test_no_privacy_score_decides_where_epsilon_is_bounded(*, by_policy: bool) -> None:
    for name, kind in MechanismSettings.kinds():
        policy: dict[str, object] = {"name": "p", "folders": ["*"], "min_privacy_score": 0.4}
        mechanism = {"mechanism": {"name": name}}
        asked = {"policies": [policy | (mechanism if by_policy else {})]}
        asked |= {} if by_policy else mechanism
        if kind.bounds_epsilon:
            with pytest.raises(
                ValidationError, match=f"min_privacy_score cannot be combined with {name}"
            ):
                Settings.model_validate(asked)
        else:
            Settings.model_validate(asked)


def test_the_report_counts_by_hand_what_was_too_hopeful_and_too_careful(tmp_path, server) -> None:
    """Half of what is asked is answered wrongly, and what was predicted is all or nothing."""
    for predicted, column in ((0.999, "gate_too_hopeful"), (0.001, "gate_too_careful")):
        folder = tmp_path / column
        with LibreServer(lambda text: backwards(text) if len(text) % 2 else "nada") as half:
            job = job_with(folder, half, knows(predicted), minimum_restored=1e-6)
            translate(job)
        report = ReportFolder(job.report_folder).find(job.run_id)
        assert report is not None
        stored = pq.read_table(report.folder / "sentences.parquet").to_pylist()
        counted = dict.fromkeys(("gate_too_hopeful", "gate_too_careful"), 0)
        for row in rows_of(job):
            of_one = (one for one in stored if one["document_id"] == row.document_id)
            sent = {one["sentence_id"]: one for one in of_one if one["sends"]}
            back = [one["words_restored"] >= one["words_to_restore"] for one in sent.values()]
            share = sum(back) / len(back)
            assert row.sent_restored == pytest.approx(share)
            apart = row.gate_restored - share
            chance = math.sqrt(row.gate_restored * (1 - row.gate_restored) / len(back))
            if abs(apart) > max(0.05, 2 * chance):
                counted["gate_too_hopeful" if apart > 0 else "gate_too_careful"] += 1
        totals = report.totals
        assert (totals.gate_too_hopeful, totals.gate_too_careful) == tuple(counted.values())


def test_what_was_decided_of_a_document_is_decided_once(tmp_path, server) -> None:
    """The next night nothing is judged, drawn or sent again."""
    job = job_with(tmp_path, server, knows(0.95), minimum_restored=0.7)
    translate(job)
    first, sent = [(row.gate, row.treatment) for row in rows_of(job)], len(server.batches)
    again = job.model_copy(update={"run_id": new_run_id()})
    translate(again)
    assert [(row.gate, row.treatment) for row in rows_of(again)] == first
    assert len(server.batches) == sent


def test_nothing_of_a_document_stands_in_what_the_gate_says(
    tmp_path, server, caplog, capsys
) -> None:
    """Not in logs, reports, what is kept of the decision, the model, or the plan's JSON."""
    caplog.set_level(logging.DEBUG)
    asked = {"minimum_restored": 0.6, "below": "withhold"}
    job = job_with(tmp_path, server, knows(0.3), **asked)
    found = plan(job, [server.settings(price_per_million=20)])
    said = [plan_json(found)]
    translate(job)
    report = ReportFolder(job.report_folder).find(job.run_id)
    assert report is not None
    mend = tmp_path / "mended.json"
    open_job = job_with(tmp_path / "sent", server, knows(0.3), minimum_restored=0.1)
    translate(open_job)
    mend_gate(open_job.settings, [open_job.output], tmp_path / "gate.json", mend)
    said += [caplog.text, *capsys.readouterr(), mend.read_text(), repr(rows_of(job))]
    said += [repr(rows_of(open_job))]
    files = [file for out in (job, open_job) for file in out.report_folder.rglob("*")]
    said += [file.read_bytes().decode("latin-1") for file in files if file.is_file()]
    for word in set(TELLING) - {"window"}:  # which scripts of pages have
        assert not [text for text in said if word in text]
    assert any("withheld-by-gate" in text for text in said)
