"""The canary test with ``--engine prefect``: its database, results and logs are searched too."""

from __future__ import annotations

import pytest

from prism_core.errors import ExitCode
from tests.end_to_end import planted
from tests.end_to_end.aftermath import SECRETS, prepared, received, searched_once, suffixes
from tests.end_to_end.job import Workplace
from tests.hook import Hook
from tests.mail_server import MailServer
from tests.openai_server import Fault, OpenAIServer, by_apertium

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def server():
    with OpenAIServer(by_apertium(), faults=[Fault.SERVER_ERROR]) as server:
        yield server


@pytest.fixture(scope="module")
def hook():
    with Hook() as hook:
        yield hook


@pytest.fixture(scope="module")
def mail_server():
    with MailServer() as mail_server:
        yield mail_server


@pytest.fixture(scope="module")
def done(
    tmp_path_factory: pytest.TempPathFactory,
    server: OpenAIServer,
    hook: Hook,
    mail_server: MailServer,
) -> Workplace:
    """After a flow that was stopped by the translator, and one that came to its end."""
    workplace, sabotage = prepared(tmp_path_factory.mktemp("prefect"), server)
    sabotage.plan(planted.SABOTAGE | {"spins.txt": "spin-all"})
    workplace.variables |= {
        "PRISM_NOTIFY__WEBHOOK": hook.url,
        "PRISM_NOTIFY__MAIL_TO": "ops@example.org",
        "PRISM_NOTIFY__MAIL_FROM": "prism@example.org",
        "PRISM_NOTIFY__SMTP_HOST": "127.0.0.1",
        "PRISM_NOTIFY__SMTP_PORT": str(mail_server.port),
        "PRISM_NOTIFY__SMTP_SECURITY": "none",
    }
    workplace.use(server, texts_per_request=20, concurrency=1)
    server.translate = _then(server, Fault.QUOTA)
    options = ("--engine", "prefect", "--json")
    assert workplace.run(*options) == ExitCode.QUOTA_EXHAUSTED, workplace.printed()
    assert workplace.run(*options) == ExitCode.SOME_DOCUMENTS_FAILED, workplace.printed()
    return workplace


def _then(server: OpenAIServer, fault: Fault):
    """Translate once, then let the next request fail."""
    translate = by_apertium()

    def once(texts):
        server.translate = translate
        server.fail(fault)
        return translate(texts)

    return once


def test_the_flow_translates_what_can_be_translated(done: Workplace) -> None:
    assert suffixes(done.documents()) == suffixes(planted.TRANSLATED)
    assert done.rows_by_path()["broken/spins.txt"]["failure"] == "timed-out"


def test_the_translator_received_nothing_planted(done: Workplace, server: OpenAIServer) -> None:
    assert received(server) == set()


def test_nothing_is_left_behind_not_even_in_prefect(done: Workplace, server) -> None:
    found = searched_once(done, server)
    assert found == {"planted": set(), "sent": set(), "key": set()}


def test_prefects_own_database_was_searched_with_the_artifacts_in_it(done: Workplace) -> None:
    databases = (done.root / "prefect").rglob("*.db*")
    content = b"".join(path.read_bytes() for path in databases)
    assert b"translate-archive" in content
    assert b"prism-run-totals" in content
    assert b"tokens kept" in content


def test_who_is_told_of_the_runs_received_nothing_planted(
    done: Workplace, hook: Hook, mail_server: MailServer
) -> None:
    assert [one.json["outcome"] for one in hook.requests] == ["QuotaExhausted", "complete"]
    assert len(mail_server.mails) == 2
    received = [*hook.received, *(mail.as_bytes() for mail in mail_server.mails)]
    assert SECRETS.in_bytes(b"\n\n".join(received), "who is told") == set()


def test_temporary_folder_and_working_folder_are_left_empty(done: Workplace) -> None:
    assert list((done.root / "temporary").iterdir()) == []
    assert list((done.root / "started-in").iterdir()) == []
