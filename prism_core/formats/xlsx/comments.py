"""Comments of cells: notes, and threads with the note that stands in for each of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from lxml import etree

from prism_core.alignment import Translation
from prism_core.formats.units import ElementText
from prism_core.formats.xlsx.line import RichText

_THREAD: Final = "tc="
"""How the author of a note begins that only repeats a thread for older programs."""


@dataclass(frozen=True, slots=True)
class StandIn:
    """The note that repeats the thread ``thread`` for older programs."""

    note: RichText
    thread: str


def read_notes(root: etree._Element) -> Iterator[RichText | StandIn]:
    """The notes of one sheet; the name of its author, where one begins with it, is no text."""
    authors = [element.text or "" for element in root.iterfind("{*}authors/{*}author")]
    for comment in root.iterfind("{*}commentList/{*}comment"):
        index = str(comment.get("authorId", ""))[:9]
        known = index.isdecimal() and int(index) < len(authors)
        author = authors[int(index)] if known else ""
        for text in comment.iterfind("{*}text"):
            if author.startswith(_THREAD):
                yield StandIn(RichText(text), author[len(_THREAD) :])
            else:
                yield RichText(text, f"{author}:" if author else "")


def read_threads(root: etree._Element) -> Iterator[tuple[str, ElementText]]:
    """The id of its thread, and the text, of every comment and reply."""
    for comment in root.iterfind("{*}threadedComment"):
        thread = str(comment.get("parentId") or comment.get("id", ""))
        for text in comment.iterfind("{*}text"):
            yield thread, ElementText(text)


def update_stand_in(note: RichText, changed: Sequence[tuple[str, str]]) -> None:
    """Put the ``changed`` texts of a thread, in order, where ``note`` repeats the old ones."""
    text, position = note.text, 0
    for old, new in changed:
        start = text.find(old, position)
        if start >= 0:
            text = text[:start] + new + text[start + len(old) :]
            position = start + len(new)
    note.replace(Translation(text))
