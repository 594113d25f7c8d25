"""Review in a browser, on this machine alone.

Every address begins with a token that only its user gets. A request that changes something is
refused if it does not come from the server's own page, is no JSON or is very large.

Entry: ``serve``, which calls ``make_app``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pydantic import BaseModel
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from prism_core.controls import REORDERING
from prism_core.loopback import (
    HEADERS,
    RefusedRequest,
    make_site,
    make_token,
    read_from_own_page,
    serve_site,
)
from prism_core.review.review_units import Correction, ReviewUnit

Take = Callable[[Correction], object]
"""Function that takes a correction, or raises a ``PrismError`` that says why it cannot."""
Finish = Callable[[], str]
"""Function that writes the documents and returns a message for the person."""
_MOST = 2**20
"""Largest size of a request in bytes."""
_INVISIBLE = REORDERING | {"\0"}


class _Accepted(BaseModel):
    """Body of a request that accepts a translation."""

    id: str
    translation: str


@dataclass(frozen=True, slots=True)
class _Site:
    """Request handlers, with the units and the functions that process corrections."""

    units: Mapping[str, ReviewUnit]
    take: Take
    finish: Finish

    async def list_units(self, _request: Request) -> Response:
        """Return all units for review."""
        names = ("id", "document", "note", "source", "translation")
        shown = [{name: getattr(unit, name) for name in names} for unit in self.units.values()]
        return JSONResponse(shown, headers=HEADERS)

    async def accept(self, request: Request) -> Response:
        """Take a translation, or return why it cannot be taken."""
        body = await read_from_own_page(request, "application/json", _MOST)
        try:
            accepted = _Accepted.model_validate_json(body)
            unit = self.units[accepted.id]
        except (ValueError, KeyError):
            raise RefusedRequest(400, "no such sentence") from None
        if unseen := _INVISIBLE.intersection(accepted.translation).difference(unit.source):
            codes = ", ".join(sorted(f"U+{ord(character):04X}" for character in unseen))
            raise RefusedRequest(422, f"The translation contains invisible characters: {codes}")
        correction = Correction(unit.id, unit.source, accepted.translation, approved=True)
        await run_in_threadpool(self.take, correction)
        return JSONResponse({"error": ""}, headers=HEADERS)

    async def write(self, request: Request) -> Response:
        """Write the documents."""
        await read_from_own_page(request, "application/json", _MOST)
        message = await run_in_threadpool(self.finish)
        return JSONResponse({"said": message}, headers=HEADERS)


def make_app(units: Sequence[ReviewUnit], take: Take, finish: Finish, token: str) -> Starlette:
    """Make the application with its pages below ``/TOKEN/``."""
    site = _Site({unit.id: unit for unit in units}, take, finish)
    routes = [
        Route("/units", site.list_units),
        Route("/accept", site.accept, methods=["POST"]),
        Route("/finish", site.write, methods=["POST"]),
    ]
    return make_site("prism_core.review", token, routes)


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
    token = make_token()
    app = make_app(units, take, finish, token)
    serve_site(app, port, lambda address: announce(f"{address}/{token}/"))
