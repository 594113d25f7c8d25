"""How numbers are written, in digits and in words.

Entry: ``Numbers``; ``write_as`` turns a number of one language into that of another.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from prism_core.languages.fields import STRICT, NumberWords, Pattern, WordSet, WordTuple


@dataclass(frozen=True, eq=False, kw_only=True, slots=True)
class Numbers:
    """Ordinals in digits, and numbers in words."""

    __pydantic_config__ = STRICT

    ordinal_endings: WordTuple
    """What follows the digits of an ordinal; empty where a full stop does."""
    usual_ordinal_ending: str
    ordinal_ending_of: Mapping[int, str]
    """By the last digit, where it is another than the usual one."""
    usual_ordinals: frozenset[int]
    """Last two digits that have the usual ending whatever their last digit."""
    up_to_9: NumberWords
    """Cardinals and ordinals from 1 to 9, with their values."""
    digits: WordSet
    """The cardinals among these."""
    from_10: NumberWords
    """Those from 10 to 19."""
    by_ten: NumberWords
    """Those from 20 to 90, by ten."""
    hundred: str
    hundredth: str
    magnitudes: NumberWords
    """From a thousand on."""
    magnitude_within: str = ""
    """The magnitude that numbers of one word have in them: *neuntausendeinhundert*."""
    noughts: WordSet
    noughts_among_digits: WordSet
    """What is a nought beside another number only."""
    times: NumberWords
    """Words that say the next digit several times."""
    marks: WordSet
    """Words for marks between digits."""
    one: WordTuple
    """Articles that count as 1 before a hundred and more."""
    plus: WordTuple
    """What stands between the parts of a number: *hundred and six*."""
    with_teens: frozenset[int] = frozenset()
    """Tens to which as many as 19 are added: *soixante-dix-sept* is 77."""
    twenties: WordSet = frozenset()
    """What counts twenty after four: *quatre-vingts*."""
    clock: Pattern
    """Pattern of what follows the hour of a clock: *p.m.*"""
    sections: Pattern
    """Pattern of what is cut short before the number of a section or a page: *para.*"""
    blanks: str = ""
    """What may stand between groups of three digits beside ``thousands``, so that the groups are
    one number: *100 000*."""
    thousands: str = ","
    """What stands between groups of three digits."""
    decimal: str = "."
    thousand: str = ""
    """The word that may stand between the thousands and the rest, both in digits: *18 mil 969*."""

    @property
    def grouped(self) -> str:
        """Pattern of a number in digits with blanks in it; it matches nothing where none has."""
        gap = f"[{self.blanks}]"
        word = rf"|\d{{1,3}}{gap}{self.thousand}{gap}\d{{1,3}}" if self.thousand else ""
        groups = rf"\d{{1,3}}(?:{gap}\d{{3}})+(?:{re.escape(self.decimal)}\d+)?"
        return f"(?:{groups}{word})" if self.blanks else "(?!)"

    def in_groups(self, text: str) -> str:
        """``text`` with no word among its digits: *18.969* for *18 mil 969*."""
        parts = text.split(self.thousand) if self.thousand else ()
        if len(parts) != 2 or not re.fullmatch(self.grouped, text):
            return text
        return parts[0].strip() + self.thousands + parts[1].strip().zfill(3)

    def write_as(self, other: Numbers, text: str) -> str:
        """The number ``text`` as ``other`` writes it: *1.234,56* as *1,234.56*.

        As it is where it is written in no way that is told apart from that of ``other``: *1,234*.
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
        """The digits that ``text`` spells one by one (*one double five* is 155); empty if another
        word is in it."""
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
        """What follows ``number`` (in digits) as an ordinal."""
        if number % 100 in self.usual_ordinals:
            return self.usual_ordinal_ending
        return self.ordinal_ending_of.get(number % 10, self.usual_ordinal_ending)

    def says(self, word: str) -> bool:
        """Whether ``word``, in lower case, says a number or a part of one."""
        values = (self.up_to_9, self.from_10, self.by_ten, self.magnitudes, self.noughts)
        singular = word.removesuffix("s")
        said = any(word in known or singular in known for known in values)
        return said or singular in (self.hundred, self.hundredth)

    @property
    def ordinal(self) -> str:
        """Pattern of an ordinal's ending; it matches nothing at all where there are none."""
        return f"(?:{'|'.join(self.ordinal_endings)})" if self.ordinal_endings else "(?!)"
