"""Dates in digits and in words, and ages over 89 (45 CFR 164.514(b)(2)(i)(C)).

Entry: ``DateDetector.find``; ``_find_in_digits`` for *12/03/1987*, ``_match_worded`` for *3rd of
March 2020*, ``_match_age`` for *94-year-old*. ``_Patterns`` are made of the words of the language.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import ClassVar

from prism_core.identifiers.base import Detector, Match, Span, Strength
from prism_core.languages import Language
from prism_core.record import Kind
from prism_core.settings import IdentifierClass

# *1987*, *'87*, *87*.
_YEAR = r"(?:(?:1[6-9]|20)\d\d|['’]?\d\d(?!\d|:\d))"
_FULL_YEAR = r"(?:1[6-9]|20)\d\d"
# Months as on stamps: *VII*.
_ROMAN = r"(?:I{1,3}|I?V|VI{1,3}|I?X|XI{1,2})"
# *2020-03-12T10:30Z* (y, m, d), *12/03/1987* (a, b, c), *12.3.* (a2, b2).
_NUMERIC = re.compile(
    r"(?<![\w/:])(?<![\w][.\-])(?:"
    r"(?P<y>(?:1[6-9]|20)\d\d)(?P<s>[-./]) ?(?P<m>\d{1,2})(?P=s) ?(?P<d>\d{1,2})"
    r"(?:T\d\d:?\d\d(?::?\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?"
    r"|(?P<a>\d{1,2})(?P<t>[-./]| / ) ?(?P<b>\d{1,2})(?P=t) ?(?P<c>(?:1[6-9]|20)\d\d|\d\d)"
    r"|(?P<a2>\d{1,2})\. ?(?P<b2>\d{1,2})\.(?= |$)(?! ?\d)"
    r")(?!\w|[-/]\d|\.\d)"
)
# *19870312*.
_COMPACT = re.compile(r"(?<!\w)((?:19|20)\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?!\w)")
# *03/1987*.
_SLASHED = re.compile(r"(?<![\w/.-])(?:0?[1-9]|1[0-2])/(?:(?:19|20)\d\d)(?![\w/])")
_MONTH_OF = re.compile(r"(?<![\w/.-])(?:0?[1-9]|1[0-2])(?: ?[-/] ?(?:20)?\d\d)(?![\w/]|[-.]\d)")
"""Month without a day, as on cards: *09/27*."""
_LONGEST_EXPIRY = 32
# *2/03/* of *12/03/1987*.
_NUMERIC_SIGN = re.compile(r"\d[-./] ?\d\d?[-./]|\d /  ?\d\d? /")
_MONTH_OF_SIGN = re.compile(r"\d ?[-/] ?\d\d")
_COMPACT_SIGN = re.compile(r"\d\d{7}")
_LONGEST_BEFORE = 48
"""Most characters of a date or an age before the first position of its sign."""


class _Patterns:
    """Patterns of dates and ages in the words of one language."""

    def __init__(self, language: Language) -> None:
        words = language.dates
        names = sorted((*words.months, *words.short_months), key=len, reverse=True)
        forms = [form for name in names for form in (name.title(), name.upper())]
        forms += [name for name in words.months if words.small_months]
        first = "".join({name[0].upper() for name in names})
        endings = language.numbers.ordinal_endings
        ordinal = "|".join((*endings, *map(str.upper, endings))) or "(?!)"
        month, small = rf"(?:{'|'.join(forms)})(?![^\W\d_])\.?", f"(?:{'|'.join(names)})"
        day = rf"(?:0?[1-9]|[12]\d|3[01])(?: ?(?:{ordinal}))?"
        self.worded = re.compile(
            rf"(?<![\w.])(?:{day}(?:(?:[-/]| {words.between_days} | - ){day})?"
            rf"(?: {words.of_month} |[ ,.\-/]{{1,3}}){month}"
            r"(?!(?<=-[A-Z]{3})-\d(?!\d))"  # plates: *15-MAY-8*
            rf"(?:(?:,? |[-/.]|,? {words.of} ){_YEAR}(?!\w))?"
            r"|(?!(?<=\d-)[A-Z]{3}-\d(?!\d))"
            rf"{month}[ -]{day}(?!\w|[.,]\d)(?:(?:-| {words.between_days_of} | - ){day}(?!\w))?"
            rf"(?:(?:,? |-){_YEAR}(?!\w))?"
            rf"|{month}(?:,? | {words.of} |[-/’'])(?:{_FULL_YEAR}|['’]\d\d)(?!\w)"
            rf"|{_FULL_YEAR}[- ]{month}[- ]{day}"
            rf"|{day}(?: {words.of} |[ .]{{1,2}}){small},? {_FULL_YEAR})(?!\w)"
        )
        self.unworded = re.compile(  # *22Sep1955*, *6 VII 1962*
            rf"(?<![\w.])(?:{day}{month}{_YEAR}|{day}[ .]{{1,2}}{_ROMAN}[ .]{{1,2}}{_FULL_YEAR})"
            r"(?!\w)"
        )
        self.born = re.compile(rf"{words.born}[^\d]{{0,12}}$", re.IGNORECASE)
        self.expires = re.compile(rf"{words.expires} ?$", re.IGNORECASE)
        self.age = re.compile(words.over_89)
        self.small_month = re.compile(rf"\b(?:{'|'.join(words.months)})\b")
        self.digits_or_short = re.compile(
            rf"\d+(?:{ordinal})?|\b(?:{'|'.join(words.short_months)})\b", re.IGNORECASE
        )
        # Each begins with one sign or a set of them, which is found fast.
        self.month_sign = re.compile("|".join(sorted({form[:3] for form in forms})))
        self.year_sign = re.compile(r"[12]\d{3}(?<=[^\W\d_] \d{4})|[12]\d{3}(?<=[^\W\d_], \d{4})")
        self.unworded_sign = re.compile(
            rf"\d[{first}][^\W\d_]{{2}}|\d\d{{3}}(?<=[IVX][ .]\d{{4}})"
            r"|\d\d{3}(?<=[IVX][ .]{2}\d{4})"
        )
        self.age_sign = re.compile(words.over_89_sign)


class DateDetector(Detector):
    """Detector of dates that the calendar has, in any order; a year alone identifies nobody."""

    order = 20
    classes: ClassVar = {"DATE": IdentifierClass.DATE, "AGE": IdentifierClass.DATE}

    def __init__(self, language: Language) -> None:
        self._patterns = _Patterns(language)
        known = self._patterns
        in_digits = (_NUMERIC_SIGN, _MONTH_OF_SIGN, _COMPACT_SIGN, known.unworded_sign)
        together = re.compile("|".join(sign.pattern for sign in in_digits))
        self.signs = (together, known.month_sign, known.year_sign, known.age_sign)
        self.signs_without_digits = (known.age_sign,)

    def find(self, text: str) -> Iterator[Match]:
        """Yield the dates of ``text``, and the ages over 89."""
        patterns = self._patterns
        yield from _find_in_digits(text, patterns)
        for match in _find_from_sign(patterns.unworded_sign, patterns.unworded, text):
            yield Match(*match.span(), "DATE", Strength.CHECKED)
        if patterns.month_sign.search(text) or patterns.year_sign.search(text):
            for match in patterns.worded.finditer(text):
                yield _match_worded(match, patterns)
        for match in _find_from_sign(patterns.age_sign, patterns.age, text):
            group = match.lastgroup or "before"
            kind = Kind.NAME if group == "worded" else Kind.NUMBER
            age = Span(*match.span(group), "AGE", kind)
            yield Match(age.start, age.end, "AGE", Strength.CHECKED, (age,))


def _find_from_sign(
    sign: re.Pattern[str], pattern: re.Pattern[str], text: str
) -> Iterable[re.Match[str]]:
    """Return the matches of ``pattern`` from the first ``sign`` on, which every match contains."""
    first = sign.search(text)
    return pattern.finditer(text, max(0, first.start() - _LONGEST_BEFORE)) if first else ()


def _find_in_digits(text: str, patterns: _Patterns) -> Iterator[Match]:
    for match in _find_from_sign(_NUMERIC_SIGN, _NUMERIC, text):
        if match["y"]:
            orders = [("d", "m")]
        else:
            orders = [("a", "b"), ("b", "a")] if match["a"] else [("a2", "b2")]
        if any(1 <= int(match[day]) <= 31 and 1 <= int(match[m]) <= 12 for day, m in orders):
            short = match["t"] == "-" and len(match["c"]) == 2  # sort codes look like that too
            strength = Strength.SHAPED if short else Strength.CHECKED
            yield Match(*match.span(), "DATE", strength)
    for match in _find_from_sign(_MONTH_OF_SIGN, _SLASHED, text):
        yield Match(*match.span(), "DATE", Strength.SHAPED)
    for match in _find_from_sign(_MONTH_OF_SIGN, _MONTH_OF, text):
        if patterns.expires.search(text, max(0, match.start() - _LONGEST_EXPIRY), match.start()):
            yield Match(*match.span(), "DATE", Strength.NAMED)
    for match in _find_from_sign(_COMPACT_SIGN, _COMPACT, text):
        if patterns.born.search(text, 0, match.start()):
            yield Match(*match.span(), "DATE", Strength.NAMED)


def _match_worded(match: re.Match[str], patterns: _Patterns) -> Match:
    """Make a match whose days and years are parts; the month is translated, unless abbreviated.

    A month without its capital is recognised only within a date.
    """
    if "-" in match.group() and " " not in match.group():
        return Match(*match.span(), "DATE", Strength.CHECKED)
    found = patterns.digits_or_short.finditer(match.string, *match.span())
    parts = tuple(
        Span(*part.span(), "DATE", Kind.NUMBER if part.group()[0].isdigit() else Kind.NAME)
        for part in found
    )
    if month := patterns.small_month.search(match.string, *match.span()):
        parts = tuple(sorted((*parts, Span(*month.span(), "DATE", Kind.WORD))))
    return Match(*match.span(), "DATE", Strength.CHECKED, parts)


DETECTOR = DateDetector
