"""Numbers in digits and in words.

Entry: ``Numbers``, the words of a source language; its ``write_as`` rewrites a number from its
format to another's. ``NumberReader.read`` gives the value of a number in words, at an index of a
list of words in lower case: *two thousand five hundred and six* is 2506. ``number_format`` gives
the separators of any language: *1,234.5* is *1.234,5* in Spanish. ``spell_out`` writes a number in
words, by the rules of the Unicode CLDR, and ``magnitude_of`` names its millions and above.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from unicode_rbnf import RbnfEngine

from prism_core.languages.fields import STRICT, NumberWords, Pattern, WordSet, WordTuple
from prism_core.resources import SHIPPED_LANGUAGES, read_rows


@dataclass(frozen=True, eq=False, kw_only=True, slots=True)
class Clock:
    """Way to tell the time: ``words`` is a pattern with ``{hour}`` and perhaps ``{minute}``.

    ``before`` and ``after`` are patterns of what must stand beside it. ``minutes`` are those after
    the hour; with ``{minute}``, 1 or -1 for minutes after or before it.
    """

    __pydantic_config__ = STRICT

    words: Pattern
    minutes: int = 0
    before: Pattern = ""
    after: Pattern = ""


@dataclass(frozen=True, eq=False, kw_only=True, slots=True)
class Numbers:
    """Ordinals in digits, numbers in words, and separators."""

    __pydantic_config__ = STRICT

    ordinal_endings: WordTuple
    """Endings of ordinals in digits (*st*, *nd*); empty where they end with a full stop."""
    usual_ordinal_ending: str
    """Ending of most ordinals (*th*)."""
    ordinal_ending_of: Mapping[int, str]
    """Other endings, by the last digit (1: *st*)."""
    usual_ordinals: frozenset[int]
    """Last two digits that take the usual ending regardless of the last one (11, 12, 13)."""
    up_to_9: NumberWords
    """Cardinals and ordinals from 1 to 9, with their values."""
    digits: WordSet
    """Cardinals among ``up_to_9``."""
    from_10: NumberWords
    """Cardinals and ordinals from 10 to 19."""
    by_ten: NumberWords
    """Cardinals and ordinals of the tens from 20 to 90."""
    hundred: str
    """Cardinal 100."""
    hundredth: str
    """Ordinal 100."""
    magnitudes: NumberWords
    """Powers of ten from a thousand, with their values."""
    magnitude_within: str = ""
    """Magnitude inside numbers that are one word: *neuntausendeinhundert*."""
    noughts: WordSet
    """Words for 0."""
    noughts_among_digits: WordSet
    """Words that mean 0 only beside another digit (*oh*)."""
    times: NumberWords
    """Words that repeat the next digit, with how often (*double*: 2)."""
    marks: WordSet
    """Words for marks between digits (*dash*)."""
    one: WordTuple
    """Articles that mean 1 before a hundred or a magnitude (*a*)."""
    bare: WordSet = frozenset()
    """Words for a hundred or a thousand that mean one of it without a word before: *mil euros*."""
    plus: WordTuple
    """Words between the parts of a number: *hundred and six*."""
    with_teens: frozenset[int] = frozenset()
    """Tens to which as many as 19 are added: *soixante-dix-sept* is 77."""
    twenties: WordSet = frozenset()
    """Words for twenty after four: *quatre-vingts*."""
    dozens: NumberWords = field(default_factory=dict)
    """Words that count a number of things as one, with the number: *dozen*."""
    parts: NumberWords = field(default_factory=dict)
    """Denominators in words: *two thirds*. Without those that are also other nouns."""
    half: Pattern = ""
    """Pattern of the words that add a half to a number: *and a half*."""
    halved: WordSet = frozenset()
    """Words before a magnitude that halve it: *half a million*."""
    percent: Pattern = ""
    """Pattern of the words that make a number a percentage: *per cent*."""
    ordinal_words: Pattern = ""
    """Pattern of ordinals in words, in lower case."""
    clocks: tuple[Clock, ...] = ()
    """Ways to tell the time."""
    clock_words: Pattern = ""
    """Pattern that matches in every text in which one of ``clocks`` does."""
    clock: Pattern
    """Pattern of the words after the hour of a clock: *p.m.*"""
    sections: Pattern
    """Pattern of abbreviations before the number of a section or a page: *para.*"""
    blanks: str = ""
    """Blanks that may separate groups of three digits, besides ``thousands``: *100 000*."""
    thousands: str = ","
    """Separator between groups of three digits."""
    decimal: str = "."
    """Decimal separator."""
    thousand: str = ""
    """Word that may stand between the thousands and the rest, both in digits: *18 mil 969*."""

    @property
    def grouped(self) -> str:
        """Pattern of a number in digits with blanks; it matches nothing in a language without."""
        gap = f"[{self.blanks}]"
        word = rf"|\d{{1,3}}{gap}{self.thousand}{gap}\d{{1,3}}" if self.thousand else ""
        groups = rf"\d{{1,3}}(?:{gap}\d{{3}})+(?:{re.escape(self.decimal)}\d+)?"
        return f"(?:{groups}{word})" if self.blanks else "(?!)"

    def in_groups(self, text: str) -> str:
        """Replace a word among digits by the separator: *18 mil 969* becomes *18.969*."""
        parts = text.split(self.thousand) if self.thousand else ()
        if len(parts) != 2 or not re.fullmatch(self.grouped, text):
            return text
        return parts[0].strip() + self.thousands + parts[1].strip().zfill(3)

    def write_as(self, other: Numbers, text: str) -> str:
        """Rewrite the number ``text`` in the format of ``other``: *1.234,56* as *1,234.56*.

        A number whose format cannot be told apart from that of ``other`` stays as it is: *1,234*.
        """
        text = self.in_groups(text)
        gaps = re.escape(self.thousands + self.blanks)
        groups = re.fullmatch(
            rf"(\d{{1,3}}(?:[{gaps}]\d{{3}})+|\d+)(?:{re.escape(self.decimal)}(\d+))?", text
        )
        if groups is None:
            return text
        whole, fraction = groups.groups()
        if fraction and len(fraction) == 3 and whole.isdecimal() and whole != "0":
            return text
        whole = re.sub(f"[{gaps}]", other.thousands, whole)
        return whole + other.decimal + fraction if fraction else whole

    def in_digits(self, text: str) -> str:
        """Return the digits that ``text`` spells (*one double five*: 155); empty otherwise."""
        found, times = "", 1
        for word in re.findall(r"[^\W_]+", text.lower()):
            if word in self.digits:
                found += str(self.up_to_9[word]) * times
            elif word in self.noughts or word in self.noughts_among_digits:
                found += "0" * times
            elif word not in self.times:
                return ""
            times = self.times.get(word, 1)
        return found

    def ordinal_ending(self, number: int) -> str:
        """Return the ending of ``number`` (in digits) as an ordinal."""
        if number % 100 in self.usual_ordinals:
            return self.usual_ordinal_ending
        return self.ordinal_ending_of.get(number % 10, self.usual_ordinal_ending)

    def is_number_word(self, word: str) -> bool:
        """Return True if ``word``, in lower case, is a number or a part of one."""
        values = (self.up_to_9, self.from_10, self.by_ten, self.magnitudes, self.noughts)
        singular = word.removesuffix("s")
        is_known = any(word in known or singular in known for known in values)
        return is_known or singular in (self.hundred, self.hundredth)

    @property
    def ordinal(self) -> str:
        """Pattern of an ordinal's ending; it matches nothing where there are none."""
        return f"(?:{'|'.join(self.ordinal_endings)})" if self.ordinal_endings else "(?!)"


