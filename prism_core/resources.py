"""Paths of the files that ship with the project, and of models that its user adds."""

from __future__ import annotations

import hashlib
import os
import sys
from itertools import chain
from pathlib import Path

_HERE = Path(__file__).resolve().parent
SHIPPED = _HERE / "shipped" if (_HERE / "shipped").is_dir() else _HERE.parent
"""Folder that holds ``data`` and ``dictionaries``: within an installed package, or beside the code
of a checkout."""
SHIPPED_LANGUAGES = SHIPPED / "data" / "languages"
"""Folder of the source languages, one TOML file each."""
SHIPPED_IDENTIFIERS = SHIPPED / "data" / "identifiers"
"""Folder of the tables of identifiers that are recognised by their form."""
SHIPPED_NAMES = SHIPPED / "data" / "names"
"""Folder of the public name lists: those of several languages, and of names that are the same in
every target language."""
SUMS = "SHA256SUMS"
"""Name of the file with the checksums of an added model."""


def shipped_dictionary(source: str, target: str) -> Path:
    """Return the path of the dictionary that ships for a language pair; it may not exist."""
    return SHIPPED / "dictionaries" / f"{source}-{target}.parquet"


def shipped_pairs() -> list[str]:
    """Return the language pairs that a dictionary ships for, as ``en-es``."""
    return sorted(path.stem for path in (SHIPPED / "dictionaries").glob("*.parquet"))


def shipped_ngrams(source: str) -> Path:
    """Return the path of a source language's counts of words and word pairs; it may not exist."""
    return SHIPPED / "data" / "ngrams" / f"{source}.npz"


def shipped_words(source: str = "en") -> Path:
    """Return the path of the list of public words of ``source`` with tags; it may not exist."""
    words = SHIPPED / "data" / "words"
    return words / "english.tsv.gz" if source == "en" else words / source / "public.tsv.gz"


def shipped_gate(source: str, target: str) -> Path:
    """Return the path of the gate's model of a language pair; it may not exist."""
    return SHIPPED / "data" / "gate" / f"{source}-{target}.json"


def shipped_single_words(source: str) -> Path:
    """Return the path of the translations of single function words of ``source``."""
    return SHIPPED / "data" / "words" / "alone" / f"{source}.tsv"


def shipped_senses(source: str) -> Path:
    """Return the list of words of ``source`` that have several senses where they stand alone."""
    return SHIPPED / "data" / "words" / "alone" / f"{source}_senses.txt"


def read_rows(path: Path) -> list[list[str]]:
    """Return the cells of each line of a shipped table, which tabs separate, without comments."""
    lines = path.read_text(encoding="utf-8").split("\n")
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


def installed_digest() -> str:
    """Return a digest of the size and time of every file of the code and the shipped data."""
    data = (SHIPPED / "data").rglob("*")
    files = chain(_HERE.rglob("*.py"), data, (SHIPPED / "dictionaries").iterdir())
    found = [(str(file), file.stat()) for file in files]
    states = sorted((file, state.st_size, state.st_mtime_ns) for file, state in found)
    return hashlib.sha256(repr(states).encode()).hexdigest()


def models_folder() -> Path:
    """Return the folder of all models.

    It is ``PRISM_MODELS``, else that of the virtual environment (``make setup`` makes one), else
    ``prism/models`` of the user's data.
    """
    if stated := os.environ.get("PRISM_MODELS"):
        return Path(stated).expanduser()
    if (own := Path(sys.prefix, "share", "prism", "models")).is_dir():
        return own
    data = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
    return Path(data, "prism", "models").expanduser()


def installed_folder(source: str, target: str) -> Path:
    """Return the folder of the model from ``source`` to ``target``, which need not exist."""
    return models_folder() / f"{source}-{target}"


def is_installed(source: str, target: str) -> bool:
    """Return True if a model from ``source`` to ``target`` was added."""
    return (installed_folder(source, target) / SUMS).is_file()
