"""Numbers of a text compared with those of its translation, each in the format of its language.

Entry: ``match_numbers``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from prism_core.languages import BLANKS, NumberFormat

_NUMBER = re.compile(rf"\d{{1,3}}(?:[{BLANKS}]\d{{3}})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,'’]\d+)*")
_DECADE = re.compile(r"\d\d(\d0)['’]?s\b")
_HALF_DAY = re.compile(r"\d\s*[ap]\.?\s?m\b", re.IGNORECASE)
_NOON = 12
MAGNITUDE = re.compile(
    r"\s*(?:mil|mio|mln|bil|bln|tril|taus|tuse|tusi|duiz|tys|tis|ezer|тис|тыс|млн|млрд|хил)",
    re.IGNORECASE,
)
"""Beginnings of words for thousand, million and more, in languages of Europe."""
_ROMAN = ((10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))
_LARGEST_ROMAN = 30
"""Largest number that may come back in Roman numerals: of a century, a king, a chapter."""


@dataclass(frozen=True, slots=True)
class MatchedNumbers:
    """Result of ``match_numbers``.

    ``rewritten`` are the numbers of the translation whose separators alone were wrong, by their
    places. ``lost`` are numbers of the source that it lacks, ``added`` counts those it has besides.
    """

    rewritten: Mapping[tuple[int, int], str]
    lost: tuple[str, ...]
    added: int

    def correct(self, translation: str) -> str:
        """Return ``translation`` with the numbers of ``rewritten``."""
        for (start, end), number in sorted(self.rewritten.items(), reverse=True):
            translation = translation[:start] + number + translation[end:]
        return translation


def match_numbers(
    source: str, translation: str, written: NumberFormat, wanted: NumberFormat
) -> MatchedNumbers:
    """Match the numbers of ``source``, in the format ``written``, with those of ``translation``.

    A number counts as found with its value in the format ``wanted``, or as it was where that format
    gives it no other value (*version 3.2*). Hours after noon count in either half of the day,
    decades by their last two digits, thousands with a word for them (*100 mil*), and small numbers
    in Roman numerals (*século XV*).
    """
    free = list(_NUMBER.finditer(translation))
    lost: list[str] = []
    rewritten: dict[tuple[int, int], str] = {}
    by_half_day = _HALF_DAY.search(source) is not None
    decades = {found[0][:4]: found[1] for found in _DECADE.finditer(source)}
    for found in _NUMBER.finditer(source):
        number = found[0]
        value = written.value_of(number)
        values = {decades.get(number, number), value or number}
        if by_half_day and number.isdecimal() and int(number) <= _NOON:
            values.add(str(int(number) % _NOON + _NOON))
        same = next((a for a in free if _has_value(a, number, values, wanted)), None)
        if same is None and (same := _find_digits(free, number)) is not None:
            rewritten[same.span()] = number if value is None else wanted.write(value)
        if same is not None:
            free.remove(same)
        elif not stands_in_roman(number, translation):
            lost.append(number)
    added = sum(not (by_half_day and found[0] == "00") for found in free)  # 5 p.m.: 17:00
    return MatchedNumbers(rewritten, tuple(lost), added)


def _has_value(found: re.Match[str], number: str, values: set[str], wanted: NumberFormat) -> bool:
    value = wanted.value_of(found[0])
    if value is None:
        return found[0] == number
    if value in values:
        return True
    is_followed = MAGNITUDE.match(found.string, found.end()) is not None
    return is_followed and any(re.fullmatch(rf"{value}(?:000)+", whole) for whole in values)


def _find_digits(free: list[re.Match[str]], number: str) -> re.Match[str] | None:
    """Return the only number with the digits of ``number``, however they are separated."""
    digits = re.sub(r"\D", "", number)
    same = [found for found in free if re.sub(r"\D", "", found[0]) == digits]
    return same[0] if len(same) == 1 and len(digits) > 1 else None


def stands_in_roman(number: str, text: str) -> bool:
    """Return True if a small ``number`` stands in ``text`` in Roman numerals."""
    if not number.isdecimal() or not 0 < int(number) <= _LARGEST_ROMAN:
        return False
    rest, roman = int(number), ""
    for value, letters in _ROMAN:
        roman += letters * (rest // value)
        rest %= value
    return re.search(rf"\b{roman}\b", text) is not None
