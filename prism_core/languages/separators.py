"""Separators of numbers in digits, by language: *1,234.5* is *1.234,5* in Spanish.

Entry: ``number_format`` of a language.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from prism_core.resources import shipped_languages

BLANKS = "\u00a0\u202f "
"""Blanks between groups of three digits."""


@dataclass(frozen=True, slots=True)
class NumberFormat:
    """Separators of one language: of ``thousands`` and of the ``decimal`` fraction.

    ``link`` stands between a million and what is counted (*dos millones de euros*), and a million
    is in the singular with 1, in languages with ``singular_below`` with any number below that.
    """

    thousands: str
    decimal: str
    link: str = ""
    singular_below: str = ""

    def value_of(self, number: str) -> str | None:
        """Return ``number`` as digits with a decimal point; None if it has another format."""
        gaps = re.escape(self.thousands + "'’" + BLANKS)
        whole = rf"(\d{{1,3}}(?:([{gaps}])\d{{3}}(?:\2\d{{3}})*)|\d+)"
        found = re.fullmatch(rf"{whole}(?:{re.escape(self.decimal)}(\d+))?", number)
        if found is None:
            return None
        digits = re.sub(r"\D", "", found[1])
        return f"{digits}.{found[3]}" if found[3] else digits

    def write(self, value: str) -> str:
        """Write ``value``, as ``value_of`` returns it, in this format."""
        whole, _, fraction = value.partition(".")
        grouped = re.sub(r"(?<=\d)(?=(?:\d{3})+$)", lambda _: self.thousands, whole)
        return grouped + self.decimal + fraction if fraction else grouped


UNKNOWN_FORMAT = NumberFormat(" ", ",")
"""Format where a language is not listed: blanks and commas are read in most others, too."""


def number_format(language: str) -> NumberFormat:
    """Return the format of ``language`` (ISO 639-1), or ``UNKNOWN_FORMAT``."""
    return _read_formats().get(language, UNKNOWN_FORMAT)


@cache
def _read_formats() -> dict[str, NumberFormat]:
    lines = (shipped_languages() / "number_formats.tsv").read_text(encoding="utf-8").splitlines()
    rows = (line.split("\t") for line in lines[3:])
    return {language: NumberFormat(*separators) for language, *separators in rows}
