"""Numbers that one state gives out, as a table that its detector looks through.

Entry: ``find_numbers``, for texts in the language of that state: elsewhere most of these forms are
ordinary numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

from prism_core.identifiers.base import Match, Strength
from prism_core.identifiers.checksums import Check

_APART = r"(?<![\w@+])(?<!\d[-./,])"
_ENDS = r"(?![\w@]|[-/.,]\d)"


class NationalNumber(NamedTuple):
    """A row: numbers of the class ``label`` look like ``pattern`` and pass ``check``, if any.

    ``strength`` says what that proves; one without check digits that has a form of its own is
    ``NAMED``.
    """

    label: str
    pattern: str
    check: Check | None = None
    strength: Strength = Strength.CHECKED

    def find(self, text: str) -> Iterator[Match]:
        """The matches in ``text``, which do not overlap."""
        strength = self.strength if self.check else max(self.strength, Strength.NAMED)
        for match in _alone(self.pattern).finditer(text):
            if self.check is None or self.check(match.group()):
                yield Match(*match.span(), self.label, strength)


def find_numbers(rows: Iterable[NationalNumber], text: str) -> Iterator[Match]:
    """What each of ``rows`` finds in ``text``, row by row; those of two rows may overlap."""
    for row in rows:
        yield from row.find(text)


@cache
def _alone(pattern: str) -> re.Pattern[str]:
    """``pattern`` where no letter, digit or address goes on beside it."""
    return re.compile(rf"{_APART}(?:{pattern}){_ENDS}")