_HUNDRED = 100
_MOST = 10**13


class NumberReader:
    """Reader of the numbers in words of one language; ``large``: a hundred and the magnitudes."""

    def __init__(self, numbers: Numbers) -> None:
        self._words = numbers
        self.large = frozenset([numbers.hundred, *numbers.magnitudes])
        self._first = next((word for word in numbers.digits if numbers.up_to_9[word] == 1), "")
        values = (numbers.up_to_9, numbers.from_10, numbers.by_ten)
        self._in_tables = frozenset(
            [*numbers.noughts, *(word for table in values for word in table)]
        )

    def split_compound(self, word: str) -> Sequence[str]:
        """Split a one-word number that no table has: *neuntausend|zweihundert*."""
        within, tables = self._words.magnitude_within, self._in_tables
        if not within or within not in word or word in tables:
            return (word,)
        before, _, after = word.partition(within)
        before = {"": self._first, "ein": self._first}.get(before, before)
        if before == self._words.hundred:
            before = f"ein{before}"
        after = after.removeprefix(self._words.plus[0]) if after not in tables else after
        parts = (before, within, after) if after else (before, within)
        return parts if tables.issuperset({*parts} - {within}) else (word,)

    def read(self, words: Sequence[str], index: int) -> tuple[str, int]:
        """Return digits and end of the number that begins at ``index``; no digits if none does."""
        word = word_at(words, index)
        if word.isdigit():
            return word, index + 1
        if word in self._words.noughts:
            return "0", index + 1
        if word in self._words.times:
            digit, end = self.read(words, index + 1)
            return digit * self._words.times[word], end
        value, end = self.read_cardinal(words, index)
        return (str(value), end) if end > index else ("", index)

    def read_cardinal(self, words: Sequence[str], index: int) -> tuple[int, int]:
        """Return value and end of *two thousand five hundred and six*; else 0 and ``index``."""
        total, end, most = 0, index, _MOST
        while True:
            value, after = self._read_below_thousand(words, end)
            magnitude = self._words.magnitudes.get(word_at(words, after), 1) if value else 1
            if not value or magnitude >= most:
                return total, end
            total += value * magnitude
            end, most = after + (magnitude > 1), magnitude
            if magnitude == 1:
                return total, end
            higher = self._words.magnitudes.get(word_at(words, end), 1)
            if higher > magnitude:  # *dos mil millones*
                total, end, most = total * higher, end + 1, higher
            end = self._skip_and(words, end)

    def _read_below_thousand(self, words: Sequence[str], index: int) -> tuple[int, int]:
        word, hundreds = word_at(words, index), {self._words.hundred, self._words.hundredth}
        value, end = self._read_below_hundred(words, index)
        if word in self._words.one and word_at(words, index + 1) in self.large:
            value, end = 1, index + 1
        elif word in self._words.bare:
            value = 1
        elif value and value % _HUNDRED == 0:  # *doscientos cinco*
            rest, after = self._read_below_hundred(words, self._skip_and(words, end))
            return (value + rest, after) if 0 < rest < _HUNDRED else (value, end)
        following = word_at(words, end)
        plural = following.removesuffix("s") if end > index else ""  # *deux cents*
        if not value or not {following, plural}.intersection(hundreds):
            return value, end
        rest, after = self._read_below_hundred(words, self._skip_and(words, end + 1))
        return value * _HUNDRED + rest, after if rest else end + 1

    def _read_below_hundred(self, words: Sequence[str], index: int) -> tuple[int, int]:
        word, after = word_at(words, index), word_at(words, index + 1)
        value = self._words.up_to_9.get(word) or self._words.from_10.get(word) or 0
        if value == 4 and after in self._words.twenties:
            tens, end = 80, index + 2
        elif word in self._words.by_ten:
            tens, end = self._words.by_ten[word], index + 1
        elif value == 10 and self._words.with_teens:  # *dix-sept*
            tens, end = value, index + 1
        else:
            return value, index + bool(value)
        rest, after_rest = self._read_below_hundred(words, self._skip_and(words, end))
        most = 20 if tens in self._words.with_teens else 10
        return (tens + rest, after_rest) if 0 < rest < most else (tens, end)

    def _skip_and(self, words: Sequence[str], index: int) -> int:
        """Return the index after *and* if a number follows it, else ``index``."""
        follows = (
            word_at(words, index) in self._words.plus
            and self._read_below_hundred(words, index + 1)[0]
        )
        return index + bool(follows)


