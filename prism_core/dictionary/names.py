"""Public names that a translator leaves as they are, found by asking it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from prism_core.dictionary.entry import Entry, Form

CONTEXTS = (
    "Yesterday {} spoke with the doctor.",
    "They gave the book to {} on Monday.",
    "{} left the house.",
    "The letter was written by {} and sent.",
)
FILES = {"GIVEN": "given.txt", "SURNAME": "surnames.txt", "PLACE": "places.txt"}


def read_names(folder: Path) -> list[tuple[str, str]]:
    """``(name, tag)`` of every line of the name lists in ``folder``."""
    return [
        (name, tag)
        for tag, file in FILES.items()
        for name in (folder / file).read_text(encoding="utf-8").split("\n")
        if name and not name.startswith("#")
    ]


def stable_names(
    names: Sequence[tuple[str, str]], translate: Callable[[Sequence[str]], list[str]]
) -> list[Entry]:
    """The entries of those ``names`` that come back letter by letter in every context."""
    texts = [context.format(name) for name, _ in names for context in CONTEXTS]
    answers = iter(translate(texts))
    kept = []
    for name, tag in names:
        unchanged = [name in next(answers).replace(".", " ").split() for _ in CONTEXTS]
        if all(unchanged):
            form = Form(name, score=1.0, features=("name",))
            kept.append(Entry(name, tag, (form,), "", 1.0, len(CONTEXTS)))
    return kept
