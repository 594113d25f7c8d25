"""What a batch holds to the byte, and what its adapter is not for."""

from __future__ import annotations

import asyncio
import json
import logging

import pytest

from prism_core.errors import ExitCode, Misconfigured
from prism_core.settings import TranslatorSettings
from prism_core.translators import make_provider, make_translator
from prism_core.translators.batches import BatchStanding
from tests.loopback import headers_of
from tests.openai_batch_server import BatchServer
from tests.openai_server import Fault

TEXTS = ["The quick brown fox jumps.", "  A lazy dog sleeps. ", "Nobody cares é."]
OWN, REQUEST = "0" * 31 + "a", "0" * 31 + "b"


def hand_in(settings: TranslatorSettings) -> str:
    async def main() -> str:
        translator = make_provider(settings, "en", "es")
        try:
            return await translator.submit(OWN, {REQUEST: TEXTS}, "en", "es")
        finally:
            await translator.close()

    return asyncio.run(main())


@pytest.mark.parametrize(
    "more", [{}, {"api": "responses"}, {"temperature": "default", "answer_format": "json_object"}]
)
def test_a_line_asks_what_a_request_by_itself_does(
    batch_server: BatchServer, more: dict[str, object]
) -> None:
    hand_in(batch_server.settings(**more))
    ((name, content),) = batch_server.files.values()
    line = json.loads(content)
    alone = make_translator(
        TranslatorSettings.choose(name="openai", base_url=batch_server.base_url, **more),
        "en",
        "es",
    )
    batch_server._answered = lambda request: batch_server.complete(request, None)  # type: ignore[method-assign]
    asyncio.run(alone.translate(TEXTS, "en", "es"))
    assert line["body"] == json.loads(batch_server.bodies[-1])
    assert (name, line["custom_id"], line["method"]) == (f"{OWN}.jsonl", REQUEST, "POST")
    assert set(line) == {"custom_id", "method", "url", "body"}


def test_nothing_of_this_machine_or_another_account_is_in_a_request(
    batch_server: BatchServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "USER", "HOSTNAME"):
        monkeypatch.setenv(variable, "canary")
    hand_in(batch_server.settings())
    assert not any(b"canary" in request for request in batch_server.received)


def test_no_header_of_any_call_tells_of_the_library_python_or_this_machine(
    batch_server: BatchServer,
) -> None:
    async def main() -> None:
        translator = make_provider(batch_server.settings(), "en", "es")
        try:
            batch = await translator.submit(OWN, {REQUEST: TEXTS}, "en", "es")
            assert await translator.find(OWN, 0.0) == batch
            while (await translator.look(batch)).standing is BatchStanding.WORKING:
                pass
            assert (await translator.results(batch, {REQUEST: TEXTS})).keys() == {REQUEST}
            await translator.cancel(batch)
            await translator.discard(OWN, None)
            await translator.discard(OWN, batch)
        finally:
            await translator.close()

    asyncio.run(main())
    needed = {"host", "connection", "accept", "accept-encoding", "authorization", "user-agent"}
    for request in batch_server.received:
        headers = headers_of(request)
        assert needed <= headers.keys() <= needed | {"content-length", "content-type"}
        assert headers["user-agent"] == "python-httpx2"
        assert headers["accept-encoding"] == "identity"
    operations = {request.split()[0] for request in batch_server.received}
    assert operations == {b"POST", b"GET", b"DELETE"}


def test_what_the_provider_keeps_would_be_deleted_by_itself(batch_server: BatchServer) -> None:
    hand_in(batch_server.settings())  # the server checks the upload
    created = json.loads(batch_server.bodies[-1])
    assert created["output_expires_after"] == {"anchor": "created_at", "seconds": 7 * 86_400}
    assert created["metadata"] == {"prism": OWN}


def test_nothing_is_logged_and_no_error_quotes(
    batch_server: BatchServer, caplog: pytest.LogCaptureFixture
) -> None:
    for name in ("openai", "httpx2", "httpcore2"):
        logging.getLogger(name).setLevel(logging.NOTSET)
    caplog.set_level(logging.DEBUG)
    batch_server.trouble["create"].append(Fault.BAD_PARAMETER)
    with pytest.raises(Misconfigured) as caught:
        hand_in(batch_server.settings())
    assert "fox" not in str(caught.value)
    assert caught.value.__context__ is None
    transport = ("openai", "httpx", "httpcore")
    assert [record for record in caplog.records if record.name.startswith(transport)] == []
    assert "fox" not in caplog.text


def test_who_needs_an_answer_at_once_is_told_whom_to_ask(batch_server: BatchServer) -> None:
    with pytest.raises(Misconfigured, match="answers within hours") as caught:
        make_translator(batch_server.settings(), "en", "es")
    assert caught.value.exit_code is ExitCode.BAD_CONFIGURATION
    assert batch_server.received == []
