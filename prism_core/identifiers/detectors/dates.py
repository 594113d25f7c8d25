"""Dates in digits and in words, and ages over 89 (45 CFR 164.514(b)(2)(i)(C)).

Entry: ``DateDetector.find``; ``_in_digits`` for *12/03/1987*, ``_worded`` for *3rd of March 2020*,
``_age`` for *94-year-old*.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar

from prism_core.identifiers.base import Detector, Match, Span, Strength
from prism_core.language import MONTHS
from prism_core.record import Kind
from prism_core.settings import IdentifierClass

_SHORT = "jan feb mar apr jun jul aug sep sept oct nov dec".split()
_WRITTEN = {form for name in [*MONTHS, *_SHORT] for form in (name.title(), name.upper())}
_MONTH = "(?:" + "|".join(sorted(_WRITTEN, key=len, reverse=True)) + r")(?![^\W\d_])\.?"
_SMALL = "(?:" + "|".join([*MONTHS, *_SHORT]) + ")"
_DAY = r"(?:0?[1-9]|[12]\d|3[01])(?: ?(?:st|nd|rd|th|ST|ND|RD|TH))?"
_YEAR = r"(?:(?:1[6-9]|20)\d\d|['’]?\d\d(?!\d|:\d))"
_FULL_YEAR = r"(?:1[6-9]|20)\d\d"
_ROMAN = r"(?:I{1,3}|I?V|VI{1,3}|I?X|XI{1,2})"
_OF = r"(?: (?:day )?of |[ ,.\-/]{1,3})"
_WORDED = re.compile(
    rf"(?<![\w.])(?:{_DAY}(?:(?:[-/]| and | to | or | - ){_DAY})?{_OF}{_MONTH}"
    r"(?!(?<=-[A-Z]{3})-\d(?!\d))"  # plates: *15-MAY-8*
    rf"(?:(?:,? |[-/.]|,? of ){_YEAR}(?!\w))?"
    r"|(?!(?<=\d-)[A-Z]{3}-\d(?!\d))"
    rf"{_MONTH}[ -]{_DAY}(?!\w|[.,]\d)(?:(?:-| to | and | - ){_DAY}(?!\w))?"
    rf"(?:(?:,? |-){_YEAR}(?!\w))?"
    rf"|{_MONTH}(?:,? | of |[-/’'])(?:{_FULL_YEAR}|['’]\d\d)(?!\w)"
    rf"|{_FULL_YEAR}[- ]{_MONTH}[- ]{_DAY}"
    rf"|{_DAY}(?: of |[ .]{{1,2}}){_SMALL},? {_FULL_YEAR})(?!\w)"
)
_UNWORDED = re.compile(
    rf"(?<![\w.])(?:{_DAY}{_MONTH}{_YEAR}|{_DAY}[ .]{{1,2}}{_ROMAN}[ .]{{1,2}}{_FULL_YEAR})(?!\w)"
)
"""*22Sep1955*, *6 VII 1962*"""
_NUMERIC = re.compile(
    r"(?<![\w/:])(?<![\w][.\-])(?:"
    r"(?P<y>(?:1[6-9]|20)\d\d)(?P<s>[-./]) ?(?P<m>\d{1,2})(?P=s) ?(?P<d>\d{1,2})"
    r"(?:T\d\d:?\d\d(?::?\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?"
    r"|(?P<a>\d{1,2})(?P<t>[-./]| / ) ?(?P<b>\d{1,2})(?P=t) ?(?P<c>(?:1[6-9]|20)\d\d|\d\d)"
    r"|(?P<a2>\d{1,2})\. ?(?P<b2>\d{1,2})\.(?= |$)(?! ?\d)"
    r")(?!\w|[-/]\d|\.\d)"
)
_COMPACT = re.compile(r"(?<!\w)((?:19|20)\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?!\w)")
_BORN = re.compile(
    r"\b(?:born|dob|d\.o\.b\.?|birth|date|dated|on|fecha|geb)\b[^\d]{0,12}$", re.IGNORECASE
)
_SLASHED = re.compile(r"(?<![\w/.-])(?:0?[1-9]|1[0-2])/(?:(?:19|20)\d\d)(?![\w/])")
_MONTH_OF = re.compile(r"(?<![\w/.-])(?:0?[1-9]|1[0-2])(?: ?[-/] ?(?:20)?\d\d)(?![\w/]|[-.]\d)")
_EXPIRES = re.compile(
    r"\b(?:exp|expir(?:y|es?|ed|ing|ation)|valid (?:thru|through|to|till|until)|good thru|ends? in)"
    r"\b"
    r"[.:]*(?: (?:date|on|in|is|of)\b:?){0,2} ?$",
    re.IGNORECASE,
)
"""A month without its day, as on cards."""
_LONGEST_EXPIRY = 32
_OLD = r"(?:9\d|1[0-3]\d)"
_TENS = r"(?:ninety(?:[- ](?:one|two|three|four|five|six|seven|eight|nine))?|a hundred|one hundred)"
_AGE = re.compile(
    rf"(?<![\w.,/$€£-])(?P<before>{_OLD})"
    r"(?=[- ]?(?:years?|yrs?)[- ]?(?:olds?|of age)|-years?\b|[- ]?y[./]?o\b|[- ]?yo[mf]?\b)"
    r"|\b(?:[Aa]ge[ds]?|AGE|turn(?:ed|s|ing))(?: ?[:=]| of| is| was| at)?"
    rf" ?(?P<after>{_OLD})(?![\w.,]*\d|%)"
    rf"|(?<=[^\W\d_], about )(?P<about>{_OLD})(?=,)"
    rf"|(?<=[^\W\d_], )(?P<apart>{_OLD})"
    r"(?=, (?:of|from|who|whose|was|is|has|had|a|an|the|died|passed)\b)"
    rf"|\b(?P<worded>{_TENS})(?=[- ]years?[- ](?:old|of age))"
)
_SMALL_MONTH = re.compile(rf"\b(?:{'|'.join(MONTHS)})\b")
_DIGITS_OR_SHORT = re.compile(
    r"\d+(?:st|nd|rd|th|ST|ND|RD|TH)?|\b(?:" + "|".join(_SHORT) + r")\b", re.IGNORECASE
)
_MONTH_SIGN = re.compile(
    "[JFMASOND](?:an|eb|ar|pr|ay|un|ul|ug|ep|ct|ov|ec|AN|EB|AR|PR|AY|UN|UL|UG|EP|CT|OV|EC)"
    r"|[a-z],? [12]\d{3}"
)
_UNWORDED_SIGN = re.compile(r"(?=[\dIVX])(?:\d[JFMASOND][A-Za-z]{2}|[IVX][ .]{1,2}[12]\d{3})")
_NUMERIC_SIGN = re.compile(r"\d(?:(?:[-./]| /) ?\d|\d{7})")
_AGE_SIGN = re.compile(r"(?=[91ih])(?:9\d|1[0-3]\d|inety|hundred)")


class DateDetector(Detector):
    """Dates whose day and month the calendar has, in any order; a year alone names nobody."""

    order = 20
    signs = (re.compile(r"\d"), re.compile("inety"), re.compile("hundred"))
    classes: ClassVar = {"DATE": IdentifierClass.DATE, "AGE": IdentifierClass.DATE}

    def find(self, text: str) -> Iterator[Match]:
        """The dates of ``text``, and the ages over 89."""
        if _NUMERIC_SIGN.search(text):
            yield from _in_digits(text)
        if _UNWORDED_SIGN.search(text):
            for match in _UNWORDED.finditer(text):
                yield Match(*match.span(), "DATE", Strength.CHECKED)
        if _MONTH_SIGN.search(text):
            yield from map(_worded, _WORDED.finditer(text))
        if _AGE_SIGN.search(text):
            yield from map(_age, _AGE.finditer(text))


def _in_digits(text: str) -> Iterator[Match]:
    for match in _NUMERIC.finditer(text):
        if _is_day(match):
            short = match["t"] == "-" and len(match["c"]) == 2  # sort codes look like that too
            strength = Strength.SHAPED if short else Strength.CHECKED
            yield Match(*match.span(), "DATE", strength)
    for match in _SLASHED.finditer(text):
        yield Match(*match.span(), "DATE", Strength.SHAPED)
    for match in _MONTH_OF.finditer(text):
        if _EXPIRES.search(text, max(0, match.start() - _LONGEST_EXPIRY), match.start()):
            yield Match(*match.span(), "DATE", Strength.NAMED)
    for match in _COMPACT.finditer(text):
        if _BORN.search(text, 0, match.start()):
            yield Match(*match.span(), "DATE", Strength.NAMED)


def _is_day(match: re.Match[str]) -> bool:
    """Whether one of the ways to read the numbers is a day that there is."""
    if match["y"]:
        return _may_be(match["d"], match["m"])
    if match["a"]:
        return _may_be(match["a"], match["b"]) or _may_be(match["b"], match["a"])
    return _may_be(match["a2"], match["b2"])


def _may_be(day: str, month: str) -> bool:
    return 1 <= int(day) <= 31 and 1 <= int(month) <= 12


def _worded(match: re.Match[str]) -> Match:
    """Days and years by themselves; the month is translated, unless it is cut short.

    One without its capital is taken for a month here alone.
    """
    if "-" in match.group() and " " not in match.group():
        return Match(*match.span(), "DATE", Strength.CHECKED)
    found = _DIGITS_OR_SHORT.finditer(match.string, *match.span())
    parts = tuple(
        Span(*one.span(), "DATE", Kind.NUMBER if one.group()[0].isdigit() else Kind.NAME)
        for one in found
    )
    if month := _SMALL_MONTH.search(match.string, *match.span()):
        parts = tuple(sorted((*parts, Span(*month.span(), "DATE", Kind.WORD))))
    return Match(*match.span(), "DATE", Strength.CHECKED, parts)


def _age(match: re.Match[str]) -> Match:
    group = match.lastgroup or "before"
    start, end = match.span(group)
    kind = Kind.NAME if group == "worded" else Kind.NUMBER
    return Match(start, end, "AGE", Strength.CHECKED, (Span(start, end, "AGE", kind),))


DETECTOR = DateDetector()
