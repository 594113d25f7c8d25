"""The server: one dialect for programs, and a page to translate one document.

Programs give the token as their key; the page is below ``/TOKEN/``. The header
``X-Prism-To-Look-At`` of an answer lists the texts, from 0, that a person should check.

Entry: ``make_app``, with the token of ``read_token``.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from hmac import compare_digest
from pathlib import Path
from urllib.parse import parse_qs, unquote

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from prism_core.cat.loopback import (
    HEADERS,
    RefusedRequest,
    make_site,
    make_token,
    read_body,
    read_from_own_page,
)
from prism_core.cat.serving.desk import Desk
from prism_core.cat.serving.dialects import AskedTexts, Dialect, Fields, Served, find_key
from prism_core.errors import ConfigurationError, InternalFault, PrismError
from prism_core.files import create_if_absent
from prism_core.settings import AUTO

_MOST = 10_000_000
"""Largest size in bytes of a request for texts."""
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
        except PrismError as error:  # no message of ours holds text
            status = error.status if isinstance(error, RefusedRequest) else 400
            message = str(error)
        except Exception as error:  # noqa: BLE001 - its message may quote a text
            status, message = 500, str(InternalFault.from_exception(error))
        body = self.dialect.refuse(status, message)
        return JSONResponse(body, 200 if self.dialect.refuses_as_ok else status, HEADERS)

    async def _answer(self, request: Request) -> Response:
        dialect, job, path = self.dialect, self.desk.job, request.url.path
        fields = await _read_fields(request)
        key = find_key(request.headers, fields)
        if path not in dialect.open and not compare_digest(key.encode(), self.token.encode()):
            raise RefusedRequest(403, _NO_KEY)
        served = Served(job.source, job.target, self.desk.characters_sent)
        if path != dialect.path:
            return JSONResponse(dialect.facts[path](fields, served), headers=HEADERS)
        asked = _read_asked(dialect, fields, served)
        texts, doubtful = await run_in_threadpool(self.desk.translate_texts, asked.texts)
        marks = {"X-Prism-To-Look-At": ",".join(map(str, doubtful))} if doubtful else {}
        return JSONResponse(dialect.answer(asked, texts, served), headers=HEADERS | marks)


async def _read_fields(request: Request) -> Fields:
    """Read the fields of the query, and of the JSON or the form. Raises ``RefusedRequest``."""
    body = await read_body(request, _MOST)
    fields: object = {}
    try:
        if "urlencoded" in request.headers.get("content-type", ""):
            form = parse_qs(body.decode(), keep_blank_values=True)
            fields = {name: values if values[1:] else values[0] for name, values in form.items()}
        elif body:
            fields = json.loads(body)
    except ValueError:
        fields = None
    if not isinstance(fields, dict):
        raise RefusedRequest(400, "the request is neither JSON nor a form")
    return {**request.query_params, **fields}


def _read_asked(dialect: Dialect, fields: Fields, served: Served) -> AskedTexts:
    """Read the texts, if they are for the languages served. Raises ``RefusedRequest``."""
    try:
        asked = dialect.read(fields)
        source, target = (
            re.split("[-_]", code.lower())[0] for code in (asked.source, asked.target)
        )
    except (AttributeError, KeyError, TypeError):
        raise RefusedRequest(400, "the request is not understood") from None
    if (source not in ("", served.source) and served.source != AUTO) or (
        target not in ("", served.target)
    ):
        pair = f"from {served.source} to {served.target}"
        raise RefusedRequest(400, f"this server translates {pair}")
    return asked


@dataclass(frozen=True, slots=True)
class _Page:
    """Request handlers of the page."""

    desk: Desk

    async def preview(self, request: Request) -> Response:
        """Return what a translation of the document would send, and to whom."""
        name, content = await self._read(request)
        sentences = await run_in_threadpool(self.desk.preview, name, content)
        receivers = [settings.name for settings in self.desk.job.settings.translators]
        shown = [sentence._asdict() for sentence in sentences]
        return JSONResponse({"sentences": shown, "receivers": receivers}, headers=HEADERS)

    async def translate(self, request: Request) -> Response:
        """Return the translation of the document."""
        name, content = await self._read(request)
        result = (await run_in_threadpool(self.desk.translate, {name: content}))[name]
        if result.fault:
            raise RefusedRequest(409, result.fault)
        counts = {"X-Prism-Left": str(result.left), "X-Prism-To-Look-At": str(result.to_look_at)}
        kind = "application/octet-stream"
        return Response(result.content, media_type=kind, headers=HEADERS | counts)

    async def _read(self, request: Request) -> tuple[str, bytes]:
        """Return the name and the content of the document that the page sends."""
        most = int(self.desk.job.settings.limits.document_mb * 1_000_000)
        content = await read_from_own_page(request, "application/octet-stream", most)
        name = unquote(request.headers.get("x-file-name", ""))
        if not re.fullmatch(r"[^./\\\0][^/\\\0]*", name) or len(name.encode()) > 200:
            raise RefusedRequest(400, "The name of the document cannot be used: rename it")
        return name, content


def make_app(desk: Desk, dialect: Dialect | None, token: str) -> Starlette:
    """Make the application: the page below ``/TOKEN/``, and the addresses of ``dialect``."""
    page, routes = _Page(desk), list[Route]()
    if dialect is not None:
        programs = _Programs(desk, dialect, token)
        paths = (dialect.path, *dialect.facts)
        routes = [Route(path, programs.handle, methods=["GET", "POST"]) for path in paths]
    own_routes = [
        Route("/preview", page.preview, methods=["POST"]),
        Route("/translate", page.translate, methods=["POST"]),
    ]
    return make_site("prism_core.cat.serving", token, own_routes, routes)


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
    if mode & 0o077 or not re.fullmatch(r"[\w.~-]{16,200}", token):
        raise ConfigurationError(
            f"{file} must hold 16 letters or digits or more, readable by you alone: chmod 600 "
            f"{file}, or remove it for a new one"
        )
    return token
