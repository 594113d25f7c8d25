"""Enumerations whose members have a text for a person."""

from __future__ import annotations

from enum import StrEnum
from typing import Self


class ExplainedEnum(StrEnum):
    """Enumeration of ``NAME = value, meaning``, where ``meaning`` is what a person is shown."""

    meaning: str

    def __new__(cls, value: str, meaning: str = "") -> Self:
        """Create the member for ``value``; a call with a value alone finds it."""
        member = str.__new__(cls, value)
        member._value_, member.meaning = value, meaning
        return member
