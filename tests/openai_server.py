"""A server on loopback that behaves like the chat completions and the responses API, faults
included: see ``LoopbackServer``. It is reached at ``base_url`` with ``key``.
"""

from __future__ import annotations

import asyncio
import json
import math
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from prism_core.settings import TranslatorSettings
from prism_core.translators import make_translator
from prism_core.translators.adapters.fake import mark_words
from tests.loopback import LoopbackServer, Reply, Request

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
    LOST_ANSWER = "all is done, and the connection reset before the answer"
    HTML = "200 with a page of HTML"
    NO_CHOICES = "200 without choices"
    CUT_OFF = "finish_reason length"
    REFUSAL = "a refusal"
    EMPTY_CONTENT = "content null"
    NOT_JSON = "content that is prose"
    WRONG_COUNT = "one answer too few"
    DUPLICATED_ID = "an id twice and another missing"
    EXTRA_ANSWER = "an id twice and none missing"
    RUN_ON = "answers to texts that nobody sent, behind those that were asked for"
    UNKNOWN_ID = "an id nobody asked for"
    REORDERED = "answers in reverse order (not a fault: ids join them)"
    MISPLACED = "each answer under the id of another text"
    ECHO = "answers that are the untranslated texts"
    ECHO_FIRST = "the first answer is its untranslated text"
    EMPTY_FIRST = "the first answer is empty"
    LONG_FIRST = "the first answer is absurdly long"


