"""Types of the fields of a language, as its data file writes them.

A data file writes words as one text, separated by blanks or, where a word contains a blank, by
semicolons. It writes a long pattern as a list of its alternatives, frames as a table of texts by
feature, and many number words as the name of a file of word, tab and value. File names are relative
to the data file.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

from pydantic import BeforeValidator, ConfigDict, ValidationInfo

STRICT = ConfigDict(extra="forbid")
"""Configuration that refuses unknown keys."""

_BLANKS = " \n"
"""Separators; no-break spaces are part of some abbreviations."""


def _split_words(value: object) -> object:
    """Split a text into its words."""
    if not isinstance(value, str):
        return value
    words = (word.strip(_BLANKS) for word in re.split("[;\n]" if ";" in value else "[ \n]", value))
    return [word for word in words if word]


def _join_alternatives(value: object) -> object:
    """Join the alternatives of a pattern."""
    return "|".join(value) if isinstance(value, list) else value


def _folder(info: ValidationInfo) -> Path:
    """Return the folder of the data file."""
    folder: Path = info.context or Path()
    return folder


def _resolve(value: object, info: ValidationInfo) -> object:
    """Resolve a path that is relative to the data file, whose folder is the context."""
    return _folder(info) / value if isinstance(value, str) else value


def _read_numbers(value: object, info: ValidationInfo) -> object:
    """Read number words from the file that is named in their place."""
    if not isinstance(value, str):
        return value
    lines = (_folder(info) / value).read_text(encoding="utf-8").splitlines()
    return dict(line.split("\t", 1) for line in lines)


WordSet = Annotated[frozenset[str], BeforeValidator(_split_words)]
WordTuple = Annotated[tuple[str, ...], BeforeValidator(_split_words)]
Pattern = Annotated[str, BeforeValidator(_join_alternatives)]
DataFile = Annotated[Path, BeforeValidator(_resolve)]
NumberWords = Annotated[Mapping[str, int], BeforeValidator(_read_numbers)]
