"""A server on loopback that behaves like the chat completions API, faults included.

As a context manager it listens on a free port in threads of this process; anything that speaks
HTTP, a command run as a subprocess too, reaches it at ``base_url`` with ``key``. Every byte that
it receives is kept in ``received``, one entry a request, for tests of what leaves the machine.
"""

from __future__ import annotations

import asyncio
import json
import math
import socket
import struct
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from prism_core.translators import TranslatorSettings, make_translator
from prism_core.translators.fake import mark_words

TranslateBatch = Callable[[Sequence[str]], list[str]]


class Fault(StrEnum):
    """What goes wrong with one request."""

    SERVER_ERROR = "500"
    UNAVAILABLE = "503 without Retry-After"
    UNAVAILABLE_FOR_A_SECOND = "503 with Retry-After"
    RATE_LIMITED = "429 with Retry-After"
    RATE_LIMITED_FOR_A_DAY = "429 with Retry-After of a day"
    RATE_LIMITED_SILENT = "429 without Retry-After"
    QUOTA = "429 insufficient_quota"
    UNAUTHORIZED = "401"
    FORBIDDEN = "403"
    NOT_FOUND = "404"
    BAD_REQUEST = "400"
    BAD_PARAMETER = "400 about response_format"
    CONTEXT_LENGTH = "400 context_length_exceeded"
    TOO_LARGE = "413"
    REDIRECT = "307 to another host"
    SLOW = "an answer after ``OpenAIServer.slow_seconds``"
    RESET = "connection reset before the answer"
    TRUNCATED_BODY = "connection closed in the middle of the body"
    HTML = "200 with a page of HTML"
    NO_CHOICES = "200 without choices"
    CUT_OFF = "finish_reason length"
    REFUSAL = "a refusal"
    EMPTY_CONTENT = "content null"
    NOT_JSON = "content that is prose"
    WRONG_COUNT = "one answer too few"
    DUPLICATED_ID = "an id twice and another missing"
    EXTRA_ANSWER = "an id twice and none missing"
    UNKNOWN_ID = "an id nobody asked for"
    REORDERED = "answers in reverse order (not a fault: ids join them)"
    ECHO = "answers that are the untranslated texts"
    ECHO_FIRST = "the first answer is its untranslated text"
    EMPTY_FIRST = "the first answer is empty"
    LONG_FIRST = "the first answer is absurdly long"


_ERRORS: dict[Fault, tuple[int, dict[str, Any], dict[str, str]]] = {
    Fault.SERVER_ERROR: (500, {"type": "server_error"}, {}),
    Fault.UNAVAILABLE: (503, {"type": "server_error"}, {}),
    Fault.UNAVAILABLE_FOR_A_SECOND: (503, {"type": "server_error"}, {"Retry-After": "1"}),
    Fault.RATE_LIMITED: (429, {"code": "rate_limit_exceeded"}, {"Retry-After": "1"}),
    Fault.RATE_LIMITED_FOR_A_DAY: (429, {"code": "rate_limit_exceeded"}, {"Retry-After": "86400"}),
    Fault.RATE_LIMITED_SILENT: (429, {"code": "rate_limit_exceeded"}, {}),
    Fault.QUOTA: (429, {"type": "insufficient_quota", "code": "insufficient_quota"}, {}),
    Fault.UNAUTHORIZED: (401, {"code": "invalid_api_key"}, {}),
    Fault.FORBIDDEN: (403, {"code": "unsupported_country_region_territory"}, {}),
    Fault.NOT_FOUND: (404, {"code": "model_not_found"}, {}),
    Fault.BAD_REQUEST: (400, {"code": None, "param": None}, {}),
    Fault.BAD_PARAMETER: (400, {"code": "unsupported_value", "param": "response_format"}, {}),
    Fault.CONTEXT_LENGTH: (400, {"code": "context_length_exceeded", "param": "messages"}, {}),
    Fault.TOO_LARGE: (413, {}, {}),
    Fault.REDIRECT: (307, {}, {"Location": "http://elsewhere.invalid/v1/chat/completions"}),
}


def by_marking(texts: Sequence[str]) -> list[str]:
    """The default translation: every word is marked."""
    return [mark_words(text) for text in texts]


def by_apertium(source: str = "en", target: str = "es") -> TranslateBatch:
    """A translation by the real Apertium behind the API."""
    translator, one_at_a_time = (
        make_translator(TranslatorSettings(), source, target),
        threading.Lock(),
    )

    def translate(texts: Sequence[str]) -> list[str]:
        with one_at_a_time:
            return asyncio.run(translator.translate(texts, source, target))

    return translate


