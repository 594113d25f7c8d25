"""Review in a browser, on this machine alone.

The server listens on loopback. Every address begins with a token that only its user gets. A request
that names another host (a page elsewhere whose name resolves to this address) is refused. So is a
request that changes something and does not come from the server's own page, is no JSON or is very
large. The page contacts no other server.

Entry: ``serve``, which calls ``make_app``.
"""

from __future__ import annotations

import secrets
import socket
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from importlib.resources import files

import uvicorn
from pydantic import BaseModel
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route

from prism_core.alignment import Span
from prism_core.controls import REORDERING
from prism_core.errors import ConfigurationError, PrismError
from prism_core.record import TO_LOOK_AT
from prism_core.review.review_units import NO_CAUSES, Correction, ReviewUnit

HOST = "127.0.0.1"
Take = Callable[[Correction], str]
"""Function that takes a correction and returns an error message, empty on success."""
Finish = Callable[[], str]
"""Function that writes the documents and returns a message for the person."""
_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; "
        "form-action 'none'; frame-ancestors 'none'; base-uri 'none'"
    ),
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
_FILES = {
    "": ("page.html", "text/html"),
    "page.js": ("page.js", "text/javascript"),
    "page.css": ("page.css", "text/css"),
}


_MOST = 2**20
"""Largest size of a request in bytes."""
_LISTED, _LABEL = 500, 120
"""Most sentences in the list, and most characters of each."""
_NO_SENTENCE = "no such sentence"
_INVISIBLE = REORDERING | {"\0"}


class _Refused(Exception):
    """Error raised for a request that is refused, with its HTTP status."""

    def __init__(self, status: int, error: str) -> None:
        super().__init__(error)
        self.status, self.error = status, error


class _Accepted(BaseModel):
    """Body of a request that accepts a translation."""

    id: str
    translation: str


@dataclass(slots=True)
class _Site:
    """Request handlers, with the units and the functions that process corrections.

    ``first`` are the ids of the units to look at, ``accepted`` those that were accepted.
    """

    units: dict[str, ReviewUnit]
    take: Take
    finish: Finish
    first: set[str] = field(init=False)
    accepted: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        """Remember which units are to be looked at, whatever is accepted."""
        self.first = {row_id for row_id, unit in self.units.items() if unit.reason in TO_LOOK_AT}

    async def show(self, request: Request) -> Response:
        """Return the page, its script or its style."""
        name, kind = _FILES[request.url.path.rpartition("/")[2]]
        content = files("prism_core.review").joinpath(name).read_text(encoding="utf-8")
        return Response(content, media_type=kind, headers=_HEADERS)

    async def list_units(self, request: Request) -> Response:
        """Return the first units that match the filters, and the counts for the page."""
        asked = request.query_params
        query, document = asked.get("query", "").casefold(), asked.get("document", "")
        found = [
            unit
            for unit in self.units.values()
            if (asked.get("all") or unit.id in self.first)
            and document in ("", unit.document)
            and query in f"{unit.source}\n{unit.translation}".casefold()
        ]
        more = f", the first {_LISTED} listed" if len(found) > _LISTED else ""
        content = {
            "count": f"{len(self.accepted & self.first)} of {len(self.first)} done",
            "found": f"{len(found):,} of {len(self.units):,} sentences{more}",
            "documents": sorted({unit.document for unit in self.units.values()}),
            "units": [{"id": unit.id, "label": self._label(unit)} for unit in found[:_LISTED]],
        }
        return JSONResponse(content, headers=_HEADERS)

    def _label(self, unit: ReviewUnit) -> str:
        sign = "✓" if unit.id in self.accepted else "!" if unit.id in self.first else "·"
        return f"{sign} {unit.source[:_LABEL]}"

    async def show_unit(self, request: Request) -> Response:
        """Return one unit between its neighbours."""
        unit = self.units.get(request.query_params.get("id", ""))
        if unit is None:
            raise _Refused(400, _NO_SENTENCE)
        names = ("id", "document", "note", "translation")
        content = {name: getattr(unit, name) for name in names}
        around = [self.units[row_id] for row_id in unit.around or (unit.id,)]
        if unit.match:
            content |= {"match": unit.match.label, "suggestion": unit.match.target}
        content["around"] = [
            {
                "id": one.id,
                "source": _split(one.source, one.causes[0] if one is unit else ()),
                "translation": _split(one.translation, one.causes[1] if one is unit else ()),
            }
            for one in around
        ]
        return JSONResponse(content, headers=_HEADERS)

    async def accept(self, request: Request) -> Response:
        """Take a translation, or return why it cannot be taken."""
        body = await _read_request(request)
        try:
            accepted = _Accepted.model_validate_json(body)
            unit = self.units[accepted.id]
        except (ValueError, KeyError):
            raise _Refused(400, _NO_SENTENCE) from None
        if unseen := _INVISIBLE.intersection(accepted.translation).difference(unit.source):
            codes = ", ".join(sorted(f"U+{ord(character):04X}" for character in unseen))
            raise _Refused(422, f"The translation contains invisible characters: {codes}")
        correction = Correction(unit.id, unit.source, accepted.translation, approved=True)
        error = await run_in_threadpool(_error_message, lambda: self.take(correction))
        if not error:
            self.accepted.add(unit.id)
            self.units[unit.id] = replace(
                unit, translation=accepted.translation, detail="accepted", causes=NO_CAUSES
            )
        return JSONResponse({"error": error}, 409 if error else 200, _HEADERS)

    async def write(self, request: Request) -> Response:
        """Write the documents."""
        await _read_request(request)
        message = await run_in_threadpool(_error_message, self.finish)
        return JSONResponse({"said": message}, headers=_HEADERS)


