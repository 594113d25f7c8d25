"""Reading and writing of the user's translation memories.

They are TMX 1.4, sealed TMX or text of two columns; written are TMX files, sealed or in clear.

Two texts match when they are equal in Unicode NFC and after every run of white space has become one
space (``fuzzy_matches`` finds others, for a reviewer alone). A file is read as a stream, so that
memory does not grow with it.

Entry: ``translations``; then ``read_tmx`` or ``read_columns`` for each file. ``write_memory``
writes a file, at once or not at all.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

from prism_core.controls import REORDERING
from prism_core.errors import ConfigurationError, OutputError
from prism_core.files import atomic_write
from prism_core.safe_xml import Element, Readable, elements, language, local_name
from prism_core.translation_memory.sealing import SealedWriter, is_sealed, opener

_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
"""Characters that no sentence contains, so that no translation of a sentence may."""
_CODES = frozenset({"bpt", "ept", "it", "ph", "sub", "ut"})
"""Inline elements of TMX that hold codes of a word processor, not words."""
_PLACEHOLDERS = frozenset({"ph", "sub", "ut"})
"""Elements among them that may stand for visible content: a note mark, a field, a picture."""


class TranslationUnit(NamedTuple):
    """A source text and its translation, as written; either may be empty.

    ``whole`` is False where an omitted code may have stood for content; ``document`` names the
    document of origin, "" where the file does not state it. A machine made the translation where
    the unit says so, and nobody confirmed it where it is a draft or has words of the source.
    """

    source: str
    target: str
    whole: bool = True
    document: str = ""
    is_machine: bool = False
    is_unreviewed: bool = False


MACHINE = "MT!"
"""Author of a unit that a machine translated, as OmegaT writes and reads it."""
_AUTHORS = ("creationid", "changeid", "creationtool")
_STATUS = "x-confirmationlevel"
"""Property (in lower case) by which Trados states whether a person confirmed a unit."""
_DRAFTS = frozenset(("draft", "unspecified", "rejectedtranslation", "rejectedsignoff"))
_DOCUMENT = frozenset(
    "document x-document file x-file filename x-filename file_name docid doc_id x-docid".split()
)
"""Property types (in lower case) by which programs state the document of a TMX unit."""

Opener = Callable[[Path], AbstractContextManager[Readable]]
"""Function that opens a file whose TMX is encrypted."""


def normal_form(text: str) -> str:
    """Return the form in which matching texts are equal."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def translations(
    files: Sequence[Path], source: str, target: str, key: Callable[[], bytes]
) -> Iterator[TranslationUnit]:
    """Yield every usable unit of ``files``, in order, its source in normal form.

    If units contradict each other, the last one counts: later additions correct earlier ones.
    Translations are as written, but on one line, and without characters that reverse text
    (``REORDERING``) unless they are in the source. Units without one of the sides are omitted, and
    so are units with a placeholder, whose content is unknown. Raises ``ConfigurationError`` for a
    file that cannot be read or holds nothing in these languages, and ``WrongKey`` for a sealed one
    that ``key()`` does not open.
    """
    for file in files:
        found = False
        if is_sealed(file):
            units = read_tmx(file, source, target, opener(key))
        else:
            units = read_tmx(file, source, target) if is_tmx(file) else read_columns(file)
        for unit in units:
            added = REORDERING.difference(unit.source)
            filtered = "".join(character for character in unit.target if character not in added)
            form, translation = normal_form(unit.source), _CONTROLS.sub(" ", filtered).strip()
            if form and translation:
                found = True
                if unit.whole:
                    yield unit._replace(source=form, target=translation)
        if not found:
            raise ConfigurationError(
                f"{file}, which memory.files names, holds no translation from {source} to "
                f"{target}. It must be TMX (its name ends in .tmx), a memory that PRISM sealed, or "
                "UTF-8 text with a sentence, a tab and its translation on each line."
            )


def check_memories(
    files: Sequence[Path], source: str, target: str, key: Callable[[], bytes]
) -> None:
    """Raise as ``translations`` for an unusable file, as far as its beginning shows."""
    for file in files:
        next(translations([file], source, target, key), None)


def is_tmx(path: Path) -> bool:
    """Return True if the name of ``path`` is that of a TMX file."""
    return path.suffix.lower() in (".tmx", ".xml")