@dataclass(slots=True)
class _Bucket:
    """A token bucket as providers have it: a rate, and a little burst."""

    per_minute: int | None
    burst: float
    level: float = field(init=False)
    filled_at: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        self.level = self.burst

    def take(self, amount: float) -> float:
        """0 and the amount is taken, or the seconds until it could be."""
        if self.per_minute is None:
            return 0.0
        now, rate = time.monotonic(), self.per_minute / 60
        self.level = min(self.burst, self.level + (now - self.filled_at) * rate)
        self.filled_at = now
        wanted = min(amount, self.burst)
        if self.level < wanted:
            return (wanted - self.level) / rate
        self.level -= amount
        return 0.0


class OpenAIServer:
    """``POST {base_url}/chat/completions`` for as long as the context lasts.

    ``faults`` (or ``fail`` later) script the next requests in order of arrival; after them all is
    well. ``poison``: a request with this text in a sentence is refused with 400. ``latency`` is
    added to every answer. ``received``: every byte of each request. ``batches``: the sentences of
    each request that was understood. ``refused``: number of 429 by the rate limits, whose times
    (monotonic) are in ``refusals``.
    """

    def __init__(
        self,
        translate: TranslateBatch = by_marking,
        *,
        key: str = "loopback-key",
        faults: Sequence[Fault] = (),
        requests_per_minute: int | None = None,
        characters_per_minute: int | None = None,
        tokens_per_minute: int | None = None,
        latency: float = 0.0,
        slow_seconds: float = 3.0,
        poison: str | None = None,
    ) -> None:
        self.key = key
        self.translate = translate
        self.latency, self.slow_seconds, self.poison = latency, slow_seconds, poison
        self.received: list[bytes] = []
        self.bodies: list[bytes] = []
        self.batches: list[list[str]] = []
        self.refused = 0
        self._faults = deque(faults)
        self._requests = _Bucket(requests_per_minute, max(1.0, (requests_per_minute or 0) / 60))
        self._characters = _Bucket(characters_per_minute, (characters_per_minute or 0) / 6)
        self._tokens = _Bucket(tokens_per_minute, (tokens_per_minute or 0) / 10)
        self.refusals: list[float] = []
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._http = _Listener(self)

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def settings(self, **more: Any) -> TranslatorSettings:
        """Settings of a translator that talks to this server; set ``OPENAI_API_KEY`` to ``key``."""
        return TranslatorSettings(name="openai", base_url=self.base_url, **more)

    def fail(self, *faults: Fault) -> None:
        """Script the next requests."""
        with self._lock:
            self._faults.extend(faults)

    def __enter__(self) -> OpenAIServer:
        threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.set()
        self._http.shutdown()
        self._http.server_close()

    def next_fault(self) -> Fault | None:
        with self._lock:
            return self._faults.popleft() if self._faults else None

    def wait_for_rate(self, characters: int, size: int) -> float:
        """0 when the request is within the rates, else seconds to wait.

        As the real API does, the tokens are estimated from the ``size`` of the body.
        """
        with self._lock:
            wait = (
                self._requests.take(1)
                or self._characters.take(characters)
                or self._tokens.take(math.ceil(size / 4))
            )
            if wait > 0:
                self.refused += 1
                self.refusals.append(time.monotonic())
            return wait

    def pause(self, seconds: float) -> None:
        """Be slow, but not when the server is to end."""
        self._closing.wait(seconds)


