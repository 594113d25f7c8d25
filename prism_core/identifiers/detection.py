"""All detectors that read raw text, together: which spans of a text are identifiers.

The order in which overlaps are decided is stated in ``base.resolve``. What no detector takes is
left to ``patterns``, which leave no digit, address or path outside a span.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import islice
from operator import attrgetter

from prism_core.identifiers.addresses import AddressDetector, kind_of
from prism_core.identifiers.base import Detector, Match, Span, Strength, resolve
from prism_core.identifiers.context_words import ANNOUNCING
from prism_core.identifiers.contexts import ContextDetector
from prism_core.identifiers.dates import DateDetector
from prism_core.identifiers.patterns import find_spans, has_sign
from prism_core.identifiers.phones import PhoneDetector
from prism_core.identifiers.quantities import Look, where_to_look
from prism_core.identifiers.shapes import ShapeDetector, has_picture
from prism_core.identifiers.view import View

OWN_DETECTORS: tuple[Detector, ...] = (
    ShapeDetector(),
    DateDetector(),
    ContextDetector(),
    AddressDetector(),
    PhoneDetector(),
)
"""Those that are always asked; of two matches alike the one of the earlier detector stands."""
_DATES: tuple[Detector, ...] = (DateDetector(),)
_WORDED_AGES = ("inety", "hundred year", "hundred-year")
_LETTERS_OR_DIGITS = re.compile(r"[^\W_]+")
_NOT_NUMBERS = ("EMAIL", "URL", "PATH", "HANDLE")


class SpanFinder:
    """``further`` detectors are asked too, after the own ones; with them every text is read."""

    def __init__(self, further: Sequence[Detector] = ()) -> None:
        self._detectors = (*OWN_DETECTORS, *further)
        self._reads_all = bool(further)

    def find(self, text: str, column: str = "") -> list[Span]:
        """The identifiers of ``text``, in order; none overlaps another, and no digit is outside.

        All of ``text`` is a number of the class ``column``, unless it is known for another.
        """
        if not (self._reads_all or has_sign(text) or any(age in text for age in _WORDED_AGES)):
            return []
        view = View(text)
        plain = find_spans(view.text)
        detectors = self._detectors if column else self._asked(view.text, plain)
        if not detectors:
            return _in_source(view, text, plain)
        fixed = [span for span in plain if span.label in _NOT_NUMBERS]
        named = [Match(0, len(view.text), column, Strength.NAMED)] if column and not fixed else []
        matches = named + [
            match
            for detector in detectors
            for match in detector.find(view.text)
            if not fixed or not _touches(match, fixed)
        ]
        found = _with_the_rest(view.text, resolve(matches), plain) if matches else plain
        return _in_source(view, text, list(found))

    def _asked(self, text: str, plain: Sequence[Span]) -> Sequence[Detector]:
        """The detectors that can find more in ``text`` than the shapes that were found."""
        if self._reads_all or has_picture(text) or any(age in text for age in _WORDED_AGES):
            return self._detectors
        look = where_to_look(text, plain, ANNOUNCING)
        return self._detectors if look is Look.EVERYWHERE else _DATES if look else ()


def _in_source(view: View, text: str, spans: list[Span]) -> list[Span]:
    if view.text == text:
        return spans
    return [Span(*view.span(one.start, one.end), one.label, one.kind) for one in spans]


def _touches(match: Match, fixed: Sequence[Span]) -> bool:
    """Whether ``match`` overlaps one of ``fixed``; strokes within a number make no path."""
    return any(
        match.start < span.end and span.start < match.end
        for span in fixed
        if span.label != "PATH" or not match.start < span.start
    )


def _with_the_rest(text: str, matches: Sequence[Match], plain: Sequence[Span]) -> Iterator[Span]:
    """The spans of ``matches``, and between them what ``plain`` covers."""
    done = 0
    for match in matches:
        for span in _spans_of(text, match):
            yield from _between(text, done, span.start, plain)
            yield span
            done = span.end
    yield from _between(text, done, len(text), plain)


def _between(text: str, start: int, end: int, plain: Sequence[Span]) -> Iterator[Span]:
    """What ``plain`` has of ``text[start:end]``; of a span that was cut, all that is left."""
    first = bisect_right(plain, start, key=attrgetter("end"))
    for one in islice(plain, first, None):
        if one.start >= end:
            return
        if start <= one.start and one.end <= end:
            yield one
        else:
            yield from _left_of(text, max(start, one.start), min(end, one.end))


def _left_of(text: str, start: int, end: int) -> Iterator[Span]:
    for piece in _LETTERS_OR_DIGITS.finditer(text, start, end):
        yield Span(*piece.span(), "CODE", kind_of(piece.group()))


def _spans_of(text: str, match: Match) -> Sequence[Span]:
    if match.parts:
        return match.parts
    found = text[match.start : match.end]
    start = match.start + len(found) - len(found.lstrip())
    end = match.start + len(found.rstrip())
    return [Span(start, end, match.label, kind_of(found))]
