"""What the head of a column, or the cell to the left, tells of a number in a table."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from prism_core.identifiers.contexts import label_of_head, settled
from prism_core.identifiers.view import View

_MOST_HEADS = 4096
_LONGEST_HEAD = 60
_LONGEST_VALUE = 40
_PIECE = r"(?:[^\W_]*\d[^\W_]*|[A-Z]{1,6})"
_VALUE = re.compile(rf"#?{_PIECE}(?:[ ./:_+-]{{1,3}}{_PIECE})*")
_FEWEST_DIGITS = 2
_OF_NO_CLASS = "CODE"
_DIALLED = ("PHONE", "FAX")


def column_of(heads: Iterable[str], text: str) -> str:
    """The label that the first of ``heads`` to name one gives to ``text``; empty if none does.

    Only a bare number or code gets one: a cell with a word in it is text like any other.
    """
    value = View(text).text.strip()
    if len(value) > _LONGEST_VALUE or not _VALUE.fullmatch(value):
        return ""
    if sum(map(str.isdigit, value)) < _FEWEST_DIGITS:
        return ""
    label = settled(next(filter(None, map(_label, heads)), ""), value)
    dialled = label in _DIALLED and any(map(str.isalpha, value))
    return "" if dialled or label == _OF_NO_CLASS else label


@lru_cache(_MOST_HEADS)
def _label(head: str) -> str:
    return label_of_head(head) if len(head) <= _LONGEST_HEAD else ""
