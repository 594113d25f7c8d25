"""Where the files that ship with the project are."""

from __future__ import annotations

import hashlib
from itertools import chain
from pathlib import Path

_HERE = Path(__file__).resolve().parent
SHIPPED = _HERE / "shipped" if (_HERE / "shipped").is_dir() else _HERE.parent
"""The folder that holds ``data`` and ``dictionaries``: a package has them within, a checkout beside
its code."""


def shipped_dictionary(source: str, target: str) -> Path:
    """The path of the dictionary that ships for a language pair; it may not exist."""
    return SHIPPED / "dictionaries" / f"{source}-{target}.parquet"


def shipped_pairs() -> list[str]:
    """The language pairs that a dictionary ships for, as ``en-es``."""
    return sorted(path.stem for path in (SHIPPED / "dictionaries").glob("*.parquet"))


def shipped_languages() -> Path:
    """Return the folder of the source languages, one TOML file each."""
    return SHIPPED / "data" / "languages"


def shipped_ngrams(source: str) -> Path:
    """The counts of words, and of pairs of them, of a source language; it may not exist."""
    return SHIPPED / "data" / "ngrams" / f"{source}.npz"


def shipped_words(source: str = "en") -> Path:
    """The list of public words of ``source`` with their tags; it may not exist."""
    words = SHIPPED / "data" / "words"
    return words / "english.tsv.gz" if source == "en" else words / source / "public.tsv.gz"


def unchanged_name_lists() -> Path:
    """The folder of the lists of public names that stay as they are in every target."""
    return shipped_names() / "unchanged"


def shipped_exonyms(source: str, target: str) -> Path:
    """The list of what public names are called in a target language; it may not exist."""
    return shipped_names() / "exonyms" / f"{source}-{target}.tsv"


def shipped_gate(source: str, target: str) -> Path:
    """What the gate learned of translators of a language pair; it may not exist."""
    return SHIPPED / "data" / "gate" / f"{source}-{target}.json"


def shipped_word_order() -> Path:
    """The same words, gzipped, one a line, each beside those like it."""
    return SHIPPED / "data" / "words" / "by_meaning.txt.gz"


def shipped_single_words(source: str) -> Path:
    """Where words of grammar of ``source`` that are a line by themselves are translated."""
    return SHIPPED / "data" / "words" / "alone" / f"{source}.tsv"


def shipped_fonts() -> Path:
    """The folder of the typefaces for what is written into PDF."""
    return SHIPPED / "data" / "fonts"


def shipped_names() -> Path:
    """The folder of the public name lists."""
    return SHIPPED / "data" / "names"


def installed_digest() -> str:
    """Another one whenever a file of the code or of the shipped data is not the one that it was, as
    far as sizes and times of change tell."""
    data = (SHIPPED / "data").rglob("*")
    files = chain(_HERE.rglob("*.py"), data, (SHIPPED / "dictionaries").iterdir())
    found = [(str(file), file.stat()) for file in files]
    states = sorted((file, state.st_size, state.st_mtime_ns) for file, state in found)
    return hashlib.sha256(repr(states).encode()).hexdigest()
