"""Meanings of the report's columns, patterns of their text, and outcomes of a document.

Entry: ``describe`` a column of a row, from ``columns.toml``; ``Outcome`` lists the outcomes.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Column:
    """Meaning of a column, the unit of its numbers, and the pattern of its texts."""

    meaning: str
    unit: str = ""
    pattern: str = "WORD"


def describe(row_type: type, name: str) -> Column:
    """Return the description of the column ``name`` of ``row_type``.

    Raises ``KeyError`` for a column that ``columns.toml`` does not have.
    """
    tables = _read_columns()
    own = tables[row_type.__name__]
    return own[name] if name in own else tables["shared"][name]


@cache
def _read_columns() -> dict[str, dict[str, Column]]:
    text = (files("prism_core.report") / "columns.toml").read_text(encoding="utf-8")
    tables = tomllib.loads(text)
    patterns = tables.pop("patterns")
    found: dict[str, dict[str, Column]] = {}
    for table, columns in tables.items():
        found[table] = {}
        for name, stated in columns.items():
            row = {"meaning": stated} if isinstance(stated, str) else stated
            pattern = row.get("pattern", "WORD")
            found[table][name] = Column(**row | {"pattern": patterns.get(pattern, pattern)})
    return found


WAYS = ("form", "order", "alignment", "near", "joined", "pair", "association", "elimination")
"""Ways of finding a substitute in the answer; the column of each is ``words_`` and its name."""
STAGES = ("ingest", "read", "recall", "encode", "translate", "decode", "write")
"""Stages whose time is reported; the column of each is ``seconds_`` and its name."""
NOT_REACHED = "not-reached"
"""Failure class of a document that a stopped run did not reach."""


class Outcome(StrEnum):
    """Outcome of a document."""

    TRANSLATED = "translated"
    PARTLY = "partly-translated"
    """Written, but some sentence stayed in the source language."""
    UNCHANGED = "unchanged"
    """Not read again: content, settings and dictionary are those of an earlier run."""
    EMPTY = "nothing-to-translate"
    """The document holds no text; nothing was written for it."""
    IN_TARGET = "in-target-language"
    """The document is in the target language already: it was copied unchanged, and not sent."""
    FAILED = "failed"
    GONE = "gone"
    """Its file is no longer in the input; its translation stays."""
    RENAMED = "renamed"
    """The same, and the input has its content under another name."""
    PRUNED = "pruned"
    """Its file is no longer in the input, and everything PRISM made and kept of it was
    destroyed."""


ABSENT = (Outcome.GONE, Outcome.RENAMED, Outcome.PRUNED)
"""Outcomes of documents of earlier runs that are no longer in the input, or under another name."""
