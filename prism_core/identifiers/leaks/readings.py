"""All that a finished text can be read as: its words, and what its pieces give when put together.

Entry: ``Reader.readings``, the one place that knows disguises: letters that look like others,
hidden or turned text, and in a ``Reading`` letters apart, digits for letters, numbers in words or
in parts.

Made of the text alone. What is plain costs little: most texts have nothing to put together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from operator import add

from prism_core.identifiers.leaks.spelled_numbers import SpelledNumbers, roman_value
from prism_core.identifiers.normal_form import (
    hidden_text,
    is_turned,
    normal_forms,
    small_look,
    squash,
    visible,
)
from prism_core.languages import Language

_WORD = re.compile(r"\w+")
_PIECE = re.compile(r"[^\W_]+")
_MARK_WITHIN = re.compile(r"[-./'’·•|~+*\\:_](?=\w)")
_ALIKE_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\W\d_A-Za-z]+|\d+")
_LETTERS_APART = re.compile(r"(?<![^\W_])[^\W_](?:[\W_]{1,3}[^\W_](?![^\W_]))+")
_DIGITS_FOR_LETTERS = tuple(str.maketrans("013457$@", f"o{one}eastsa") for one in ("l", "i"))
_MOST_PIECES = 12
_LONGEST = 40
"""Letters of a name that is put together from pieces, and of a number."""
_SHORT = 3
"""Letters that a number has beside its digits, in a piece of their own (*MRN 48213 B*)."""
_TWO_LETTERS_APART = b"\1\1"


class Reader:
    """Reads texts in one language."""

    def __init__(self, language: Language) -> None:
        self.numbers = SpelledNumbers(language.numbers)
        self._function_words = language.words.function_words

    def readings(self, text: str) -> list[Reading]:
        """Every way to read ``text``; one, where it is ASCII."""
        if text.isascii():
            return [Reading(text, self)]
        shown = visible(text)
        found = [shown, hidden_text(text), small_look(shown)]
        if is_turned(text):
            found.append(shown[::-1])
        return [Reading(one, self) for one in dict.fromkeys(found) if one]

    def numbers_among(self, pieces: Sequence[str]) -> Iterator[str]:
        """What ``pieces`` with digits (and short ones at them) give, run together."""
        done = 0
        for place, piece in enumerate(pieces):
            if place < done or piece.isalpha():
                continue
            start = end = place
            while start > done and self._is_part(pieces[start - 1]):
                start -= 1
            while end < len(pieces) and self._is_part(pieces[end]):
                end += 1
            done = end
            if end - start == 1:
                yield piece
            else:
                yield from (one for one in _runs(pieces[start:end], least=1) if not one.isalpha())

    def _is_part(self, piece: str) -> bool:
        if not piece.isalpha():
            return True
        return len(piece) <= _SHORT and piece not in self._function_words


class Reading:
    """One way to read a text.

    ``words`` are in their own case, ``forms`` in normal form. ``compounds`` are those of ``words``
    that are more than letters in one of the usual cases (*K0vacs*, *JohnSmith*).
    """

    def __init__(self, text: str, reader: Reader) -> None:
        self.text = text
        self._reader = reader
        self.words: list[str] = _WORD.findall(text)
        self.forms = normal_forms(self.words)
        capitals = [word for word in self.words if not word.islower()]
        self.compounds = [one for one in capitals if not (one.istitle() or one.isupper())]
        self._has_roman = any(len(one) > 3 and _roman_value(one) for one in capitals)
        self.has_digits = self._has_roman
        if not "".join(self.forms).isalpha():
            self.compounds += [word for word in self.words if not word.isalpha()]
            self.has_digits = True

    @cached_property
    def squashed(self) -> str:
        """All letters and digits, run together."""
        return squash(self.text)

    @cached_property
    def run_together(self) -> tuple[list[str], list[str]]:
        """The forms of two words, and of three, that follow each other, as one word each."""
        two = list(map(add, self.forms, self.forms[1:]))
        return two, list(map(add, two, self.forms[2:]))

    @property
    def has_number_words(self) -> bool:
        """Whether a number of several digits may be spelled out in it."""
        if self.has_digits and not self._reader.numbers.beside_digits.isdisjoint(self.forms):
            return True
        number_words = self._reader.numbers.words
        if number_words.isdisjoint(self.forms):
            return False
        spelled = [form for form in self.forms if form in number_words]
        return (
            self.has_digits
            or len(spelled) > 1
            or not self._reader.numbers.large.isdisjoint(self.forms)
        )

    @cached_property
    def put_together(self) -> list[str]:
        """Words that the pieces of a text give: *Ko-vacs*, *J.o.h.n*, *JohnSmith*, *K0vacs*.

        In their own case; few texts have any.
        """
        found: list[str] = []
        for chunk in _chunks(self.text):
            found += _runs(_PIECE.findall(chunk))
        if self._has_letters_apart:
            for apart in _LETTERS_APART.findall(self.text):
                found += _runs(_PIECE.findall(apart))
        for word in self.compounds:
            if not word.isdigit():
                found += _runs(_ALIKE_PART.findall(word), least=1)
                found += [word.translate(table) for table in _DIGITS_FOR_LETTERS]
        return found

    @cached_property
    def numbers(self) -> frozenset[str]:
        """Every number and code in normal form, whatever stands between its parts or spells it."""
        if self.has_digits or self.has_number_words:
            return frozenset(self._reader.numbers_among(self._pieces))
        return frozenset()

    @cached_property
    def digits_joined(self) -> str:
        """``squashed`` with digits for spelled numbers; itself where there is none."""
        if not self.has_number_words:
            return self.squashed
        return "".join(self._pieces)

    @property
    def _has_letters_apart(self) -> bool:
        try:
            return _TWO_LETTERS_APART in bytes(map(len, self.forms))
        except ValueError:  # a word of more than 255 letters
            return True

    @cached_property
    def _pieces(self) -> list[str]:
        """What stands between marks, in normal form, numbers in digits."""
        words = _PIECE.findall(self.text) if "_" in self.text else self.words
        forms = normal_forms(words) if "_" in self.text else self.forms
        if self._has_roman:
            forms = [_roman_value(word) or form for word, form in zip(words, forms, strict=True)]
        return self._reader.numbers.in_digits(forms) if self.has_number_words else forms


def _roman_value(word: str) -> str:
    return roman_value(word) if len(word) > 3 and word.isupper() else ""


def _chunks(text: str) -> Iterator[str]:
    """What stands between blanks and has a mark between two of its letters."""
    end = 0
    for mark in _MARK_WITHIN.finditer(text):
        if mark.start() >= end:
            end = text.find(" ", mark.end())
            end = len(text) if end < 0 else end
            yield text[text.rfind(" ", 0, mark.start()) + 1 : end]


def _runs(pieces: Sequence[str], least: int = 2) -> Iterator[str]:
    """Every ``least`` or more of ``pieces`` that follow each other, as one word."""
    for start in range(len(pieces)):
        word = ""
        for number, piece in enumerate(pieces[start : start + _MOST_PIECES], start=1):
            word += piece
            if len(word) > _LONGEST:
                break
            if number >= least:
                yield word
