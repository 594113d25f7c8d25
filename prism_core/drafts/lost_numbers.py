"""Numbers and amounts of a text compared with those of its translation.

Numbers in digits are read in the format of each language. Amounts in words may have any form:
*two thousand* may have become *2.000*, *2 mil* or *dos mil*; the words of numbers are those of the
Unicode CLDR.

Entry: ``match_numbers`` for digits, ``lacks_amount`` for an amount in words, ``changes_unit``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache

from prism_core.alignment import Span, put_in
from prism_core.dictionary import without_accents
from prism_core.languages import (
    BLANKS,
    Amount,
    AmountKind,
    NumberFormat,
    number_format,
    spell_ordinal,
    spell_out,
)
from prism_core.resources import SHIPPED_LANGUAGES, read_rows

_NUMBER = re.compile(rf"\d{{1,3}}(?:[{BLANKS}]\d{{3}})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,'’]\d+)*")
_DECADE = re.compile(r"\d\d(\d0)['’]?s\b")
_HALF_DAYS = re.compile(r"\d\s*[ap]\.?\s?m\b", re.IGNORECASE)
_AFTER_NOON = re.compile(r"(?::\d\d)?\s*p\.?\s?m\b", re.IGNORECASE)
_UNIT = re.compile(r"\s?(?:%|°|(?:[kcdmµμ]?[glLm]|mmol|mmHg)\b)")
"""Units right behind a number."""
_CLOCK_STOP = re.compile(r"\b(\d{1,2})\.(\d\d)(?=\s?[ap]\.?\s?m\b)", re.IGNORECASE)
"""Time of day with a stop (*6.30 pm*), which is no number with a fraction."""
_ROMAN = ((10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))
_LARGEST_ROMAN = 30
"""Largest number that may come back in Roman numerals: of a century, a king, a chapter."""
_TOKEN = re.compile(r"\d+(?:[.,'’\u00a0\u202f ]\d{3})*(?:[.,]\d+)?|[^\W\d_]+|[^\w\s-]")
_MORE_DIGITS = re.compile(r"\d+")
_COLLECTIVES = {6: "dozen", 12: "dozen", 100: "hundred", 1000: "thousand"}
_FRACTIONS = {15: "quarter", 30: "half", 45: "quarter"}
"""Minutes that are a part of an hour."""
_UNITS = (1, 10**3, 10**6, 10**9, 10**12)
_HALF_DAY, _HOUR = 12, 60


@cache
def _read_words() -> Mapping[str, Sequence[str]]:
    """Read the words for amounts, by what they say; see the file."""
    rows = read_rows(SHIPPED_LANGUAGES / "amount_words.tsv")
    return {name: words.split() for name, words in rows}


@cache
def _beginnings(name: str, before: str = r"\b") -> re.Pattern[str]:
    """Return the pattern of where a word for ``name`` begins, behind the pattern ``before``."""
    return re.compile(rf"{before}(?:{'|'.join(_read_words()[name])})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class MatchedNumbers:
    """Result of ``match_numbers``.

    ``rewritten`` are the numbers of the translation whose separators alone were wrong, by their
    places. ``lost`` are numbers of the source that it lacks, ``added`` counts those it has besides.
    """

    rewritten: Mapping[Span, str]
    lost: tuple[str, ...]
    added: int

    def correct(self, translation: str) -> str:
        """Return ``translation`` with the numbers of ``rewritten``."""
        changes = {span: (span, number) for span, number in self.rewritten.items()}
        return put_in(translation, changes)[0]


def match_numbers(
    source: str,
    translation: str,
    written: NumberFormat,
    wanted: NumberFormat,
    amounts: Collection[str] = (),
) -> MatchedNumbers:
    """Match the numbers of ``source``, in the format ``written``, with those of ``translation``.

    A number counts as found with its value in the format ``wanted``, or as it was where that format
    gives it no other value (*version 3.2*), unless it has a unit or is in one of ``amounts``. Hours
    after noon count as those of 24, or beside a word for this half of the day, and small numbers in
    Roman numerals (*século XV*).
    """
    source, translation = (_CLOCK_STOP.sub(r"\1:\2", text) for text in (source, translation))
    free = list(_NUMBER.finditer(translation))
    lost: list[str] = []
    rewritten: dict[Span, str] = {}
    by_half_day = _HALF_DAYS.search(source) is not None
    says_half_day = _beginnings("afternoon", "").search(without_accents(translation.lower()))
    decades = {found[0][:4]: found[1] for found in _DECADE.finditer(source)}
    for found in _NUMBER.finditer(source):
        number = found[0]
        value = written.value_of(number)
        values = {value or number, decades.get(number, value or number)}
        is_hour = by_half_day and source[: found.start()][-1:] != ":"
        if is_hour and number.isdecimal() and int(number) <= _HALF_DAY:
            later = str(int(number) % _HALF_DAY + _HALF_DAY)
            is_later = not says_half_day and _AFTER_NOON.match(source, found.end())
            values = {later} if is_later else values | {later}
        is_amount = "," in number or written.thousands in number  # no version
        is_amount = is_amount or any(number in amount for amount in amounts)
        is_amount = is_amount or _UNIT.match(source, found.end()) is not None
        as_is = "" if value and is_amount else number
        same = next((a for a in free if _has_value(a, as_is, values, wanted)), None)
        digits = re.sub(r"\D", "", number)
        others = [a for a in free if same is None and wanted.value_of(a[0]) != value]
        alike = [a for a in others if re.sub(r"\D", "", a[0]) == digits]
        if len(alike) == 1 and len(digits) > 1:  # separated in another way
            (same,) = alike
            rewritten[same.span()] = number if value is None else wanted.write(value)
        if same is not None:
            free.remove(same)
        elif not _stands_in_roman(number, translation):
            lost.append(number)
    added = sum(not (by_half_day and found[0] == "00") for found in free)  # 5 p.m.: 17:00
    return MatchedNumbers(rewritten, tuple(lost), added)


def _has_value(found: re.Match[str], number: str, values: set[str], wanted: NumberFormat) -> bool:
    value = wanted.value_of(found[0])
    if value is None:
        return found[0] == number
    if value in values:
        return True
    is_followed = _beginnings("magnitude", r"\s*").match(found.string, found.end()) is not None
    return is_followed and any(re.fullmatch(rf"{value}(?:000)+", whole) for whole in values)


def _stands_in_roman(number: str, text: str) -> bool:
    """Return True if a small ``number`` stands in ``text`` in Roman numerals."""
    if not number.isdecimal() or not 0 < int(number) <= _LARGEST_ROMAN:
        return False
    rest, roman = int(number), ""
    for value, letters in _ROMAN:
        roman += letters * (rest // value)
        rest %= value
    return re.search(rf"\b{roman}\b", text) is not None


def lacks_amount(amount: Amount, translation: str, target: str) -> bool:
    """Return True if ``translation`` has no form of ``amount`` that is known in ``target``."""
    if spell_out(1, target) is None:
        return False
    tokens = _tokens(translation)
    if amount.kind is AmountKind.CLOCK:
        return not _tells_time(amount, tokens, target)
    if amount.kind is AmountKind.FRACTION:
        return not any(_says(Decimal(n), tokens, target) for n in amount.digits.split("/")[:1])
    if amount.kind is AmountKind.ORDINAL:
        said = _stands_in_roman(amount.digits, translation) or amount.digits in tokens
        ordinals = spell_ordinal(int(amount.digits), target)
        return not said and not any(_find(_tokens(words), tokens) for words in ordinals)
    if _says(amount.value, tokens, target):
        return False
    plain = without_accents(translation.lower())
    for number, collective in _COLLECTIVES.items():
        count, rest = divmod(amount.value, number)
        is_there = not rest and _beginnings(collective).search(plain)
        is_counted = collective == "dozen" and _says(count, tokens, target)  # *quatro dúzias*
        if is_there and (count == 1 or is_counted):
            return False
    whole, _, fraction = amount.digits.partition(".")
    if not _beginnings("half").search(plain):
        return True
    if fraction == "5":  # *four hours and a half*, *três milhões e meio*
        return not _says(Decimal(whole) * amount.unit, tokens, target)
    is_half = str(amount.value).rstrip("0") == "5"  # *half a million*
    return not (is_half and _beginnings("magnitude", "").search(translation))


def changes_unit(source: str, translation: str) -> bool:
    """Return True if one of both has a currency, or a percentage, that the other lacks."""
    texts = [without_accents(text.lower()) for text in (source, translation)]
    units = (_beginnings(name, "") for name in _read_words() if name.isupper())
    return any(len({unit.search(text) is None for text in texts}) > 1 for unit in units)


def _tells_time(amount: Amount, tokens: Sequence[str], target: str) -> bool:
    """Return True if ``tokens`` have the hour (the same, the next, or afternoon) and the minutes.

    These may be the minutes to the next hour, or their fraction.
    """
    hour, minutes = map(int, amount.digits.split(":"))
    may_be_next = amount.spelled or 2 * minutes >= _HOUR  # *quarter to nine* is 8:45
    hours = {hour % _HALF_DAY, (hour + may_be_next) % _HALF_DAY}
    numbers = filter(None, map(_MORE_DIGITS.match, tokens))
    if not any(int(digits[0]) % _HALF_DAY in hours for digits in numbers) and not any(
        _says(Decimal(h or _HALF_DAY), tokens, target) for h in hours
    ):
        return False
    fraction = _FRACTIONS.get(minutes)
    if not minutes or (fraction and any(map(_beginnings(fraction).match, tokens))):
        return True
    return any(_says(Decimal(told), tokens, target) for told in (minutes, _HOUR - minutes))


def _says(value: Decimal, tokens: Sequence[str], target: str) -> bool:
    """Return True if ``tokens`` have ``value`` in digits, partly in words, or in words."""
    form = number_format(target)
    for index, token in enumerate(tokens):
        number = form.value_of(token) if token[0].isdecimal() else None
        if number is not None:
            following = tokens[index + 1] if index + 1 < len(tokens) else ""
            unit = _unit_of(following, target)
            double = tokens[index + 2] if index + 2 < len(tokens) and unit > 1 else ""
            if value == Decimal(number) * unit * _unit_of(double, target):
                return True
    if value != int(value):
        return False
    spelling = spell_out(int(value), target)
    if spelling is None:
        return False
    return any(_find(_tokens(words), tokens, _number_words(target)) for words in spelling.texts)


@cache
def _unit_of(word: str, target: str) -> int:
    for unit in _UNITS[1:]:
        for count in (1, 2):
            spelling = spell_out(count * unit, target)
            if spelling and word in _tokens(spelling.usual)[-1:]:
                return unit
    return 1


@cache
def _number_words(target: str) -> frozenset[str]:
    """Return words that make another number of the one right beside them."""
    numbers = (*range(2, 100), *(n * unit for unit in (100, *_UNITS[1:]) for n in range(1, 10)))
    one, *spelled = (spell_out(number, target) for number in (1, *numbers))
    words = frozenset(
        token for known in spelled if known for text in known.texts for token in _tokens(text)
    )
    articles = one.texts if one else ()
    return words.difference(articles, _read_words()["connector"])


def _find(
    words: Sequence[str], tokens: Sequence[str], beside: Collection[str] = frozenset()
) -> bool:
    """Return True if ``words`` stand in ``tokens``, and none of ``beside`` right beside them.

    Connecting words do not count, unless a number precedes one: *three and four thousand*.
    """
    connectors = _read_words()["connector"]
    places = [place for place, token in enumerate(tokens) if token not in connectors]
    words = [word for word in words if word not in connectors]
    for start in range(len(places) - len(words) + 1):
        run = places[start : start + len(words)]
        if [tokens[place] for place in run] == words:
            around = {tokens[run[0] - 1] if run[0] else ""}
            around |= {tokens[place] for place in places[start + len(words) :][:1]}
            if around.isdisjoint(beside):
                return True
    return False


def _tokens(text: str) -> list[str]:
    """Return numbers, words in lower case without accents, and marks."""
    return _TOKEN.findall(without_accents(text.lower()))
