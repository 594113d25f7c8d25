"""Source languages of PRISM: each is one data file, named by its code.

All other code takes a ``Language`` and contains no word of any. ``base`` explains the fields of the
file, with ``numbers`` and ``grammar``; ``fields`` how their values are written. Words of names are
recognised in texts of any language: they are in ``data/identifiers/names.toml``.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

from pydantic import TypeAdapter

from prism_core.errors import ConfigurationError
from prism_core.languages.amount_reader import Amount, AmountKind, amount_reader
from prism_core.languages.base import Language, LineEnds, Places
from prism_core.languages.fields import (
    read_pairs,
    read_telling,
    read_words,
    telling_part,
)
from prism_core.languages.grammar import Frame, Frames, Grammar
from prism_core.languages.numbers import (
    BLANKS,
    NumberFormat,
    NumberReader,
    Numbers,
    magnitude_of,
    number_format,
    spell_ordinal,
    spell_out,
    word_at,
)
from prism_core.resources import SHIPPED_LANGUAGES, shipped_pairs

__all__ = [
    "BLANKS",
    "Amount",
    "AmountKind",
    "Frame",
    "Frames",
    "Grammar",
    "Language",
    "LineEnds",
    "NumberFormat",
    "NumberReader",
    "Numbers",
    "Places",
    "amount_reader",
    "load_language",
    "magnitude_of",
    "number_format",
    "read_pairs",
    "read_telling",
    "read_words",
    "require_source",
    "require_source_into",
    "source_languages",
    "sources_into",
    "spell_ordinal",
    "spell_out",
    "telling_part",
    "word_at",
]


def source_languages() -> tuple[str, ...]:
    """Return the codes of the source languages, in alphabetical order."""
    return tuple(sorted(path.stem for path in SHIPPED_LANGUAGES.glob("*.toml")))


def sources_into(target: str, *, experimental: bool) -> tuple[str, ...]:
    """Return the codes of languages with a shipped dictionary into ``target``, sorted."""
    pairs = shipped_pairs()
    known = (code for code in source_languages() if f"{code}-{target}" in pairs)
    return tuple(c for c in sorted(known) if experimental or not load_language(c).experimental)


def require_source(code: str, *, experimental: bool) -> None:
    """Raise ``ConfigurationError`` for an experimental source language unless that is accepted."""
    if not experimental and code in source_languages() and load_language(code).experimental:
        raise ConfigurationError(
            f"Translating from {load_language(code).name} is experimental: too little of it is "
            "measured for confidential documents, and nothing was sent. For public documents, "
            "give --experimental (language.experimental = true)."
        )


def require_source_into(target: str, *, experimental: bool) -> None:
    """Raise ``ConfigurationError`` if only experimental sources have a dictionary into ``target``.

    ``experimental`` accepts them. Nothing is checked where no dictionary into ``target`` ships.
    """
    known = sources_into(target, experimental=True)
    if known and not sources_into(target, experimental=experimental):
        names = ", ".join(load_language(code).name for code in known)
        raise ConfigurationError(
            f"Translating into {target} is experimental from every language there is ({names}): "
            "too little is measured for confidential documents, and nothing was sent. For public "
            "documents, give --experimental (language.experimental = true)."
        )


@cache
def load_language(code: str, folder: Path | None = None) -> Language:
    """Load the language with the ISO 639-1 ``code`` from its data file in ``folder``.

    Raises ``ConfigurationError``, naming the available languages, when there is no data file, and
    pydantic's ``ValueError`` when the file is not a valid ``Language``.
    """
    folder = folder or SHIPPED_LANGUAGES
    try:
        content = (folder / f"{code}.toml").read_text(encoding="utf-8")
    except OSError:
        raise ConfigurationError(
            f"PRISM cannot translate from {code!r}: set source to one of "
            f"{', '.join(source_languages())}."
        ) from None
    return _schema().validate_python(tomllib.loads(content), context=folder)


_schema = cache(lambda: TypeAdapter(Language))
"""Validator of the data files, built once: that takes as long as a validation."""
