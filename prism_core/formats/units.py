"""The texts of a document made of XML parts, as units that can be replaced where they stand.

Entry: ``segments`` to read; ``replace_texts`` to write: find changes -> replace units -> notices;
then ``save``.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from lxml import etree

from prism_core.alignment import Translation
from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.base import Document, Segment
from prism_core.formats.text import Loss, clean


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


def gather(found: Sequence[tuple[Unit, str, str]]) -> Located:
    """One unit of all that ``found`` gives as ``(unit, kind, member)``, equal in text."""
    unit, kind, _ = found[0]
    members = tuple(dict.fromkeys(member for _, _, member in found))
    whole = unit if len(found) == 1 else RepeatedText(tuple(unit for unit, _, _ in found))
    return Located(whole, kind, members)


def segments(units: Sequence[Located]) -> tuple[Segment, ...]:
    """A segment for each unit. Raises ``DocumentError`` (empty) when there is none."""
    if not units:
        raise DocumentError(DocumentFailure.EMPTY)
    return tuple(Segment(item.unit.text, item.kind) for item in units)


def find_changes(
    units: Sequence[Located], document: Document, translations: Sequence[Translation]
) -> list[tuple[Located, Translation]]:
    """The units to replace, with what replaces them.

    Raises ``DocumentError`` (unrebuildable) when ``units`` are not what ``document`` was read as.
    """
    found = [item.unit.text for item in units]
    if found != [segment.text for segment in document.segments]:
        raise DocumentError(DocumentFailure.UNREBUILDABLE)
    triples = zip(units, found, translations, strict=True)
    return [(item, translation) for item, text, translation in triples if text != translation.text]


def replace_units(wanted: Sequence[tuple[Located, Translation]]) -> tuple[str, ...]:
    """Put every translation in its place; gives notices that count what could not be kept."""
    losses = (item.unit.replace(clean(translation)) for item, translation in wanted)
    return sum(losses, Loss()).notices


class Package(Protocol):
    """A document of parts, as it was opened."""

    def save(self, path: Path, changed: Mapping[str, etree._ElementTree]) -> None:
        """Write it to ``path`` with the ``changed`` parts; the others stay."""
        ...


def save(
    package: Package, changed: Mapping[str, etree._ElementTree], document: Document, path: Path
) -> None:
    """Write ``document`` to ``path`` with the ``changed`` parts; without any, byte for byte."""
    if changed:
        package.save(path, changed)
    else:
        shutil.copyfile(document.path, path)


def replace_texts(
    units: Sequence[Located],
    trees: Mapping[str, etree._ElementTree],
    document: Document,
    translations: Sequence[Translation],
) -> tuple[dict[str, etree._ElementTree], tuple[str, ...]]:
    """Put ``translations`` in their places; gives the trees that changed, and the notices.

    Raises ``DocumentError`` as ``changes`` does.
    """
    wanted = find_changes(units, document, translations)
    told = replace_units(wanted)
    return {part: trees[part] for item, _ in wanted for part in item.members}, told
