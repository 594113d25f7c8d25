"""Disguises: all readings of a finished text, as words and as words put together from pieces.

Entry: ``list_readings``, the only place that knows disguises: look-alike letters, hidden or
reversed text, and in a ``TextReading`` spaced letters, digits for letters, and numbers in words or
in parts.

Numbers in words become digits: *five five five, oh one eight eight* is 5550188. For this
``SpelledNumbers.replace_number_words`` asks a ``NumberReader`` at each index for the longest
number, and ``join_number_parts`` joins adjacent parts.

Readings depend on the text alone. Plain text costs little: most texts have nothing to put together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from functools import cache, cached_property
from operator import add

from prism_core.identifiers.normal_form import (
    has_right_to_left_text,
    hidden_text,
    normal_forms,
    normalise,
    replace_small_lookalikes,
    squash,
    visible_form,
)
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


_WORD = re.compile(r"\w+")
_PIECE = re.compile(r"[^\W_]+")
# The hyphen of *Ko-vacs*: a mark with a letter or digit after it.
_MARK_WITHIN = re.compile(r"[-./'’·•|~+*\\:_](?=\w)")
# *John* and *Smith* of *JohnSmith*, *K*, *0* and *vacs* of *K0vacs*.
_ALIKE_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\W\d_A-Za-z]+|\d+")
# *J. o. h. n*, *K-o-v*: single letters or digits with one to three marks between them.
_LETTERS_APART = re.compile(r"(?<![^\W_])[^\W_](?:[\W_]{1,3}[^\W_](?![^\W_]))+")
_DIGITS_FOR_LETTERS = tuple(str.maketrans("013457$@", f"o{word}eastsa") for word in ("l", "i"))
_TWO_LETTERS_APART = b"\1\1"
_LOOK_OF_DIGITS = str.maketrans("oil", "011")
SHORTEST_SQUASHED = 5
"""Fewest characters of a form that is also searched across words: shorter runs occur by chance."""
SHORTEST_SPELLED = 3
"""Fewest digits of a number that counts when spelled out: *two* is in every other sentence."""


def list_readings(text: str, numbers: SpelledNumbers) -> list[TextReading]:
    """Return every reading of ``text``; ASCII text has only one."""
    if text.isascii():
        return [TextReading(text, numbers)]
    shown = visible_form(text)
    found = [shown, hidden_text(text), replace_small_lookalikes(shown)]
    if has_right_to_left_text(text):
        found.append(shown[::-1])
    return [TextReading(word, numbers) for word in dict.fromkeys(found) if word]


class TextReading:
    """Reading of a text: one way to see through a disguise.

    ``words`` have their own case, ``forms`` are in normal form. ``compounds`` are the words that
    are more than letters in a usual case (*K0vacs*, *JohnSmith*).
    """

    def __init__(self, text: str, numbers: SpelledNumbers) -> None:
        self.text = text
        self._numbers = numbers
        self.words: list[str] = _WORD.findall(text)
        self.forms = normal_forms(self.words)
        capitals = [word for word in self.words if not word.islower()]
        self.compounds = [word for word in capitals if not (word.istitle() or word.isupper())]
        self._has_roman = any(len(word) > 3 and roman_value(word) for word in capitals)
        self._has_digits = self._has_roman
        if not "".join(self.forms).isalpha():
            self.compounds += [word for word in self.words if not word.isalpha()]
            self._has_digits = True
        self._spells_number = numbers.may_spell_number(self.forms, has_digits=self._has_digits)

    @cached_property
    def squashed(self) -> str:
        """All letters and digits, run together."""
        return squash(self.text)

    @cached_property
    def run_together(self) -> tuple[list[str], list[str]]:
        """Forms of every two and every three adjacent words, each joined to one word."""
        two = list(map(add, self.forms, self.forms[1:]))
        return two, list(map(add, two, self.forms[2:]))

    @cached_property
    def put_together(self) -> list[str]:
        """Words that pieces of the text make up: *Ko-vacs*, *J.o.h.n*, *JohnSmith*, *K0vacs*.

        They have their own case. Few texts have any.
        """
        found: list[str] = []
        end = 0
        for mark in _MARK_WITHIN.finditer(self.text):
            if mark.start() >= end:  # all that stands between blanks around the mark
                start, end = self.text.rfind(" ", 0, mark.start()), self.text.find(" ", mark.end())
                end = len(self.text) if end < 0 else end
                found += join_runs(_PIECE.findall(self.text, start + 1, end))
        try:
            has_letters_apart = _TWO_LETTERS_APART in bytes(map(len, self.forms))
        except ValueError:  # a word of more than 255 letters
            has_letters_apart = True
        if has_letters_apart:
            for apart in _LETTERS_APART.findall(self.text):
                found += join_runs(_PIECE.findall(apart))
        for word in self.compounds:
            if not word.isdigit():
                found += join_runs(_ALIKE_PART.findall(word), least=1)
                found += [word.translate(table) for table in _DIGITS_FOR_LETTERS]
        return found

    @cached_property
    def numbers(self) -> frozenset[str]:
        """Numbers and codes in normal form, whatever separates their parts or spells them out."""
        if self._has_digits or self._spells_number:
            return frozenset(self._numbers.join_number_parts(self._pieces))
        return frozenset()

    @cached_property
    def digits_joined(self) -> str:
        """Text of ``squashed`` with digits for spelled numbers; the same if there are none."""
        return "".join(self._pieces) if self._spells_number else self.squashed

    def shows_number(self, number: str) -> bool:
        """Find a squashed ``number`` in words, in parts, or with letters that look like digits."""
        if sum(map(str.isdigit, number)) < SHORTEST_SPELLED:
            return False
        if number in self.numbers:
            return True
        if len(number) < SHORTEST_SQUASHED:
            return False
        alike = number.translate(_LOOK_OF_DIGITS)
        return number in self.digits_joined or bool(
            self.compounds and alike in self.squashed.translate(_LOOK_OF_DIGITS)
        )

    @cached_property
    def _pieces(self) -> list[str]:
        """Pieces between marks, in normal form, with numbers in digits."""
        words = _PIECE.findall(self.text) if "_" in self.text else self.words
        forms = normal_forms(words) if "_" in self.text else self.forms
        if self._has_roman:
            forms = [roman_value(word) or form for word, form in zip(words, forms, strict=True)]
        return self._numbers.replace_number_words(forms) if self._spells_number else forms
