"""A server on loopback that behaves like OpenAI's files and batches, faults included.

What a line asks is answered by ``OpenAIServer``, as if it had been sent by itself.
"""

from __future__ import annotations

import email
import json
import threading
import time
from collections import defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import count
from typing import Any

from prism_core.settings import TranslatorSettings
from tests.loopback import Reply, Request
from tests.openai_server import ERRORS, Fault, OpenAIServer, TranslateBatch, by_marking

FAST = 0.02
"""Seconds between looks."""


class LineFault(StrEnum):
    """What goes wrong with one line of a batch, beside what can go wrong with any request."""

    EXPIRED = "no response but batch_expired"
    NO_RESPONSE = "neither response nor error"
    MISSING = "no line at all"
    GARBAGE = "a line that is no JSON"


@dataclass
class Job:
    """A batch: ``lines`` are what its files will hold. ``looks`` until it is over."""

    id: str
    own: str
    input: str
    created: int
    looks: int
    requests: int
    status: str = "validating"
    code: str | None = None
    output: str | None = None
    errors: str | None = None
    lines: list[tuple[bool, str]] = field(default_factory=list)


class BatchServer(OpenAIServer):
    """``/files`` and ``/batches`` for as long as the context lasts.

    ``handed_in`` holds the texts of each batch that was worked on, in order of arrival;
    ``files`` what is kept, by id, with its name; ``jobs`` the batches. ``looks``: how often a
    batch is looked at before it is over. ``room``: the most requests in the queue. Scripts, each
    used up in order: ``trouble[operation]`` for calls, ``line_faults`` for lines, ``endings`` for
    batches: a number of lines after which it expires, a code with which it fails, or None.
    """

    def __init__(
        self,
        translate: TranslateBatch = by_marking,
        *,
        looks: int = 1,
        room: int | None = None,
        **more: Any,
    ) -> None:
        super().__init__(translate, **more)
        self.looks, self.room = looks, room
        self.files: dict[str, tuple[str, bytes]] = {}
        self.jobs: dict[str, Job] = {}
        self.handed_in: list[list[str]] = []
        self.calls: list[str] = []
        self.trouble: dict[str, deque[Fault | None]] = defaultdict(deque)
        self.line_faults: deque[Fault | LineFault | None] = deque()
        self.endings: deque[int | str | None] = deque()
        self.cancelled: list[str] = []
        self._numbers = count(1)
        self._one_at_a_time = threading.RLock()

    def settings(self, **more: Any) -> TranslatorSettings:
        """Settings of a translator that hands in batches here."""
        given = {"name": "openai-batch", "base_url": self.base_url, "poll_seconds": FAST} | more
        return TranslatorSettings.choose(**given)

    def kept(self) -> list[str]:
        """The names of the files that are still here."""
        return sorted(name for name, _ in self.files.values())

    def texts(self) -> list[str]:
        """Every sentence of every batch that was worked on."""
        return [text for texts in self.handed_in for text in texts]

    def answer(self, request: Request) -> Reply:
        return self._answered(request)

    def answer_other(self, request: Request) -> Reply:
        return self._answered(request)

    def _answered(self, request: Request) -> Reply:
        parts = request.path.removeprefix("/v1/").split("/")
        operation = _operation(request.method, parts)
        with self._one_at_a_time:
            self.calls.append(operation)
            script = self.trouble[operation]
            fault = script.popleft() if script else None
        if request.headers.get("Authorization") != f"Bearer {self.key}":
            return self.error(401, {"code": "invalid_api_key"})
        if fault in ERRORS:
            return self.error(*ERRORS[fault])
        if fault is Fault.RESET or self.is_down:
            return Reply(reset=True)
        if fault is Fault.SLOW:
            self.pause(self.slow_seconds)
        if fault is Fault.HTML:
            return Reply(200, b"<html>Welcome to the hotel network</html>", kind="text/html")
        with self._one_at_a_time:
            reply: Reply = getattr(self, f"_{operation}")(request, parts)
        if fault is Fault.TRUNCATED_BODY:
            return Reply(reply.status, reply.body, reply.headers, reply.kind, cut=True)
        if fault is Fault.LOST_ANSWER:
            return Reply(reset=True)
        return reply

    def _upload(self, request: Request, _parts: list[str]) -> Reply:
        head = f"Content-Type: {request.headers['Content-Type']}\r\n\r\n".encode()
        fields = email.message_from_bytes(head + request.body).get_payload()
        named = {part.get_param("name", header="content-disposition"): part for part in fields}
        assert named["purpose"].get_payload() == "batch"
        assert int(named["expires_after[seconds]"].get_payload()) <= 7 * 86_400
        file = named["file"]
        row_id = self._keep(str(file.get_filename()), file.get_payload(decode=True))
        return Reply.of_json(self._file(row_id))

    def _create(self, request: Request, _parts: list[str]) -> Reply:
        asked = request.json
        if asked["input_file_id"] not in self.files:
            return self.error(400, {"param": "file_id", "code": None})
        assert asked["completion_window"] == "24h"
        assert asked["output_expires_after"]["seconds"] <= 7 * 86_400
        lines = [json.loads(line) for line in self.files[asked["input_file_id"]][1].splitlines()]
        job = Job(
            f"batch_{next(self._numbers)}",
            asked["metadata"]["prism"],
            asked["input_file_id"],
            int(time.time()),
            self.looks,
            len(lines),
        )
        self.jobs[job.id] = job
        ending = self.endings.popleft() if self.endings else None
        queued = sum(other.requests for other in self.jobs.values() if other.status in _LIVE)
        if self.room is not None and queued > self.room:
            ending = "token_limit_exceeded"
        if isinstance(ending, str):
            job.status, job.code = "failed", ending
        else:
            self._work(job, lines, ending, asked["endpoint"])
        return Reply.of_json(_shown(job))

    def _work(
        self, job: Job, lines: list[dict[str, Any]], expires: int | None, endpoint: str
    ) -> None:
        """Answer the lines, last first, or up to where the batch ``expires``."""
        before = len(self.batches)
        assert len({line["custom_id"] for line in lines}) == len(lines)
        for number, line in enumerate(reversed(lines)):
            assert (line["method"], line["url"]) == ("POST", endpoint)
            fault = self.line_faults.popleft() if self.line_faults else None
            late = expires is not None and number >= expires
            written = self._line(line, LineFault.EXPIRED if late else fault)
            if written is not None:
                job.lines.append(written)
        job.status = "in_progress"
        job.code = "expired" if expires is not None else None
        self.handed_in.append([text for batch in self.batches[before:] for text in batch])

    def _line(
        self, line: dict[str, Any], fault: Fault | LineFault | None
    ) -> tuple[bool, str] | None:
        """Whether it is an answer, and the line; None when there is none."""
        shown: dict[str, Any] = {"id": "line", "custom_id": line["custom_id"], "error": None}
        if fault is LineFault.MISSING:
            return None
        if fault is LineFault.GARBAGE:
            return True, '{"custom_id": "' + line["custom_id"]
        if fault is LineFault.EXPIRED:
            error = {"code": "batch_expired", "message": f"quoted: {line['body']}"}
            return False, json.dumps(shown | {"response": None, "error": error})
        if fault is LineFault.NO_RESPONSE:
            return False, json.dumps(shown | {"response": None})
        body = json.dumps(line["body"]).encode()
        asked = Request(line["url"], {}, email.message.Message(), body)
        reply = self.error(*ERRORS[fault][:2]) if fault in ERRORS else self.complete(asked, fault)
        response = {"status_code": reply.status, "request_id": "r", "body": json.loads(reply.body)}
        return reply.status == 200, json.dumps(shown | {"response": response})

    def _look(self, _request: Request, parts: list[str]) -> Reply:
        job = self.jobs.get(parts[1])
        if job is None:
            return self.error(404, {"code": "not_found"})
        if job.status in _LIVE:
            job.looks -= 1
            if job.looks < 0:
                self._end(job)
        return Reply.of_json(_shown(job))

    def _end(self, job: Job) -> None:
        job.status = job.code or "completed"
        for good in (True, False):
            content = "\n".join(line for kind, line in job.lines if kind is good)
            if content:
                row_id = self._keep(f"{job.id}_{good}.jsonl", content.encode())
                job.output, job.errors = (row_id, job.errors) if good else (job.output, row_id)

    def _list(self, request: Request, _parts: list[str]) -> Reply:
        """The latest first, two a page whatever is asked for."""
        known = list(reversed(self.jobs.values()))
        after = request.query.get("after")
        start = 1 + [job.id for job in known].index(after) if after else 0
        return Reply.of_json(_page([_shown(job) for job in known[start:]], 2))

    def _cancel(self, _request: Request, parts: list[str]) -> Reply:
        job = self.jobs.get(parts[1])
        if job is None or job.status not in _LIVE:
            return self.error(409 if job else 404, {})
        self.cancelled.append(job.id)
        job.status = "cancelled"
        return Reply.of_json(_shown(job))

    def _download(self, _request: Request, parts: list[str]) -> Reply:
        if parts[1] not in self.files:
            return self.error(404, {"code": "not_found"})
        return Reply(200, self.files[parts[1]][1], kind="application/octet-stream")

    def _delete(self, _request: Request, parts: list[str]) -> Reply:
        if self.files.pop(parts[1], None) is None:
            return self.error(404, {"code": "not_found"})
        return Reply.of_json({"id": parts[1], "object": "file", "deleted": True})

    def _files(self, _request: Request, _parts: list[str]) -> Reply:
        return Reply.of_json(_page([self._file(row_id) for row_id in self.files]))

    def _other(self, request: Request, _parts: list[str]) -> Reply:
        """What is asked by itself is answered at once."""
        return super().answer(request)

    def _keep(self, name: str, content: bytes) -> str:
        row_id = f"file-{next(self._numbers)}"
        self.files[row_id] = (name, content)
        return row_id

    def _file(self, row_id: str) -> dict[str, Any]:
        name, content = self.files[row_id]
        known = {"id": row_id, "object": "file", "bytes": len(content), "created_at": 0}
        return known | {"filename": name, "purpose": "batch", "status": "processed"}


