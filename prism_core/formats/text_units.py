"""Formats whose texts are replaced where they stand; all else of a document stays as it was.

Entry: ``UnitFormat``, of which a format is one that opens its documents as ``DocumentTexts``, most
often of a zip (``packages``). Writing: units whose text changes -> ``DocumentTexts.replace`` ->
``name_language`` -> ``comment`` -> saved with the parts that changed.
"""

from __future__ import annotations

import re
import shutil
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple, Protocol, TypeVar

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
from prism_core.formats.text import Loss, Placed, TextRun, clean
from prism_core.formats.untranslated_marks import is_mark, marks_of, plain_of

_WORDS: Final = re.compile(r"[^\W\d_]{2,}.*\s")
"""Alternative text in words, unlike the file names that programs put there."""

R = TypeVar("R", bound=TextRun)


class Unit(Protocol):
    """One text of the document that can be replaced where it stands."""

    @property
    def text(self) -> str:
        """The text as the segment shows it."""
        ...

    def replace(self, translation: Translation) -> Loss:
        """Put ``translation`` in its place."""
        ...


@dataclass(frozen=True, slots=True)
class ElementText:
    """The whole text of an element, or of its attribute ``name``: a property, alternative text …

    What would be longer than ``most`` characters is not written, and counted as lost.
    """

    element: etree._Element
    name: str = ""
    most: int | None = None

    @property
    def text(self) -> str:
        """The text without the white space around it."""
        said = self.element.get(self.name) if self.name else self.element.text
        return str(said or "").strip()

    def replace(self, translation: Translation) -> Loss:
        """Put ``translation`` in its place."""
        if self.most is not None and len(translation.text) > self.most:
            return Loss(texts=1)
        if self.name:
            self.element.set(self.name, translation.text)
        else:
            self.element.text = translation.text
        return Loss()


@dataclass(frozen=True, slots=True)
class RepeatedText:
    """One text that stands in several places, all of which get the same translation."""

    units: tuple[Unit, ...]

    @property
    def text(self) -> str:
        """The text that all of them show."""
        return self.units[0].text

    def replace(self, translation: Translation) -> Loss:
        """Put ``translation`` in every place; the losses are those of all together."""
        return sum((unit.replace(translation) for unit in self.units), Loss())


@dataclass(frozen=True, slots=True)
class Located:
    """A unit, the kind of segment it is, the parts of the document it stands in.

    Units with the same ``key`` that say the same are one segment.
    """

    unit: Unit
    kind: str
    key: Hashable = None
    members: tuple[str, ...] = ()


def says_words(text: str) -> bool:
    """Whether a description or tip says something, unlike names of files and addresses."""
    return _WORDS.search(text) is not None


def has_letter(text: str) -> bool:
    """Whether ``text`` has anything to translate at all, unlike numbers and bullets."""
    return any(map(str.isalpha, text))


def add_beside(
    changes: Iterable[Placed[R]],
    split: Callable[[R, bool], etree._Element],
    make: Callable[[R, str], etree._Element],
) -> None:
    """Add an element for each text beside a group of ``changes``.

    ``split`` gives the element of a run, parted from what stands before it or (True) behind it;
    ``make`` one for a text that looks like a run.
    """
    for placed in changes:
        if placed.ahead:
            first = split(placed.group.runs[0], False)
            for text, like in placed.ahead:
                first.addprevious(make(like, text))
        if placed.behind:
            last = split(placed.group.runs[-1], True)
            for text, like in reversed(placed.behind):
                last.addnext(make(like, text))


class Comment(NamedTuple):
    """What is to be said of a place: ``source`` is what the unit of ``item`` said, ``said`` its
    translation, with the marks."""

    item: Located
    source: str
    said: Translation