class _Listener(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, api: OpenAIServer) -> None:
        self.api = api
        super().__init__(("127.0.0.1", 0), _Handler)

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that went away is no news."""


class _Recorder:
    """A readable that keeps what was read."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self.kept = bytearray()

    def read(self, size: int = -1) -> bytes:
        return self._keep(self._stream.read(size))

    def readline(self, limit: int = -1) -> bytes:
        return self._keep(self._stream.readline(limit))

    def close(self) -> None:
        self._stream.close()

    @property
    def closed(self) -> bool:
        return self._stream.closed

    def _keep(self, data: bytes) -> bytes:
        self.kept += data
        return data


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 30
    server: _Listener

    def setup(self) -> None:
        super().setup()
        self.rfile = _Recorder(self.rfile)

    def handle_one_request(self) -> None:
        try:
            super().handle_one_request()
        finally:
            self._record()

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.server.api.bodies.append(body)
        self._record()
        self.server.api.pause(self.server.api.latency)
        self._answer(body, self.server.api.next_fault())

    def do_GET(self) -> None:
        self._error(404, {"code": "not_found"})

    def log_message(self, *_: object) -> None:
        pass

    def _record(self) -> None:
        if self.rfile.kept:
            self.server.api.received.append(bytes(self.rfile.kept))
            self.rfile.kept.clear()

    def _answer(self, body: bytes, fault: Fault | None) -> None:
        if self.headers.get("Authorization") != f"Bearer {self.server.api.key}":
            self._error(401, {"code": "invalid_api_key"})
        elif self.path != "/v1/chat/completions":
            self._error(404, {"code": "not_found"})
        elif fault in _ERRORS:
            self._error(*_ERRORS[fault])
        elif fault is Fault.RESET:
            self._reset()
        else:
            self._complete(json.loads(body), fault, len(body))

    def _complete(self, request: dict[str, Any], fault: Fault | None, size: int) -> None:
        sentences = json.loads(request["messages"][-1]["content"])["sentences"]
        texts = [sentence["text"] for sentence in sentences]
        if wait := self.server.api.wait_for_rate(sum(map(len, texts)), size):
            retry = {"Retry-After": str(math.ceil(wait)), "Retry-After-Ms": str(wait * 1000)}
            self._error(429, {"code": "rate_limit_exceeded"}, retry)
        elif self.server.api.poison is not None and any(
            self.server.api.poison in text for text in texts
        ):
            self._error(400, {"code": "invalid_prompt", "message": f"refused: {texts}"})
        else:
            self.server.api.batches.append(texts)
            if fault is Fault.SLOW:
                self.server.api.pause(self.server.api.slow_seconds)
            answers = _answers(sentences, self.server.api.translate(texts), fault)
            self._reply(_completion(answers, fault), fault)

    def _reply(self, completion: dict[str, Any], fault: Fault | None) -> None:
        if fault is Fault.HTML:
            self._write(200, b"<html>Welcome to the hotel network</html>", "text/html")
        elif fault is Fault.TRUNCATED_BODY:
            self._write(200, json.dumps(completion).encode(), cut=True)
        else:
            self._write(200, json.dumps(completion).encode())

    def _error(
        self, status: int, error: dict[str, Any], headers: dict[str, str] | None = None
    ) -> None:
        body = {
            "error": {"message": "quoted: " + str(self.server.api.bodies[-1:]), "type": "", **error}
        }
        self._write(status, json.dumps(body).encode(), headers=headers)

    def _write(
        self,
        status: int,
        body: bytes,
        kind: str = "application/json",
        *,
        headers: dict[str, str] | None = None,
        cut: bool = False,
    ) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body[: len(body) // 2] if cut else body)
        self.close_connection = self.close_connection or cut

    def _reset(self) -> None:
        """Close with RST instead of FIN."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True


def _answers(
    sentences: list[dict[str, str]], translated: list[str], fault: Fault | None
) -> list[dict[str, str]]:
    answers = [
        {"id": sentence["id"], "text": text}
        for sentence, text in zip(sentences, translated, strict=True)
    ]
    if fault is Fault.ECHO:
        return [dict(sentence) for sentence in sentences]
    if fault is Fault.REORDERED:
        return answers[::-1]
    if fault is Fault.WRONG_COUNT:
        return answers[:-1]
    if fault is Fault.DUPLICATED_ID:
        return [*answers[:-1], answers[0]]
    if fault is Fault.EXTRA_ANSWER:
        return [*answers, answers[0]]
    first = {
        Fault.UNKNOWN_ID: {"id": "zero"},
        Fault.ECHO_FIRST: {"text": sentences[0]["text"]},
        Fault.EMPTY_FIRST: {"text": " "},
        Fault.LONG_FIRST: {"text": "la " * 10_000},
    }
    if fault in first:
        answers[0].update(first[fault])
    return answers


def _completion(answers: list[dict[str, str]], fault: Fault | None) -> dict[str, Any]:
    content: str | None = json.dumps({"translations": answers}, ensure_ascii=False)
    message: dict[str, Any] = {"role": "assistant", "refusal": None}
    finish = "stop"
    if fault is Fault.NO_CHOICES:
        return {"id": "c", "object": "chat.completion", "choices": []}
    if fault is Fault.CUT_OFF:
        content, finish = str(content)[: len(str(content)) // 2], "length"
    elif fault is Fault.NOT_JSON:
        content = "Sure! Here are your translations: hola."
    elif fault is Fault.EMPTY_CONTENT:
        content = None
    elif fault is Fault.REFUSAL:
        content, message["refusal"] = None, "I cannot help with that."
    message["content"] = content
    return {
        "id": "c",
        "object": "chat.completion",
        "model": "loopback",
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0},
    }


def sent_texts(server: OpenAIServer) -> Iterator[str]:
    """Every sentence the server has understood, in order of arrival."""
    for batch in server.batches:
        yield from batch
