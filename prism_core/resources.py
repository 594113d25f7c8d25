"""Where the files that ship with the project are."""

from __future__ import annotations

from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent


def shipped_dictionary(source: str, target: str) -> Path:
    """The path of the dictionary that ships for a language pair; it may not exist."""
    return PROJECT / "dictionaries" / f"{source}-{target}.parquet"


def shipped_model() -> Path:
    """The folder of the language model that ships."""
    return PROJECT / "data" / "en_prism"


def shipped_words() -> Path:
    """The list of public English words with their tags."""
    return PROJECT / "data" / "words" / "english.tsv.gz"


def shipped_names() -> Path:
    """The folder of the public name lists."""
    return PROJECT / "data" / "names"


def shipped_role_words() -> Path:
    """The list of nouns of courts, contracts and clinics that name nobody."""
    return PROJECT / "data" / "words" / "courts_and_clinics.txt"


def shipped_number_words() -> Path:
    """The list of English words that tell what a number is."""
    return PROJECT / "data" / "words" / "numbers.txt"


def shipped_names_that_are_words() -> Path:
    """The list of names that are ordinary words too."""
    return PROJECT / "data" / "names" / "also_words.txt"