def word_at(words: Sequence[str], index: int) -> str:
    """Return the word at ``index``; empty past the end."""
    return words[index] if index < len(words) else ""


BLANKS = "\u00a0\u202f "
"""Blanks between groups of three digits."""


@dataclass(frozen=True, slots=True)
class NumberFormat:
    """Separators of one language: of ``thousands`` and of the ``decimal`` fraction.

    ``link`` stands between a million and what is counted (*dos millones de euros*), and a million
    is in the singular with 1, in languages with ``singular_below`` with any number below that.
    """

    thousands: str
    decimal: str
    link: str = ""
    singular_below: str = ""

    def value_of(self, number: str) -> str | None:
        """Return ``number`` as digits with a decimal point; None if it has another format."""
        gaps = re.escape(self.thousands + "'’" + BLANKS)
        whole = rf"(\d{{1,3}}(?:([{gaps}])\d{{3}}(?:\2\d{{3}})*)|\d+)"
        found = re.fullmatch(rf"{whole}(?:{re.escape(self.decimal)}(\d+))?", number)
        if found is None:
            return None
        digits = re.sub(r"\D", "", found[1])
        return f"{digits}.{found[3]}" if found[3] else digits

    def write(self, value: str) -> str:
        """Write ``value``, as ``value_of`` returns it, in this format."""
        whole, _, fraction = value.partition(".")
        grouped = re.sub(r"(?<=\d)(?=(?:\d{3})+$)", lambda _: self.thousands, whole)
        return grouped + self.decimal + fraction if fraction else grouped


