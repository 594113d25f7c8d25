"""OpenAI Batch: the requests of ``openai``, thousands in a file, at half the price, within a day.

A request and its answer have the same form, and are read by the same code, as those sent alone.
Order means nothing in a batch: every line has the id of its request. The files that the provider
keeps (requests, answers, errors) are deleted there as soon as they are stored here; the provider
would delete them by itself after a week.

Entry: ``OpenAIBatchTranslator``; ``submit`` writes a ``_line`` for each request, ``look`` reads the
status of the batch, ``results`` reads the lines of answers.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, Literal, TypeVar

from pydantic import Field, ValidationError

from prism_core.errors import BadAnswer, TranslatorError
from prism_core.settings import TERMS, ModelSettings
from prism_core.translators.base import Adapter, Limits
from prism_core.translators.batches import (
    BatchLimits,
    BatchStanding,
    Look,
    Requests,
    Results,
    Texts,
)
from prism_core.translators.checks import texts_to_send, translate_in_order
from prism_core.translators.openai.adapter import (
    ModelTranslator,
    answers_in,
    body_of,
    question_of,
)
from prism_core.translators.openai.adapter import limits_of as limits_of_request
from prism_core.translators.openai.client import (
    LenientAnswer,
    error_of_batch,
    error_of_refusal,
    error_of_request,
)

if TYPE_CHECKING:
    import openai
    from openai.pagination import AsyncCursorPage
    from openai.types import Batch

DAY: Final = 86_400.0
BATCH_LIMITS = BatchLimits(
    requests=50_000,
    bytes=200_000_000,
    source="developers.openai.com/api/docs/guides/batch",
    as_of="2026",
)

STANDING: Mapping[str, BatchStanding] = {
    "validating": BatchStanding.WORKING,
    "in_progress": BatchStanding.WORKING,
    "finalizing": BatchStanding.WORKING,
    "cancelling": BatchStanding.WORKING,
    "completed": BatchStanding.OVER,
    "expired": BatchStanding.OVER,
    "cancelled": BatchStanding.OVER,
    "failed": BatchStanding.FAILED,
}
"""Meaning of each status of the provider; a new one counts as working."""

_OWN_ID_FIELD = "prism"
"""Name of the field that holds our id of a batch."""
_KEPT_SECONDS = 7 * int(DAY)
"""Longest time, in seconds, that the provider may keep files: a weekend must not cost answers."""
_SECONDS_A_BYTE = 1 / 100_000
"""Seconds allowed for each byte of a file beside those for a request: a slow line of a megabit."""
_SECONDS_FOR_ANSWERS = 1_800.0
_PAGE = 100
_PAGES = 100
"""Largest number of pages read; a provider that always has one more is not trusted."""
_FILES = 500
_KEPT_RATIO, _KEPT_BESIDE = 4, 200
_BEGINNING = b"{"
"""First byte of every line, and so of every file of answers."""

_Kind = TypeVar("_Kind")


class OpenAIBatchSettings(ModelSettings):
    """Settings of OpenAI Batch."""

    answers_by_the_batch: ClassVar[bool] = True
    name: Literal["openai-batch"] = "openai-batch"
    poll_seconds: Annotated[float, TERMS] = Field(default=120.0, gt=0, le=3600)
    """Longest wait, in seconds, between two polls of a batch; the first come sooner."""


def limits_of(settings: OpenAIBatchSettings) -> Limits:
    """Return the limits of one request of a batch; its rates are those of batches alone."""
    limits = limits_of_request(settings)
    return replace(limits, concurrency=1, paced_concurrency=None, answered_within=DAY)


class OpenAIBatchTranslator(ModelTranslator):
    """``BatchTranslator`` for any pair of languages that the model knows."""

    name = "openai-batch"

    def __init__(self, settings: OpenAIBatchSettings, source: str, target: str) -> None:  # noqa: ARG002 - any pair; the model decides
        import openai

        super().__init__(settings, limits_of(settings))
        if settings.prompt == "paper":
            self.limits = replace(self.limits, texts_per_request=1)
        self.batch_limits = BATCH_LIMITS
        self.poll_seconds = settings.poll_seconds
        self._sdk = openai

    def size(self, texts: Texts, source: str, target: str) -> int:
        """Return the size of a request; see ``BatchTranslator``."""
        return len(self._line("0" * 32, texts, source, target))

    async def submit(self, own: str, requests: Requests, source: str, target: str) -> str:
        """Submit a batch; see ``BatchTranslator``. The file too is named by ``own``."""
        content = b"".join(
            self._line(request, texts, source, target) for request, texts in requests.items()
        )
        uploaded = await self._client.call(
            lambda client: client.files.create(
                file=(f"{own}.jsonl", content, "application/jsonl"),
                purpose="batch",
                expires_after={"anchor": "created_at", "seconds": _KEPT_SECONDS},
            ),
            len(content) * _SECONDS_A_BYTE,
        )
        file = self._check_shape(uploaded, self._sdk.types.FileObject).id
        created = await self._client.call(
            lambda client: client.batches.create(
                completion_window="24h",
                endpoint=self._interface.path,
                input_file_id=file,
                metadata={_OWN_ID_FIELD: own},
                output_expires_after={"anchor": "created_at", "seconds": _KEPT_SECONDS},
            )
        )
        return self._check_shape(created, self._sdk.types.Batch).id

    async def find(self, own: str, since: float) -> str | None:
        """Find a batch; see ``BatchTranslator``. Clocks may differ by a day."""

        async def page_after(client: openai.AsyncOpenAI) -> AsyncCursorPage[Batch]:
            page = await client.batches.list(limit=_PAGE, after=last or self._sdk.omit)
            return self._check_shape(page, self._sdk.pagination.AsyncCursorPage)

        last = ""
        for _ in range(_PAGES):
            page = await self._client.call(page_after)
            for batch in page.data or []:
                if (batch.metadata or {}).get(_OWN_ID_FIELD) == own:
                    return batch.id
            # The latest come first.
            if not page.has_next_page() or (page.data[-1].created_at or since) < since - DAY:
                return None
            last = page.data[-1].id
        return None

    async def look(self, batch: str) -> Look:
        """Return the status of a batch; see ``BatchTranslator``."""
        found = await self._retrieve(batch)
        if found is None:
            return Look(BatchStanding.GONE)
        standing = STANDING.get(found.status, BatchStanding.WORKING)
        if standing is not BatchStanding.FAILED:
            return Look(standing)
        codes = [error.code for error in (found.errors.data if found.errors else None) or ()]
        return Look(standing, error_of_batch(codes[0] if codes else None))

    async def results(self, batch: str, requests: Requests) -> Results:
        """Return the results; see ``BatchTranslator``. Of lines with one id the first counts."""
        found = await self._retrieve(batch)
        read: Results = {}
        kept = (found.output_file_id, found.error_file_id) if found else ()
        for file in filter(None, kept):
            await self._read_file(file, requests, read)
        return read

    async def _read_file(self, file: str, requests: Requests, read: Results) -> None:
        """Read the answers to ``requests`` from a file into ``read``; nothing if it is gone.

        The file is read by the line: each line is bounded by the longest request, and the whole
        file by all of them. Raises ``BadAnswer`` for anything that is no such file: it is not from
        the provider.
        """
        from prism_core.translators.response_limits import longest_answer

        most = [longest_answer(sum(len(t.encode()) for t in texts)) for texts in requests.values()]

        async def download(_shared: openai.AsyncOpenAI) -> None:
            is_first = True
            with suppress(self._sdk.NotFoundError):
                async with (
                    self._client.new_client(sum(most)) as client,
                    client.files.with_streaming_response.content(file) as response,
                ):
                    async for written in lines_of(response.iter_bytes(), max(most, default=0)):
                        if is_first and not written.startswith(_BEGINNING):
                            raise BadAnswer("What the provider gave is not a file of answers.")
                        is_first = False
                        await self._read_line(written, requests, read)

        await self._client.call(download, _SECONDS_FOR_ANSWERS)

    async def _read_line(self, written: bytes, requests: Requests, read: Results) -> None:
        try:
            line = _BatchLine.model_validate_json(written)
        except ValidationError:
            return  # not understood; and the error quotes the line
        if line.custom_id not in requests or line.custom_id in read:
            return

        async def answer(asked: list[str]) -> list[str]:
            content = self._interface.content(_extract_body(line))
            answers = answers_in(content, len(asked), self._settings)
            # Cut off once it is surely too long: the answers to thousands of texts are kept.
            return [
                answer[: _KEPT_RATIO * len(text) + _KEPT_BESIDE]
                for text, answer in zip(asked, answers, strict=True)
            ]

        try:
            texts = requests[line.custom_id]
            read[line.custom_id] = await translate_in_order(texts, answer)
        except TranslatorError as fault:
            read[line.custom_id] = fault.with_traceback(None)

    async def cancel(self, batch: str) -> None:
        """Cancel a batch; see ``BatchTranslator``. One that is over, or gone, is left as it is."""

        async def cancel(client: openai.AsyncOpenAI) -> None:
            with suppress(
                self._sdk.NotFoundError, self._sdk.BadRequestError, self._sdk.ConflictError
            ):
                await client.batches.cancel(batch)

        await self._client.call(cancel)

    async def discard(self, own: str, batch: str | None) -> None:
        """Delete the files of a batch; see ``BatchTranslator``. A missing file is no fault."""

        async def search(client: openai.AsyncOpenAI) -> list[str]:
            page = await client.files.list(purpose="batch", order="desc", limit=_FILES)
            found = self._check_shape(page, self._sdk.pagination.AsyncCursorPage).data or []
            return [file.id for file in found if file.filename == f"{own}.jsonl"]

        async def delete(client: openai.AsyncOpenAI) -> None:
            for file in files:
                with suppress(self._sdk.NotFoundError):
                    await client.files.delete(file)

        if batch is None:
            files = await self._client.call(search)
        else:
            found = await self._retrieve(batch)
            kept = (found.input_file_id, found.output_file_id, found.error_file_id) if found else ()
            files = [file for file in kept if file]
        await self._client.call(delete)

    def _line(self, request: str, texts: Texts, source: str, target: str) -> bytes:
        question = question_of(texts_to_send(texts), source, target, self._settings)
        line = {
            "custom_id": request,
            "method": "POST",
            "url": self._interface.path,
            "body": body_of(question, self._settings),
        }
        return json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"

    async def _retrieve(self, batch: str) -> Batch | None:
        async def retrieve(client: openai.AsyncOpenAI) -> Batch | None:
            with suppress(self._sdk.NotFoundError):
                answer = await client.batches.retrieve(batch)
                found: Batch = self._check_shape(answer, self._sdk.types.Batch)
                return found
            return None

        return await self._client.call(retrieve)

    def _check_shape(self, answer: object, kind: type[_Kind]) -> _Kind:
        """Return ``answer`` if it has the right type: the library accepts HTML for text."""
        is_page = kind is self._sdk.pagination.AsyncCursorPage
        if not isinstance(answer, kind) or not getattr(answer, "id", is_page):
            raise BadAnswer("The provider's answer is not what the interface promises.")
        return answer


class _BatchFault(LenientAnswer):
    code: str | int | None = None
    type: str | None = None
    param: str | None = None


class _BatchResponse(LenientAnswer):
    status_code: int
    body: Any = None


class _BatchRefusal(LenientAnswer):
    error: _BatchFault = _BatchFault()


class _BatchLine(LenientAnswer):
    custom_id: str
    response: _BatchResponse | None = None
    error: _BatchFault | None = None


def _extract_body(line: _BatchLine) -> bytes:
    """Return the answer in the form of one sent alone; raise the error that is there instead."""
    if line.response is None:
        code = line.error.code if line.error else None
        raise error_of_request(None if code is None else str(code))
    status, body = line.response.status_code, line.response.body
    if status == 200:
        return json.dumps(body).encode()
    if status < 300:
        raise BadAnswer("The provider's answer is not what the interface promises.")
    try:
        fault = _BatchRefusal.model_validate(body).error
    except ValidationError:
        fault = _BatchFault()
    raise error_of_refusal(status, {fault.code, fault.type}, fault.param)


async def lines_of(parts: AsyncIterator[bytes], longest: int) -> AsyncIterator[bytes]:
    """Yield the lines of ``parts`` without their ends, skipping those over ``longest`` bytes."""
    line = bytearray()
    async for part in parts:
        for number, piece in enumerate(part.split(b"\n")):
            if number:
                if len(line) <= longest:
                    yield bytes(line)
                line.clear()
            line += piece[: longest + 1 - len(line)]
    if len(line) <= longest:
        yield bytes(line)


ADAPTER = Adapter(
    settings=OpenAIBatchSettings,
    make=OpenAIBatchTranslator,
    limits=limits_of,
    price=None,  # it depends on the model and the contract
    libraries=("openai",),
)
