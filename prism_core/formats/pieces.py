"""A paragraph as pieces in order: text, breaks, and anchors that text moves around.

The formats read a paragraph into pieces and put new text into those that hold text; here it is
decided which piece gets which part of a translation, so that formatting, links and note marks stay
with the words they belong to.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from typing import Final, Generic, Protocol, TypeVar

from prism_core.alignment import AlignedText
from prism_core.formats.partition import partition
from prism_core.formats.placement import Group, place

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


@dataclass(frozen=True, slots=True)
class Insertion(Generic[P]):
    """``text`` that looks like ``like`` comes right ``after`` the last of ``beside``, or before it.

    Without ``after`` it comes before the first. Insertions at one place follow each other.
    """

    text: str
    like: P
    beside: tuple[P, ...]
    after: bool


@dataclass(frozen=True, slots=True)
class Fit(Generic[P]):
    """What to change so that pieces say a translation, and what that loses."""

    changes: list[Change[P]]
    insertions: list[Insertion[P]]
    loss: Loss


@dataclass(slots=True)
class _Group(Generic[P]):
    """Neighbouring text pieces that look alike; ``hard``: an anchor or a link precedes them."""

    pieces: list[P]
    hard: bool

    @property
    def text(self) -> str:
        return "".join(piece.text for piece in self.pieces)

    @property
    def placed(self) -> Group:
        """The group as ``place`` wants it."""
        first = self.pieces[0]
        return Group(self.text, first.style, first.owner, self.hard)


def fitted(pieces: Sequence[P], translation: str, *, movable: bool = False) -> Fit[P]:
    """What to change so that ``pieces`` say ``translation``, which may be an ``AlignedText``.

    White space around the text stays; every break and anchor stays exactly once. Insertions are
    made only if looks are ``movable``.
    """
    whole = "".join(piece.text for piece in pieces)
    start = len(whole) - len(whole.lstrip())
    end = start + len(whole.strip())
    wanted = framed(whole[:start], translation, whole[end:])
    lines = list(_lines(pieces))
    sources = ["".join(piece.text for piece in line) for line in lines]
    targets: Sequence[str] | None = _split_alike(sources, wanted)
    moved = targets is None
    if targets is None:
        targets = _spread(sources, _BREAK.sub(" ", translation.strip()))
    fit: Fit[P] = Fit([], [], Loss())
    lost = 0
    for line, source, target in zip(lines, sources, targets, strict=True):
        if source != target and (source.strip() or target.strip()):
            lost += _fit_line(line, target, fit, movable)
    return Fit(fit.changes, fit.insertions, Loss(lost, int(moved)))


def framed(before: str, translation: str, after: str) -> AlignedText:
    """``translation`` with other text around it than its white space, its alignment moved along."""
    text = translation.strip()
    cut = len(translation) - len(translation.lstrip())
    alignment = translation.alignment if isinstance(translation, AlignedText) else ()
    inner = AlignedText(translation, alignment).part((0, sys.maxsize), (cut, cut + len(text)))
    shifted = (match.moved(len(before), len(before)) for match in inner.alignment)
    return AlignedText(before + text + after, shifted)


def _split_alike(sources: Sequence[str], wanted: AlignedText) -> list[AlignedText] | None:
    """``wanted`` cut at its breaks; None unless it has words on the same lines as the source."""
    texts = _BREAK.split(wanted)
    if [bool(text.strip()) for text in texts] != [bool(source.strip()) for source in sources]:
        return None
    here = there = 0
    lines = []
    for source, text in zip(sources, texts, strict=True):
        lines.append(wanted.part((here, here + len(source)), (there, there + len(text))))
        here, there = here + len(source) + 1, there + len(text) + 1
    return lines


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


def _fit_line(line: Sequence[P], translation: str, fit: Fit[P], movable: bool) -> int:
    """Add what to change between two breaks to ``fit``; the number of looks that are lost."""
    groups = _groups(line)
    placed = place([group.placed for group in groups], translation, movable=movable)
    slices = placed.slices if placed.copies else _spaced(groups, placed.slices)
    for group, text in zip(groups, slices, strict=True):
        if text != group.text:
            fit.changes.append(Change(tuple(group.pieces), text))
    for copy in placed.copies:
        like, beside = groups[copy.like].pieces[0], tuple(groups[copy.beside].pieces)
        fit.insertions.append(Insertion(copy.text, like, beside, copy.after))
    return placed.lost


def _spaced(groups: Sequence[_Group[P]], slices: Sequence[str]) -> list[str]:
    """``slices`` with a blank on both sides of a mark that had one on both, a page number say.

    A translator sees two blanks there, which it may give back as one, and takes them for one gap.
    """
    spaced = list(slices)
    for index, (left, right) in enumerate(pairwise(groups)):
        before, after = spaced[index], spaced[index + 1]
        blanks = left.text.endswith(" ") and right.text.startswith(" ")
        if right.hard and blanks and before.strip() and after.strip():
            inner = len(after) - len(after.lstrip(" ")) + len(before) - len(before.rstrip(" "))
            spaced[index] = before.rstrip(" ") + " "
            spaced[index + 1] = " " * max(1, inner - 1) + after.lstrip(" ")
    return spaced


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
