"""Pieces written alike in every language: references, enumerators, times, measures, formulas.

Examples are *704(a)(7)*, *(iv)*, *7 a.m.*, *5 mg/kg*, *p < 0.05*. No translator must take their
letters for words. Each is one identifier, and its surrogate depends on the label alone: a plain
number, or a time in the afternoon, which translators leave as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar

from prism_core.identifiers.base import Detector, Match, Span, Strength
from prism_core.languages import Language
from prism_core.record import Kind
from prism_core.settings import IdentifierClass

_CLEAR_DIGITS = "23456789"
"""Digits of surrogates: 0 and 1 are mistaken for letters."""
_START = r"(?<![\w$€£/])(?<!\w[.,:'’–-])"
"""Start of a piece: not inside a longer word or number."""
_FIRST_DIGITS = r"\d(?<![\w$€£/]\d)(?<!\w[.,:'’–-]\d)\d*"
"""The same start and the digits after it; a pattern that begins with a digit is found faster."""
# *iv*, *XII*: two or more letters in one case.
_ROMAN = r"(?=[ivxl]{2}|[IVXL]{2})(?i:(?:xl|l?x{0,3})(?:i[xv]|v?i{0,3}))"
_LETTER = rf"(?:{_ROMAN}|aa|bb|cc|dd|[A-Za-z])"
# *(iv)*, *(ab)*, *(7)*.
_BRACKETS = rf"(?:\((?:{_ROMAN}|[A-Za-z]{{1,2}}|\d{{1,4}})\))"
# *(iv)*, *(a)(2)*.
_BRACKETED = re.compile(rf"(?<![\w)])\({_LETTER}\){_BRACKETS}*(?![\w(])")
# *a)*.
_LISTED = re.compile(rf"(?<!\S){_LETTER}\)(?=\s)")
# *iv.* at the beginning of a text.
_FIRST = re.compile(rf"\W*(?![A-Z]\.)({_LETTER})\.(?=\s)")

# *704*, *12a*, *4.2–3*.
_ITEM = r"\d+[A-Za-z]{0,2}(?:[.–-]\d+[A-Za-z]?)*"
# *704(a)(7)*, *B2(iii)*.
_REFERENCE = re.compile(
    rf"{_START}(?:{_ITEM}|[B-Zb-z]\d*){_BRACKETS}(?:[–-]?{_BRACKETS})*(?![^\W_])"
)

_RAISED = "²³¹⁰-⁹⁺⁻"
_POWER = rf"(?:[{_RAISED}]+|\^-?\d+)"
_REST = rf"(?:[.,]\d+)*{_POWER}?"
_NUMBER = rf"\d+{_REST}"
# *mmol*, *kg*, *m²*, *°C*, *bpm*.
_UNIT = (
    r"(?:[GkMmcdnpµμ]?(?:mol|Hz|Pa|Wh|Bq|Gy|Sv|[gLlmVW])|mcg|mmHg|cmH2O|mEq|[mµμkM]?I?U|UI"
    rf"|[kMGT]B|kcal|kJ|dB|ppm|rpm|bpm|min|hrs?|h|ms|[°º][CF])(?:{_POWER}|[23])?(?![^\W_])"
)
# *5 mg/kg*, *3 x 4 cm*, *10–20 ml/min*.
_MEASURE = re.compile(
    rf"{_FIRST_DIGITS}{_REST}(?:(?:[ -]?{_UNIT})? ?[×x] ?{_NUMBER}){{0,3}}(?:[/–-]{_NUMBER})?"
    rf"(?:[ -]?|/){_UNIT}(?:[/·](?:{_NUMBER} ?)?{_UNIT}){{0,4}}(?!\. ?[A-Z]\.|\.\w)"
)
# *CO₂*, *p*.
_LETTERS = rf"(?:[A-Za-z]{{1,3}}[{_RAISED}₀-₉]+|[A-Za-z](?![^\W_]))"
# *2p*, *0.05*, *.05*.
_TERM = rf"(?:(?:{_NUMBER}|\.\d+)?{_LETTERS}|{_NUMBER}|\.\d+)"
# *p < 0.05*, *2 + 2 = 4*.
_SUM = re.compile(
    rf"{_START}(?<!\))(?:{_TERM} ?[-+−/*] ?){{0,4}}{_TERM} ?[+±×÷=<>≤≥≈] ?"
    rf"{_TERM}(?: ?[-+−±×÷=<>≤≥≈/*] ?{_TERM})*(?![^\W_]|[(/-])"
)
_OPERATOR = re.compile("[+±×÷=<>≤≥≈]")
# *pH 7.4*.
_ACIDITY = r"pH ?[=<>≤≥≈]? ?\d+(?:[.,]\d+)?"


class PieceDetector(Detector):
    """Detector of whole pieces; brackets around an enumerator and the mark after it are kept."""

    order = 70
    classes: ClassVar = {"CLOCK": IdentifierClass.OTHER, "PIECE": IdentifierClass.OTHER}
    surrogates: ClassVar = {
        "CLOCK": lambda _text, _longer, rng: f"{rng.randrange(13, 24)}:{rng.randrange(11, 60)}",
        "PIECE": lambda _text, _longer, rng: "".join(rng.choices(_CLEAR_DIGITS, k=3)),
    }
    blind = frozenset(surrogates)

    def __init__(self, language: Language) -> None:
        numbers = language.numbers
        self._section = re.compile(
            rf"{_START}(?:(?:§§?|{numbers.sections}) ?{_ITEM}(?:[–-]?{_BRACKETS})*|{_ACIDITY})"
            r"(?![^\W_])"
        )
        rest = r"(?:[:.]\d\d){0,2}"
        self._clock = re.compile(
            rf"{_FIRST_DIGITS}(?<!\d{{3}}){rest}(?: ?[–-] ?\d\d?{rest})? ?(?:{numbers.clock})"
            r"(?![^\W_])"
        )

    def may_find(self, text: str, *, has_digits: bool = True) -> bool:
        """Return True if ``text`` has a digit, a bracket or an operator, or begins as items do."""
        if has_digits or ")" in text or _FIRST.match(text):
            return True
        return _OPERATOR.search(text) is not None

    def find(self, text: str) -> Iterator[Match]:
        """Yield the pieces of ``text``; the longest of overlapping ones is to be kept."""
        for match in self._clock.finditer(text):  # less the sentence's own full stop
            ends = match.group().endswith(".") and not re.search(r"\w", text[match.end() :])
            yield _make_match(match.start(), match.end() - ends, "CLOCK")
        patterns = [_MEASURE, self._section]
        patterns += [_REFERENCE] if ")" in text else []
        patterns += [_SUM] if _OPERATOR.search(text) else []
        for pattern in patterns:
            for match in pattern.finditer(text):
                if any(map(str.isalpha, match.group())):
                    yield _make_match(*match.span())
        yield from _enumerators(text)


def _enumerators(text: str) -> Iterator[Match]:
    """Yield letters in brackets, before a closing bracket only, or before the first full stop."""
    if first := _FIRST.match(text):
        yield _make_match(*first.span(1))
    if ")" not in text:
        return
    for match in _BRACKETED.finditer(text):
        yield _make_match(match.start() + 1, match.end() - 1)
    depth = done = 0
    for match in _LISTED.finditer(text):
        before = text[done : match.start()]
        depth, done = max(0, depth + before.count("(") - before.count(")")), match.start()
        if depth == 0:
            yield _make_match(match.start(), match.end() - 1)


def _make_match(start: int, end: int, label: str = "PIECE") -> Match:
    return Match(start, end, label, Strength.SHAPED, (Span(start, end, label, Kind.CODE),))


DETECTOR = PieceDetector
