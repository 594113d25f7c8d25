"""The user's own translations, to be looked up by the exact text of a sentence.

Two texts match when they are equal in Unicode NFC and after every run of white space has become
one space. Nothing else matches: no case folding, no fuzziness.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from prism_core.errors import ConfigurationError
from prism_core.translation_memory.reading import Unit, is_tmx, read_columns, read_tmx
from prism_core.translation_memory.sealing import is_sealed, opener

_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
"""No sentence holds one, so no translation of a sentence may."""


def normal_form(text: str) -> str:
    """What two texts that match have in common."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def translations(
    files: Sequence[Path], source: str, target: str, key: Callable[[], bytes]
) -> Iterator[tuple[str, str]]:
    """``(normal form, translation)`` of every unit of ``files`` that can be used, in order.

    Where units contradict each other the last one counts: what was added later corrects what was
    there. Translations are as they are written, but on one line. A unit that lacks a side is left
    out, and one with a placeholder, for which nothing is known to stand. Raises
    ``ConfigurationError`` for a file that cannot be read or holds nothing in these languages, and
    ``WrongKey`` for a sealed one that ``key()`` does not open.
    """
    for file in files:
        found = False
        for unit in _units(file, source, target, key):
            form, translation = normal_form(unit.source), _CONTROLS.sub(" ", unit.target).strip()
            if form and translation:
                found = True
                if unit.whole:
                    yield form, translation
        if not found:
            raise ConfigurationError(
                f"{file}, which memory.files names, holds no translation from {source} to "
                f"{target}. It must be TMX (its name ends in .tmx), a memory that PRISM sealed, or "
                "UTF-8 text with a sentence, a tab and its translation on each line."
            )


def check_memories(
    files: Sequence[Path], source: str, target: str, key: Callable[[], bytes]
) -> None:
    """Raise what ``translations`` would for a file that is none, as far as its beginning tells."""
    for file in files:
        next(translations([file], source, target, key), None)


def _units(file: Path, source: str, target: str, key: Callable[[], bytes]) -> Iterator[Unit]:
    if is_sealed(file):
        return read_tmx(file, source, target, opener(key))
    return read_tmx(file, source, target) if is_tmx(file) else read_columns(file)
