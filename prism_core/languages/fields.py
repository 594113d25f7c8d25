"""Types of the fields of a language, as its data file writes them, and the lists that they name.

A data file writes words as one text, separated by blanks or, where a word contains a blank, by
semicolons. It writes a long pattern as a list of its alternatives, frames as a table of texts by
feature, and many number words as the name of a file of word, tab and value. File names are relative
to the data file.

Entry: the types for ``Language``; ``read_words``, ``read_pairs`` and ``read_telling`` for lists.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Annotated

from pydantic import BeforeValidator, ConfigDict, ValidationInfo

from prism_core.resources import read_rows

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


def _folder(info: ValidationInfo) -> Path:
    """Return the folder of the data file."""
    folder: Path = info.context or Path()
    return folder


WordSet = Annotated[frozenset[str], BeforeValidator(_split_words)]
WordTuple = Annotated[tuple[str, ...], BeforeValidator(_split_words)]
Pattern = Annotated[
    str, BeforeValidator(lambda value: "|".join(value) if isinstance(value, list) else value)
]
DataFile = Annotated[
    Path,
    BeforeValidator(lambda value, info: _folder(info) / value if isinstance(value, str) else value),
]
NumberWords = Annotated[
    Mapping[str, int],
    BeforeValidator(
        lambda value, info: (
            dict(read_rows(_folder(info) / value)) if isinstance(value, str) else value
        )
    ),
]


@cache
def telling_part(tag: str) -> str:
    """Return the letter of ``tag`` in lists of revealing words: a, n or v."""
    return {"VB": "v", "JJ": "a", "RB": "a"}.get(tag[:2], "n")


@cache
def read_pairs(file: Path) -> frozenset[tuple[str, str]]:
    """Read a list of words, each with its tag; return none if the file does not exist."""
    lines = _read_lines(file) if file.exists() else ()
    return frozenset((word, tag) for word, _, tag in (line.partition(" ") for line in lines))


@cache
def read_telling(file: Path) -> frozenset[tuple[str, str]]:
    """Read a list of revealing words: a word and its letters (``telling_part``) a line.

    A further letter b marks a noun that is never an adjective, whatever the tagger says.
    """
    lines = (line.split() for line in read_words(file))
    return frozenset((word, part) for word, parts in lines for part in parts)


@cache
def read_words(file: Path) -> frozenset[str]:
    """Read a word list, in lower case, one word a line; # begins comments; ``.gz`` may end it."""
    return frozenset(map(str.lower, _read_lines(file)))


def _read_lines(file: Path) -> list[str]:
    """Return the lines of a list that are no comments."""
    content = file.read_bytes()
    text = gzip.decompress(content) if file.suffix == ".gz" else content
    lines = text.decode("utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]
