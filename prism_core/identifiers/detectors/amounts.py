"""Amounts and times of the day in words or partly in words: each is sent as one number in digits.

*two thousand* is sent as *47*, *5 per cent* as *62%*, *half past two* as *17:43*. Sent word by word
it would come back as a mixture of numbers. The surrogate tells the kind of the amount, and nothing
of its size: it is drawn from the same numbers for all of a kind.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import ClassVar

from prism_core.identifiers.base import Detection, Detector, Span, Strength
from prism_core.languages import AmountKind, Language, amount_reader
from prism_core.record import Kind

_PARTS = ("3/7", "4/7", "5/7", "5/8", "7/8", "4/9", "5/9", "7/9", "8/9", "3/8")
"""Fractions that no translator takes for a date, or writes in words."""

_LABELS = tuple(kind for kind in AmountKind if kind is not AmountKind.CLOCK)


def _amount(_text: str, _longer: int, rng: Random) -> str:
    """Draw a number of two digits that is a plural in every language."""
    return f"{rng.randrange(3, 10)}{rng.randrange(2, 10)}"


class AmountDetector(Detector):
    """Detector of amounts that are one unit; see ``AmountReader``.

    Times of the day are sent as those in digits are (``pieces``).
    """

    order = 75
    surrogates: ClassVar = {
        AmountKind.CARDINAL: _amount,
        AmountKind.ORDINAL: _amount,
        AmountKind.PERCENT: lambda *given: _amount(*given) + "%",
        AmountKind.FRACTION: lambda _text, _longer, rng: rng.choice(_PARTS),
    }
    blind = frozenset(_LABELS)

    def __init__(self, language: Language) -> None:
        self._reader = amount_reader(language)

    def find(self, text: str) -> Iterator[Detection]:
        """Yield each amount as a whole."""
        for amount in self._reader.find(text):
            place = amount.start, amount.end
            whole = Span(*place, amount.kind, Kind.NUMBER)
            strength = Strength.LIKELY if amount.spelled else Strength.CHECKED
            yield Detection(*place, amount.kind, strength, (whole,))


DETECTOR = AmountDetector
