"""A notice arrives at real servers, holds counts and classes alone, and never raises."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import socket
import threading
import time
from dataclasses import fields, replace
from pathlib import Path

import pytest

from prism_core.errors import DocumentFailure, ExitCode
from prism_core.notification.delivery import deliver
from prism_core.notification.notice import Notice
from prism_core.report import ReportFolder
from prism_core.report.totals import RunTotals
from prism_core.settings import NotifySettings
from tests.certificate import write_certificate
from tests.hook import Hook
from tests.loopback import LoopbackServer, Reply
from tests.mail_server import PASSWORD, USER, MailServer
from tests.report.sample_rows import DOCUMENTS, FACTS, FAILED, REQUESTS, RUN, SENTENCES


@pytest.fixture
def notice(tmp_path: Path) -> Notice:
    ReportFolder(tmp_path / "report").write(FACTS, DOCUMENTS, SENTENCES, REQUESTS)
    report = ReportFolder(tmp_path / "report").find(RUN)
    assert report is not None
    return Notice.from_report(RUN, "QuotaExhausted", ExitCode.QUOTA_EXHAUSTED, report, "legal")


def hooked(server: LoopbackServer, **more: object) -> NotifySettings:
    return NotifySettings.model_validate({"webhook": f"{server.url}/prism?to=ops", **more})


def mailed(port: int, **more: object) -> NotifySettings:
    return NotifySettings.model_validate(
        {
            "mail_to": ["ops@example.org", "dpo@example.org"],
            "mail_from": "prism@example.org",
            "smtp_host": "localhost",
            "smtp_port": port,
            "smtp_security": "none",
            **more,
        }
    )


def test_a_webhook_gets_counts_and_classes(notice: Notice) -> None:
    with Hook() as server:
        assert deliver(hooked(server), notice, {}) == ()
    content = server.requests[0].json
    assert server.requests[0].query == {"to": "ops"}
    assert content["outcome"] == "QuotaExhausted"
    assert content["exit_code"] == 4
    assert content["run_id"] == RUN
    assert content["label"] == "legal"
    assert set(content["totals"]) == {one.name for one in fields(RunTotals)}
    assert content["totals"]["documents"] == len(DOCUMENTS)
    assert sum(content["failed_documents"].values()) == content["totals"]["documents_failed"] > 0
    assert set(content["failed_documents"]) <= set(DocumentFailure)


def test_every_value_in_a_webhook_is_a_number_or_a_word_of_ours(notice: Notice) -> None:
    content = json.loads(notice.to_json())
    words = {key: value for key, value in content.items() if isinstance(value, str)}
    assert set(words) == {"event", "label", "run_id", "outcome", "ended_at"}
    classes = content["failed_documents"], content["newly_failed_documents"]
    numbers = [*content["totals"].values(), *(n for counts in classes for n in counts.values())]
    assert all(one is None or isinstance(one, int | float) for one in numbers)
    ids = {row.document_id for row in DOCUMENTS}
    assert not [one for one in ids if one in notice.to_json().decode()]
    failed = {row.document_id for row in DOCUMENTS if row.failure}
    assert {one for one in ids if one in notice.to_text()} == failed


def test_a_signed_webhook_can_be_told_from_a_forged_one(notice: Notice) -> None:
    with Hook() as server:
        assert deliver(hooked(server, webhook_secret_env="HOOK"), notice, {"HOOK": "s3"}) == ()
    [request] = server.requests
    when, given = (part.split("=")[1] for part in request.headers["X-Prism-Signature"].split(","))
    signed = when.encode() + b"." + request.body
    assert given == hmac.new(b"s3", signed, hashlib.sha256).hexdigest()
    assert abs(int(when) - time.time()) < 60


def test_without_its_secret_nothing_is_sent_unsigned(notice: Notice) -> None:
    with Hook() as server:
        [problem] = deliver(hooked(server, webhook_secret_env="HOOK"), notice, {})
    assert "HOOK is not set" in problem
    assert server.requests == []


def test_a_redirect_is_not_followed(notice: Notice) -> None:
    with Hook() as other, Hook(Reply(307, headers={"Location": other.url})) as server:
        [problem] = deliver(hooked(server), notice, {})
    assert "status 307" in problem
    assert other.requests == []


@pytest.mark.parametrize("reply", [Reply(500, b"secret words"), Reply(reset=True)])
def test_a_webhook_that_fails_is_said_in_our_words(notice: Notice, reply: Reply) -> None:
    with Hook(reply) as server:
        [problem] = deliver(hooked(server), notice, {})
    assert "by webhook" in problem
    assert "secret words" not in problem
    assert server.url not in problem


def test_a_slow_webhook_is_not_waited_for(notice: Notice) -> None:
    with Hook(seconds=20) as server:
        began = time.monotonic()
        [problem] = deliver(hooked(server, timeout_seconds=0.3), notice, {})
    assert problem
    assert time.monotonic() - began < 15


def test_a_server_that_never_comes_to_the_point_is_not_waited_for(notice: Notice) -> None:
    """It says something before each time-out of the library."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        over = threading.Event()
        threading.Thread(target=_dribble, args=(listening, over), daemon=True).start()
        began = time.monotonic()
        port = listening.getsockname()[1]
        [problem] = deliver(mailed(port, timeout_seconds=0.5), notice, {})
        assert "too long" in problem
        assert time.monotonic() - began < 15
        over.set()