UNKNOWN_FORMAT = NumberFormat(" ", ",")
"""Format where a language is not listed: blanks and commas are read in most others, too."""


@cache
def number_format(language: str) -> NumberFormat:
    """Return the format of ``language`` (ISO 639-1), or ``UNKNOWN_FORMAT``."""
    rows = read_rows(SHIPPED_LANGUAGES / "number_formats.tsv")[1:]
    formats = {code: separators for code, *separators in rows}
    return NumberFormat(*formats[language]) if language in formats else UNKNOWN_FORMAT


_UNITS = (10**12, 10**9, 10**6)
_MOST_SPELLED = 10**15
_SOFT_HYPHEN = "\u00ad"


_GENDERS = {"Gender=Masc": "masculine", "Gender=Fem": "feminine"}
"""Names of the rules for the genders of what is counted, by feature; the first is the usual one."""


class Cardinal(NamedTuple):
    """Words of a cardinal: the usual ones, and by feature those beside a noun of each gender."""

    usual: str
    by_gender: Mapping[str, str]

    @property
    def texts(self) -> frozenset[str]:
        """All of them."""
        return frozenset(self.by_gender.values())


_load_engine = cache(RbnfEngine.for_language)


def _spell(number: int, language: str) -> Mapping[str, str]:
    """Return the words of ``number`` by rule; empty if no rules are known."""
    is_known = language in set(RbnfEngine.get_supported_languages())
    if not is_known or not 0 < number < _MOST_SPELLED:
        return {}
    spelled = _load_engine(language).format_number(number).text_by_ruleset
    return {name: text.replace(_SOFT_HYPHEN, "") for name, text in spelled.items()}


@cache
def spell_out(number: int, language: str) -> Cardinal | None:
    """Return the words of ``number`` in ``language`` (ISO 639-1); None if no rules are known."""
    forms = _spell(number, language)
    cardinal = "spellout-cardinal"
    verbose = forms.get(f"{cardinal}-verbose") or forms.get(cardinal)
    by_rule = {of: forms.get(f"{cardinal}-{name}") for of, name in _GENDERS.items()}
    usual = next(iter(by_rule.values())) or verbose
    return Cardinal(usual, {of: text or usual for of, text in by_rule.items()}) if usual else None


@cache
def spell_ordinal(number: int, language: str) -> frozenset[str]:
    """Return every form of an ordinal in words; empty if no rules are known."""
    forms = _spell(number, language).items()
    return frozenset(text for name, text in forms if name.startswith("spellout-ordinal"))


@cache
def magnitude_of(number: int, language: str) -> tuple[int, str, str] | None:
    """Return the largest magnitude in ``number`` that is a word, with its singular and plural.

    That of 2,500,000,000 is *milliard* in French, and *millón* in Spanish, which has no word for a
    thousand millions. Returns None below a million, or without rules.
    """
    for unit in _UNITS:
        one, two = (spell_out(count * unit, language) for count in (1, 2))
        if unit <= number and one and two and len(two.usual.split()) == 2:
            return unit, one.usual.split()[-1], two.usual.split()[-1]
    return None
