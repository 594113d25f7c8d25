"""Numbers that are plainly amounts, so that detectors need not be asked about them.

Most numbers of most texts are: *5 mg*, *37.2*, *in 2019*. They are replaced like all others; this
only spares the time to look what they might identify.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from enum import IntEnum

from prism_core.identifiers.base import Span
from prism_core.language import MONTHS, is_function_word


class Look(IntEnum):
    """Which detectors can find anything at a number: none, that of dates, or all."""

    NOWHERE = 0
    FOR_DATES = 1
    EVERYWHERE = 2


_LONGEST = 7
_LONGEST_BARE = 4
"""Digits of an amount without commas; more may be a number that is given out."""
_APART = 3
_ENDING = 4
_MARKS = frozenset("-–:#=(/")
_ANNOUNCES = frozenset(
    "no nos nr num number numbers n id ids identifier code ref reference º n° nº with nummer ext "
    "extension ending ends".split()
)
_COPULAS = frozenset("is was are reads shows".split())
_EXPIRES = frozenset(
    "exp expiry expires expired expiring date thru through until till to in".split()
)
_MONTH_OF_YEAR = re.compile(r"\d{1,2}[-/]\d\d")
"""What stands before a month and its year, and these: *valid thru 10/25*."""
_CONTINUES = ("rue ", "av", "bo", "pl", "qu", "ch", "im", "al", "ul", "day ", "st ", "bis", "ter")
"""What goes on after a house number."""
_NUMBERED_PARTS = frozenset(
    "figure fig table day week grade stage type section chapter article phase step level "
    "item".split()
)
_MONTHS = tuple(month[:3] for month in MONTHS)
_IN_A_DATE = ("of ", *_MONTHS)
"""What goes on after the day of a month."""
_BOUND = re.compile(r"(?:[A-Za-z]+[-‐])+\d{1,2}")
"""Codes that are words: *COVID-19*."""
_NAMELESS = re.compile(
    r"\d{1,4}(?:[.,/]\d{1,3})?/?[A-Za-z]{1,4}|\d{1,4}/[a-z]{1,3}\d|x\d{1,3}(?:/[A-Za-z])?|"
    r"[A-Z][A-Za-z]{0,3}\d{1,2}"
)
"""Codes that are amounts, or too short for any number that is given out: *27km*, *CD4*."""
_RANGE = re.compile(r"\d{1,3}-\d{1,3}|\d{1,3}/\d{2,3}")
_JOINS = re.compile(r"[ \-–/.()]*")
_AGES = frozenset("age ages aged of at turn turned turns turning".split())
_UNITS = re.compile(r"(?:IU|Hz|[AP]M)\b|[UFCL][ /]")


def where_to_look(text: str, spans: Sequence[Span], announces: Collection[str]) -> Look:
    """What may be found at ``spans``, all numbers and codes of ``text``.

    ``announces`` are words, in lower case, that give a number of any length a class.
    """
    look = Look.NOWHERE
    done = -1
    for span in spans:
        if done >= 0 and span.start - done <= _APART and _JOINS.fullmatch(text, done, span.start):
            return Look.EVERYWHERE  # two that may be one, written apart
        done = span.end
        value = text[span.start : span.end]
        if text[span.start - 1 : span.start].isalpha():
            return Look.EVERYWHERE  # a piece of a code: *00:00:A0*
        if span.label == "CODE":
            if _BOUND.fullmatch(value):
                continue
            short = (
                _NAMELESS.fullmatch(value) and value.rstrip("0123456789").lower() not in announces
            )
        else:
            short = span.label == "NUMBER" and _is_short(value)
        if not short:
            return Look.EVERYWHERE
        look = max(look, _beside(text, span, announces))
        if look is Look.EVERYWHERE:
            return look
    return look


def _is_short(value: str) -> bool:
    if len(value) > _LONGEST or value.count(".") > 1:
        return False
    if value.isdigit():
        return len(value) <= _LONGEST_BARE
    return not ("-" in value or "/" in value) or bool(_RANGE.fullmatch(value))


def _may_be_age(value: str, bare: str, after: str) -> bool:
    """Whether a number of years over 89 may stand here."""
    if value[0] not in "91" or not value.isdigit() or not 90 <= int(value) < 140:
        return False
    return bare in _AGES or after[:1] == "," or after.lstrip(" -").startswith("y")


def _beside(text: str, span: Span, announces: Collection[str]) -> Look:
    """What the words right before and after a short number make possible."""
    following = text[span.end : span.end + 6]
    after = following.lstrip(" ,-")
    before, rest = _word_before(text, span.start)
    if before in _COPULAS:
        before, _ = _word_before(text, rest)
    bare = before.lower().strip(".()")
    month = before[:1].isupper() and bare.startswith(_MONTHS)
    if bare in _ANNOUNCES or bare in announces or (before[-1:] in _MARKS and len(before) > 1):
        return Look.EVERYWHERE
    if bare == "in" and span.end - span.start == _ENDING and text[span.start] not in "12":
        return Look.EVERYWHERE  # no year: *a card ending in 4417*
    if bare in _EXPIRES and _MONTH_OF_YEAR.fullmatch(text, span.start, span.end):
        return Look.FOR_DATES
    if _may_be_age(text[span.start : span.end], bare, following):
        return Look.EVERYWHERE
    if before.lstrip("([\"'“")[:1].isupper() and not (
        month or bare in _NUMBERED_PARTS or is_function_word(bare)
    ):
        return Look.EVERYWHERE
    if after[:1].isupper() and not _UNITS.match(after):
        month_after = after[:3].lower() in _MONTHS
        return Look.FOR_DATES if month_after else Look.EVERYWHERE
    if after[:1].isdigit() or after.startswith(_CONTINUES):
        return Look.EVERYWHERE
    month = month or after.startswith(_IN_A_DATE) or after.lstrip(". ")[:3].lower() in _MONTHS
    return Look.FOR_DATES if month else Look.NOWHERE


def _word_before(text: str, end: int) -> tuple[str, int]:
    """The word before ``end``, and where it begins."""
    start = text.rfind(" ", 0, max(0, end - 1)) + 1
    return text[start:end].rstrip(" ,"), start
