"""Common parts of the detectors of single states: rows for its numbers, and its addresses.

Entry: ``CountryDetector``, which reads only texts in the language of its state: elsewhere most of
these forms are ordinary numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import ClassVar, NamedTuple

from prism_core.identifiers.base import Detector, Match, Span, Strength
from prism_core.identifiers.checksums import Check
from prism_core.identifiers.detectors.addresses import named_parts
from prism_core.languages import Language

_APART = r"(?<![\w@+])(?<!\d[-./,])"
_ENDS = r"(?![\w@]|[-/.,]\d)"


class NationalNumber(NamedTuple):
    """Row of the table: numbers of class ``label`` match ``pattern`` and pass ``check``, if any.

    ``strength`` says how much the check proves. A row without a check has a form of its own, and is
    at most as strong as ``NAMED``.
    """

    label: str
    pattern: str
    check: Check | None = None
    strength: Strength = Strength.CHECKED

    def find(self, text: str) -> Iterator[Match]:
        """Yield the matches in ``text``, which do not overlap."""
        strength = self.strength if self.check else max(self.strength, Strength.NAMED)
        for match in _alone(self.pattern).finditer(text):
            if self.check is None or self.check(match.group()):
                yield Match(*match.span(), self.label, strength)


@cache
def _alone(pattern: str) -> re.Pattern[str]:
    """Compile ``pattern`` so that no letter, digit or address continues on either side."""
    return re.compile(rf"{_APART}(?:{pattern}){_ENDS}")


class CountryDetector(Detector):
    """Base class of detectors for one state; ``code`` is its language, ``numbers`` its rows.

    Every text that it finds something in matches ``sign``, or ``sign_without_digits`` if it has no
    digit. ``addresses`` are patterns whose groups ``name`` and ``town`` are names.
    """

    code: ClassVar[str]
    numbers: ClassVar[tuple[NationalNumber, ...]]

    def __init__(
        self, language: Language, sign: str, sign_without_digits: str, addresses: Iterable[str]
    ) -> None:
        is_read = language.code == self.code
        self.signs = (re.compile(sign),) if is_read else ()
        self.signs_without_digits = (re.compile(sign_without_digits),) if is_read else ()
        self._function_words = language.words.function_words
        self._addresses = tuple(map(re.compile, addresses))

    def find(self, text: str) -> Iterator[Match]:
        """Yield numbers, with right check digits if they have any, and addresses."""
        yield from self.find_numbers(text)
        yield from self.find_addresses(text)

    def find_numbers(self, text: str) -> Iterator[Match]:
        """Yield the matches of each row in turn; matches of two rows may overlap."""
        for row in self.numbers if self.signs else ():
            yield from row.find(text)

    def find_addresses(self, text: str) -> Iterator[Match]:
        """Yield the matches of each pattern in turn, in their parts."""
        for pattern in self._addresses if self.signs else ():
            for match in pattern.finditer(text):
                yield Match(*match.span(), "ADDRESS", Strength.NAMED, self.address_parts(match))

    def address_parts(self, match: re.Match[str]) -> tuple[Span, ...]:
        """Return the parts of an address that identify it."""
        return named_parts(match, self._function_words)