_LIVE = ("validating", "in_progress", "finalizing")


def _operation(method: str, parts: list[str]) -> str:
    place = (method, parts[0], len(parts), parts[-1] if len(parts) == 3 else "")
    return {
        ("POST", "files", 1, ""): "upload",
        ("GET", "files", 1, ""): "files",
        ("GET", "files", 3, "content"): "download",
        ("DELETE", "files", 2, ""): "delete",
        ("POST", "batches", 1, ""): "create",
        ("GET", "batches", 1, ""): "list",
        ("GET", "batches", 2, ""): "look",
        ("POST", "batches", 3, "cancel"): "cancel",
    }.get(place, "other")


def _shown(job: Job) -> dict[str, Any]:
    failed = {"object": "list", "data": [{"code": job.code, "message": "quoted", "line": 1}]}
    return {
        "id": job.id,
        "object": "batch",
        "endpoint": "/v1/chat/completions",
        "completion_window": "24h",
        "created_at": job.created,
        "input_file_id": job.input,
        "output_file_id": job.output,
        "error_file_id": job.errors,
        "status": job.status,
        "errors": failed if job.status == "failed" else None,
        "metadata": {"prism": job.own},
        "request_counts": {"total": job.requests, "completed": 0, "failed": 0},
    }


def _page(rows: Sequence[dict[str, Any]], most: int = 10_000) -> dict[str, Any]:
    return {"object": "list", "data": list(rows[:most]), "has_more": len(rows) > most}