ERRORS: dict[Fault, tuple[int, dict[str, Any], dict[str, str]]] = {
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
        make_translator(TranslatorSettings.choose(), source, target),
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


class OpenAIServer(LoopbackServer):
    """``POST {base_url}/chat/completions`` and ``/responses`` for as long as the context lasts.

    ``faults`` (or ``fail`` later) script the next requests in order of arrival, None being none of
    them; after them all is well. While ``is_down`` every connection is cut. ``poison``: a request
    with this text in a sentence is refused with 400. ``latency`` is added to every answer.
    ``batches``: the sentences of each request that was understood. ``answered``: those of each that
    gets a whole answer without fault, after how many that had arrived until then. ``refused``:
    number of 429 by the rate limits, whose times (monotonic) are in ``refusals``.
    """

    def __init__(
        self,
        translate: TranslateBatch = by_marking,
        *,
        key: str = "loopback-key",
        faults: Sequence[Fault | None] = (),
        requests_per_minute: int | None = None,
        characters_per_minute: int | None = None,
        tokens_per_minute: int | None = None,
        latency: float = 0.0,
        slow_seconds: float = 3.0,
        poison: str | None = None,
        address: str = "127.0.0.1",
    ) -> None:
        super().__init__(address)
        self.key = key
        self.translate = translate
        self.lie: Callable[[str], str] = str
        self.latency, self.slow_seconds, self.poison = latency, slow_seconds, poison
        self.batches: list[list[str]] = []
        self.answered: list[tuple[int, list[str]]] = []
        self.is_down = False
        self.refused = 0
        self._faults = deque(faults)
        self._requests = _Bucket(requests_per_minute, max(1.0, (requests_per_minute or 0) / 60))
        self._characters = _Bucket(characters_per_minute, (characters_per_minute or 0) / 6)
        self._tokens = _Bucket(tokens_per_minute, (tokens_per_minute or 0) / 10)
        self.refusals: list[float] = []
        self._lock = threading.Lock()

    @property
    def base_url(self) -> str:
        return f"{self.url}/v1"

    def settings(self, **more: Any) -> TranslatorSettings:
        """Settings of a translator that talks to this server; set ``OPENAI_API_KEY`` to ``key``."""
        return TranslatorSettings.choose(name="openai", base_url=self.base_url, **more)

    def fail(self, *faults: Fault | None) -> None:
        """Script the next requests."""
        with self._lock:
            self._faults.extend(faults)

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

    def answer(self, request: Request) -> Reply:
        self.pause(self.latency)
        fault = self.next_fault()
        if request.headers.get("Authorization") != f"Bearer {self.key}":
            return self.error(401, {"code": "invalid_api_key"})
        if request.path not in ("/v1/chat/completions", "/v1/responses"):
            return self.error(404, {"code": "not_found"})
        if fault in ERRORS:
            return self.error(*ERRORS[fault])
        if fault is Fault.RESET or self.is_down:
            return Reply(reset=True)
        return self.complete(request, fault)

    def complete(self, request: Request, fault: Fault | None) -> Reply:
        """Without a form for the answer, what stands behind the colon is translated."""
        if request.path == "/v1/responses":
            content, form, shape = request.json["input"], request.json.get("text"), _response
        else:
            content = request.json["messages"][-1]["content"]
            form, shape = request.json.get("response_format"), _completion
        plain = {"id": "1", "text": content.partition(": ")[2]}
        sentences = json.loads(content)["sentences"] if form else [plain]
        texts = [sentence["text"] for sentence in sentences]
        if wait := self.wait_for_rate(sum(map(len, texts)), len(request.body)):
            retry = {"Retry-After": str(math.ceil(wait)), "Retry-After-Ms": str(wait * 1000)}
            return self.error(429, {"code": "rate_limit_exceeded"}, retry)
        if self.poison is not None and any(self.poison in text for text in texts):
            return self.error(400, {"code": "invalid_prompt", "message": f"refused: {texts}"})
        self.batches.append(texts)
        if fault is Fault.SLOW:
            self.pause(self.slow_seconds)
        answers = _answers(sentences, self.translate(texts), fault)
        if any("words" in sentence for sentence in sentences):
            self._add_words(sentences, answers)
        if fault in (None, Fault.REORDERED, Fault.SLOW):
            self.answered.append((len(self.batches), texts))
        if fault is Fault.LOST_ANSWER:
            return Reply(reset=True)
        if fault is Fault.HTML:
            return Reply(200, b"<html>Welcome to the hotel network</html>", kind="text/html")
        written = _written(answers)
        if fault is Fault.RUN_ON:
            written = _written([*answers, {**answers[0], "id": str(len(answers) + 1)}])
        reply = shape(written if form else answers[0]["text"], fault)
        return Reply.of_json(reply, cut=fault is Fault.TRUNCATED_BODY)

    def _add_words(self, sentences: list[dict[str, Any]], answers: list[dict[str, Any]]) -> None:
        """What became of each numbered word; ``lie`` then says something else."""
        given = {sentence["id"]: sentence["words"] for sentence in sentences}
        for answer in answers:
            told = [word.split("=", 1) for word in given.get(answer["id"], [])]
            answer["words"] = [
                self.lie(f"{number}={self.translate([word])[0]}") for number, word in told
            ]

    def error(
        self, status: int, error: dict[str, Any], headers: dict[str, str] | None = None
    ) -> Reply:
        body = {"error": {"message": f"quoted: {self.bodies[-1:]}", "type": "", **error}}
        return Reply.of_json(body, status, headers=headers or {})


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
    if fault is Fault.MISPLACED:
        moved = [*translated[1:], *translated[:1]]
        return [answer | {"text": text} for answer, text in zip(answers, moved, strict=True)]
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


def _written(answers: list[dict[str, Any]]) -> str:
    """As members of an object, an id that comes twice included."""
    members = [
        f"{json.dumps(answer['id'])}: "
        + json.dumps(
            {name: answer[name] for name in ("text", "words")}
            if "words" in answer
            else answer["text"],
            ensure_ascii=False,
        )
        for answer in answers
    ]
    return f'{{"translations": {{{", ".join(members)}}}}}'


def _completion(written: str, fault: Fault | None) -> dict[str, Any]:
    content: str | None = written
    message: dict[str, Any] = {"role": "assistant", "refusal": None}
    finish = "stop"
    if fault is Fault.NO_CHOICES:
        return {"id": "c", "object": "chat.completion", "choices": []}
    if fault is Fault.CUT_OFF:
        content, finish = written[: len(written) // 2], "length"
    elif fault is Fault.NOT_JSON:
        content = _PROSE
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


_PROSE = "Sure! Here are your translations: hola."


def _response(written: str, fault: Fault | None) -> dict[str, Any]:
    """The same of the responses API, behind an item of reasoning as some models write it."""
    part: dict[str, Any] = {"type": "output_text", "text": written, "annotations": []}
    response: dict[str, Any] = {"id": "r", "object": "response", "status": "completed"}
    response |= {"error": None, "incomplete_details": None, "model": "loopback"}
    if fault is Fault.CUT_OFF:
        part["text"] = written[: len(written) // 2]
        response |= {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}
    elif fault is Fault.NOT_JSON:
        part["text"] = _PROSE
    elif fault is Fault.EMPTY_CONTENT:
        part["text"] = ""
    elif fault is Fault.REFUSAL:
        part = {"type": "refusal", "refusal": "I cannot help with that."}
    message = {"type": "message", "role": "assistant", "status": "completed", "content": [part]}
    output = [] if fault is Fault.NO_CHOICES else [{"type": "reasoning", "summary": []}, message]
    return response | {"output": output}


def sent_texts(server: OpenAIServer) -> Iterator[str]:
    """Every sentence the server has understood, in order of arrival."""
    for batch in server.batches:
        yield from batch
