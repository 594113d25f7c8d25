"""Identifiers with a shape: addresses, codes and everything that has a digit.

Patterns read the raw text, before tokens: a tokenizer cuts ``853-7906`` and ``01-Feb-02`` apart.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from prism_core.mechanisms.base import Kind

_DIGIT = r"[\d²³¹⁰-⁹₀-₉¼-¾⅐-⅞]"
_PIECE = rf"(?:[^\W\d_]*{_DIGIT}[^\W_]*|[A-Z]{{1,5}})"
_NUMBER = r"[0-9]+(?:[.,:'’/\-–][0-9]+)*"
_DOMAINS = "com|org|net|edu|gov|info|io|eu|uk|de|fr|es|int|mil"


@dataclass(frozen=True, slots=True)
class _Shape:
    label: str
    kind: Kind
    pattern: re.Pattern[str]


def _shape(label: str, kind: Kind, pattern: str) -> _Shape:
    return _Shape(label, kind, re.compile(pattern))


_SHAPES = (
    (
        re.compile("@"),
        (_shape("EMAIL", Kind.CODE, r"[\w.+%'-]+@[\w-]+(?:\.[\w-]+)+|[\w.+%'-]+@[\w-]+"),),
    ),
    (
        re.compile(r"://|mailto:|www\."),
        (_shape("URL", Kind.CODE, r"(?:(?:https?|ftp|file)://|mailto:|www\.)[^\s<>\"]*[\w/=&%]"),),
    ),
    (
        re.compile(rf"\.(?:{_DOMAINS})\b"),
        (_shape("URL", Kind.CODE, rf"\b[\w-]+(?:\.[\w-]+)*\.(?:{_DOMAINS})\b(?:/\S*)?"),),
    ),
    (
        re.compile(r"[\\/]"),
        (_shape("PATH", Kind.CODE, r"(?:[A-Za-z]:)?(?:[\\/][\w.$~-]+){2,}"),),
    ),
    (re.compile("[@#]"), (_shape("HANDLE", Kind.CODE, r"(?<![\w])[@#]\w+"),)),
    (
        re.compile(_DIGIT),
        (
            _shape(
                "NUMBER",
                Kind.NUMBER,
                rf"(?<!\w)(?<!\w[-_/.]){_NUMBER}(?:st|nd|rd|th)?(?![^\W_]|[-_/.][A-Z0-9])",
            ),
            _shape(
                "CODE",
                Kind.CODE,
                rf"(?<![\w]){_PIECE}(?:[-_/.:]{_PIECE})*(?<=[\w²³¹⁰-⁹₀-₉])(?![^\W_])",
            ),
            _shape("NUMBER", Kind.NUMBER, _NUMBER),
            _shape("CODE", Kind.CODE, rf"{_DIGIT}+|\d+"),
        ),
    ),
)
"""Shapes in the order they are looked for, after the sign that is in every match of them.

Most texts have no sign.
"""
_WANTS_DIGIT = {"CODE", "NUMBER"}


@dataclass(frozen=True, slots=True)
class Span:
    """Characters ``[start, end)`` of a text are an identifier with a shape."""

    start: int
    end: int
    label: str
    kind: Kind


def find_spans(text: str) -> list[Span]:
    """Every span of a known shape, in order; of two that overlap the earlier pattern wins.

    Whatever these leave, no character with a digit is outside a span.
    """
    taken: list[Span] = []
    for sign, shapes in _SHAPES:
        if sign.search(text):
            for shape in shapes:
                _take(shape, text, taken)
    return sorted(taken, key=lambda span: span.start)


def _take(shape: _Shape, text: str, taken: list[Span]) -> None:
    for match in shape.pattern.finditer(text):
        span = Span(match.start(), match.end(), shape.label, shape.kind)
        if _counts(match.group(), shape.label) and not any(
            _overlap(span, other) for other in taken
        ):
            taken.append(span)


def _counts(found: str, label: str) -> bool:
    return label not in _WANTS_DIGIT or any(c.isnumeric() for c in found)


def _overlap(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end
