"""Date surrogates: dates in their written form, drawn at random or shifted by secret weeks.

Entry: ``shift_dates`` shifts all dates of a sentence. It groups the identifiers of each date
(``_group_parts``), reads the date (``read_date`` for digits), shifts it, and writes it in the same
form. Order, distances and weekdays are kept. ``random_date`` draws a day in digits.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random
from typing import NamedTuple

from prism_core.dictionary import Dictionary
from prism_core.identifiers.base import Identifier
from prism_core.identifiers.format_preserving import ordinal_like
from prism_core.identifiers.scopes import KeyedRandom
from prism_core.language import Sentence
from prism_core.languages import Dates, Language
from prism_core.record import Kind, Replacement

_BETWEEN = r"(?: / |[-./] ?)"
# *2020-03-12*.
_YEAR_FIRST = re.compile(rf"(?P<y>\d{{4}})({_BETWEEN})(?P<m>\d\d?)({_BETWEEN})(?P<d>\d\d?)")
# *12/03/2020*, *12. 3. 20*; day and month in either order.
_YEAR_LAST = re.compile(rf"(?P<a>\d\d?)({_BETWEEN})(?P<b>\d\d?)({_BETWEEN})(?P<y>\d{{4}}|\d\d)")
# *03/2020*.
_MONTH_AND_YEAR = re.compile(r"(?P<m>\d\d?)(/)(?P<y>\d{4})")
# *20200312*.
_RUN_TOGETHER = re.compile(r"(?P<y>(?:19|20)\d\d)(?P<m>\d\d)(?P<d>\d\d)")
# *12-Mar-20*, *12Mar2020*.
_MONTH_BETWEEN = re.compile(r"(?P<d>\d\d?)(-?)(?P<M>[^\W\d_]{3,})(-?)(?P<y>\d{4}|\d\d)")
_RUN = re.compile(r"\d+")
_MIDDLE = 15
"""Day that stands for a month without one."""
_CENTURY_FROM = 70
_DRAWN = {2: (date(1970, 1, 1), date(2069, 12, 31)), 4: (date(1900, 1, 1), date(2099, 12, 31))}
"""First and last day that can be drawn, by the number of digits in the year."""
_DRAWS = 2000


@dataclass(frozen=True, slots=True)
class WrittenDate:
    """Day together with the text that it is written in.

    ``fields`` are the parts of ``text`` for year (y), month (m in digits, M in letters) and day
    (d), each with its start and end. ``words`` are the date words of its language.
    """

    text: str
    day: date
    fields: tuple[tuple[str, int, int], ...]
    words: Dates

    def write(self, day: date) -> str:
        """Write ``day`` in the same form: same separators, width and length of the year."""
        written = self.text
        width = min(end - start for name, start, end in self.fields if name in "md")
        for name, start, end in sorted(self.fields, key=lambda field: -field[1]):
            if name == "y":
                part = f"{day.year:04d}" if end - start > 2 else f"{day.year % 100:02d}"
            elif name == "M":
                part = self.words.month_like(self.text[start:end], day.month)
            else:
                part = str(day.month if name == "m" else day.day).zfill(width)
            written = written[:start] + part + written[end:]
        return written


def is_day_first(texts: Iterable[str]) -> bool | None:
    """Infer the order of day and month from a date in ``texts``; None if none is decisive."""
    for text in texts:
        match = _YEAR_LAST.fullmatch(text)
        if match and int(match["a"]) > 12:
            return True
        if match and int(match["b"]) > 12:
            return False
    return None


def read_date(text: str, words: Dates, *, day_first: bool | None = None) -> WrittenDate | None:
    """Read ``text`` as a date in digits, or with a month in letters between them; else None.

    If nothing distinguishes day and month, the day is first between full stops and hyphens, and the
    month is first between strokes, as in American English.
    """
    forms = (_YEAR_FIRST, _YEAR_LAST, _MONTH_AND_YEAR, _RUN_TOGETHER, _MONTH_BETWEEN)
    match = next(filter(None, (form.fullmatch(text) for form in forms)), None)
    if match is None:
        return None
    groups = {name: match.span(name) for name, value in match.groupdict().items() if value}
    if "a" in groups:
        first, second = int(match["a"]), int(match["b"])
        if first > 12 or second > 12:
            day_first = first > 12
        elif day_first is None:
            day_first = "/" not in text
        order = ("d", "m") if day_first else ("m", "d")
        groups = {order[0]: groups["a"], order[1]: groups["b"], "y": groups["y"]}
    values = {name: text[slice(*span)] for name, span in groups.items()}
    month = words.month_number(values["M"]) if "M" in values else int(values["m"])
    try:
        day = date(full_year(values["y"]), month or 0, int(values.get("d", _MIDDLE)))
    except ValueError:
        return None
    fields = tuple((name, *span) for name, span in groups.items())
    return WrittenDate(text, day, fields, words)


def full_year(text: str) -> int:
    """Read a year of four digits or two; two digits mean 1970 to 2069."""
    year = int(text)
    if len(text) > 2:
        return year
    return year + (1900 if year >= _CENTURY_FROM else 2000)


def random_date(text: str, rng: Random, words: Dates) -> str | None:
    """Draw a day in the form of the date ``text``, with as many digits in each place.

    The day is uniform over two centuries, or over one for a year of two digits, whatever day
    ``text`` is. Day and month differ, so that decoding notices when they are swapped. If either may
    come first, both are at most 12, so that the draw does not reveal the order in ``text``. Returns
    None if ``text`` is no date in digits.
    """
    written = read_date(text, words)
    if written is None:
        return None
    widths = [len(run) for run in _RUN.findall(text)]
    year = next(end - start for name, start, end in written.fields if name == "y")
    first, last = _DRAWN[year]
    latest = 12 if _YEAR_LAST.fullmatch(text) else 31
    for _ in range(_DRAWS):
        drawn = first + timedelta(days=rng.randrange((last - first).days + 1))
        surrogate = written.write(drawn)
        if (
            drawn.month != drawn.day <= latest
            and [len(run) for run in _RUN.findall(surrogate)] == widths
        ):
            return surrogate
    return None


_MOST_WEEKS = 521
SHIFTS = range(-_MOST_WEEKS, _MOST_WEEKS + 1)
"""Numbers of weeks that a document's dates may be shifted by; none is excluded.

