"""No answer, of whatever provider, is read beyond what was asked for: memory stays small."""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import ExitStack
from typing import Any

from prism_core.translators.openai.batch import lines_of
from prism_core.translators.response_limits import longest_answer
from tests.loopback import LoopbackServer, Reply, Request
from tests.provider_server import KEY
from tests.provider_servers import PROVIDERS

TIMES = 4
"""How many requests are answered so at once."""
SLOW = "a byte at a time"
MEGABYTES = 100
"""What hostile answers may take beside a quiet run."""

BATCH = {
    "id": "batch_1", "object": "batch", "endpoint": "/v1/chat/completions", "errors": None,
    "completion_window": "24h", "created_at": 1, "status": "completed",
    "input_file_id": "f1", "output_file_id": "f2", "error_file_id": None,
}  # fmt: skip


class HostileServer(LoopbackServer):
    """Answers the first request with an empty object, and then with ``HOSTILE``, ``TIMES`` each."""

    def __init__(self) -> None:
        super().__init__()
        hostile = [reply for reply in HOSTILE.values() for _ in range(TIMES)]
        self.replies = iter([Reply.of_json({}), *hostile])

    def answer(self, request: Request) -> Reply:  # noqa: ARG002 - whatever it is
        return next(self.replies)

    def answer_other(self, request: Request) -> Reply:
        """A batch is as it should be; only its file of answers is not."""
        return self.answer(request) if "content" in request.path else Reply.of_json(BATCH)


ADAPTERS: list[dict[str, Any]] = [
    *({"name": kind.NAME, **kind.SETTINGS} for kind in PROVIDERS.values()),
    *({"name": "openai", "api": api} for api in ("chat", "responses")),
    {"name": "openai-batch"},
]
"""The settings of each that asks over HTTP."""

_PACKED = gzip.compress(bytes(2**26), 1)

HOSTILE = {
    "64 MB in 300 KB": Reply(200, _PACKED, {"Content-Encoding": "gzip"}),
    "packed twice": Reply(200, gzip.compress(_PACKED), {"Content-Encoding": "gzip, gzip"}),
    "packed, and an error": Reply(400, _PACKED, {"Content-Encoding": "gzip"}),
    "48 MB": Reply(200, b'{"choices": "' + b"la " * 2**24 + b'"}'),
    "48 MB of an error": Reply(400, b'{"error": "' + b"la " * 2**24 + b'"}'),
    "as long as allowed, of lists": Reply(200, b'{"error": [' + b"[]," * 85_000 + b"[]]}"),
    "deep": Reply(200, b'{"error": ' + b"[" * 250_000),
    SLOW: Reply(200, b"{" * 20, drip=0.1),
    "a number without end": Reply(200, b'{"error": ' + b"9" * 250_000 + b"}"),
}


def test_hostile_answers_take_little_memory_and_time_and_are_bad_answers_with_every_adapter() -> (
    None
):
    keys = {kind.KEY_VARIABLE: KEY for kind in PROVIDERS.values() if kind.KEY_VARIABLE}
    with ExitStack() as servers:
        everyone = [
            settings | {"base_url": servers.enter_context(HostileServer()).url}
            for settings in ADAPTERS
        ]
        asked = json.dumps([everyone, [*HOSTILE], TIMES, SLOW])
        done = subprocess.run(
            [sys.executable, "-m", "tests.translators.hostile_asking", asked],
            env=os.environ | keys | {"OPENAI_API_KEY": KEY},
            capture_output=True,
            check=True,
            text=True,
        )
    assert not done.stderr, "no traceback, no warning"
    found = json.loads(done.stdout)
    assert len(found) == len(HOSTILE) * len(ADAPTERS)
    for kind, name, faults, megabytes in found:
        allowed = {"TimedOut"} if kind == SLOW else {"BadAnswer"}
        allowed = {"Rejected"} if HOSTILE[kind].status == 400 else allowed
        is_file = name == "openai-batch"  # of which a line that cannot be read is left out
        assert faults in allowed | ({"nothing"} if is_file else set()), (kind, name)
        assert megabytes <= MEGABYTES, (kind, name)


def test_a_line_without_end_is_left_out_and_the_others_are_read() -> None:
    async def parts() -> AsyncIterator[bytes]:
        for part in (b"one\nt", b"wo\n", b"x" * 9, b"x" * 9, b"\nthree", b"\n\nfour"):
            yield part

    async def read(longest: int) -> list[bytes]:
        return [line async for line in lines_of(parts(), longest)]

    assert asyncio.run(read(5)) == [b"one", b"two", b"three", b"", b"four"]
    assert asyncio.run(read(18))[2] == b"x" * 18


def test_what_is_read_grows_with_what_was_asked_up_to_an_end() -> None:
    assert longest_answer(0) < longest_answer(10_000) < longest_answer(10**9) < 2**23
