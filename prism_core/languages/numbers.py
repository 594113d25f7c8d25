"""Numbers in digits and in words.

Entry: ``Numbers``; ``write_as`` rewrites a number from one language's format to another's.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from prism_core.languages.fields import STRICT, NumberWords, Pattern, WordSet, WordTuple


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
