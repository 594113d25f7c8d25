"""The server: one dialect for programs, and a page to translate one document.

Programs give the token as their key; the page is below ``/TOKEN/``. The header
``X-Prism-To-Look-At`` of an answer lists the texts, from 0, that a person should check.

Entry: ``serve``, which calls ``make_app``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import asdict, dataclass
from hmac import compare_digest
from importlib.resources import files
from pathlib import Path
from typing import TypeVar
from urllib.parse import parse_qs, quote, unquote

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route

from prism_core.errors import ConfigurationError, InternalFault, PrismError
from prism_core.files import create_if_absent
from prism_core.loopback import (
    HEADERS,
    RefusedRequest,
    make_site,
    make_token,
    read_body,
    read_from_own_page,
    serve_site,
)
from prism_core.serving.desk import Desk
from prism_core.serving.dialects import Dialect, Fields, Question, Service
from prism_core.settings import AUTO

Result = TypeVar("Result")
_MOST = 10 * 2**20
"""Largest size in bytes of a request for texts."""
_FILES = {
    "": ("page.html", "text/html"),
    "page.js": ("page.js", "text/javascript"),
    "page.css": ("page.css", "text/css"),
}
_NO_KEY = "put the key that prism serve printed, or that its token file holds, into the key field"


@dataclass(frozen=True, slots=True)
class _Programs:
    """Request handlers of a dialect."""

    desk: Desk
    dialect: Dialect
    token: str

    async def handle(self, request: Request) -> Response:
        """Answer any request of the dialect, or refuse it in its own shape."""
        try:
            return await self._answer(request)
        except RefusedRequest as refused:
            return self._refuse(refused.status, refused.error)
        except PrismError as error:  # no message of ours holds text
            return self._refuse(400, str(error))
        except Exception as error:  # noqa: BLE001 - its message may quote a text
            return self._refuse(500, str(InternalFault.from_exception(error)))

    async def _answer(self, request: Request) -> Response:
        dialect, path = self.dialect, request.url.path
        fields = await _read_fields(request)
        if path not in dialect.open and not compare_digest(
            dialect.key(request.headers, fields).encode(), self.token.encode()
        ):
            raise RefusedRequest(403, _NO_KEY)
        job = self.desk.job
        service = Service(job.source, job.target, self.desk.characters_sent)
        if path != dialect.translate:
            return JSONResponse(dialect.facts[path](fields, service), headers=HEADERS)
        question = dialect.read(fields)
        self._check_pair(question)
        texts, doubtful = await run_in_threadpool(self.desk.translate_texts, question.texts)
        marks = {"X-Prism-To-Look-At": ",".join(map(str, doubtful))} if doubtful else {}
        return JSONResponse(dialect.answer(question, texts, service), headers=HEADERS | marks)

    def _check_pair(self, question: Question) -> None:
        job = self.desk.job
        for code, served in (question.source, job.source), (question.target, job.target):
            language = code.lower().replace("_", "-").partition("-")[0]
            if language and served not in (language, AUTO):
                raise RefusedRequest(
                    400, f"this server translates from {job.source} to {job.target}"
                )

    def _refuse(self, status: int, message: str) -> Response:
        body = self.dialect.refuse(status, message)
        return JSONResponse(body, 200 if self.dialect.refuses_as_ok else status, HEADERS)


async def _read_fields(request: Request) -> Fields:
    """Read the fields of the query, and of the JSON or the form. Raises ``RefusedRequest``."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    body = await read_body(request, _MOST)
    query: dict[str, object] = dict(request.query_params)
    if not body:
        return query
    try:
        if kind == "application/x-www-form-urlencoded":
            form = parse_qs(body.decode(), keep_blank_values=True)
            fields: object = {k: v if len(v) > 1 else v[0] for k, v in form.items()}
        else:
            fields = json.loads(body)
    except ValueError:
        fields = None
    if not isinstance(fields, dict):
        raise RefusedRequest(400, "the request is neither JSON nor a form")
    return {**query, **fields}


