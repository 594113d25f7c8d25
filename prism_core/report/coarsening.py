"""Make the rows of a report tell less, for a copy that leaves the house.

A count of a document can be what gives it away: who has a letter of 417 words can look for 417. So
every count becomes a range that doubles, every number with a fraction is rounded to one digit,
every time to its day, and ids are replaced by random ones that fit each other in one export and in
no other. What describes the settings stays, and so do classes and reasons.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import fields
from datetime import datetime
from random import Random
from typing import Any

from prism_core.report.rows import RunSeal

SMALLEST_BUCKET = 2
_COUNT = re.compile(r"(?<=:)\d+$")
"""At the end of a notice."""
_IDS = ("run_id", "document_id", "request_id")
_SETTINGS = (
    "dictionary_entries",
    "threshold",
    "ratio",
    "replace_probability",
    "table_probability",
    "vocabulary",
    "minimum_pool",
    "epsilon_word",
)
_LEFT_OUT = frozenset(
    {"settings_digest", "dictionary_digest", "row_hash", *(f.name for f in fields(RunSeal))}
)
"""A hash names a run or a row wherever it is seen; settings can be guessed and compared by it."""


class Coarsening:
    """One external copy: ``bucket`` is the end of the first range, as in 1 to 10.

    ``rng`` draws the ids: from OS entropy, except in tests.
    """

    def __init__(self, bucket: int, rng: Random) -> None:
        if bucket < SMALLEST_BUCKET:
            raise ValueError("a range holds at least two numbers")
        self._bucket, self._rng = bucket, rng
        self._ids: dict[str, str] = {}

    def columns(self, names: list[str]) -> list[str]:
        """Those of the columns ``names`` that the copy has."""
        return [name for name in names if name not in _LEFT_OUT]

    def row(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """The row as the copy has it."""
        return {name: self._value(name, row.get(name)) for name in self.columns(list(row))}

    def _value(self, name: str, value: Any) -> Any:
        if value is None or name in _SETTINGS:
            return value
        if name in _IDS:
            return self._fresh(f"{name} {value}")
        if isinstance(value, int):
            return self.range(value)
        if isinstance(value, float):
            return _one_digit(value)
        if isinstance(value, list):
            return [_COUNT.sub(lambda found: self.range(int(found[0])), one) for one in value]
        return value.date() if isinstance(value, datetime) else value

    def range(self, count: int) -> str:
        """The range that ``count`` is in: 0, 1 to 10, 11 to 20, 21 to 40 …

        Not 1-10, which a spreadsheet takes for a day in October.
        """
        if count <= 0:
            return "0"
        low, high = 1, self._bucket
        while count > high:
            low, high = high + 1, high * 2
        return f"{low} to {high}"

    def _fresh(self, known: str) -> str:
        if known not in self._ids:
            self._ids[known] = f"{self._rng.getrandbits(64):016x}"
        return self._ids[known]


def _one_digit(value: float) -> float:
    if value == 0 or not math.isfinite(value):
        return value
    return round(value, -math.floor(math.log10(abs(value))))
