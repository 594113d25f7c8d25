"""Surrogates of dates in digits: days of the calendar, drawn at random, in the same written form.

Entry: ``random_date``; ``read_date`` finds the fields of a date.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, timedelta
from random import Random

from prism_core.alignment import Span
from prism_core.record import Kind

_BETWEEN = r"(?: / |[-./] ?)"
# *2020-03-12*.
_YEAR_FIRST = re.compile(rf"(?P<y>\d{{4}})({_BETWEEN})(?P<m>\d\d?)({_BETWEEN})(?P<d>\d\d?)")
# *12/03/2020*, *12. 3. 20*; day and month in either order.
_YEAR_LAST = re.compile(rf"(?P<a>\d\d?)({_BETWEEN})(?P<b>\d\d?)({_BETWEEN})(?P<y>\d{{4}}|\d\d)")
# *03/2020*.
_MONTH_AND_YEAR = re.compile(r"(?P<m>\d\d?)(/)(?P<y>\d{4})")
# *20200312*.
_RUN_TOGETHER = re.compile(r"(?P<y>(?:19|20)\d\d)(?P<m>\d\d)(?P<d>\d\d)")
_MIDDLE = 15
"""Day that stands for a month without one."""
_CENTURY_FROM = 70
_DRAWN = {2: (date(1970, 1, 1), date(2069, 12, 31)), 4: (date(1900, 1, 1), date(2099, 12, 31))}
"""First and last day that can be drawn, by the number of digits in the year."""
_DRAWS = 2000


Fields = Mapping[str, Span]
"""Places of the year (y), the month (m) and the day (d) in a date."""


def read_date(text: str) -> Fields | None:
    """Find the fields of ``text`` if it is a date in digits that the calendar has; else None.

    If nothing distinguishes day and month, the day is first between full stops and hyphens, and the
    month is first between strokes, as in American English.
    """
    forms = (_YEAR_FIRST, _YEAR_LAST, _MONTH_AND_YEAR, _RUN_TOGETHER)
    match = next(filter(None, (form.fullmatch(text) for form in forms)), None)
    if match is None:
        return None
    fields = {name: match.span(name) for name in match.groupdict()}
    if "a" in fields:
        first, second = int(match["a"]), int(match["b"])
        day_first = first > 12 if max(first, second) > 12 else "/" not in text
        fields = dict(zip("dmy" if day_first else "mdy", fields.values(), strict=True))
    values = {name: int(text[slice(*span)]) for name, span in fields.items()}
    year = values["y"]
    if len(match["y"]) == 2:
        year += 1900 if year >= _CENTURY_FROM else 2000
    try:
        date(year, values["m"], values.get("d", _MIDDLE))
    except ValueError:
        return None
    return fields


def random_date(text: str, rng: Random) -> str | None:
    """Draw a day in the form of the date ``text``, with as many digits in each place.

    The day is uniform over two centuries, or over one for a year of two digits, whatever day
    ``text`` is. Day and month differ, so that decoding notices when they are swapped. If either may
    come first, both are at most 12, so that the draw does not reveal the order in ``text``. Returns
    None if ``text`` is no date in digits.
    """
    fields = read_date(text)
    if fields is None:
        return None
    widths = {name: end - start for name, (start, end) in fields.items()}
    first, last = _DRAWN[widths["y"]]
    latest = 12 if _YEAR_LAST.fullmatch(text) else 31
    digits = min(width for name, width in widths.items() if name != "y")
    for _ in range(_DRAWS):
        drawn = first + timedelta(days=rng.randrange((last - first).days + 1))
        written = {
            "y": f"{drawn.year:04d}"[-widths["y"] :],
            "m": str(drawn.month).zfill(digits),
            "d": str(drawn.day).zfill(digits),
        }
        if drawn.month != drawn.day <= latest and all(
            len(written[name]) == width for name, width in widths.items()
        ):
            surrogate = text
            for name, (start, end) in fields.items():
                surrogate = surrogate[:start] + written[name] + surrogate[end:]
            return surrogate
    return None


def is_drawn_date(label: str, kind: Kind, text: str) -> bool:
    """Return True if ``random_date`` draws the surrogate for ``text``."""
    return label == "DATE" and kind is Kind.NUMBER and read_date(text) is not None
