"""Formats whose texts are replaced in place; the rest of a document stays as it was.

Entry: ``UnitFormat``, whose subclasses open their documents as ``DocumentTexts``.
"""

from __future__ import annotations

import shutil
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, Protocol, TypeVar

from lxml import etree

from prism_core.alignment import Translation
from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.base import (
    DEFAULT_OPTIONS,
    Document,
    FormatOptions,
    Formats,
    Segment,
    notices,
)
from prism_core.formats.packages import Parts
from prism_core.formats.text import Loss, Placed, TextRun, clean_translation
from prism_core.formats.untranslated_marks import is_mark, marks_of, plain_of

R = TypeVar("R", bound=TextRun)


class Unit(Protocol):
    """Text of the document that can be replaced in place."""

    @property
    def text(self) -> str:
        """Text as the segment shows it."""
        ...

    def replace(self, translation: Translation) -> Loss:
        """Replace the text by ``translation``."""
        ...


@dataclass(frozen=True, slots=True)
class ElementText:
    """Text of an element, or its attribute ``name``; one longer than ``most`` is not written."""

    element: etree._Element
    name: str = ""
    most: int | None = None

    @property
    def text(self) -> str:
        """Text without the white space around it."""
        value = self.element.get(self.name) if self.name else self.element.text
        return str(value or "").strip()

    def replace(self, translation: Translation) -> Loss:
        """Replace the text by ``translation``."""
        if self.most is not None and len(translation.text) > self.most:
            return Loss(texts=1)
        if self.name:
            self.element.set(self.name, translation.text)
        else:
            self.element.text = translation.text
        return Loss()


@dataclass(frozen=True, slots=True)
class RepeatedText:
    """Text that occurs in several places, all of which get the same translation."""

    units: tuple[Unit, ...]

    @property
    def text(self) -> str:
        """Text that all of them show."""
        return self.units[0].text

    def replace(self, translation: Translation) -> Loss:
        """Replace the text in every place by ``translation``; return the losses of all places."""
        return sum((unit.replace(translation) for unit in self.units), Loss())


@dataclass(frozen=True, slots=True)
class LocatedUnit:
    """Unit, kind and parts of a segment; those with equal ``key`` and text are one."""

    unit: Unit
    kind: str
    key: Hashable = None
    members: tuple[str, ...] = ()


def insert_around(
    changes: Iterable[Placed[R]],
    split: Callable[[R, bool], etree._Element],
    make: Callable[[R, str], etree._Element],
) -> None:
    """Insert an element for each text beside a group of ``changes``.

    ``split`` returns the element of a run, separated from its content before it or (True) after it;
    ``make`` returns an element for a text that is formatted like a run.
    """
    for placed in changes:
        if placed.ahead:
            first = split(placed.group.runs[0], False)
            for text, model in placed.ahead:
                first.addprevious(make(model, text))
        if placed.behind:
            last = split(placed.group.runs[-1], True)
            for text, model in reversed(placed.behind):
                last.addnext(make(model, text))


class Comment(NamedTuple):
    """Comment: ``source`` is the old text of ``item``, ``translation`` the marked new one."""

    item: LocatedUnit
    source: str
    translation: Translation


class DocumentTexts:
    """Texts of an open document in order, ``units``, and the ``trees`` that hold them.

    ``save`` writes the document to a path with the parts that changed; the others stay. ``kept``
    counts, by notice, what stays in its language. ``settled`` are parts that are written in any
    case, since reading changed them.
    """

    def __init__(
        self,
        save: Callable[[Path, Parts], object],
        units: Sequence[LocatedUnit],
        trees: dict[str, etree._ElementTree],
        kept: Mapping[str, int] = MappingProxyType({}),
        settled: Parts | None = None,
    ) -> None:
        self.settled: Parts = settled or {}
        self._save = save
        self.units = units
        self.trees = trees
        self._counts = kept

    def save(self, path: Path, changed: Parts) -> None:
        """Write the document to ``path`` with the parts that ``changed`` and the settled ones."""
        self._save(path, {**self.settled, **changed})

    def notices(self) -> tuple[str, ...]:
        """Return notices that count the content that stays in its language."""
        return notices(self._counts)

    def replace(
        self, wanted: Sequence[tuple[LocatedUnit, Translation]]
    ) -> tuple[Parts, tuple[str, ...]]:
        """Put every translation in its place; return the changed parts, and notices of losses."""
        losses = (item.unit.replace(clean_translation(translation)) for item, translation in wanted)
        loss_notices = sum(losses, Loss()).notices
        return {
            member: self.trees[member] for item, _ in wanted for member in item.members
        }, loss_notices

    def name_language(self, _units: Collection[LocatedUnit], _options: FormatOptions) -> Parts:
        """Name the target where replaced units name a language; return more changed parts."""
        return {}

    def can_comment(self, _item: LocatedUnit) -> bool:
        """Return True if ``comment`` can put a comment at the text of a unit."""
        return False

    def comment(self, _comments: Sequence[Comment], _changed: Parts) -> int:
        """Put comments beside their texts in ``changed`` parts or more; count those left."""
        return 0


