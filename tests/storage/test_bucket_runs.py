"""Whole runs over buckets: in shards, killed, and where the list of a bucket lags behind."""

from __future__ import annotations

import gc
from pathlib import Path
from random import Random

import pytest

from benchmarks.buckets import measure
from flows.command.command_line import make_output_job
from prism_core.cat.jobs.reviewing import export_review, import_review
from prism_core.cat.review import Reason
from prism_core.errors import ConfigurationError
from prism_core.jobs import auditing, translate
from prism_core.report import Verdict
from prism_core.settings import Job
from prism_core.settings.run_settings import ShardSettings, StateSettings
from prism_core.settings.sections import DocumentSettings, LimitSettings
from prism_core.storage import ObjectAddress, parse_address
from tests.flows.conftest import run_command
from tests.flows.forked_shards import texts_by_status
from tests.flows.search import files_with
from tests.object_server import Bucket, credentials
from tests.postgres import PostgresServer
from tests.stages.archive import EXPECTED, NAME, again, texts_received
from tests.storage.processes import Processes

REPORT = ObjectAddress("s3", "archive", "out/prism-report")


def test_shards_over_a_bucket_with_their_state_in_postgresql(
    job: Job, bucket: Bucket, postgres: PostgresServer, temporary: Path
) -> None:
    bucket.objects |= {
        "in/broken.docx": (b"PK\x03\x04 no document", 1e9),
        "in/table.xyz": (b"\x00\x01 of no format", 1e9),
    }
    report = parse_address("s3://reports/night")
    job = again(
        job,
        state=StateSettings(url=postgres.new_url()),
        shards=ShardSettings(count=2),
        limits=LimitSettings(chunk_documents=1, workers=1),
        documents=DocumentSettings(copy_untranslated=True, prune=True),
        report=job.settings.report.model_copy(update={"path": report}),
    )
    fleet = Processes()
    summary = translate(job, fleet=fleet)
    assert len(fleet.started) >= 4
    assert (summary.documents_written, summary.documents_failed) == (3, 2)
    copies = {name: bucket.objects[f"in/{name}"][0] for name in ("broken.docx", "table.xyz")}
    made = bucket.documents()
    assert made.keys() == EXPECTED.keys() | copies.keys()
    assert {name: made[name] for name in copies} == copies
    assert texts_by_status(job).keys() == {"answered"}
    assert not files_with(NAME, postgres.folder)

    bucket.set("in/notes.txt", None)
    sent = texts_by_status(job)
    assert translate(again(job), fleet=Processes()).documents_unchanged == 2
    assert bucket.documents().keys() == made.keys() - {"notes.txt"}
    assert texts_by_status(job) == sent
    assert verdict(report, job).findings == ()
    assert not any(name.startswith("out/prism-report/") for name in bucket.objects)
    gc.collect()  # a copy of the reports goes with whoever read it
    assert [*temporary.rglob("prism-private-*")] == []


def verdict(report: Path | ObjectAddress, job: Job) -> Verdict:
    return auditing.verify(auditing.find_reports(report, job.settings), job.settings).verdict


def test_runs_over_a_bucket_that_are_killed_lose_nothing_and_leave_no_text(tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patched:
        for name in ("TMPDIR", "OPENAI_API_KEY", *credentials("")):
            patched.setenv(name, "")
        found = measure(tmp_path, 4, events=50, kills=3, rng=Random())
    assert found.pop("kills") > 0
    assert found.pop("leftovers") >= 0
    assert found.pop("in_doubt") <= 9, "three texts a request that was under way"
    assert found.pop("identical")
    assert set(found.values()) == {0}, found


def test_a_list_that_lags_shows_a_document_a_night_later_and_loses_and_doubles_none(
    job: Job, bucket: Bucket, tmp_path: Path
) -> None:
    bucket.lag = 3600.0
    assert translate(job).documents_written == len(EXPECTED)
    sent = texts_received(tmp_path / "log")
    bucket.set("in/late.txt", b"The small dog moved the candle.\n")
    bucket.set("in/notes.txt", None)
    second = translate(again(job))
    assert (second.documents, second.documents_unchanged) == (3, 3), "as the list shows them"
    assert bucket.documents() == EXPECTED
    assert texts_received(tmp_path / "log") == sent

    bucket.lag = 0.0
    third = translate(again(job))
    assert (third.documents, third.documents_written, third.documents_gone) == (3, 1, 1)
    assert bucket.documents() == EXPECTED | {"late.txt": b"The llams god devom eht eldnac.\n"}
    assert len(texts_received(tmp_path / "log")) == len(sent) + 1
    audit = verdict(REPORT, job)
    assert (audit.runs, audit.findings) == (3, ())


def test_an_object_that_is_listed_and_gone_fails_and_is_no_news_the_next_night(
    job: Job, bucket: Bucket
) -> None:
    bucket.objects["in/gone.txt"] = b"The old dog opened the window.\n", 1e9
    bucket.lag = 3600.0
    bucket.set("in/gone.txt", None)
    first = translate(job)
    assert (first.documents, first.documents_written, first.documents_failed) == (4, 3, 1)
    bucket.lag = 0.0
    assert translate(again(job)).documents_failed == 0
    assert bucket.documents() == EXPECTED


def test_reviews_memories_and_keys_work_on_an_output_in_a_bucket(
    job: Job, bucket: Bucket, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    translate(job)
    out, table = "s3://archive/out", tmp_path / "review.tsv"
    with pytest.raises(ConfigurationError, match=r"state\.folder"):
        make_output_job(Path(out), None)
    monkeypatch.setenv("PRISM_STATE__FOLDER", str(job.settings.state.folder))
    monkeypatch.setenv("PRISM_KEY__FILE", str(job.settings.key.file))
    asked = make_output_job(Path(out), None)
    export_review(asked, table, only=Reason)
    wanted = table.read_text(encoding="utf-8-sig").replace("nehctik", "COCINA")
    table.write_text(wanted, encoding="utf-8")
    assert import_review(asked, table, "M. Ortega").corrected == 1
    assert bucket.documents()["letters/second.txt"].count(b"COCINA") == 1
    assert run_command(monkeypatch, "memory", "export", out, tmp_path / "m.tmx", "--plain") == 0
    assert "COCINA" in (tmp_path / "m.tmx").read_text()
    assert run_command(monkeypatch, "key", "rotate", out) == 0
    assert translate(again(job)).documents_unchanged == len(EXPECTED)
