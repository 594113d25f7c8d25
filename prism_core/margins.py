"""What sending gains over the model on this machine, as it was measured.

A margin is the quality of a translator's answers through PRISM less that of the model on this
machine, in chrF against a person's translation. Sending pays where it is above zero.

Entry: ``find_margin``, ``find_lead``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from pydantic import TypeAdapter

from prism_core.resources import SHIPPED, read_rows


@dataclass(frozen=True, slots=True, kw_only=True)
class Margin:
    """Measured chrF of one translator at one strength, on ``lines`` of one kind of ``text``.

    ``remote`` is its quality in clear, ``prism`` through PRISM, ``local`` that of the model here.
    ``low`` and ``high`` bound ``prism`` less ``local`` with 95 %.
    """

    pair: str
    translator: str
    strength: str
    text: str
    lines: int
    remote: float
    prism: float
    local: float
    low: float
    high: float

    @property
    def gain(self) -> float:
        """Gain of sending over the model on this machine."""
        return self.prism - self.local

    @property
    def is_positive(self) -> bool:
        """True if sending was shown to be better."""
        return self.low > 0

    def __str__(self) -> str:
        return (
            f"{self.translator} {self.remote:.1f} in clear, {self.prism:.1f} through PRISM at "
            f"{self.strength}, the model on this machine {self.local:.1f}: {self.gain:+.1f} "
            f"({self.low:+.1f} to {self.high:+.1f}) chrF, {self.lines} lines of {self.text}"
        )


def find_margin(source: str, target: str, translator: str, strength: str) -> Margin | None:
    """Return the margin of ``translator`` from ``source`` to ``target``; None if not measured."""
    return _read_margins().get((f"{source}-{target}", translator, strength))


def find_lead(source: str, target: str, translator: str) -> float:
    """Return the least lead that ``translator`` has in clear, in chrF; 0 if it was not measured."""
    asked = f"{source}-{target}", translator
    leads = [
        margin.remote - margin.local
        for margin in _read_margins().values()
        if (margin.pair, margin.translator) == asked
    ]
    return max(0.0, min(leads, default=0.0))


@cache
def _read_margins() -> dict[tuple[str, str, str], Margin]:
    header, *rows = read_rows(SHIPPED / "data" / "margins.tsv")
    found = TypeAdapter(list[Margin]).validate_python(
        [dict(zip(header, row, strict=True)) for row in rows]
    )
    return {(margin.pair, margin.translator, margin.strength): margin for margin in found}
