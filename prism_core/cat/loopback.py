"""Web servers for this machine alone.

A server listens on loopback. A request that names another host (a page elsewhere whose name
resolves to this address) is refused. Nothing is logged, because a request holds text.

Entry: ``serve_site`` of the application that ``make_site`` makes; ``read_from_own_page`` is for
what a page of the site sends, ``read_body`` for any request.
"""

from __future__ import annotations

import secrets
import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib.resources import files

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route

from prism_core.errors import ConfigurationError, PrismError

HOST = "127.0.0.1"
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; "
        "form-action 'none'; frame-ancestors 'none'; base-uri 'none'"
    ),
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
"""Headers of every response: the page contacts no other server."""


_FILES = {
    "": ("page.html", "text/html"),
    "page.js": ("page.js", "text/javascript"),
    "page.css": ("page.css", "text/css"),
}


class RefusedRequest(PrismError):
    """Error raised for a request that is refused, with its HTTP status."""

    def __init__(self, status: int, error: str) -> None:
        super().__init__(error)
        self.status = status


def make_token() -> str:
    """Return a new secret, which only the user of a server gets."""
    return secrets.token_urlsafe(24)


def make_site(
    package: str, token: str, own_routes: Sequence[Route], routes: Sequence[Route] = ()
) -> Starlette:
    """Make an application that answers requests to this machine only.

    Below ``/TOKEN/`` are the page in ``package``, its script and its style, and ``own_routes``.
    """

    async def show(request: Request) -> Response:
        name, kind = _FILES[request.url.path.rpartition("/")[2]]
        content = files(package).joinpath(name).read_text(encoding="utf-8")
        return Response(content, media_type=kind, headers=HEADERS)

    page = [*own_routes, *(Route(f"/{name}", show) for name in _FILES)]
    hosts = Middleware(TrustedHostMiddleware, allowed_hosts=[HOST, "localhost"])
    handlers = {PrismError: _report_refusal}
    mounted = [*routes, Mount(f"/{token}", routes=page)]
    return Starlette(routes=mounted, middleware=[hosts], exception_handlers=handlers)


async def read_body(request: Request, most: int) -> bytes:
    """Read the body of ``request``; raise ``RefusedRequest`` if it has more than ``most`` bytes."""
    body = bytearray()
    async for part in request.stream():  # to its end: else the client does not read the refusal
        body += part[: most + 1 - len(body)]
    if len(body) > most:
        raise RefusedRequest(413, f"The request is longer than {most / 1e6:.0f} MB")
    return bytes(body)


async def read_from_own_page(request: Request, kind: str, most: int) -> bytes:
    """Read the body of a request from a page of the site, which browsers attest.

    Raises ``RefusedRequest`` for any other request, and for one of another ``kind`` or too large.
    """
    headers = request.headers
    origin, site = headers.get("origin", "null"), headers.get("sec-fetch-site")
    is_own = site == "same-origin" if origin == "null" else origin == f"http://{headers['host']}"
    if not is_own or site not in (None, "same-origin"):
        raise RefusedRequest(403, "The request does not come from a page of this server")
    if headers.get("content-type", "").partition(";")[0].strip().lower() != kind:
        raise RefusedRequest(415, f"The request is not {kind}")
    return await read_body(request, most)


async def _report_refusal(_request: Request, error: Exception) -> Response:
    """Return an error of ours, whose message holds no text, as JSON."""
    status = error.status if isinstance(error, RefusedRequest) else 409
    return JSONResponse({"error": str(error)}, status, HEADERS)


def serve_site(app: Starlette, port: int, announce: Callable[[str], object]) -> None:
    """Serve until Ctrl-C; ``announce`` gets the address, without a path, beforehand.

    ``port`` 0 is any free port. Raises ``ConfigurationError`` for a port that is taken.
    """
    with socket.socket() as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((HOST, port))
        except OSError:
            raise ConfigurationError(f"port {port} is taken; leave --port out for any") from None
        listening.listen()  # a client that connects now waits instead of failing
        announce(f"http://{HOST}:{listening.getsockname()[1]}")
        options = uvicorn.Config(
            app, log_config=None, log_level="critical", access_log=False, server_header=False
        )
        with suppress(KeyboardInterrupt):  # uvicorn ends, and then raises what ended it once more
            uvicorn.Server(options).run(sockets=[listening])
