"""Digits spelled out one by one, with *one* among them: *one one one one* is a PIN.

Other number words are replaced as words of the dictionary are. *one* is a function word, and kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from prism_core.identifiers.base import Detection, Detector, Span, Strength
from prism_core.languages import Language
from prism_core.record import Kind

# Between two digits: *one-one*, *one, one*, *one one*.
_BETWEEN = r"(?: ?[,\-–] ?| )"
_SEVERAL = 3
"""Fewest digits that make a number in any case; two make one only if both are *one*."""


class SpelledDigitDetector(Detector):
    """Detector of three or more spelled digits with *one* among them, or of *one one*.

    It does not match *one*, *one by one*, or *one or two*.
    """

    order = 60

    def __init__(self, language: Language) -> None:
        numbers = language.numbers
        self._ones = {word for word in numbers.digits if numbers.up_to_9[word] == 1}
        words = sorted(numbers.digits | numbers.noughts | numbers.noughts_among_digits)
        several = f"(?:(?:{'|'.join(numbers.times)}) )?" if numbers.times else ""
        digit = rf"{several}(?:{'|'.join(words) or '(?!)'})"
        self._run = re.compile(rf"\b{digit}(?:{_BETWEEN}{digit})+\b", re.IGNORECASE)
        self._word = re.compile(r"[^\W_]+")
        self.signs = (re.compile("|".join(self._ones) or "(?!)", re.IGNORECASE),)

    def find(self, text: str) -> Iterator[Detection]:
        """Yield each run as a whole."""
        for match in self._run.finditer(text):
            words = [word.lower() for word in self._word.findall(match.group())]
            ones = sum(word in self._ones for word in words)
            if ones and (len(words) >= _SEVERAL or ones == len(words)):
                whole = Span(*match.span(), "NUMBER", Kind.NUMBER)
                yield Detection(*match.span(), "NUMBER", Strength.SHAPED, (whole,))


DETECTOR = SpelledDigitDetector