class UnitFormat(ABC):
    """Format whose texts are replaced in place; unchanged members and texts keep their bytes."""

    name: str

    def __init__(self, formats: Formats | None = None) -> None:
        self._options = DEFAULT_OPTIONS if formats is None else formats.options

    @abstractmethod
    def open(self, path: Path) -> AbstractContextManager[DocumentTexts]:
        """Open the document at ``path`` and yield its texts. Raises ``DocumentError``."""

    def read(self, path: Path) -> Document:
        """Return the texts of ``path`` in their order. Raises ``DocumentError``."""
        with self.open(path) as texts:
            return self._make_document(path, texts)

    def read_and_try(
        self, path: Path, trial: Callable[[Document], Sequence[Translation]], place: Path
    ) -> Document:
        """Read the document and try to write it; see ``TriedFormat``."""
        with self.open(path) as texts:
            document = self._make_document(path, texts)
            self._write(texts, document, trial(document), place)
        return document

    def _make_document(self, path: Path, texts: DocumentTexts) -> Document:
        units = _drop_marks(texts.units)
        if not units:
            raise DocumentError(DocumentFailure.EMPTY)
        segments = tuple(
            Segment(item.unit.text, item.kind, getattr(item.unit, "looks", ())) for item in units
        )
        return Document(path, self.name, segments, texts.notices())

    def write(
        self, document: Document, translations: Sequence[Translation], path: Path
    ) -> tuple[str, ...]:
        """Rebuild the document at ``path``; the notices count what could not be kept.

        ``formatting-simplified:N`` changes of formatting inside texts were given up;
        ``breaks-moved:N`` texts came back with other tabs or line breaks; ``texts-too-long:N``
        texts stay in the source language because they would not fit in their place. A place to mark
        gets a comment, or else a remark in the text; where neither is possible, it is counted:
        ``marks-left-out:N``.
        """
        with self.open(document.path) as texts:
            return self._write(texts, document, translations, path)

    def _write(
        self,
        texts: DocumentTexts,
        document: Document,
        translations: Sequence[Translation],
        path: Path,
    ) -> tuple[str, ...]:
        units = _drop_marks(texts.units)
        texts_found = [item.unit.text for item in units]
        if texts_found != [segment.text for segment in document.segments]:
            raise DocumentError(DocumentFailure.UNREBUILDABLE)
        triples = list(zip(units, texts_found, translations, strict=True))
        comments = [Comment(*triple) for triple in triples if marks_of(triple[2])]
        beside = [comment for comment in comments if texts.can_comment(comment.item)]
        commented = {id(comment.item) for comment in beside}
        others = [c.item for c in comments if id(c.item) not in commented]
        within = set[int]()
        for item in others:  # a paragraph may contain a mark, but no name or label
            unit = item.unit.units[0] if isinstance(item.unit, RepeatedText) else item.unit
            if hasattr(unit, "looks") and item.kind != "property":
                within.add(id(item))
        given = ((i, old, new if id(i) in within else plain_of(new)) for i, old, new in triples)
        wanted = [(item, new) for item, text, new in given if text != new.text]
        if not wanted and not beside and not texts.settled:
            shutil.copyfile(document.path, path)
            return notices({"marks-left-out": len(comments)})
        changed, loss_notices = texts.replace(wanted)
        if self._options.target and wanted:
            changed |= texts.name_language([item for item, _ in wanted], self._options)
        left = len(others) - len(within)
        if beside:
            left += texts.comment(beside, changed)
        texts.save(path, changed)
        return (*loss_notices, *notices({"marks-left-out": left}))


def _drop_marks(units: Sequence[LocatedUnit]) -> list[LocatedUnit]:
    """Return ``units`` without the comments that are marks of PRISM."""
    return [item for item in units if not is_mark(item.kind, item.unit.text)]
