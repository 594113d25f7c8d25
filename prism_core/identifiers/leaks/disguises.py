"""Disguises: all readings of a finished text, as words and as words put together from pieces.

Entry: ``list_readings``, the only place that knows disguises: look-alike letters, hidden or
reversed text, and in a ``Reading`` spaced letters, digits for letters, and numbers in words or in
parts.

Readings depend on the text alone. Plain text costs little: most texts have nothing to put together.
"""

from __future__ import annotations

import re
from functools import cached_property
from operator import add

from prism_core.identifiers.leaks.spelled_numbers import SpelledNumbers, join_runs, roman_value
from prism_core.identifiers.normal_form import (
    has_right_to_left_text,
    hidden_text,
    normal_forms,
    replace_small_lookalikes,
    squash,
    visible_form,
)

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


def list_readings(text: str, numbers: SpelledNumbers) -> list[Reading]:
    """Return every reading of ``text``; ASCII text has only one."""
    if text.isascii():
        return [Reading(text, numbers)]
    shown = visible_form(text)
    found = [shown, hidden_text(text), replace_small_lookalikes(shown)]
    if has_right_to_left_text(text):
        found.append(shown[::-1])
    return [Reading(word, numbers) for word in dict.fromkeys(found) if word]


class Reading:
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

    @cached_property
    def _pieces(self) -> list[str]:
        """Pieces between marks, in normal form, with numbers in digits."""
        words = _PIECE.findall(self.text) if "_" in self.text else self.words
        forms = normal_forms(words) if "_" in self.text else self.forms
        if self._has_roman:
            forms = [roman_value(word) or form for word, form in zip(words, forms, strict=True)]
        return self._numbers.replace_number_words(forms) if self._spells_number else forms
