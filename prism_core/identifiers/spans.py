"""Detection on raw text: combines all detectors to decide which spans are identifiers.

Entry: ``SpanFinder.find``. It asks the detectors that may find something, and ``base.resolve``
decides overlaps. ``patterns.find_spans`` covers what no detector takes, and leaves no digit,
address or path outside a span.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from operator import attrgetter

from prism_core.identifiers.base import Detector, Match, Span, kind_of, resolve
from prism_core.identifiers.detectors import built_in_detectors
from prism_core.identifiers.normal_form import View
from prism_core.identifiers.patterns import find_spans
from prism_core.languages import Language

_LETTERS_OR_DIGITS = re.compile(r"[^\W_]+")
_NOT_NUMBERS = ("EMAIL", "URL", "PATH", "HANDLE")


class SpanFinder:
    """Finder of identifiers in texts in ``language``; ``extra`` detectors are asked last."""

    def __init__(self, language: Language, extra: Sequence[Detector] = ()) -> None:
        self._ordinal = language.numbers.ordinal
        self._grouped = re.compile(language.numbers.grouped)
        self._detectors = (*built_in_detectors(language), *extra)
        no_signs: tuple[re.Pattern[str], ...] = ()
        self._without_digits = [
            detector for detector in self._detectors if detector.signs_without_digits != no_signs
        ]

    def find(self, text: str) -> list[Span]:
        """Return the identifiers of ``text``, in order.

        None overlaps another, and every digit is part of one.
        """
        view = View(text)
        plain = find_spans(view.text, self._ordinal)  # no digit is outside these
        matches = [
            match
            for detector in (self._detectors if plain else self._without_digits)
            if detector.may_find(view.text, has_digits=bool(plain))
            for match in detector.find(view.text)
        ]
        found = plain
        if matches:
            fixed = [span for span in plain if span.label in _NOT_NUMBERS]
            free = [match for match in matches if not _touches(match, fixed)]
            found = list(_fill_gaps(view.text, resolve(free), plain))
        found = _join_groups(view.text, found, self._grouped)
        if view.text == text:
            return found
        return [Span(*view.span(span.start, span.end), span.label, span.kind) for span in found]


def _join_groups(text: str, spans: Sequence[Span], whole: re.Pattern[str]) -> list[Span]:
    """Join adjacent spans that are groups of one number: *100 000*, *18 mil 969*."""
    joined: list[Span] = []
    for span in spans:
        before = joined[-1] if joined else span
        are_numbers = before.label == span.label == "NUMBER"
        if are_numbers and before != span and whole.fullmatch(text, before.start, span.end):
            joined[-1] = before._replace(end=span.end)
        else:
            joined.append(span)
    return joined


def _touches(match: Match, fixed: Sequence[Span]) -> bool:
    """Return True if ``match`` conflicts with one of ``fixed``, which are in order.

    A path that begins within the match does not count: strokes within a number make no path.
    """
    first = bisect_right(fixed, match.start, key=attrgetter("end"))
    for span in map(fixed.__getitem__, range(first, len(fixed))):
        if match.end <= span.start:
            return False
        if span.label != "PATH" or not match.start < span.start:
            return True
    return False


def _fill_gaps(text: str, matches: Sequence[Match], plain: Sequence[Span]) -> Iterator[Span]:
    """Yield the spans of ``matches``, and between them the spans that ``plain`` covers."""
    done = 0
    for match in matches:
        for span in _split_match(text, match):
            yield from _find_uncovered(text, done, span.start, plain)
            yield span
            done = span.end
    yield from _find_uncovered(text, done, len(text), plain)


def _find_uncovered(text: str, start: int, end: int, plain: Sequence[Span]) -> Iterator[Span]:
    """Yield what ``plain`` covers of ``text[start:end]``; of a span that was cut, the rest."""
    first = bisect_right(plain, start, key=attrgetter("end"))
    for span in map(plain.__getitem__, range(first, len(plain))):
        if span.start >= end:
            return
        if start <= span.start and span.end <= end:
            yield span
        else:
            rest = max(start, span.start), min(end, span.end)
            for piece in _LETTERS_OR_DIGITS.finditer(text, *rest):
                yield Span(*piece.span(), "CODE", kind_of(piece.group()))


def _split_match(text: str, match: Match) -> Sequence[Span]:
    if match.parts:
        return match.parts
    found = text[match.start : match.end]
    start = match.start + len(found) - len(found.lstrip())
    end = match.start + len(found.rstrip())
    return [Span(start, end, match.label, kind_of(found))]