def read_tmx(
    path: Path, source: str, target: str, open_with: Opener | None = None
) -> Iterator[TranslationUnit]:
    """Yield the units of ``path`` from ``source`` to ``target`` (ISO 639), in order.

    Regional variants count as their language: each variant of the source is a unit, and the last
    one of the target is taken. Raises ``ConfigurationError`` for a file that is not well-formed
    XML.
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
                stated = _properties(unit)
                document = next((stated[name] for name in stated if name in _DOCUMENT), "")
                yield TranslationUnit(
                    _text(text),
                    _text(translation),
                    whole,
                    document,
                    is_machine=any(unit.get(name) in ("MT", MACHINE) for name in _AUTHORS),
                    is_unreviewed=stated.get(_STATUS, "").lower() in _DRAFTS
                    or UNTRANSLATED in stated,
                )


def read_columns(path: Path) -> Iterator[TranslationUnit]:
    """Yield source, target and perhaps document of each line. Raises ``ConfigurationError``."""
    for line in stripped_lines(path):
        columns = line.split("\t")
        if len(columns) >= 2:
            document = columns[2].strip() if len(columns) > 2 else ""
            yield TranslationUnit(columns[0].strip(), columns[1].strip(), document=document)


def stripped_lines(path: Path) -> Iterator[str]:
    """Yield the lines of a UTF-8 file without surrounding white space; only newlines end one."""
    try:
        with path.open(encoding="utf-8-sig", newline="\n") as file:
            yield from (line.strip() for line in file)
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ConfigurationError(f"{path} is not UTF-8 text.") from None


def _properties(unit: Element) -> dict[str, str]:
    """Return the properties of a unit and its variants by type, the first of each."""
    found = dict[str, str]()
    for inner in unit.iter():
        if local_name(inner) == "prop":
            found.setdefault((inner.get("type") or "").lower(), (inner.text or "").strip())
    return found


def _has_placeholder(segment: Element) -> bool:
    return any(local_name(inner) in _PLACEHOLDERS for inner in segment.iter())


def _text(segment: Element) -> str:
    return "".join(_text_parts(segment))


def _text_parts(element: Element) -> Iterator[str]:
    yield element.text or ""
    for inner in element:
        if local_name(inner) not in _CODES:
            yield from _text_parts(inner)
        yield inner.tail or ""


ALL_LANGUAGES = "*all*"
"""Source language of a TMX file whose units state their own."""
UNTRANSLATED = "x-untranslated-words"
"""Property of a unit that counts source words left in its translation."""
_NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class Translated:
    """A unit to write; ``untranslated`` counts source words left in the translation.

    ``language`` is that of ``source``, if it differs from the memory's. ``is_machine`` says that a
    machine translated it, and nobody confirmed that.
    """

    source: str
    translation: str
    untranslated: int = 0
    language: str = ""
    is_machine: bool = False


def is_writable(*texts: str) -> bool:
    """Return True if XML can hold ``texts``: answers may hold a lone surrogate, or a control."""
    return not any(_NOT_XML.search(text) for text in texts)


def tmx(units: Iterable[Translated], source: str, target: str) -> Iterator[bytes]:
    """Yield a TMX file of ``units``, without a date: equal units give equal files."""
    yield (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<tmx version="1.4">\n'
        '<header creationtool="PRISM" '
        f'creationtoolversion={quoteattr(version("prism-translate"))} segtype="sentence" '
        f'o-tmf="PRISM" adminlang="en" srclang={quoteattr(source)} '
        'datatype="plaintext"/>\n<body>\n'
    ).encode()
    for unit in units:
        left = f'<prop type="{UNTRANSLATED}">{unit.untranslated}</prop>' * (unit.untranslated > 0)
        pair = _variant(unit.language or source, unit.source) + _variant(target, unit.translation)
        author = f' creationid="{MACHINE}"' * unit.is_machine
        yield f"<tu{author}>{left}{pair}</tu>\n".encode()
    yield b"</body>\n</tmx>\n"


def write_memory(
    path: Path, content: Iterable[bytes], key: bytes | None, *, replace: bool = False
) -> None:
    """Write ``content`` to ``path`` for its owner alone (mode 0600), sealed under ``key`` if given.

    The file appears as a whole or not at all. Raises ``ConfigurationError`` when there is a file
    already that may not be replaced, and ``OutputError`` when it cannot be written.
    """
    if not replace and path.exists():
        raise ConfigurationError(f"{path} exists already; name another file, or add --replace")
    try:
        with atomic_write(path) as file:
            if key is None:
                file.writelines(content)
                return
            sealed = SealedWriter(file, key)
            for piece in content:
                sealed.write(piece)
            sealed.close()
    except OSError as error:
        raise OutputError(
            f"{path} cannot be written: {error.strerror}; check the folder, its permissions and "
            "the free space"
        ) from None


def _variant(language: str, text: str) -> str:
    return f"<tuv xml:lang={quoteattr(language)}><seg>{escape(text)}</seg></tuv>"
