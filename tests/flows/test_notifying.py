"""Whoever waits for a run is told how it ended, however that was, and the run does not mind."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from prism_core.errors import ExitCode
from prism_core.jobs import call_on_exit, notify, prepare_job
from prism_core.state import StatePlace
from tests.flows.conftest import PLANTED, Archive, Ended, Prism
from tests.hook import Hook
from tests.loopback import Reply
from tests.mail_server import MailServer
from tests.openai_server import Fault, OpenAIServer


@pytest.fixture
def hook(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hook]:
    with Hook() as server:
        monkeypatch.setenv("PRISM_NOTIFY__WEBHOOK", f"{server.url}/ended")
        monkeypatch.setenv("PRISM_NOTIFY__LABEL", "nightly")
        yield server


def translated(prism: Prism, archive: Archive, *more: object) -> Ended:
    return prism("translate", archive.input, archive.output, "--json", *more)


def test_a_run_is_told_in_counts_without_a_word_or_a_name(
    prism: Prism, archive: Archive, hook: Hook
) -> None:
    (archive.input / "broken.docx").write_bytes(b"PK\x03\x04 no document")
    ended = translated(prism, archive, "--translator", "fake")
    assert ended.code == ExitCode.SOME_DOCUMENTS_FAILED
    [request] = hook.requests
    content = request.json
    assert (content["outcome"], content["exit_code"]) == ("complete", 1)
    assert content["label"] == "nightly"
    assert content["totals"]["documents"] == 3
    assert sum(content["failed_documents"].values()) == 1
    assert json.loads(ended.out)["untold"] == []
    everything = b"".join(hook.received).decode()
    hidden = [
        PLANTED,
        "letter",
        "named.txt",
        "broken",
        "doctor",
        str(archive.input),
        archive.input.name,
    ]
    ids = {one["document_id"] for one in json.loads(ended.out)["failures"]}
    assert not [word for word in {*hidden, *ids} - {"in"} if word in everything]


def test_a_run_that_the_translator_stopped_is_told(
    prism: Prism, archive: Archive, hook: Hook, monkeypatch: pytest.MonkeyPatch
) -> None:
    with OpenAIServer() as server:
        server.fail(*[Fault.QUOTA] * 5)
        monkeypatch.setenv("OPENAI_API_KEY", server.key)
        monkeypatch.setenv("PRISM_TRANSLATOR__BASE_URL", server.base_url)
        ended = translated(prism, archive, "--translator", "openai")
        assert ended.code == ExitCode.QUOTA_EXHAUSTED
    assert "untold" in ended.out, ended
    assert json.loads(ended.out)["untold"] == []
    content = hook.requests[0].json
    assert (content["outcome"], content["exit_code"]) == ("QuotaExhausted", 4)
    assert content["totals"]["documents"] == 2
    assert content["failed_documents"] == {"not-reached": content["totals"]["documents_failed"]}


def test_a_fault_is_told_by_its_class_alone(
    prism: Prism, archive: Archive, hook: Hook, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ValueError(f"cannot handle 'Dear {PLANTED}'")

    monkeypatch.setattr("prism_core.jobs.translation.prune", broken)
    assert translated(prism, archive, "--translator", "fake").code == ExitCode.INTERNAL_ERROR
    content = hook.requests[0].json
    assert (content["outcome"], content["exit_code"]) == ("InternalFault", 70)
    assert content["totals"] is None
    assert PLANTED not in b"".join(hook.received).decode()


def test_a_run_that_could_not_begin_is_told(prism: Prism, archive: Archive, hook: Hook) -> None:
    with StatePlace(archive.output / ".prism").hold():
        translated(prism, archive, "--translator", "fake")
    assert hook.requests[0].json["outcome"] == "StoreInUse"


def test_a_run_that_is_interrupted_is_told(archive: Archive, hook: Hook) -> None:
    job = prepare_job(archive.input, archive.output)
    with pytest.raises(KeyboardInterrupt), call_on_exit(notify, job):
        raise KeyboardInterrupt
    content = hook.requests[0].json
    assert (content["outcome"], content["exit_code"]) == ("Interrupted", 130)


def test_what_cannot_be_told_is_said_and_changes_nothing(
    prism: Prism, archive: Archive, hook: Hook
) -> None:
    hook.reply = Reply(503)
    ended = translated(prism, archive, "--translator", "fake")
    assert ended.code == ExitCode.OK
    assert "status 503" in ended.err
    [problem] = json.loads(ended.out)["untold"]
    assert "status 503" in problem
    said = prism("translate", archive.input, archive.output, "--translator", "fake")
    assert said.code == ExitCode.OK
    assert "status 503" in said.out


def test_a_report_that_cannot_be_read_changes_nothing(
    archive: Archive, hook: Hook, monkeypatch: pytest.MonkeyPatch, capfd
) -> None:
    def broken(*_: object) -> None:
        raise KeyError(PLANTED)

    monkeypatch.setattr("prism_core.report.ReportFolder.find", broken)
    [problem] = notify(prepare_job(archive.input, archive.output), None)
    assert "KeyError" in problem
    assert PLANTED not in problem + capfd.readouterr().err


def test_a_dry_run_and_a_plan_tell_nobody(prism: Prism, archive: Archive, hook: Hook) -> None:
    translated(prism, archive, "--translator", "fake", "--dry-run")
    prism("plan", archive.input, "--translator", "fake")
    assert hook.requests == []


def test_documents_partly_in_the_source_language_end_every_night_with_a_code_of_their_own(
    prism: Prism, archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert translated(prism, archive, "--translator", "fake").code == ExitCode.OK
    monkeypatch.setenv("PRISM_NIGHT__MOST_PARTLY", "0")
    for _ in range(2):
        night = translated(prism, archive, "--translator", "fake")
        assert json.loads(night.out)["totals"]["documents_partly"] == 1
        assert night.code == json.loads(night.out)["exit_code"] == 9
    (archive.input / "broken.docx").write_bytes(b"PK\x03\x04 no document")
    assert translated(prism, archive, "--translator", "fake").code == ExitCode.SOME_DOCUMENTS_FAILED


def test_nobody_is_told_unless_the_settings_say_so(archive: Archive, tmp_path: Path) -> None:
    assert notify(prepare_job(archive.input, archive.output), None) == ()


def test_a_night_with_known_failures_names_the_new_one_alone(
    prism: Prism, archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(20):
        (archive.input / f"{PLANTED}{number}.docx").write_bytes(b"PK\x03\x04 no document")
    with MailServer() as server:
        for name, value in {
            "MAIL_TO": "ops@example.org",
            "MAIL_FROM": "prism@example.org",
            "SMTP_HOST": "127.0.0.1",
            "SMTP_PORT": str(server.port),
            "SMTP_SECURITY": "none",
        }.items():
            monkeypatch.setenv(f"PRISM_NOTIFY__{name}", value)
        first = translated(prism, archive, "--translator", "fake")
        known = {one["document_id"] for one in json.loads(first.out)["failures"]}
        assert len(known) == 20
        monkeypatch.setenv("PRISM_NIGHT__KNOWN_FAILURES", "pass")
        assert first.code == ExitCode.SOME_DOCUMENTS_FAILED
        assert translated(prism, archive, "--translator", "fake").code == ExitCode.OK
        (archive.input / "fresh.pdf").write_bytes(b"%PDF-1.7 no document")
        last = translated(prism, archive, "--translator", "fake")
    failures = json.loads(last.out)["failures"]
    [new] = [one for one in failures if one["new"]]
    assert (last.code, len(failures)) == (ExitCode.SOME_DOCUMENTS_FAILED, 21)
    night_before, mail = server.mails[1:]
    assert "21 failed (1 new)" in mail["Subject"]
    assert f"{new['document_id']}  {new['class']}  " in mail.get_content()
    assert "Known since before: 20" in mail.get_content()
    assert "Nothing new failed" in night_before.get_content()
    told = mail.get_content() + night_before.get_content()
    assert not [one for one in (*known, PLANTED, "fresh") if one in told]
