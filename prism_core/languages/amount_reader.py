"""Amounts and times of the day in a text, each as one unit: *two thousand*, *2.5 million*, *5 %*.

A unit is written with several words, or is at least a hundred: other number words are words of the
dictionary. Entry: ``AmountReader.find``.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum
from functools import cache
from itertools import chain, pairwise
from math import gcd, prod
from operator import attrgetter
from typing import NamedTuple, Self

from prism_core.languages.base import Language
from prism_core.languages.numbers import Clock, NumberReader, number_format

_DIGITS = r"(?<![\w.,:/'’–-])\d+(?:[.,\u00a0\u202f ]\d{3})*(?:[.,]\d+)?"
_FOREIGN_DECIMAL = re.compile(r"\d+[.,]\d\d?")
"""Fraction that is none in the format of the language: *7.4 pour cent*."""
_WORD = re.compile(r"[^\W\d_]+")
_BETWEEN = frozenset(("-", " ", "\u00a0", "\u202f", "\n"))
"""Texts between two words of one number."""
_HUNDRED = 100
_HALF_DAY = 720
_MILLION = 10**6
_LONGEST = 40
"""Words of an amount at most, so that a long line takes no time out of proportion."""
_NOT_FOUND = "(?!)"


class AmountKind(StrEnum):
    """Kind of an amount, by the form in which it is written and sent."""

    CARDINAL = "AMOUNT"
    ORDINAL = "ORDINAL"
    PERCENT = "PERCENT"
    FRACTION = "FRACTION"
    CLOCK = "CLOCK"


@dataclass(frozen=True, slots=True)
class Amount:
    """An amount at ``[start, end)`` of a text.

    ``digits`` have a decimal point, a stroke in fractions and a colon in times of the day. The
    value of a cardinal is ``digits`` times ``unit``. ``spelled`` is True if it has no digit.
    """

    start: int
    end: int
    kind: AmountKind
    digits: str
    unit: int = 1
    spelled: bool = False

    @property
    def value(self) -> Decimal:
        """Value of a cardinal, an ordinal or a percentage."""
        return Decimal(self.digits) * self.unit

    @property
    def in_millions(self) -> bool:
        """True for a cardinal that ends with *million* or a larger magnitude."""
        if self.kind is not AmountKind.CARDINAL:
            return False
        return self.unit >= _MILLION or (self.spelled and self.value % _MILLION == 0)


class _ClockPattern(NamedTuple):
    """Patterns of one way to tell the time: ``within`` a text, and ``alone``."""

    within: re.Pattern[str]
    alone: re.Pattern[str]
    minutes: int

    @classmethod
    def of(cls, clock: Clock, hour: str, minute: str) -> Self:
        """Put the patterns of hours and minutes in."""

        def fill(text: str) -> re.Pattern[str]:
            text = text.replace("{hour}", hour).replace("{minute}", minute)
            return re.compile(text, re.IGNORECASE)

        return cls(fill(clock.before + clock.words + clock.after), fill(clock.words), clock.minutes)


class _Run(NamedTuple):
    """Words of ``text`` with a single blank or hyphen between, from one word on."""

    text: str
    words: Sequence[re.Match[str]]

    @property
    def lower(self) -> list[str]:
        return [word[0].lower() for word in self.words]

    def word(self, index: int) -> str:
        """Return a word in lower case; empty past the end."""
        return self.words[index][0].lower() if index < len(self.words) else ""

    def span(self, end: int) -> tuple[int, int]:
        """Return the place of the first ``end`` words."""
        return self.words[0].start(), self.words[end - 1].end()

    def is_name(self, end: int, magnitudes: Container[str]) -> bool:
        """Return True if the first ``end`` words have capitals as names do: *Twenty-One Pilots*."""
        titles = [i for i, word in enumerate(self.words[:end]) if word[0].istitle()]
        titles = [i for i in titles if self.word(i) not in magnitudes]
        return len(titles) > 1 or (bool(titles) and titles[0] > 0)


class AmountReader:
    """Reader of the amounts in texts of one language."""

    def __init__(self, language: Language) -> None:
        numbers = language.numbers
        self._numbers = numbers
        self._reader = NumberReader(numbers)
        self._format = number_format(language.code)
        self._ordinal = re.compile(numbers.ordinal_words or _NOT_FOUND)
        self._half = re.compile(rf"\s+(?:{numbers.half or _NOT_FOUND})\b", re.IGNORECASE)
        self._percent = re.compile(rf"\s*(?:{numbers.percent or _NOT_FOUND})\b", re.IGNORECASE)
        link = self._format.link or _NOT_FOUND
        elided = language.words.elided.get(link, _NOT_FOUND).replace("'", "['’]")
        self._link = re.compile(rf" {link}(?= [^\W\d_])| {elided}(?=[^\W\d_])")
        self._starts = frozenset(
            [*numbers.up_to_9, *numbers.from_10, *numbers.by_ten, *numbers.one, *numbers.bare]
        ).union(numbers.halved)
        magnitudes = "|".join(sorted(numbers.magnitudes, key=len, reverse=True))
        units = rf"((?:[ \u00a0-]?(?:{magnitudes})\b)+)(?!\s?\d)"
        percent = rf"(?=\s*(?:{numbers.percent or _NOT_FOUND})\b)"
        self._after_digits = re.compile(rf"({_DIGITS})(?:{units}|{percent})", re.IGNORECASE)
        hours = {
            word: value
            for word, value in chain(numbers.up_to_9.items(), numbers.from_10.items())
            if value <= 12 and not self._ordinal.fullmatch(word)
        }
        known = "|".join(sorted([*hours, *numbers.from_10, *numbers.by_ten], key=len, reverse=True))
        hour = rf"(?P<hour>(?<![\d:.])(?:1?\d|2[0-4])|\b(?:{'|'.join(hours)})\b)"
        minute = rf"(?P<minute>\b(?:{known})\b|\d\d?)"
        self._clocks = [_ClockPattern.of(clock, hour, minute) for clock in numbers.clocks]
        self._clock_words = re.compile(numbers.clock_words or _NOT_FOUND, re.IGNORECASE)

    def find(self, text: str) -> list[Amount]:
        """Return the amounts of ``text``, in order; none overlaps another."""
        found: list[Amount] = []
        words = list(_WORD.finditer(text))
        lower = [word[0].lower() for word in words]
        if self._clock_words.search(text):
            for clock in self._clocks:
                matches = clock.within.finditer(text)
                _add(found, (self._read_clock(match, clock.minutes) for match in matches))
        has_digits = any(map(str.isdecimal, text))
        _add(found, self._find_after_digits(text) if has_digits else ())
        if not self._starts.isdisjoint(lower) or self._numbers.magnitude_within:
            _add(found, self._find_spelled(text, words, lower))
        found.sort(key=attrgetter("start"))
        for index, amount in enumerate(found):
            last = text[: amount.end].rpartition(" ")[2].lower()
            is_million = self._numbers.magnitudes.get(last, 1) >= _MILLION
            link = self._link.match(text, amount.end) if is_million else None
            if link:  # between a million and what is counted: *dos millones de* (euros)
                found[index] = replace(amount, end=link.end())
        return found

    def read(self, text: str, kind: str) -> Amount | None:
        """Read ``text`` as one amount of ``kind``, whatever stood around it."""
        if kind != AmountKind.CLOCK:
            found = self.find(text)
            return found[0] if len(found) == 1 and found[0].kind == kind else None
        for clock in self._clocks:
            if match := clock.alone.fullmatch(text):
                return self._read_clock(match, clock.minutes)
        return None

    def read_word(self, word: str) -> Amount | None:
        """Read a cardinal of one word, from two; *one* is also an article and a pronoun."""
        value, end = self._reader.read_cardinal([word.lower()], 0)
        if end and value > 1 and not self._ordinal.fullmatch(word.lower()):
            return Amount(0, len(word), AmountKind.CARDINAL, str(value), spelled=True)
        return None

    def _read_clock(self, match: re.Match[str], minutes: int) -> Amount:
        hour = self._value(match["hour"])
        minutes *= self._value(match["minute"]) if "minute" in match.re.groupindex else 1
        total = hour * 60 + minutes
        total += _HALF_DAY if total < 60 else 0
        digits = f"{total // 60}:{total % 60:02d}"
        return Amount(*match.span(), AmountKind.CLOCK, digits)

    def _value(self, word: str) -> int:
        if word.isdecimal():
            return int(word)
        return self._reader.read_cardinal([word.lower()], 0)[0]

    def _find_after_digits(self, text: str) -> Iterator[Amount]:
        for match in self._after_digits.finditer(text):
            digits = self._format.value_of(match[1])
            if digits is None and _FOREIGN_DECIMAL.fullmatch(match[1]):
                digits = match[1].replace(",", ".")
            if digits is None:
                continue
            if percent := self._percent.match(text, match.end()):
                yield Amount(match.start(), percent.end(), AmountKind.PERCENT, digits)
            elif match[2]:
                words = _WORD.findall(match[2].lower())
                unit = prod(map(self._numbers.magnitudes.__getitem__, words))
                yield Amount(*match.span(), AmountKind.CARDINAL, digits, unit)

    def _find_spelled(
        self, text: str, words: Sequence[re.Match[str]], lower: Sequence[str]
    ) -> Iterator[Amount]:
        index = 0
        percents = [match.span() for match in self._percent.finditer(text)]
        within = self._numbers.magnitude_within
        gaps = (text[a.end() : b.start()] for a, b in pairwise(words))
        firsts = [0, *(at for at, gap in enumerate(gaps, start=1) if gap not in _BETWEEN)]
        for first, last in pairwise([*firsts, len(words)]):
            index = max(index, first)
            while index < last:
                word = lower[index]
                if word not in self._starts and not (within and within in word):
                    index += 1
                    continue
                run = _Run(text, words[index : min(last, index + _LONGEST)])
                place = words[index].start()
                is_percent = any(start + 1 < place < end for start, end in percents)
                amount = None if is_percent else self._read_run(run)
                if amount is not None:
                    if not text[: amount.start].rstrip()[-1:].isdecimal():  # *18 mil 969*
                        yield amount
                    index += sum(word.start() < amount.end for word in run.words)
                else:
                    index += 1

    def _read_run(self, run: _Run) -> Amount | None:
        """Read the amount that begins with the first word of ``run``."""
        if run.word(0) in self._numbers.halved:
            return self._read_halved(run)
        value, end = self._read_cardinal(run)
        counted = (value, end) if end or run.word(0) not in self._numbers.one else (1, 1)
        dozen = self._numbers.dozens.get(run.word(counted[1]), 0) if counted[1] else 0
        if dozen:
            place = run.span(counted[1] + 1)
            return Amount(*place, AmountKind.CARDINAL, str(counted[0] * dozen), spelled=True)
        if not end or run.is_name(end, self._numbers.magnitudes):
            return None
        start, stop = run.span(end)
        if self._ordinal.fullmatch(run.word(end - 1)):  # but *a twenty second delay*
            mark = run.text[run.words[end - 2].end() : run.words[end - 1].start()]
            if end < 2 or mark != "-":
                return None
            return Amount(start, stop, AmountKind.ORDINAL, str(value), spelled=True)
        if percent := self._percent.match(run.text, stop):
            return Amount(start, percent.end(), AmountKind.PERCENT, str(value))
        if half := self._half.match(run.text, stop):
            return self._with_half(run.text, start, half.end(), value)
        if fraction := self._read_fraction(run, value, end):
            return fraction
        if end == 1 and value < _HUNDRED:
            return None
        return Amount(start, stop, AmountKind.CARDINAL, str(value), spelled=True)

    def _read_cardinal(self, run: _Run) -> tuple[int, int]:
        """Read the longest number; *one hundred and two hundred* are two."""
        if run.word(0) not in self._starts:
            parts = self._reader.split_compound(run.word(0))
            return (self._reader.read_cardinal(parts, 0)[0], 1) if len(parts) > 1 else (0, 0)
        lower = run.lower
        value, end = self._reader.read_cardinal(lower, 0)
        if end and run.word(end) in self._reader.large:
            cut = next((i for i in range(end - 1, 0, -1) if lower[i] in self._numbers.plus), 0)
            value, end = self._reader.read_cardinal(lower[:cut], 0) if cut else (0, 0)
        return value, end

    def _read_halved(self, run: _Run) -> Amount | None:
        """Read *half a million*, *half a dozen*."""
        last = 1 + (run.word(1) in self._numbers.one)
        word = run.word(last)
        whole = self._numbers.magnitudes.get(word) or self._numbers.dozens.get(word)
        if not whole:
            return None
        return Amount(*run.span(last + 1), AmountKind.CARDINAL, str(whole // 2), spelled=True)

    def _with_half(self, text: str, start: int, end: int, value: int) -> Amount:
        magnitude = _WORD.match(text, end + 1)
        unit = self._numbers.magnitudes.get(magnitude[0].lower(), 1) if magnitude else 1
        end = magnitude.end() if magnitude and unit > 1 else end
        whole, rest = divmod(value, _MILLION)
        if whole and not rest and unit == 1:  # *dos millones y medio*
            value, unit = whole, _MILLION
        return Amount(start, end, AmountKind.CARDINAL, f"{value}.5", unit)

    def _read_fraction(self, run: _Run, value: int, end: int) -> Amount | None:
        """Read *two thirds*."""
        parts = self._numbers.parts.get(run.word(1), 0) if end == 1 else 0
        if not 0 < value < parts or gcd(value, parts) > 1:
            return None
        if run.text[run.span(2)[1] :].startswith("-"):  # *one third-class ticket*
            return None
        return Amount(*run.span(2), AmountKind.FRACTION, f"{value}/{parts}")


@cache
def amount_reader(language: Language) -> AmountReader:
    """Return the reader of amounts in texts of ``language``."""
    return AmountReader(language)


def _add(found: list[Amount], more: Iterable[Amount]) -> None:
    """Add the amounts of ``more`` that overlap none of ``found``."""
    for amount in more:
        if all(amount.end <= other.start or other.end <= amount.start for other in found):
            found.append(amount)
