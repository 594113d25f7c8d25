"""Shipped word lists: plain ones, words with a tag, and words that reveal something of a person.

Entry: ``read_words``, ``read_pairs``, ``read_telling``.
"""

from __future__ import annotations

import gzip
from functools import cache
from pathlib import Path


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
    """Read a word list, one word a line, in lower case; a line that begins with # is a comment.

    A list whose name ends in ``.gz`` is gzipped.
    """
    return frozenset(map(str.lower, _read_lines(file)))


def _read_lines(file: Path) -> list[str]:
    """Return the lines of a list that are no comments."""
    content = file.read_bytes()
    text = gzip.decompress(content) if file.suffix == ".gz" else content
    lines = text.decode("utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]
