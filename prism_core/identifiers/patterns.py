"""Identifiers with a shape: addresses, codes and everything that has a digit.

Patterns read the raw text, before tokens: a tokenizer cuts ``853-7906`` and ``01-Feb-02`` apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from prism_core.identifiers.base import Span
from prism_core.identifiers.surrogates.shapes import mail_address, web_address
from prism_core.languages import Language
from prism_core.record import Kind
from prism_core.settings import IdentifierClass

CLASSES = {
    "CODE": IdentifierClass.OTHER,
    "EMAIL": IdentifierClass.EMAIL,
    "HANDLE": IdentifierClass.NAME,
    "LOGIN": IdentifierClass.OTHER,
    "NUMBER": IdentifierClass.OTHER,
    "PATH": IdentifierClass.OTHER,
    "URL": IdentifierClass.URL,
}
"""The classes that the labels of shapes are counted in."""
SURROGATES = {"EMAIL": mail_address, "URL": web_address}
_DIGITS = r"\d²³¹⁰-⁹₀-₉¼-¾⅐-⅞"
_DIGIT = f"[{_DIGITS}]"
_PIECE = rf"(?:[^\W\d_]*{_DIGIT}[^\W_]*|[A-Z]{{1,5}})"
_JOINED = r"(?<![^\W_])(?=[\w.-]*?[^\W_]_+[^\W_])[^\W_]+(?:[-_.]+[^\W_]+)+"
"""*vp_772db6a*, *scan_04.jpg*, *jane_roe*: no word is written so, and a tokenizer cuts it up."""
_NUMBER = r"[0-9]+(?:[.,:'’/\-–][0-9]+)*"
_DOMAINS = "com|org|net|edu|gov|info|io|eu|uk|de|fr|es|int|mil"


@dataclass(frozen=True, slots=True)
class _Shape:
    label: str
    kind: Kind
    pattern: re.Pattern[str]


def _shape(label: str, kind: Kind, pattern: str) -> _Shape:
    return _Shape(label, kind, re.compile(pattern))


@cache
def _shapes(ordinal: str) -> tuple[tuple[re.Pattern[str], tuple[_Shape, ...]], ...]:
    """Shapes in the order they are looked for, after the sign that is in every match of them."""
    return (
        (
            re.compile("@"),
            (_shape("EMAIL", Kind.CODE, r"[\w.+%'-]+@[\w-]+(?:\.[\w-]+)+|[\w.+%'-]+@[\w-]+"),),
        ),
        (
            re.compile(r"://|(?i:mailto:|www\.)"),
            (
                _shape(
                    "URL",
                    Kind.CODE,
                    r"(?i:(?:https?|ftp|file)://|mailto:|www\.)[^\s<>\"]*[\w/=&%]",
                ),
            ),
        ),
        (
            re.compile(rf"\.(?:{_DOMAINS})\b"),
            (_shape("URL", Kind.CODE, rf"\b[\w-]+(?:\.[\w-]+)*\.(?:{_DOMAINS})\b(?:/\S*)?"),),
        ),
        (
            re.compile(r"[\\/]"),
            (_shape("PATH", Kind.CODE, r"(?:[A-Za-z]:)?(?:[\\/][\w.$~-]+){2,}"),),
        ),
        (
            re.compile("_"),
            (_shape("CODE", Kind.CODE, _JOINED), _shape("LOGIN", Kind.CODE, _JOINED)),
        ),
        (re.compile("[@#]"), (_shape("HANDLE", Kind.CODE, r"(?<![\w])[@#]\w+"),)),
        (
            re.compile(_DIGIT),
            (
                _shape(
                    "NUMBER",
                    Kind.NUMBER,
                    rf"(?<!\w)(?<!\w[-_/.]){_NUMBER}{ordinal}?(?![^\W_]|[-_/.][A-Z0-9])",
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


_WANTS_DIGIT = {"CODE", "NUMBER"}
_SIGN = re.compile(rf"[@#_/\\:.{_DIGITS}](?:(?<!\.)|(?=\w))")
"""What every sign of a shape has in it, to be found at one reading; most texts have none."""


@cache
def _lone_number(ordinal: str) -> re.Pattern[str]:
    """A number with nothing but marks around it: what most runs with a sign are."""
    return re.compile(rf"[(\[\"'‘“$£€]*({_NUMBER}{ordinal}?)[)\]\"'’”%.,:;?!]*")


def find_spans(text: str, language: Language) -> list[Span]:
    """Every span of a known shape, in order; of two that overlap the earlier pattern wins.

    Whatever these leave, no character of ``text`` with a digit is outside a span.
    """
    ordinal = language.numbers.ordinal
    return [
        span for first, last in _runs(text) for span in _spans_between(text, first, last, ordinal)
    ]


def _runs(text: str) -> Iterator[tuple[int, int]]:
    """The stretches between blanks that hold a sign; none of these shapes holds a blank."""
    end = 0
    for sign in _SIGN.finditer(text):
        if sign.start() >= end:
            start = text.rfind(" ", 0, sign.start()) + 1
            end = text.find(" ", sign.end())
            end = len(text) if end < 0 else end
            yield start, end


def _spans_between(text: str, start: int, end: int, ordinal: str) -> list[Span]:
    if lone := _lone_number(ordinal).fullmatch(text, start, end):
        return [Span(*lone.span(1), "NUMBER", Kind.NUMBER)]
    taken: list[Span] = []
    for sign, shapes in _shapes(ordinal):
        if sign.search(text, start, end):
            for shape in shapes:
                for match in shape.pattern.finditer(text, start, end):
                    _take(shape, match, taken)
    return sorted(taken)


def _take(shape: _Shape, match: re.Match[str], taken: list[Span]) -> None:
    start, end = match.span()
    if any(start < other.end and other.start < end for other in taken):
        return
    if shape.label not in _WANTS_DIGIT or any(c.isnumeric() for c in match.group()):
        taken.append(Span(start, end, shape.label, shape.kind))
