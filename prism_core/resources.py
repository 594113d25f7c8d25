"""Where the files that ship with the project are."""

from __future__ import annotations

from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent


def shipped_dictionary(source: str, target: str) -> Path:
    """The path of the dictionary that ships for a language pair; it may not exist."""
    return PROJECT / "dictionaries" / f"{source}-{target}.parquet"


def shipped_pairs() -> list[str]:
    """The language pairs that a dictionary ships for, as ``en-es``."""
    return sorted(path.stem for path in (PROJECT / "dictionaries").glob("*.parquet"))


def shipped_ngrams(source: str) -> Path:
    """The counts of words, and of pairs of them, of a source language; it may not exist."""
    return PROJECT / "data" / "ngrams" / f"{source}.npz"


def shipped_words() -> Path:
    """The list of public English words with their tags."""
    return PROJECT / "data" / "words" / "english.tsv.gz"


def unchanged_name_lists() -> Path:
    """The folder of the lists of public names that stay as they are in every target."""
    return shipped_names() / "unchanged"


def shipped_word_order() -> Path:
    """The same words, gzipped, one a line, each beside those like it."""
    return PROJECT / "data" / "words" / "by_meaning.txt.gz"


def shipped_names() -> Path:
    """The folder of the public name lists."""
    return PROJECT / "data" / "names"
