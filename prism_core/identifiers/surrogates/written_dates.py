"""Dates as they are written in digits: which day each is, and another day written alike."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random

from prism_core.language import MONTHS

_BETWEEN = r"(?: / |[-./] ?)"
_YEAR_FIRST = re.compile(rf"(?P<y>\d{{4}})({_BETWEEN})(?P<m>\d\d?)({_BETWEEN})(?P<d>\d\d?)")
_YEAR_LAST = re.compile(rf"(?P<a>\d\d?)({_BETWEEN})(?P<b>\d\d?)({_BETWEEN})(?P<y>\d{{4}}|\d\d)")
_MONTH_AND_YEAR = re.compile(r"(?P<m>\d\d?)(/)(?P<y>\d{4})")
_RUN_TOGETHER = re.compile(r"(?P<y>(?:19|20)\d\d)(?P<m>\d\d)(?P<d>\d\d)")
_MONTH_BETWEEN = re.compile(r"(?P<d>\d\d?)(-?)(?P<M>[A-Za-z]{3,9})(-?)(?P<y>\d{4}|\d\d)")
_RUN = re.compile(r"\d+")
_MIDDLE = 15
"""The day that stands for a month without one."""
_CENTURY_FROM = 70
_YEARS = 30
_DRAWS = 100


@dataclass(frozen=True, slots=True)
class WrittenDate:
    """A day, and the text that it is written in: ``fields`` are the parts of ``text`` that name
    its year (y), month (m in digits, M in letters) and day (d), each with its place."""

    text: str
    day: date
    fields: tuple[tuple[str, int, int], ...]

    def of(self, day: date) -> str:
        """``day`` written alike: its separators, its width, its length of the year."""
        written = self.text
        width = min(end - start for name, start, end in self.fields if name in "md")
        for name, start, end in sorted(self.fields, key=lambda one: -one[1]):
            part = _field(name, self.text[start:end], day, width)
            written = written[:start] + part + written[end:]
        return written


def _field(name: str, like: str, day: date, width: int) -> str:
    if name == "y":
        return f"{day.year:04d}" if len(like) > 2 else f"{day.year % 100:02d}"
    if name == "M":
        return month_like(like, day.month)
    return str(day.month if name == "m" else day.day).zfill(width)


def month_like(like: str, month: int) -> str:
    """The English name of ``month``, cut short and in capitals as ``like`` is."""
    name = MONTHS[month - 1].capitalize()
    if len(like) < len(MONTHS[(month_number(like) or 1) - 1]):
        name = name[:3]
    return name.upper() if like.isupper() else name


def month_number(word: str) -> int | None:
    """The number of the month that ``word`` names, in full or cut to three letters or *Sept*."""
    word = word.lower().rstrip(".")
    for number, name in enumerate(MONTHS, start=1):
        if word in (name, name[:3]) or (number == 9 and word == "sept"):
            return number
    return None


def is_day_first(texts: Iterable[str]) -> bool | None:
    """What a date among ``texts`` tells of the order of day and month; None if none does."""
    for text in texts:
        match = _YEAR_LAST.fullmatch(text)
        if match and int(match["a"]) > 12:
            return True
        if match and int(match["b"]) > 12:
            return False
    return None


def read_date(text: str, *, day_first: bool | None = None) -> WrittenDate | None:
    """``text`` as a date in digits, or with a month in letters between them; None if it is none.

    Where nothing tells the day from the month, the day is first between full stops and hyphens,
    and the month between strokes, as in American English.
    """
    for pattern in (_YEAR_FIRST, _YEAR_LAST, _MONTH_AND_YEAR, _RUN_TOGETHER, _MONTH_BETWEEN):
        if match := pattern.fullmatch(text):
            return _read(match, day_first)
    return None


def _read(match: re.Match[str], day_first: bool | None) -> WrittenDate | None:
    groups = {name: match.span(name) for name, value in match.groupdict().items() if value}
    if "a" in groups:
        first, second = int(match["a"]), int(match["b"])
        if first > 12 or second > 12:
            day_first = first > 12
        elif day_first is None:
            day_first = "/" not in match.group()
        order = ("d", "m") if day_first else ("m", "d")
        groups = {order[0]: groups["a"], order[1]: groups["b"], "y": groups["y"]}
    values = {name: match.string[slice(*span)] for name, span in groups.items()}
    month = month_number(values["M"]) if "M" in values else int(values["m"])
    try:
        day = date(full_year(values["y"]), month or 0, int(values.get("d", _MIDDLE)))
    except ValueError:
        return None
    return WrittenDate(match.string, day, tuple((name, *span) for name, span in groups.items()))


def full_year(text: str) -> int:
    """A year of four digits or two; two are those from 1970 to 2069."""
    year = int(text)
    if len(text) > 2:
        return year
    return year + (1900 if year >= _CENTURY_FROM else 2000)


def random_date(text: str, rng: Random) -> str | None:
    """A day of some year near, written as the date ``text`` is, with as many digits in each place.

    Its day and month differ, so that it is known when they are turned round. None when ``text`` is
    no date in digits.
    """
    written = read_date(text)
    if written is None:
        return None
    widths = [len(run) for run in _RUN.findall(text)]
    for _ in range(_DRAWS):
        drawn = written.day + timedelta(days=rng.randrange(-365 * _YEARS, 365 * _YEARS))
        surrogate = written.of(drawn)
        if drawn.day != drawn.month and [len(run) for run in _RUN.findall(surrogate)] == widths:
            return surrogate
    return None
