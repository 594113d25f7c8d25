"""Public names of persons and places, from the lists shipped with PRISM."""

from __future__ import annotations

from pathlib import Path

FILES = {"GIVEN": "given.txt", "SURNAME": "surnames.txt", "PLACE": "places.txt"}


def read_names(folder: Path) -> list[tuple[str, str]]:
    """``(name, tag)`` of every line of the name lists in ``folder``."""
    return [
        (name, tag)
        for tag, file in FILES.items()
        for name in (folder / file).read_text(encoding="utf-8").split("\n")
        if name and not name.startswith("#")
    ]
