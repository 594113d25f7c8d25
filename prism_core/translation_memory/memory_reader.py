"""The user's own translations: files of TMX 1.4, sealed TMX or two columns, looked up by sentence.

Two texts match when they are equal in Unicode NFC and after every run of white space has become
one space. Nothing else matches: no case folding, no fuzziness. A file is read as a stream, so that
memory does not grow with it.

Entry: ``translations``; then ``read_tmx`` or ``read_columns`` for each file.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import NamedTuple

from prism_core.controls import REORDERING
from prism_core.errors import ConfigurationError
from prism_core.safe_xml import Element, Readable, elements, language, local_name
from prism_core.translation_memory.sealing import is_sealed, opener

_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
"""No sentence holds one, so no translation of a sentence may."""
_CODES = frozenset({"bpt", "ept", "it", "ph", "sub", "ut"})
"""Inline elements of TMX that hold codes of a word processor, not words."""
_PLACEHOLDERS = frozenset({"ph", "sub", "ut"})
"""Those that may stand for something the reader sees: a note mark, a field, a picture."""


class TranslationUnit(NamedTuple):
    """A source text and its translation, either perhaps empty, as they are written.

    ``whole`` is false where a code that was left out may have stood for something; ``document``
    names what it is from, "" where the file does not say.
    """

    source: str
    target: str
    whole: bool = True
    document: str = ""


_DOCUMENT = frozenset(
    "document x-document file x-file filename x-filename file_name docid doc_id x-docid".split()
)
"""Types of a property (in lower case) by which programs say what a unit of TMX is from."""

Opener = Callable[[Path], AbstractContextManager[Readable]]
"""Opens a file whose TMX is not plain to see."""


def normal_form(text: str) -> str:
    """What two texts that match have in common."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def translations(
    files: Sequence[Path], source: str, target: str, key: Callable[[], bytes]
) -> Iterator[tuple[str, str]]:
    """``(normal form, translation)`` of every unit of ``files`` that can be used, in order.

    Where units contradict each other the last one counts: what was added later corrects what was
    there. Translations are as they are written, but on one line, and without what would turn them
    round (``REORDERING``) and is not in their source. A unit that lacks a side is left
    out, and one with a placeholder, for which nothing is known to stand. Raises
    ``ConfigurationError`` for a file that cannot be read or holds nothing in these languages, and
    ``WrongKey`` for a sealed one that ``key()`` does not open.
    """
    for file in files:
        found = False
        if is_sealed(file):
            units = read_tmx(file, source, target, opener(key))
        else:
            units = read_tmx(file, source, target) if is_tmx(file) else read_columns(file)
        for unit in units:
            added = REORDERING.difference(unit.source)
            kept = "".join(one for one in unit.target if one not in added)
            form, translation = normal_form(unit.source), _CONTROLS.sub(" ", kept).strip()
            if form and translation:
                found = True
                if unit.whole:
                    yield form, translation
        if not found:
            raise ConfigurationError(
                f"{file}, which memory.files names, holds no translation from {source} to "
                f"{target}. It must be TMX (its name ends in .tmx), a memory that PRISM sealed, or "
                "UTF-8 text with a sentence, a tab and its translation on each line."
            )


def check_memories(
    files: Sequence[Path], source: str, target: str, key: Callable[[], bytes]
) -> None:
    """Raise what ``translations`` would for a file that is none, as far as its beginning tells."""
    for file in files:
        next(translations([file], source, target, key), None)


def is_tmx(path: Path) -> bool:
    """Whether the name of ``path`` says that it is TMX."""
    return path.suffix.lower() in (".tmx", ".xml")


def read_tmx(
    path: Path, source: str, target: str, open_with: Opener | None = None
) -> Iterator[TranslationUnit]:
    """The units of ``path`` from ``source`` to ``target`` (ISO 639), in order.

    Regional variants count as their language: each of the source's is a unit, of the target's the
    last is taken. Raises ``ConfigurationError`` for a file that is not well-formed XML.
    """
    units = elements(path, ("tu",)) if open_with is None else elements(path, ("tu",), open_with)
    for unit in units:
        sides: dict[str, list[Element]] = {}
        for variant in unit:
            if local_name(variant) == "tuv":
                segments = (inner for inner in variant if local_name(inner) == "seg")
                sides.setdefault(language(variant), []).extend(segments)
        for text in sides.get(source, ()):
            for translation in sides.get(target, ())[-1:]:
                whole = not (_has_placeholder(text) or _has_placeholder(translation))
                yield TranslationUnit(_text(text), _text(translation), whole, _document(unit))


def read_columns(path: Path) -> Iterator[TranslationUnit]:
    """The first columns of each line of UTF-8 text, a tab between them; a third is the document.

    Raises ``ConfigurationError`` for other text.
    """
    for line in stripped_lines(path):
        columns = line.split("\t")
        if len(columns) >= 2:
            document = columns[2].strip() if len(columns) > 2 else ""
            yield TranslationUnit(columns[0].strip(), columns[1].strip(), document=document)


def stripped_lines(path: Path) -> Iterator[str]:
    """The lines of a UTF-8 file, without the white space around them; only a newline ends one."""
    try:
        with path.open(encoding="utf-8-sig", newline="\n") as file:
            yield from (line.strip() for line in file)
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ConfigurationError(f"{path} is not UTF-8 text.") from None


def _document(unit: Element) -> str:
    """What the first property of a unit, or of one of its variants, says that it is from."""
    for inner in unit.iter():
        if local_name(inner) == "prop" and (inner.get("type") or "").lower() in _DOCUMENT:
            return (inner.text or "").strip()
    return ""


def _has_placeholder(segment: Element) -> bool:
    return any(local_name(inner) in _PLACEHOLDERS for inner in segment.iter())


def _text(segment: Element) -> str:
    return "".join(_pieces(segment))


def _pieces(element: Element) -> Iterator[str]:
    yield element.text or ""
    for inner in element:
        if local_name(inner) not in _CODES:
            yield from _pieces(inner)
        yield inner.tail or ""