@dataclass(frozen=True, slots=True)
class _Page:
    """Request handlers of the page."""

    desk: Desk

    async def show(self, request: Request) -> Response:
        """Return the page, its script or its style."""
        name, kind = _FILES[request.url.path.rpartition("/")[2]]
        content = files("prism_core.serving").joinpath(name).read_text(encoding="utf-8")
        return Response(content, media_type=kind, headers=HEADERS)

    async def preview(self, request: Request) -> Response:
        """Return what a translation of the document would send."""
        name, content = await self._read(request)
        preview = await _call(lambda: self.desk.preview(name, content))
        job = self.desk.job
        receivers = [settings.name for settings in job.settings.translators]
        return JSONResponse(asdict(preview) | {"receivers": receivers}, headers=HEADERS)

    async def translate(self, request: Request) -> Response:
        """Return the translation of the document, to be saved."""
        name, content = await self._read(request)
        outcome = (await _call(lambda: self.desk.translate({name: content})))[name]
        if outcome.fault:
            raise RefusedRequest(409, outcome.fault)
        counts = {"X-Prism-Left": str(outcome.left), "X-Prism-To-Look-At": str(outcome.to_look_at)}
        save = {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(name)}"}
        kind = "application/octet-stream"
        return Response(outcome.content, media_type=kind, headers=HEADERS | counts | save)

    async def _read(self, request: Request) -> tuple[str, bytes]:
        """Return the name and the content of the document that the page sends."""
        most = int(self.desk.job.settings.limits.document_mb * 1_000_000)
        content = await read_from_own_page(request, "application/octet-stream", most)
        name = unquote(request.headers.get("x-file-name", ""))
        if not name or name.startswith(".") or {"/", "\\", "\0"}.intersection(name):
            raise RefusedRequest(400, "The document has no usable name")
        if len(name.encode(errors="surrogateescape")) > 200:
            raise RefusedRequest(400, "The name of the document is too long")
        return name, content


async def _call(work: Callable[[], Result]) -> Result:
    """Do ``work`` in a thread; raise ``RefusedRequest`` with the message of its error."""
    try:
        return await run_in_threadpool(work)
    except PrismError as error:
        raise RefusedRequest(409, str(error)) from None


def make_app(desk: Desk, dialect: Dialect | None, token: str) -> Starlette:
    """Make the application: the page below ``/TOKEN/``, and the addresses of ``dialect``."""
    page = _Page(desk)
    routes: list[Route | Mount] = []
    if dialect is not None:
        programs = _Programs(desk, dialect, token)
        routes += [
            Route(path, programs.handle, methods=["GET", "POST"])
            for path in (dialect.translate, *dialect.facts)
        ]
    own_routes = [
        Route("/preview", page.preview, methods=["POST"]),
        Route("/translate", page.translate, methods=["POST"]),
        *(Route(f"/{name}", page.show) for name in _FILES),
    ]
    return make_site([*routes, Mount(f"/{token}", routes=own_routes)])


def read_token(file: Path | None) -> str:
    """Return the token in ``file``, made where there is none; without ``file`` a new one.

    Raises ``ConfigurationError`` for a file that others may read, or that holds no token.
    """
    if file is None:
        return make_token()
    try:
        create_if_absent(file, make_token().encode(), 0o600)
        mode, token = file.stat().st_mode, file.read_text("ascii").strip()
    except (OSError, ValueError):
        raise ConfigurationError(f"the token file {file} cannot be read or made") from None
    if mode & 0o077:
        raise ConfigurationError(f"others may read {file}: chmod 600 {file}")
    if not re.fullmatch(r"[\w.~-]{16,200}", token):
        raise ConfigurationError(
            f"{file} holds no token of at least 16 letters or digits: remove it for a new one"
        )
    return token


def serve(
    desk: Desk,
    dialect: Dialect | None,
    token: str,
    port: int,
    announce: Callable[[str], object],
) -> None:
    """Serve ``desk`` until Ctrl-C; ``announce`` gets the address beforehand."""
    serve_site(make_app(desk, dialect, token), port, announce)
