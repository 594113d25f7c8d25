"""What Office formats have in common: properties, descriptions of drawings, embedded files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from lxml import etree

from prism_core.formats.ooxml.names import local_name
from prism_core.formats.units import AttributeText, ElementText, Unit
from prism_core.formats.zip_package import Package

_PROPERTIES: Final = frozenset(("title", "subject", "description", "keywords"))
_WORDS: Final = re.compile(r"[^\W\d_]{2,}.*\s")
"""Alternative text in words, unlike the file names that programs put there."""


def property_units(root: etree._Element) -> Iterator[tuple[Unit, str]]:
    """The properties in words: title, subject, description, keywords."""
    for child in root:
        if local_name(child) in _PROPERTIES:
            yield ElementText(child), "property"


def description_units(element: etree._Element) -> Iterator[tuple[Unit, str]]:
    """The alternative text of a drawing, where it is in words."""
    for attribute in ("descr", "title"):
        if in_words(str(element.get(attribute, ""))):
            yield AttributeText(element, attribute), "caption"


def in_words(text: str) -> bool:
    """Whether a description or tip says something, unlike names of files and addresses."""
    return _WORDS.search(text) is not None


def has_letter(text: str) -> bool:
    """Whether ``text`` has anything to translate at all, unlike numbers and bullets."""
    return any(map(str.isalpha, text))


def embedded_files(package: Package) -> int:
    """How many other documents the package carries within it."""
    return sum("/embeddings/" in name for name in package.names)
