"""The canary test with ``--engine prefect``: its database, results and logs are searched too."""

from __future__ import annotations

import pytest

from prism_core.errors import ExitCode
from tests.end_to_end import planted
from tests.end_to_end.aftermath import left_behind, long_texts_sent, prepared, received
from tests.end_to_end.canary import Searcher
from tests.end_to_end.job import Workplace
from tests.openai_server import Fault, OpenAIServer, by_apertium

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def server():
    with OpenAIServer(by_apertium(), faults=[Fault.SERVER_ERROR]) as server:
        yield server


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory, server: OpenAIServer) -> Workplace:
    """After a flow that was stopped by the translator, and one that came to its end."""
    workplace, _ = prepared(tmp_path_factory.mktemp("prefect"), server)
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
    assert done.documents() == planted.TRANSLATED


def test_the_translator_received_nothing_planted(done: Workplace, server: OpenAIServer) -> None:
    assert received(server) == set()


def test_nothing_planted_is_left_behind_not_even_in_prefect(done: Workplace) -> None:
    assert left_behind(done) == set()


def test_nothing_that_was_sent_is_left_behind(done: Workplace, server: OpenAIServer) -> None:
    sent = long_texts_sent(server)
    assert len(sent) > 20
    assert left_behind(done, Searcher(sent)) == set()


def test_the_key_is_nowhere_but_in_its_file(done: Workplace) -> None:
    key = Searcher([done.key_file.read_text()], {"as bytes": done.key()})
    places = [done.key_file, *done.places_of_documents()]
    assert key.in_folder(done.root, leave_out=places) == set()


def test_prefects_own_database_was_searched(done: Workplace) -> None:
    found = Searcher(["translate-archive"]).in_folder(done.root / "prefect")
    assert any("prefect.db" in finding.place for finding in found)


def test_temporary_folder_and_working_folder_are_left_empty(done: Workplace) -> None:
    assert list((done.root / "temporary").iterdir()) == []
    assert list((done.root / "started-in").iterdir()) == []
