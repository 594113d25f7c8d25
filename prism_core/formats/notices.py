"""Notices for the report: names of what occurred, with counts, and no text of a document."""

from __future__ import annotations

from collections.abc import Mapping


def notices(counts: Mapping[str, int]) -> tuple[str, ...]:
    """``name:count`` for everything that occurred."""
    return tuple(f"{name}:{count}" for name, count in counts.items() if count)
