"""The texts of a document made of XML parts, as units that can be replaced where they stand.

Entry: ``UnitFormat``, of which a format is one that opens its documents as ``DocumentTexts``.
Writing: units whose text changes -> ``DocumentTexts.replace`` -> the package saved.
"""

from __future__ import annotations

import re
import shutil
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol, TypeVar

from lxml import etree

from prism_core.alignment import Translation
from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.base import Document, Segment, notices
from prism_core.formats.text import Loss, Placed, Run, clean

_WORDS: Final = re.compile(r"[^\W\d_]{2,}.*\s")
"""Alternative text in words, unlike the file names that programs put there."""


R = TypeVar("R", bound=Run)


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
    """The whole text of one element: a document property, a label in a chart's cache."""

    element: etree._Element

    @property
    def text(self) -> str:
        """The text without the white space around it."""
        return (self.element.text or "").strip()

    def replace(self, translation: Translation) -> Loss:
        """Put ``translation`` in its place."""
        self.element.text = translation.text
        return Loss()


@dataclass(frozen=True, slots=True)
class AttributeText:
    """A text kept in an attribute: alternative text of a picture, a watermark.

    What would be longer than ``most`` characters is not written, and counted as lost.
    """

    element: etree._Element
    name: str
    most: int | None = None

    @property
    def text(self) -> str:
        """The value without the white space around it."""
        return str(self.element.get(self.name, "")).strip()

    def replace(self, translation: Translation) -> Loss:
        """Put ``translation`` in its place."""
        if self.most is not None and len(translation.text) > self.most:
            return Loss(texts=1)
        self.element.set(self.name, translation.text)
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
    """A unit, the kind of segment it is, the parts of the document it stands in."""

    unit: Unit
    kind: str
    members: tuple[str, ...]


def in_words(text: str) -> bool:
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


class SavablePackage(Protocol):
    """A document of parts, as it was opened."""

    def save(self, path: Path, changed: Mapping[str, etree._ElementTree | bytes]) -> None:
        """Write it to ``path`` with the ``changed`` parts; the others stay."""
        ...


class DocumentTexts:
    """The texts of an opened ``package`` in order, ``units``, and the ``trees`` they stand in.

    ``embedded`` counts the documents within it, which stay as they are.
    """

    def __init__(
        self,
        package: SavablePackage,
        units: Sequence[Located],
        trees: dict[str, etree._ElementTree],
        embedded: int = 0,
    ) -> None:
        self.package = package
        self.units = units
        self.trees = trees
        self._embedded = embedded

    def notices(self) -> tuple[str, ...]:
        """What the document holds that stays in its language, for the report."""
        return notices({"embedded-files-untranslated": self._embedded})

    def replace(
        self, wanted: Sequence[tuple[Located, Translation]]
    ) -> tuple[dict[str, etree._ElementTree | bytes], tuple[str, ...]]:
        """Put every translation in its place; the parts that change, and the notices of losses."""
        losses = (item.unit.replace(clean(translation)) for item, translation in wanted)
        told = sum(losses, Loss()).notices
        return {member: self.trees[member] for item, _ in wanted for member in item.members}, told


class UnitFormat(ABC):
    """A format of XML parts: texts are replaced where they stand, everything else stays as it was.

    Members of the zip that hold no translated text keep their bytes, and unchanged texts give the
    same file.
    """

    name: str

    @abstractmethod
    def open(self, path: Path) -> AbstractContextManager[DocumentTexts]:
        """The texts of the document at ``path`` while it is open. Raises ``DocumentError``."""

    def read(self, path: Path) -> Document:
        """The texts of ``path`` in their order. Raises ``DocumentError``."""
        with self.open(path) as texts:
            if not texts.units:
                raise DocumentError(DocumentFailure.EMPTY)
            segments = tuple(Segment(item.unit.text, item.kind) for item in texts.units)
            return Document(path, self.name, segments, texts.notices())

    def write(
        self, document: Document, translations: Sequence[Translation], path: Path
    ) -> tuple[str, ...]:
        """Rebuild the document at ``path``; the notices count what could not be kept.

        ``formatting-simplified:N`` changes of formatting inside texts were given up,
        ``breaks-moved:N`` texts came back with other tabs or line breaks, ``texts-too-long:N``
        stay in the source language because they would not fit where they stand.
        """
        with self.open(document.path) as texts:
            found = [item.unit.text for item in texts.units]
            if found != [segment.text for segment in document.segments]:
                raise DocumentError(DocumentFailure.UNREBUILDABLE)
            triples = zip(texts.units, found, translations, strict=True)
            wanted = [(item, new) for item, text, new in triples if text != new.text]
            if not wanted:
                shutil.copyfile(document.path, path)
                return ()
            changed, told = texts.replace(wanted)
            texts.package.save(path, changed)
            return told
