"""Numbers in words, converted to digits: *five five five, oh one eight eight* is 5550188.

Entry: ``SpelledNumbers.replace_number_words``, which asks a ``NumberReader`` at each index for the
longest number, then ``join_number_parts``, which joins adjacent parts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from functools import cache

from prism_core.identifiers.normal_form import normalise
from prism_core.languages import Language, NumberReader, Numbers, word_at

# *MCMLXXXIV*: four letters or more, each power of ten in its usual spelling.
_ROMAN = re.compile(r"(?=[MDCLXVI]{4})M{0,3}(?:C[MD]|D?C{0,3})(?:X[CL]|L?X{0,3})(?:I[XV]|V?I{0,3})")
_MOST_PIECES = 12
LONGEST = 40
"""Most letters of a name that is put together from pieces, and of a number."""
_SHORT = 3
"""Most letters of a piece that belongs to a number next to it (*MRN 48213 B*)."""
_TABLES = frozenset("up_to_9 from_10 by_ten magnitudes times".split())
_SETS = frozenset("digits noughts noughts_among_digits marks one bare plus twenties".split())
"""Fields of ``Numbers`` whose words are searched in a text."""
_HUNDRED = 100
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}


def roman_value(word: str) -> str:
    """Return the digits of a capital Roman numeral of four letters or more; else empty."""
    if not word.isupper() or not _ROMAN.fullmatch(word):
        return ""
    values = [_ROMAN_VALUES[letter] for letter in word.lower()]
    after = [*values[1:], 0]
    return str(
        sum(
            -value if value < next_value else value
            for value, next_value in zip(values, after, strict=True)
        )
    )


def join_runs(pieces: Sequence[str], least: int = 2) -> Iterator[str]:
    """Yield every run of ``least`` or more adjacent pieces, joined to one word."""
    for start in range(len(pieces)):
        word = ""
        for number, piece in enumerate(pieces[start : start + _MOST_PIECES], start=1):
            word += piece
            if len(word) > LONGEST:
                break
            if number >= least:
                yield word


class SpelledNumbers:
    """Number words of one language, also in normal form (*fünf*, *funf*), and their values.

    ``words``: a text that spells a number contains one of these. ``beside_digits``: part of a
    number only next to digits (*555 dash oh 188*). ``large``: a hundred and the magnitudes.
    """

    def __init__(self, language: Language) -> None:
        self._words = words = _normalise_words(language.numbers)
        self._function_words = language.words.function_words
        self._reader = NumberReader(words)
        self.large = self._reader.large
        self.words = frozenset([*words.up_to_9, *words.from_10, *words.by_ten, *words.noughts])
        self._of_several_digits = self.large.union(
            word for word, number in words.from_10.items() if number >= _HUNDRED
        )
        self.beside_digits = words.noughts_among_digits | frozenset(words.times) | words.marks
        self._says_a_number = self.words | self.beside_digits | frozenset(words.one)

    def may_spell_number(self, forms: Sequence[str], *, has_digits: bool) -> bool:
        """Return True if ``forms`` may spell a number of several digits, or a part of one."""
        if has_digits and not self.beside_digits.isdisjoint(forms):
            return True
        if self._has_compound(forms):
            return True
        if self.words.isdisjoint(forms):
            return False
        spelled = sum(form in self.words for form in forms)
        return has_digits or spelled > 1 or not self._of_several_digits.isdisjoint(forms)

    def join_number_parts(self, pieces: Sequence[str]) -> Iterator[str]:
        """Yield pieces with digits, joined with adjacent ones and short pieces next to them."""
        done = 0
        for index, piece in enumerate(pieces):
            if index < done or piece.isalpha():
                continue
            start = end = index
            while start > done and self._is_part(pieces[start - 1]):
                start -= 1
            while end < len(pieces) and self._is_part(pieces[end]):
                end += 1
            done = end
            if end - start == 1:
                yield piece
            else:
                yield from (
                    run for run in join_runs(pieces[start:end], least=1) if not run.isalpha()
                )

    def _is_part(self, piece: str) -> bool:
        if not piece.isalpha():
            return True
        return len(piece) <= _SHORT and piece not in self._function_words

    def replace_number_words(self, words: Sequence[str]) -> list[str]:
        """Replace numbers that are spelled out in ``words`` by digits.

        The words are in lower case, without marks. Each cardinal or ordinal becomes one element,
        *nineteen eighty-seven* two. *oh* is a zero only next to another number. Words for marks
        between two numbers (*dash*) are left out.
        """
        if self._has_compound(words):
            words = [part for word in words for part in self._reader.split_compound(word)]
        read: list[str] = []
        index = 0
        while index < len(words):
            word = words[index]
            if word not in self._says_a_number and not word.isdigit():
                read.append(word)
                index += 1
                continue
            after_number = bool(read) and read[-1].isdigit()
            digits, end = self._reader.read(words, index)
            if not digits:
                end = index + 1
                follows = word_at(words, end) in self._words.noughts_among_digits
                before_number = follows or bool(self._reader.read(words, end)[0])
                if word in self._words.noughts_among_digits and (after_number or before_number):
                    digits = "0"
                elif word in self._words.marks and after_number and before_number:
                    index = end
                    continue
            read.append(digits or word)
            index = end
        return read

    def _has_compound(self, words: Sequence[str]) -> bool:
        within = self._words.magnitude_within
        return bool(within) and any(
            len(self._reader.split_compound(word)) > 1 for word in words if within in word
        )


@cache
def _normalise_words(numbers: Numbers) -> Numbers:
    """Add to the words of ``numbers`` their normal forms, in which texts are compared."""
    changed: dict[str, object] = {}
    for field in fields(numbers):
        value = getattr(numbers, field.name)
        if field.name in ("hundred", "hundredth"):
            changed[field.name] = normalise(value)
        elif field.name in _TABLES:
            normal = {normalise(word): number for word, number in value.items()}
            changed[field.name] = normal | dict(value)
        elif field.name in _SETS:
            changed[field.name] = type(value)((*map(normalise, value), *value))
    return replace(numbers, **changed)  # type: ignore[arg-type]