Without 0 and whole years a month would never stand for itself. An observer of many documents would
then learn which month a day was not in.
"""
_JOINERS = frozenset(",.-–/")
_YEAR = re.compile(r"['’]?(?:\d{4}|\d\d)")
_BARE_YEAR = re.compile(r"(?:19|20)\d\d")
_ORDERS = frozenset("dmy mdy ymd dm md my m ddmy ddm mddy mdd".split())
_NO_LEAP_YEAR, _LEAP_YEAR = 2001, 2000


@dataclass(frozen=True, slots=True)
class ShiftedDates:
    """Surrogates of the identifiers that are parts of dates, by position in the sentence.

    ``own`` are the dates themselves; the leak check looks for them outside the surrogates.
    """

    surrogates: Mapping[int, str]
    own: tuple[str, ...]


class _Part(NamedTuple):
    """Part of a date.

    ``name`` is ``d``, ``m`` or ``y``, ``w`` for a weekday, or ``n`` for a whole date in digits.
    """

    identifier: Identifier
    text: str
    name: str


def shift_dates(
    sentence: Sentence, identifiers: Sequence[Identifier], secret: bytes, dictionary: Dictionary
) -> ShiftedDates:
    """Shift every date of ``sentence`` by the weeks that ``secret`` determines, in its own form.

    A date without a year is read in a year that is no leap year, a month as its middle, and a year
    as its middle. A date that cannot be read is left out: it is to be drawn at random.
    """
    weeks = KeyedRandom(secret, b"shift").choice(SHIFTS)
    days, language = timedelta(weeks=weeks), dictionary.language
    parts = [
        part for identifier in identifiers if (part := _read_part(sentence, identifier, dictionary))
    ]
    day_first = is_day_first(part.text for part in parts)
    surrogates: dict[int, str] = {}
    own: list[str] = []
    for group in _group_parts(sentence, parts, language.dates):
        shifted = _shift_group(group, days, language, day_first=day_first)
        if shifted is not None:
            surrogates |= {
                part.identifier.position: text for part, text in zip(group, shifted, strict=True)
            }
            if [part.name for part in group] not in (["w"], ["y"]):
                own.append(" ".join(part.text for part in group))
    return ShiftedDates(surrogates, tuple(own))


def _read_part(sentence: Sentence, identifier: Identifier, dictionary: Dictionary) -> _Part | None:
    text, language = identifier.text_in(sentence), dictionary.language
    if identifier.kind is Kind.WORD:
        entry = dictionary.calendar_entry(text)
        is_month = entry is not None and entry.tag == "MONTH"
        return _Part(identifier, text, "m" if is_month else "w")
    if identifier.label == "NUMBER":
        return _Part(identifier, text, "y") if _BARE_YEAR.fullmatch(text) else None
    if identifier.label != "DATE":
        return None
    if language.dates.month_number(text):
        return _Part(identifier, text, "m")
    if re.fullmatch(rf"(\d\d?)(?: ?{language.numbers.ordinal})?", text, re.IGNORECASE):
        return _Part(identifier, text, "d")
    return _Part(identifier, text, "y" if _YEAR.fullmatch(text) else "n")


def _group_parts(sentence: Sentence, parts: Sequence[_Part], words: Dates) -> Iterator[list[_Part]]:
    """Group the parts of each date: adjacent ones that together can be one date."""
    group: list[_Part] = []
    for part in parts:
        short_year = part._replace(name="y") if part.name == "d" else part
        if group and _continues_date(sentence, group, part, words):
            group.append(part)
        elif group and len(part.text) > 1 and _continues_date(sentence, group, short_year, words):
            group.append(short_year)
        else:
            if group:
                yield group
            group = [part]
    if group:
        yield group


def _continues_date(sentence: Sentence, group: Sequence[_Part], part: _Part, words: Dates) -> bool:
    last = group[-1].identifier
    between = sentence.tokens[last.position + last.length : part.identifier.position]
    if not all(token.text in _JOINERS or token.text.lower() in words.joiners for token in between):
        return False
    names = "".join(member.name for member in (*group, part))
    return any(order.startswith(names) for order in _ORDERS)


def _shift_group(
    group: Sequence[_Part], days: timedelta, language: Language, *, day_first: bool | None
) -> list[str] | None:
    """Return surrogates for the parts of one date; None if it cannot be read as a date."""
    names = "".join(part.name for part in group)
    try:
        if names == "w":
            return [group[0].text]
        if names == "n":
            written = read_date(group[0].text, language.dates, day_first=day_first)
            return None if written is None else [written.write(written.day + days)]
        if names == "y":
            return [str((date(int(group[0].text), 7, 1) + days).year)]
        return _shift_worded(group, days, language) if names in _ORDERS else None
    except (ValueError, OverflowError):
        return None


def _shift_worded(group: Sequence[_Part], days: timedelta, language: Language) -> list[str]:
    month = next(language.dates.month_number(part.text) or 0 for part in group if part.name == "m")
    years = [full_year(part.text.lstrip("'’")) for part in group if part.name == "y"]
    numbers = [int(_RUN.findall(part.text)[0]) for part in group if part.name == "d"] or [_MIDDLE]
    unsaid = _LEAP_YEAR if (month, numbers[0]) == (2, 29) else _NO_LEAP_YEAR
    year = years[0] if years else unsaid
    shifted = [date(year, month, number) + days for number in numbers]
    days_in_order, first = iter(shifted), shifted[0]
    written = []
    for part in group:
        if part.name == "m":
            written.append(language.dates.month_like(part.text, first.month))
        elif part.name == "d":
            written.append(ordinal_like(part.text, next(days_in_order).day, language.numbers))
        else:
            mark = part.text[: len(part.text) - len(part.text.lstrip("'’"))]
            short = f"{first.year:04d}" if len(part.text) > 3 else f"{first.year % 100:02d}"
            written.append(mark + short)
    return written


def is_drawn_date(label: str, kind: Kind, text: str, words: Dates) -> bool:
    """Return True if ``random_date`` draws the surrogate for ``text``."""
    return label == "DATE" and kind is Kind.NUMBER and read_date(text, words) is not None


def is_part_of_date(replacement: Replacement, language: Language) -> bool:
    """Return True for a day, month, year or weekday; False for a whole date in digits."""
    if replacement.kind is Kind.WORD:
        return True
    if replacement.tag not in ("DATE", "NUMBER"):
        return False
    if _BARE_YEAR.fullmatch(replacement.word):
        return True
    return replacement.tag == "DATE" and not read_date(replacement.word, language.dates)
