"""Public names: those that dictionaries are built for, and those that stay as they are anyway.

Entry: ``unchanged_names``, for a language pair and a translator; ``read_names`` reads one folder.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from prism_core.dictionary.preference import BY_RULE, called
from prism_core.resources import unchanged_name_lists

FILES = {"GIVEN": "given.txt", "SURNAME": "surnames.txt", "PLACE": "places.txt"}
CHECKED = frozenset({("en", "es"), ("en", "fr"), ("en", "de")})
"""The language pairs that the lists of unchanged names were made for."""


def read_names(folder: Path) -> list[tuple[str, str]]:
    """``(name, tag)`` of every line of the name lists in ``folder``."""
    return [(name, tag) for name, tag, _ in _read_lines(folder)]


@cache
def unchanged_names(source: str, target: str, translator: str) -> Mapping[str, Sequence[str]]:
    """By tag the names that translators leave as they are; none for a pair that nobody checked.

    Of a translator by rule they are those that it knows: it takes grammar from its word list.
    """
    found: dict[str, list[str]] = {tag: [] for tag in FILES}
    if (source, target) in CHECKED:
        for name, tag, known in _read_lines(unchanged_name_lists()):
            if called(translator) not in BY_RULE or called(translator) in known.split():
                found[tag].append(name)
    return found


def _read_lines(folder: Path) -> Iterator[tuple[str, str, str]]:
    """Name, tag, and who knows the name of the translators by rule."""
    for tag, file in FILES.items():
        for line in (folder / file).read_text(encoding="utf-8").split("\n"):
            if line and not line.startswith("#"):
                name, _, known = line.partition("\t")
                yield name, tag, known