def _dribble(listening: socket.socket, over: threading.Event) -> None:
    connection, _ = listening.accept()
    with connection:
        while not over.wait(0.1):
            connection.sendall(b"220-wait\r\n")


def test_a_mail_reaches_every_recipient(notice: Notice) -> None:
    with MailServer() as server:
        assert deliver(mailed(server.port), notice, {}) == ()
    [mail], [envelope] = server.mails, server.envelopes
    assert envelope.rcpt_tos == ["ops@example.org", "dpo@example.org"]
    assert mail["Subject"] == notice.title
    assert "QuotaExhausted" in mail["Subject"]
    assert "documents failed" in mail.get_content()
    assert mail["Message-ID"].endswith("@example.org>")
    assert server.greetings == ["[127.0.0.1]"]


@pytest.mark.filterwarnings("ignore:Requiring AUTH")  # the server does not know that it has TLS
@pytest.mark.parametrize("security", ["starttls", "tls"])
def test_mail_goes_over_tls_with_a_password(
    notice: Notice, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, security: str
) -> None:
    certificate, context = write_certificate(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    more = {"smtp_security": security, "smtp_user": USER, "smtp_password_env": "WORD"}
    with MailServer(context, implicit=security == "tls", login=True) as server:
        assert deliver(mailed(server.port, **more), notice, {"WORD": PASSWORD}) == ()
        assert len(server.mails) == 1
        [problem] = deliver(mailed(server.port, **more), notice, {"WORD": "wrong"})
        assert "user or the password" in problem
        assert len(server.mails) == 1


@pytest.mark.parametrize("security", ["starttls", "tls"])
def test_a_mail_server_whose_certificate_nobody_signed_gets_nothing(
    notice: Notice, tmp_path: Path, security: str
) -> None:
    _, context = write_certificate(tmp_path)
    with MailServer(context, implicit=security == "tls") as server:
        [problem] = deliver(mailed(server.port, smtp_security=security), notice, {})
    assert "certificate" in problem
    assert server.mails == []


def test_a_mail_server_without_tls_gets_nothing_where_tls_is_asked_for(notice: Notice) -> None:
    with MailServer() as server:
        [problem] = deliver(mailed(server.port, smtp_security="starttls"), notice, {})
    assert "does not offer" in problem
    assert server.mails == []


def test_metrics_are_written_whole_for_prometheus_to_read(notice: Notice, tmp_path: Path) -> None:
    file = tmp_path / "prism.prom"
    assert deliver(NotifySettings(metrics_file=file), notice, {}) == ()
    lines = file.read_text().splitlines()
    values = dict(line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
    metric = re.compile(r'prism_run_[a-z_]+\{job="legal"(,stage="[a-z]+")?\}')
    assert all(metric.fullmatch(name) for name in values)
    assert values['prism_run_stage_seconds{job="legal",stage="encode"}'] == "1.5"
    assert values['prism_run_exit_code{job="legal"}'] == "4"
    assert values['prism_run_documents{job="legal"}'] == str(notice.totals["documents"])
    assert all(float(value) >= 0 for value in values.values())
    assert [path.name for path in tmp_path.iterdir() if "prom" in path.name] == ["prism.prom"]
    assert file.stat().st_mode & 0o777 == 0o644


def test_metrics_that_cannot_be_written_are_said_in_our_words(notice, tmp_path) -> None:
    gone = NotifySettings(metrics_file=tmp_path / "gone" / "prism.prom")
    (problem,) = deliver(gone, notice, {})
    assert "metrics_file: No such file or directory" in problem
    assert str(tmp_path) not in problem


def test_one_way_that_fails_does_not_stop_the_other(notice: Notice) -> None:
    with MailServer() as server, Hook(Reply(410)) as hook:
        both = mailed(server.port, webhook=hook.url)
        [problem] = deliver(both, notice, {})
    assert "by webhook" in problem
    assert len(server.mails) == 1


def test_a_run_without_a_report_is_told_by_its_class_alone() -> None:
    notice = Notice.from_report("run-1", "StateError", ExitCode.STATE_UNUSABLE, None, "")
    content = json.loads(notice.to_json())
    assert (content["outcome"], content["exit_code"], content["totals"]) == ("StateError", 5, None)
    assert "stopped before its report was written" in notice.to_text()


@pytest.mark.parametrize(
    ("nights", "anew"),
    [
        (["corrupt"], True),
        (["corrupt", "corrupt"], False),
        (["corrupt", "encrypted"], True),
        (["corrupt", "not-reached", "corrupt"], False),
        (["corrupt", "", "corrupt"], True),
        (["corrupt", "not-reached"], False),
        (["other-language: accept it", "other-language: no dictionary"], True),
        (["other-language: accept it", "other-language: accept it"], False),
    ],
)
def test_what_failed_alike_when_it_was_last_reached_is_no_news(
    tmp_path: Path, nights: list[str], anew: bool
) -> None:
    folder = ReportFolder(tmp_path)
    for number, failure in enumerate(nights):
        run = f"night-{number}"
        outcome = "failed" if failure else "unchanged"
        failure, _, advice = failure.partition(": ")
        row = replace(FAILED, run_id=run, failure=failure, outcome=outcome, advice=advice)
        folder.write(replace(FACTS, run_id=run), [row])
    report = folder.find(run)
    assert report is not None
    assert [one.document_id for one in report.failed_anew] == [FAILED.document_id] * anew
