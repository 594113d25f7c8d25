"""Detection on raw text: combines all detectors to decide which spans are identifiers.

Entry: ``SpanFinder.find``. It asks the detectors that may find something, and ``base.resolve``
decides overlaps. ``find_spans`` covers what no detector takes: addresses, codes and everything that
has a digit. All read raw text, before tokens: a tokenizer cuts ``853-7906`` and ``01-Feb-02``
apart.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from operator import attrgetter
from typing import NamedTuple

from prism_core.identifiers.base import Detection, Detector, Span, kind_of, resolve
from prism_core.identifiers.detectors import built_in_detectors
from prism_core.identifiers.format_preserving import mail_address, web_address
from prism_core.identifiers.normal_form import View
from prism_core.languages import Language
from prism_core.record import Kind

SURROGATES = {"EMAIL": mail_address, "URL": web_address}
_DIGITS = r"\d²³¹⁰-⁹₀-₉¼-¾⅐-⅞"
_DIGIT = f"[{_DIGITS}]"
# *852B*, *AB*: a run with a digit, or up to five capitals.
_PIECE = rf"(?:[^\W\d_]*{_DIGIT}[^\W_]*|[A-Z]{{1,5}})"
_JOINED = r"(?<![^\W_])[^\W_]+(?:[-_.]+[^\W_]+)+"
"""Words joined by marks: *vp_772db6a*, *scan_04.jpg*, *jane_roe*. A tokenizer cuts them up."""
# *12*, *1,234.50*, *3/4*: digits with single marks between them.
_NUMBER = r"[0-9]+(?:[.,:'’/\-–][0-9]+)*"
# *jane.roe* in *jane.roe@example.org*, and its *example.org*.
_MAILBOX = r"(?:(?<![\w.+%'-])[\w.+%'-]+|[\w.+%'-]{1,256})"
# *{jane,jim.roe}* in *{jane,jim.roe}@example.org*, with or without blanks.
_MAILBOXES = r"[{(\[<][\w.+%'|,;/& -]{1,256}[})\]>]"
_HOST = r"(?:(?<![\w.-])[\w-]+(?:\.[\w-]+)*|[\w-]{1,63}(?:\.[\w-]{1,63}){0,9})"
"""Patterns that begin at the start of a mailbox or host, or else have a bounded length, so that a
long line without an address is read in linear time."""
_DOMAINS = "com|org|net|edu|gov|info|io|eu|uk|de|fr|es|int|mil"


class _Group(NamedTuple):
    """Labels and patterns in the order they are searched; every match contains the sign."""

    sign: re.Pattern[str]
    shapes: tuple[tuple[str, re.Pattern[str]], ...]


def _make_group(sign: str, *shapes: tuple[str, str]) -> _Group:
    return _Group(
        re.compile(sign), tuple((label, re.compile(pattern)) for label, pattern in shapes)
    )


_WITHOUT_DIGITS = (
    _make_group("@", ("EMAIL", rf"(?:{_MAILBOXES}|{_MAILBOX})@[\w-]+(?:\.[\w-]+)*")),
    _make_group(
        r"://|(?i:mailto:|www\.)",
        ("URL", r"(?i:(?:https?|ftp|file)://|mailto:|www\.)[^\s<>\"]*[\w/=&%]"),
    ),
    _make_group(rf"\.(?:{_DOMAINS})\b", ("URL", rf"\b{_HOST}\.(?:{_DOMAINS})\b(?:/\S*)?")),
    _make_group(r"[\\/]", ("PATH", r"(?:[A-Za-z]:)?(?:[\\/][\w.$~-]+){2,}")),
    _make_group(r"[^\W_]_+[^\W_]", ("CODE", _JOINED), ("LOGIN", _JOINED)),
    _make_group("[@#]", ("HANDLE", r"(?<![\w])[@#]\w+")),
)


@cache
def _compile(ordinal: str) -> tuple[tuple[_Group, ...], re.Pattern[str]]:
    """Compile all groups, and a number with nothing but marks around it, the most frequent case."""
    alone = rf"(?<!\w)(?<!\w[-_/.]){_NUMBER}{ordinal}?(?![^\W_]|[-_/.][A-Z0-9])"
    code = rf"(?<![\w]){_PIECE}(?:[-_/.:]{_PIECE})*(?<=[\w²³¹⁰-⁹₀-₉])(?![^\W_])"
    rest = ("NUMBER", _NUMBER), ("CODE", rf"{_DIGIT}+|\d+")
    groups = *_WITHOUT_DIGITS, _make_group(_DIGIT, ("NUMBER", alone), ("CODE", code), *rest)
    lone = re.compile(rf"[(\[\"'‘“$£€]*({_NUMBER}{ordinal}?)[)\]\"'’”%.,:;?!]*")
    return groups, lone


_LISTED = re.compile(rf"{_MAILBOXES}@")
_LONGEST = 256
_WANTS_DIGIT = {"CODE", "NUMBER"}
_SIGN = re.compile(rf"[@#_/\\:.{_DIGITS}](?:(?<!\.)|(?=\w))")
"""Pattern that matches in the sign of every shape, to skip texts without any in one pass."""


def find_spans(text: str, ordinal: str) -> list[Span]:
    """Return every span of a known form, in order; of two that overlap the earlier pattern wins.

    No character of ``text`` with a digit stays outside a span. ``ordinal`` is the pattern of an
    ordinal's ending in the language of ``text``.
    """
    groups, lone_number = _compile(ordinal)
    spans: list[Span] = []
    last = 0
    for sign in _SIGN.finditer(text):
        if sign.start() >= last:  # a stretch between blanks; only mailboxes in brackets hold some
            first, last = text.rfind(" ", 0, sign.start()) + 1, text.find(" ", sign.end())
            last = len(text) if last < 0 else last
            for listed in _LISTED.finditer(text, max(first - _LONGEST, 0), last):
                if listed.end() > first > listed.start():
                    first = text.rfind(" ", 0, listed.start()) + 1
                    spans = [span for span in spans if span.end <= first]
            if lone := lone_number.fullmatch(text, first, last):
                spans.append(Span(*lone.span(1), "NUMBER", Kind.NUMBER))
            else:
                spans += _spans_between(text, first, last, groups)
    return spans


def _spans_between(text: str, start: int, end: int, groups: Iterable[_Group]) -> list[Span]:
    taken: list[Span] = []
    covered = bytearray(end - start)
    for sign, shapes in groups:
        if not sign.search(text, start, end):
            continue
        for label, pattern in shapes:
            for match in pattern.finditer(text, start, end):
                first, last = match.span()
                if any(covered[first - start : last - start]):
                    continue
                if not sign.search(text, first, last):
                    continue
                if label not in _WANTS_DIGIT or any(map(str.isnumeric, match.group())):
                    kind = Kind.NUMBER if label == "NUMBER" else Kind.CODE
                    taken.append(Span(first, last, label, kind))
                    covered[first - start : last - start] = b"\1" * (last - first)
    return sorted(taken)


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
        detections = [
            detection
            for detector in (self._detectors if plain else self._without_digits)
            if detector.may_find(view.text, has_digits=bool(plain))
            for detection in detector.find(view.text)
        ]
        found = plain
        if detections:
            fixed = [span for span in plain if span.label in _NOT_NUMBERS]
            free = [detection for detection in detections if not _touches(detection, fixed)]
            found = list(_fill_gaps(view.text, resolve(free), plain))
        joined: list[Span] = []
        for span in found:  # groups of one number are joined: *100 000*, *18 mil 969*
            before = joined[-1] if joined else span
            are_numbers = before.label == span.label == "NUMBER" and before != span
            if are_numbers and self._grouped.fullmatch(view.text, before.start, span.end):
                joined[-1] = before._replace(end=span.end)
            else:
                joined.append(span)
        if view.text == text:
            return joined
        return [Span(*view.span(span.start, span.end), span.label, span.kind) for span in joined]


def _touches(detection: Detection, fixed: Sequence[Span]) -> bool:
    """Return True if ``detection`` conflicts with one of ``fixed``, which are in order.

    A path that begins within the detection does not count: strokes within a number make no path.
    """
    first = bisect_right(fixed, detection.start, key=attrgetter("end"))
    for span in map(fixed.__getitem__, range(first, len(fixed))):
        if detection.end <= span.start:
            return False
        if span.label != "PATH" or not detection.start < span.start:
            return True
    return False


def _fill_gaps(text: str, detections: Sequence[Detection], plain: Sequence[Span]) -> Iterator[Span]:
    """Yield the spans of ``detections``, and between them the spans that ``plain`` covers."""
    done = 0
    for detection in detections:
        found = text[detection.start : detection.end]
        start = detection.start + len(found) - len(found.lstrip())
        whole = Span(start, detection.start + len(found.rstrip()), detection.label, kind_of(found))
        for span in detection.parts or (whole,):
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
