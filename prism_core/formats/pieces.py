"""A paragraph as pieces in order: text, breaks, and anchors that text moves around.

The formats read a paragraph into pieces and put new text into those that hold text; here it is
decided which piece gets which part of a translation, so that formatting, links and note marks stay
with the words they belong to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, Generic, Protocol, TypeVar

from prism_core.formats.partition import partition

_BREAK: Final = re.compile(r"[\t\n]")


class Kind(Enum):
    """Text to translate; a tab or line break; anything else that must stay in place."""

    TEXT = 1
    BREAK = 2
    ANCHOR = 3


class Piece(Protocol):
    """One piece of a paragraph.

    ``style`` is equal for pieces that look alike, ``owner`` the number of the link, field or
    content control around it, 0 outside.
    """

    @property
    def kind(self) -> Kind:
        """What it is."""
        ...

    @property
    def text(self) -> str:
        """Its text; a tab or a newline for a break, empty for an anchor."""
        ...

    @property
    def style(self) -> str:
        """How it looks."""
        ...

    @property
    def owner(self) -> int:
        """Whose it is."""
        ...


P = TypeVar("P", bound=Piece)


@dataclass(frozen=True, slots=True)
class Loss:
    """What a translation could not keep: changes of formatting, and the places of breaks.

    ``texts`` counts translations that do not fit where they belong: the source stays there.
    """

    formats: int = 0
    breaks: int = 0
    texts: int = 0


@dataclass(frozen=True, slots=True)
class Change(Generic[P]):
    """``text`` takes the place of what the neighbouring ``pieces``, which look alike, say."""

    pieces: tuple[P, ...]
    text: str


@dataclass(slots=True)
class _Group(Generic[P]):
    """Neighbouring text pieces that look alike; ``hard``: an anchor or a link precedes them."""

    pieces: list[P]
    hard: bool

    @property
    def text(self) -> str:
        return "".join(piece.text for piece in self.pieces)


def fitted(pieces: Sequence[P], translation: str) -> tuple[list[Change[P]], Loss]:
    """What to change so that ``pieces`` say ``translation``, and what that loses.

    White space around the text stays; every break and anchor stays exactly once.
    """
    whole = "".join(piece.text for piece in pieces)
    start = len(whole) - len(whole.lstrip())
    end = start + len(whole.strip())
    wanted = whole[:start] + translation.strip() + whole[end:]
    lines = list(_lines(pieces))
    sources = ["".join(piece.text for piece in line) for line in lines]
    targets = _BREAK.split(wanted)
    moved = [bool(source.strip()) for source in sources] != [
        bool(target.strip()) for target in targets
    ]
    if moved:
        targets = _spread(sources, _BREAK.sub(" ", translation.strip()))
    changes: list[Change[P]] = []
    lost = 0
    for line, source, target in zip(lines, sources, targets, strict=True):
        if source != target and (source.strip() or target.strip()):
            lost += _fit_line(line, target, changes)
    return changes, Loss(lost, int(moved))


def _spread(sources: Sequence[str], translation: str) -> list[str]:
    """Spread a translation without its breaks over the lines that had words, in proportion."""
    filled = [index for index, source in enumerate(sources) if source.strip()]
    texts = [sources[index] for index in filled]
    slices = partition(texts, [True] * (len(texts) - 1), translation).slices
    targets = list(sources)
    for index, text in zip(filled, slices, strict=True):
        targets[index] = text
    return targets


def _lines(pieces: Sequence[P]) -> Iterator[list[P]]:
    """The pieces between breaks."""
    line: list[P] = []
    for piece in pieces:
        if piece.kind is Kind.BREAK:
            yield line
            line = []
        else:
            line.append(piece)
    yield line


def _fit_line(line: Sequence[P], translation: str, changes: list[Change[P]]) -> int:
    """Add what to change between two breaks; the number of changes of formatting lost."""
    groups = _groups(line)
    result = partition(
        [group.text for group in groups], [group.hard for group in groups[1:]], translation
    )
    for group, text in zip(groups, result.slices, strict=True):
        if text != group.text:
            changes.append(Change(tuple(group.pieces), text))
    return result.lost


def _groups(line: Sequence[P]) -> list[_Group[P]]:
    """Text that looks alike and has nothing in between; blanks go with what precedes them."""
    groups: list[_Group[P]] = []
    anchored = False
    for piece in line:
        if piece.kind is Kind.ANCHOR:
            anchored = True
            continue
        last = groups[-1].pieces[0] if groups else None
        hard = anchored or (last is not None and last.owner != piece.owner)
        alike = last is not None and (last.style == piece.style or not piece.text.strip())
        if groups and alike and not hard:
            groups[-1].pieces.append(piece)
        else:
            groups.append(_Group([piece], hard))
        anchored = False
    return groups
