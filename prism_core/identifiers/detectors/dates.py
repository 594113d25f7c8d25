"""Dates in digits and in words, and ages over 89 (45 CFR 164.514(b)(2)(i)(C)).

Entry: ``DateDetector.find``, with ``_find_in_digits`` for *12/03/1987*. The patterns are in
``data/identifiers/dates.toml``; the words of the language are put into them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from prism_core.identifiers.base import Detection, Detector, Span, Strength
from prism_core.identifiers.shape_tables import read_patterns
from prism_core.languages import Language
from prism_core.record import Kind

_LONGEST_EXPIRY = 32
_LONGEST_BEFORE = 48
"""Most characters of a date or an age before the first position of its sign."""
Patterns = Mapping[str, re.Pattern[str]]


def read_date_patterns(language: Language) -> Patterns:
    """Return the patterns of dates and ages in the words of ``language``."""
    words, endings = language.dates, language.numbers.ordinal_endings
    names = sorted((*words.months, *words.short_months), key=len, reverse=True)
    forms = [form for name in names for form in (name.title(), name.upper())]
    forms += [name for name in words.months if words.small_months]
    ordinal = "|".join((*endings, *map(str.upper, endings))) or "(?!)"
    given = {
        "MONTH": rf"(?:{'|'.join(forms)})(?![^\W\d_])\.?",
        "SMALL": f"(?:{'|'.join(names)})",
        "DAY": rf"(?:0?[1-9]|[12]\d|3[01])(?: ?(?:{ordinal}))?",
        "FIRST": "".join({name[0].upper() for name in names}),
        "OF": words.of,
        "OF_MONTH": words.of_month,
        "BETWEEN_DAYS": words.between_days,
        "BETWEEN_DAYS_OF": words.between_days_of,
    }
    short = "|".join(words.short_months)
    return read_patterns("dates", given) | {
        "born": re.compile(rf"{words.born}[^\d]{{0,12}}$", re.IGNORECASE),
        "expires": re.compile(rf"{words.expires} ?$", re.IGNORECASE),
        "age": re.compile(words.over_89),
        "age_sign": re.compile(words.over_89_sign),
        "small_month": re.compile(rf"\b(?:{'|'.join(words.months)})\b"),
        "digits_or_short": re.compile(rf"\d+(?:{ordinal})?|\b(?:{short})\b", re.IGNORECASE),
        # Begins with one sign or a set of them, which is found fast.
        "month_sign": re.compile("|".join(sorted({form[:3] for form in forms}))),
    }


class DateDetector(Detector):
    """Detector of dates that the calendar has, in any order; a year alone identifies nobody."""

    order = 20

    def __init__(self, language: Language) -> None:
        self._patterns = known = read_date_patterns(language)
        in_digits = ("numeric_sign", "month_of_sign", "compact_sign", "unworded_sign")
        together = re.compile("|".join(known[name].pattern for name in in_digits))
        self.signs = (together, known["month_sign"], known["year_sign"], known["age_sign"])
        self.signs_without_digits = (known["age_sign"],)

    def find(self, text: str) -> Iterator[Detection]:
        """Yield the dates of ``text``, and the ages over 89."""
        patterns = self._patterns
        yield from _find_in_digits(text, patterns)
        for match in _find_from_sign(patterns, "unworded_sign", "unworded", text):
            yield Detection(*match.span(), "DATE", Strength.CHECKED)
        if patterns["month_sign"].search(text) or patterns["year_sign"].search(text):
            for match in patterns["worded"].finditer(text):
                place, parts = match.span(), list[Span]()
                if "-" not in match.group() or " " in match.group():
                    for part in patterns["digits_or_short"].finditer(text, *place):
                        kind = Kind.NUMBER if part.group()[0].isdigit() else Kind.NAME
                        parts.append(Span(*part.span(), "DATE", kind))
                    # A month is translated; without its capital it is one only within a date.
                    if month := patterns["small_month"].search(text, *place):
                        parts = sorted([*parts, Span(*month.span(), "DATE", Kind.WORD)])
                yield Detection(*place, "DATE", Strength.CHECKED, tuple(parts))
        for match in _find_from_sign(patterns, "age_sign", "age", text):
            group = match.lastgroup or "before"
            kind = Kind.NAME if group == "worded" else Kind.NUMBER
            age = Span(*match.span(group), "AGE", kind)
            yield Detection(age.start, age.end, "AGE", Strength.CHECKED, (age,))


def _find_from_sign(patterns: Patterns, sign: str, name: str, text: str) -> Iterable[re.Match[str]]:
    """Return the matches of a pattern from the first ``sign`` on, which every match contains."""
    first = patterns[sign].search(text)
    return patterns[name].finditer(text, max(0, first.start() - _LONGEST_BEFORE)) if first else ()


def _find_in_digits(text: str, patterns: Patterns) -> Iterator[Detection]:
    for match in _find_from_sign(patterns, "numeric_sign", "numeric", text):
        if match["y"]:
            orders = [("d", "m")]
        else:
            orders = [("a", "b"), ("b", "a")] if match["a"] else [("a2", "b2")]
        if any(1 <= int(match[day]) <= 31 and 1 <= int(match[m]) <= 12 for day, m in orders):
            short = match["t"] == "-" and len(match["c"]) == 2  # sort codes look like that too
            strength = Strength.SHAPED if short else Strength.CHECKED
            yield Detection(*match.span(), "DATE", strength)
    for match in _find_from_sign(patterns, "month_of_sign", "slashed", text):
        yield Detection(*match.span(), "DATE", Strength.SHAPED)
    for match in _find_from_sign(patterns, "month_of_sign", "month_of", text):
        if patterns["expires"].search(text, max(0, match.start() - _LONGEST_EXPIRY), match.start()):
            yield Detection(*match.span(), "DATE", Strength.NAMED)
    for match in _find_from_sign(patterns, "compact_sign", "compact", text):
        if patterns["born"].search(text, 0, match.start()):
            yield Detection(*match.span(), "DATE", Strength.NAMED)


DETECTOR = DateDetector
