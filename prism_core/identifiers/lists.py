"""The user's own lists: names that are always replaced, terms that are never sent."""

from __future__ import annotations

from pathlib import Path

from prism_core.errors import ConfigurationError


def read_terms(file: Path | None) -> list[str]:
    """The terms of a list, one a line; lines that start with # are remarks.

    None is the empty list. Raises ``ConfigurationError`` when it cannot be read, or has no term: a
    list that an export left empty would protect nobody, without a word.
    """
    if file is None:
        return []
    try:
        lines = file.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError):
        raise ConfigurationError(
            f"The list {file} cannot be read; it must be a UTF-8 text file, one term a line."
        ) from None
    terms = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    if not any(map(str.isalnum, "".join(terms))):
        raise ConfigurationError(
            f"The list {file} holds no term. Write one a line, or leave the setting out."
        )
    return terms
