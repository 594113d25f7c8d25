"""The user's terms that may never be sent, found in whatever spelling a text shows them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from prism_core.identifiers.normal_form import normal_forms, normalise, squash
from prism_core.identifiers.readings import Reading
from prism_core.identifiers.spelled_numbers import NUMBER_WORDS, with_digits

SHORTEST_ANYWHERE = 5
"""Letters and digits of a term that is found inside other words too; shorter ones as words."""
_SHORTEST_NUMBER = 3
_PIECE = re.compile(r"[^\W_]+")
_BETWEEN = r"[\W_]*"


class NeverSent:
    """Every term counts in any letter case, spacing, punctuation and look, across words."""

    def __init__(self, terms: Iterable[str]) -> None:
        spellings = {one for term in terms for one in _spellings(term)}
        self._anywhere = tuple(sorted(s for s in spellings if len(s) >= SHORTEST_ANYWHERE))
        short = sorted(s for s in spellings if len(s) < SHORTEST_ANYWHERE)
        self._short = frozenset(short)
        apart = "|".join(_BETWEEN.join(map(re.escape, term)) for term in short)
        self._apart = re.compile(rf"(?<![^\W_])(?:{apart})(?![^\W_])") if short else None

    def __bool__(self) -> bool:
        return bool(self._anywhere or self._short)

    def is_in(self, reading: Reading) -> bool:
        """Whether ``reading`` shows one of the terms."""
        if any(map(reading.squashed.__contains__, self._anywhere)):
            return True
        if self._apart is not None and self._apart.search(normalise(reading.text)):
            return True
        words = set(normal_forms(reading.put_together)) | reading.numbers
        if words and not self._short.isdisjoint(words):
            return True
        together = {reading.digits_joined, *(word for word in words if len(word) > 4)}
        return any(term in one for one in together for term in self._anywhere)


def _spellings(term: str) -> set[str]:
    """``term`` squashed, and with digits for the numbers that it spells, if it is a number then."""
    pieces = normal_forms(_PIECE.findall(term))
    found = {squash(term)}
    if not NUMBER_WORDS.isdisjoint(pieces):
        digits = "".join(with_digits(pieces))
        if len(digits) >= SHORTEST_ANYWHERE or (
            digits.isdigit() and len(digits) >= _SHORTEST_NUMBER
        ):
            found.add(digits)
    return found - {""}
