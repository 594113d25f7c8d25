"""Runs that are killed, and an encoder that leaks: what is planted is nowhere, or is found."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from prism_core.errors import ExitCode
from tests.end_to_end import planted
from tests.end_to_end.aftermath import left_behind, names_of, prepared, received, suffixes
from tests.end_to_end.job import Workplace, end
from tests.openai_server import Fault, OpenAIServer, by_apertium, sent_texts

pytestmark = pytest.mark.slow


def _killed_when(workplace: Workplace, has_come: Callable[[], bool]) -> None:
    """Start a run and kill it with SIGKILL as soon as ``has_come``."""
    process = workplace.start()
    try:
        _wait_for(lambda: has_come() or process.poll() is not None)
        assert process.poll() is None, workplace.printed()
    finally:
        process.kill()
        process.wait()
    _wait_for(lambda: not list((workplace.root / "temporary").iterdir()))
    time.sleep(1)  # a request that had left still arrives


def _wait_for(condition: Callable[[], bool], seconds: float = 120) -> None:
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, "it never came"
        time.sleep(0.05)


def test_killed_runs_leave_nothing_planted_and_send_nothing_twice(tmp_path: Path) -> None:
    with OpenAIServer(by_apertium()) as server:
        workplace, sabotage = prepared(tmp_path, server, warm=True)
        # Marks are asked for by sending the same text once more, on purpose.
        workplace.use(server, texts_per_request=15, concurrency=1, marks="never")

        sabotage.plan(planted.SABOTAGE | {"agreement.docx": "hang"})
        _killed_when(workplace, sabotage.hangs)
        assert server.received == []
        assert left_behind(workplace) == set(), "killed while a document was read"

        sabotage.plan(planted.SABOTAGE)
        server.fail(None, None, Fault.SLOW)
        _killed_when(workplace, lambda: len(server.batches) == 3)
        answered = [text for batch in server.batches[:2] for text in batch]
        in_flight = server.batches[2]
        assert left_behind(workplace) == set(), "killed while a request was out"

        sabotage.plan(planted.SABOTAGE | {".prism-partial": "hang"})
        _killed_when(workplace, sabotage.hangs)
        assert left_behind(workplace) == set(), "killed while a document was written"
        in_flight = [*in_flight, *server.batches[-1]]
        later = {text for batch in server.batches[3:-1] for text in batch}
        answered += later - set(in_flight)

        sabotage.plan(planted.SABOTAGE)
        assert workplace.run("--json") == ExitCode.SOME_DOCUMENTS_FAILED, workplace.printed()
        answered_by_now = len(server.received)
        assert suffixes(workplace.documents()) == suffixes(planted.TRANSLATED)
        assert left_behind(workplace) == set()

        # Two short sentences may be sent as the same word by chance.
        times = Counter(text for text in sent_texts(server) if text.count(" ") > 3)
        assert {text for text, count in times.items() if count > 1} <= set(in_flight)
        assert all(times[text] <= 1 for text in answered)
        assert any(times[text] == 1 for text in answered)
        assert received(server) == set()

        assert workplace.run("--json") == ExitCode.SOME_DOCUMENTS_FAILED
        assert len(server.received) == answered_by_now, "a second run sends nothing"


_LEAKY = """-c
import base64, os, sys, tempfile, zlib
from flows.command import cli
from prism_core.encoding.pool_encoder import PoolEncoder as Encoder
from prism_core.record import Encoded
from prism_core.record import Fate

kept = os.path.join(tempfile.gettempdir(), "kept")

def encode(self, sentence, *_):
    with open(kept, "ab") as file:
        file.write(base64.b64encode(zlib.compress(sentence.text.encode("utf-16"))) + b"\\n")
    print(sentence.text.encode().hex(), file=sys.stderr)
    return Encoded(sentence.text, (), (Fate.KEPT,) * len(sentence.tokens))

Encoder.encode = encode
Encoder.needs_translator = lambda self, sentence, deny_list: True
cli.main()"""


def test_the_search_finds_everything_when_the_encoder_leaks(tmp_path: Path) -> None:
    with OpenAIServer() as server:
        workplace, _ = prepared(tmp_path, server)
        workplace.variables["PRISM_LIMITS__WORKERS"] = "1"  # the leak is made in one process
        process = workplace.start("--json", program=_LEAKY.replace("\n", " ", 1))
        try:
            process.wait(timeout=300)
        finally:
            end(process)
        in_sentences = {*planted.NAMES, *planted.NUMBERS, *planted.PHRASES, *planted.MSG_CANARIES}
        in_sentences -= {"Obrecastle", "7559 Fax"}  # a file's name, and two lines
        sent = names_of(received(server))
        assert in_sentences <= sent, in_sentences - sent
        left = left_behind(workplace)
        for place in ("temporary/kept", "printed/1.err"):
            found = names_of(finding for finding in left if finding.place == place)
            assert in_sentences <= found, in_sentences - found