def _split(text: str, spans: Iterable[Span]) -> list[tuple[str, bool]]:
    """Return the parts of ``text``, in its order, each with True if it is one of ``spans``."""
    parts, done = list[tuple[str, bool]](), 0
    for start, end in sorted(spans):
        parts += (text[done:start], False), (text[max(start, done) : end], True)
        done = max(end, done)
    return [part for part in (*parts, (text[done:], False)) if part[0]]


def make_app(units: Sequence[ReviewUnit], take: Take, finish: Finish, token: str) -> Starlette:
    """Make the application with its pages below ``/TOKEN/``; ``units`` are listed in their order.

    It lists those to look at (``TO_LOOK_AT``), and the others on request.
    """
    site = _Site({unit.id: unit for unit in units}, take, finish)
    routes = [
        Route("/units", site.list_units),
        Route("/unit", site.show_unit),
        Route("/accept", site.accept, methods=["POST"]),
        Route("/finish", site.write, methods=["POST"]),
        *(Route(f"/{name}", site.show) for name in _FILES),
    ]
    hosts = Middleware(TrustedHostMiddleware, allowed_hosts=[HOST, "localhost"])
    return Starlette(
        routes=[Mount(f"/{token}", routes=routes)],
        middleware=[hosts],
        exception_handlers={_Refused: _report_refusal},
    )


async def _read_request(request: Request) -> bytes:
    """Read the body of a request from the page itself, which browsers attest.

    Raises ``_Refused`` for any other request, and for one that is no JSON or too large.
    """
    headers = request.headers
    origin, site = headers.get("origin", "null"), headers.get("sec-fetch-site")
    is_own = site == "same-origin" if origin == "null" else origin == f"http://{headers['host']}"
    if not is_own or site not in (None, "same-origin"):
        raise _Refused(403, "The request does not come from the review page")
    if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise _Refused(415, "The request is not JSON")
    body = bytearray()
    async for part in request.stream():  # to its end: else the client does not read the refusal
        body += part[: _MOST + 1 - len(body)]
    if len(body) > _MOST:
        raise _Refused(413, "The translation is longer than 1 MB")
    return bytes(body)


async def _report_refusal(_request: Request, refused: Exception) -> Response:
    """Return a refusal as JSON."""
    assert isinstance(refused, _Refused)  # noqa: S101 (it is registered for no other)
    return JSONResponse({"error": refused.error}, refused.status, _HEADERS)


def _error_message(work: Callable[[], str]) -> str:
    """Return the message of ``work``, or of the error that stopped it."""
    try:
        return work()
    except PrismError as error:
        return str(error)


def serve(
    units: Sequence[ReviewUnit],
    take: Take,
    finish: Finish,
    port: int,
    announce: Callable[[str], object],
) -> None:
    """Serve until Ctrl-C; ``announce`` gets the address with the token beforehand.

    ``port`` 0 is any free port. Raises ``ConfigurationError`` for a port that is taken.
    """
    token = secrets.token_urlsafe(24)
    with socket.socket() as listening:
        try:
            listening.bind((HOST, port))
        except OSError:
            raise ConfigurationError(f"port {port} is taken; leave --port out for any") from None
        listening.listen()  # a browser that opens the address now waits instead of failing
        announce(f"http://{HOST}:{listening.getsockname()[1]}/{token}/")
        app = make_app(units, take, finish, token)
        options = uvicorn.Config(app, log_config=None, log_level="critical", server_header=False)
        with suppress(KeyboardInterrupt):  # uvicorn ends, and then raises what ended it once more
            uvicorn.Server(options).run(sockets=[listening])