class DocumentTexts:
    """The texts of an open document in order, ``units``, and the ``trees`` they stand in.

    ``save`` writes it to a path with the parts that changed; the others stay. ``embedded`` counts
    the documents within it, which stay as they are.
    """

    def __init__(
        self,
        save: Callable[[Path, Parts], object],
        units: Sequence[Located],
        trees: dict[str, etree._ElementTree],
        embedded: int = 0,
    ) -> None:
        self.save = save
        self.units = units
        self.trees = trees
        self._embedded = embedded

    def notices(self) -> tuple[str, ...]:
        """What the document holds that stays in its language, for the report."""
        return notices({"embedded-files-untranslated": self._embedded})

    def replace(
        self, wanted: Sequence[tuple[Located, Translation]]
    ) -> tuple[Parts, tuple[str, ...]]:
        """Put every translation in its place; the parts that change, and the notices of losses."""
        losses = (item.unit.replace(clean(translation)) for item, translation in wanted)
        told = sum(losses, Loss()).notices
        return {member: self.trees[member] for item, _ in wanted for member in item.members}, told

    def name_language(self, _units: Collection[Located], _options: FormatOptions) -> Parts:
        """Name the target where the language of units that were replaced is named; gives further
        parts that change."""
        return {}

    def can_comment(self, _item: Located) -> bool:
        """Whether ``comment`` can put a comment where the text of a unit stands."""
        return False

    def comment(self, _comments: Sequence[Comment], _changed: Parts) -> int:
        """Put comments beside their texts, which are translated by now, into the trees or parts
        that have ``changed`` and further ones; gives how many have no place."""
        return 0


class UnitFormat(ABC):
    """A format whose texts are replaced where they stand; everything else stays as it was.

    Members of the zip that hold no translated text keep their bytes, and unchanged texts give the
    same file.
    """

    name: str

    def __init__(self, formats: Formats | None = None) -> None:
        self._options = DEFAULT_OPTIONS if formats is None else formats.options

    @abstractmethod
    def open(self, path: Path) -> AbstractContextManager[DocumentTexts]:
        """The texts of the document at ``path`` while it is open. Raises ``DocumentError``."""

    def read(self, path: Path) -> Document:
        """The texts of ``path`` in their order. Raises ``DocumentError``."""
        with self.open(path) as texts:
            return self._document(path, texts)

    def read_and_try(
        self, path: Path, trial: Callable[[Document], Sequence[Translation]], place: Path
    ) -> Document:
        """See ``TriedFormat``."""
        with self.open(path) as texts:
            document = self._document(path, texts)
            self._write(texts, document, trial(document), place)
        return document

    def _document(self, path: Path, texts: DocumentTexts) -> Document:
        units = _own(texts.units)
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

        ``formatting-simplified:N`` changes of formatting inside texts were given up,
        ``breaks-moved:N`` texts came back with other tabs or line breaks, ``texts-too-long:N``
        stay in the source language because they would not fit where they stand. A place to be
        marked gets a comment, or else it is said in the text; where neither can be, it is counted:
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
        units = _own(texts.units)
        found = [item.unit.text for item in units]
        if found != [segment.text for segment in document.segments]:
            raise DocumentError(DocumentFailure.UNREBUILDABLE)
        triples = list(zip(units, found, translations, strict=True))
        comments = [Comment(*one) for one in triples if marks_of(one[2])]
        beside = [comment for comment in comments if texts.can_comment(comment.item)]
        taken = {id(comment.item) for comment in beside}
        others = [c.item for c in comments if id(c.item) not in taken]
        within = {id(item) for item in others if _can_hold(item)}
        said = ((i, old, new if id(i) in within else plain_of(new)) for i, old, new in triples)
        wanted = [(item, new) for item, text, new in said if text != new.text]
        if not wanted and not beside:
            shutil.copyfile(document.path, path)
            return notices({"marks-left-out": len(comments)})
        changed, told = texts.replace(wanted)
        if self._options.target and wanted:
            changed |= texts.name_language([item for item, _ in wanted], self._options)
        left = len(others) - len(within)
        if beside:
            left += texts.comment(beside, changed)
        texts.save(path, changed)
        return (*told, *notices({"marks-left-out": left}))


def _own(units: Sequence[Located]) -> list[Located]:
    """``units`` without the comments that are our marks."""
    return [item for item in units if not is_mark(item.kind, item.unit.text)]


def _can_hold(item: Located) -> bool:
    """Whether a mark may stand in the text of ``item``: a paragraph, and no name or label."""
    one = item.unit.units[0] if isinstance(item.unit, RepeatedText) else item.unit
    return hasattr(one, "looks") and item.kind != "property"
