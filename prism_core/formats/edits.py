"""Changes of a file's bytes, so that every other byte stays as it is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Edit:
    """Put ``content`` in place of the bytes from ``start`` to ``end``; equal ones insert."""

    start: int
    end: int
    content: bytes


def edited(source: bytes, edits: Iterable[Edit]) -> bytes:
    """``source`` with ``edits``, which may not overlap.

    What is inserted at one place keeps its order, and stands before what replaces bytes there.
    """
    pieces, position = [], 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        pieces += [source[position : edit.start], edit.content]
        position = edit.end
    return b"".join([*pieces, source[position:]])
