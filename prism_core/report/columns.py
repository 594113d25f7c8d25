"""How a column of the report is described, what its text may be, and what a document comes to."""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum
from typing import Any

ID = r"[0-9A-Za-z_-]{4,64}"
HASH = r"[0-9a-f]{16,64}"
WORD = r"[A-Za-z0-9_.:+-]{0,80}"
REASON = r"[a-z0-9 ,.:;'()-]{0,120}"
POLICY = r"[a-z0-9-]{1,40}: [A-Za-z0-9_.=, +-]{1,1000}"
FREE = r"[^\x00-\x08\x0b-\x1f]{0,500}"


def column(
    description: str,
    *,
    unit: str = "",
    pattern: str = WORD,
    optional: bool = False,
) -> Any:
    """A field of a row, with what the Parquet schema and the documentation say about it."""
    metadata = {"description": description, "unit": unit, "pattern": pattern}
    return field(default=None, metadata=metadata) if optional else field(metadata=metadata)


WAYS = {
    "form": "as the dictionary has it, or as its kind is written.",
    "alignment": "where the translator's own links say.",
    "near": "by a near form of the substitute.",
    "joined": "in the answer to another encoding of the sentence, which is otherwise the same.",
    "pair": "where the answers to two encodings with one substitute drawn anew differ.",
    "association": "as a word of its family, or what public translations of it have most often: "
    "unsure.",
    "elimination": "as the only word left between its neighbours: unsure.",
}
"""The ways in which the place of a substitute is found, each with what its column says."""


STAGES = {
    "ingest": "Finding the documents",
    "read": "Reading them",
    "recall": "Looking into reviews and memories",
    "encode": "Encoding",
    "translate": "Waiting for translators",
    "decode": "Decoding",
    "write": "Writing documents",
}
"""The stages whose time is told, each with what its column says."""


def spent_in(stage: str) -> Any:
    """A column with the time that was spent in ``stage``."""
    told = f"{STAGES[stage]}: time of all calls of this run, some of them at the same time."
    return column(told, unit="seconds")


def found_by(way: str) -> Any:
    """A column that counts the words that were found in ``way``."""
    return column(f"Of the restored, found {WAYS[way]}", unit="words")


NOT_REACHED = "not-reached"
"""The class of a document that the run was stopped before."""


class Outcome(StrEnum):
    """What became of a document."""

    TRANSLATED = "translated"
    PARTLY = "partly-translated"
    """Written, but some sentence stayed in the source language."""
    UNCHANGED = "unchanged"
    """Not read again: content, settings and dictionary are those of an earlier run."""
    EMPTY = "nothing-to-translate"
    """It holds no text; nothing of it was written."""
    IN_TARGET = "in-target-language"
    """It is in the target language already: it was copied as it is, and nothing of it sent."""
    FAILED = "failed"
    GONE = "gone"
    """Its file is in the input no more; its translation stays where it is."""
    RENAMED = "renamed"
    """The same, and the input has its content under another name."""
    PRUNED = "pruned"
    """Its file is in the input no more, and what PRISM had made and kept of it was destroyed."""


ABSENT = (Outcome.GONE, Outcome.RENAMED, Outcome.PRUNED)
"""Documents of earlier runs, which the input has no more, or not under that name."""
