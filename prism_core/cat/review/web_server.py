"""Review in a browser, on this machine alone.

Every address begins with a token that only its user gets. A request that changes something is
refused if it does not come from the server's own page, is no JSON or is very large.

Entry: ``serve``, which calls ``make_app``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from pydantic import BaseModel
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from prism_core.alignment import Span
from prism_core.cat.loopback import (
    HEADERS,
    RefusedRequest,
    make_site,
    make_token,
    read_from_own_page,
    serve_site,
)
from prism_core.cat.review.review_units import NO_CAUSES, Correction, ReviewUnit
from prism_core.controls import REORDERING
from prism_core.record import TO_LOOK_AT

Take = Callable[[Correction], object]
"""Function that takes a correction, or raises a ``PrismError`` that says why it cannot."""
Finish = Callable[[], str]
"""Function that writes the documents and returns a message for the person."""
_MOST = 2**20
"""Largest size of a request in bytes."""
_LISTED, _LABEL = 500, 120
"""Most sentences in the list, and most characters of each."""
_NO_SENTENCE = "no such sentence"
_INVISIBLE = REORDERING | {"\0"}


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
        return JSONResponse(content, headers=HEADERS)

    def _label(self, unit: ReviewUnit) -> str:
        sign = "✓" if unit.id in self.accepted else "!" if unit.id in self.first else "·"
        return f"{sign} {unit.source[:_LABEL]}"

    async def show_unit(self, request: Request) -> Response:
        """Return one unit between its neighbours."""
        unit = self.units.get(request.query_params.get("id", ""))
        if unit is None:
            raise RefusedRequest(400, _NO_SENTENCE)
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
        return JSONResponse(content, headers=HEADERS)

    async def accept(self, request: Request) -> Response:
        """Take a translation, or return why it cannot be taken."""
        body = await read_from_own_page(request, "application/json", _MOST)
        try:
            accepted = _Accepted.model_validate_json(body)
            unit = self.units[accepted.id]
        except (ValueError, KeyError):
            raise RefusedRequest(400, _NO_SENTENCE) from None
        if unseen := _INVISIBLE.intersection(accepted.translation).difference(unit.source):
            codes = ", ".join(sorted(f"U+{ord(character):04X}" for character in unseen))
            raise RefusedRequest(422, f"The translation contains invisible characters: {codes}")
        correction = Correction(unit.id, unit.source, accepted.translation, approved=True)
        await run_in_threadpool(self.take, correction)
        self.accepted.add(unit.id)
        self.units[unit.id] = replace(
            unit, translation=accepted.translation, detail="accepted", causes=NO_CAUSES
        )
        return JSONResponse({"error": ""}, headers=HEADERS)

    async def write(self, request: Request) -> Response:
        """Write the documents."""
        await read_from_own_page(request, "application/json", _MOST)
        message = await run_in_threadpool(self.finish)
        return JSONResponse({"said": message}, headers=HEADERS)


def _split(text: str, spans: Iterable[Span]) -> list[tuple[str, bool]]:
    """Return the parts of ``text``, in its order, each with True if it is one of ``spans``."""
    parts, done = list[tuple[str, bool]](), 0
    for start, end in sorted(spans):
        parts += (text[done:start], False), (text[max(start, done) : end], True)
        done = max(end, done)
    return [part for part in (*parts, (text[done:], False)) if part[0]]


def make_app(units: Sequence[ReviewUnit], take: Take, finish: Finish, token: str) -> Starlette:
    """Make the application with its pages below ``/TOKEN/``; ``units`` keep their order."""
    site = _Site({unit.id: unit for unit in units}, take, finish)
    routes = [
        Route("/units", site.list_units),
        Route("/unit", site.show_unit),
        Route("/accept", site.accept, methods=["POST"]),
        Route("/finish", site.write, methods=["POST"]),
    ]
    return make_site("prism_core.cat.review", token, routes)


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
