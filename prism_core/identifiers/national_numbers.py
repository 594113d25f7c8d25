"""Table rows for numbers that one state issues; the state's detector searches with them.

Entry: ``find_numbers``, for texts in the language of that state only: elsewhere most of these forms
are ordinary numbers.
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


def find_numbers(rows: Iterable[NationalNumber], text: str) -> Iterator[Match]:
    """Yield the matches of each row in turn; matches of two rows may overlap."""
    for row in rows:
        yield from row.find(text)


@cache
def _alone(pattern: str) -> re.Pattern[str]:
    """Compile ``pattern`` so that no letter, digit or address continues on either side."""
    return re.compile(rf"{_APART}(?:{pattern}){_ENDS}")
