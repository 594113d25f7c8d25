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

_PATTERNS: tuple[tuple[str, Kind, str], ...] = (
    ("EMAIL", Kind.CODE, r"[\w.+%'-]+@[\w-]+(?:\.[\w-]+)+|[\w.+%'-]+@[\w-]+"),
    ("URL", Kind.CODE, r"(?:(?:https?|ftp|file)://|mailto:|www\.)[^\s<>\"]*[\w/=&%]"),
    (
        "URL",
        Kind.CODE,
        r"\b[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|edu|gov|info|io|eu|uk|de|fr|es|int|mil)\b(?:/\S*)?",
    ),
    ("PATH", Kind.CODE, r"(?:[A-Za-z]:)?(?:[\\/][\w.$~-]+){2,}"),
    ("HANDLE", Kind.CODE, r"(?<![\w])[@#]\w+"),
    (
        "NUMBER",
        Kind.NUMBER,
        rf"(?<!\w)(?<!\w[-_/.]){_NUMBER}(?:st|nd|rd|th)?(?![^\W_]|[-_/.][A-Z0-9])",
    ),
    ("CODE", Kind.CODE, rf"(?<![\w]){_PIECE}(?:[-_/.:]{_PIECE})*(?<=[\w²³¹⁰-⁹₀-₉])(?![^\W_])"),
    ("NUMBER", Kind.NUMBER, _NUMBER),
    ("CODE", Kind.CODE, rf"{_DIGIT}+|\d+"),
)
_WANTS_DIGIT = {"CODE", "NUMBER"}


@dataclass(frozen=True, slots=True)
class Span:
    """Characters ``[start, end)`` of a text are an identifier with a shape."""

    start: int
    end: int
    label: str
    kind: Kind


_COMPILED = tuple((label, kind, re.compile(pattern)) for label, kind, pattern in _PATTERNS)


def find_spans(text: str) -> list[Span]:
    """Every span of a known shape, in order; of two that overlap the earlier pattern wins.

    Whatever these leave, no character with a digit is outside a span.
    """
    if not _worth_a_look(text):
        return []
    taken: list[Span] = []
    for label, kind, pattern in _COMPILED:
        for match in pattern.finditer(text):
            span = Span(match.start(), match.end(), label, kind)
            if _counts(match.group(), label) and not any(_overlap(span, other) for other in taken):
                taken.append(span)
    return sorted(taken, key=lambda span: span.start)


def _worth_a_look(text: str) -> bool:
    return any(c.isnumeric() or c in "@#/\\." for c in text)


def _counts(found: str, label: str) -> bool:
    return label not in _WANTS_DIGIT or any(c.isnumeric() for c in found)


def _overlap(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end
