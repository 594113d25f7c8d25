"""Digits that are spelled out one by one with *one* among them: *one one one one* is a PIN.

Other number words are replaced as words of the dictionary are; *one* is grammar, and kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from prism_core.identifiers.base import Detector, Match, Span, Strength
from prism_core.languages import Language
from prism_core.record import Kind

_BETWEEN = r"(?: ?[,\-–] ?| )"
_SEVERAL = 3
"""Digits that are a number whatever they are; two are only where both are *one*."""


class SpelledDigitDetector(Detector):
    """Three digits or more with *one* among them, or *one one*; not *one*, *one by one*, *one or
    two*."""

    order = 60

    def __init__(self, language: Language) -> None:
        numbers = language.numbers
        self._ones = {word for word in numbers.digits if numbers.up_to_9[word] == 1}
        words = sorted(numbers.digits | numbers.noughts | numbers.noughts_among_digits)
        several = f"(?:(?:{'|'.join(numbers.times)}) )?" if numbers.times else ""
        one = rf"{several}(?:{'|'.join(words) or '(?!)'})"
        self._run = re.compile(rf"\b{one}(?:{_BETWEEN}{one})+\b", re.IGNORECASE)
        self._word = re.compile(r"[^\W_]+")
        self.signs = (re.compile("|".join(self._ones) or "(?!)", re.IGNORECASE),)

    def find(self, text: str) -> Iterator[Match]:
        """Each run as a whole."""
        for match in self._run.finditer(text):
            words = [word.lower() for word in self._word.findall(match.group())]
            ones = sum(word in self._ones for word in words)
            if ones and (len(words) >= _SEVERAL or ones == len(words)):
                whole = Span(*match.span(), "NUMBER", Kind.NUMBER)
                yield Match(*match.span(), "NUMBER", Strength.SHAPED, (whole,))


DETECTOR = SpelledDigitDetector
