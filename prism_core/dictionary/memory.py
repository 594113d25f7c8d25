"""Translation memories: pairs of a sentence and its translation, from TMX or from two columns.

A file is read as a stream. Pairs that lack a side are left out; a file without any is an error,
since it is then not what the user thinks it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import unescape
from itertools import zip_longest
from pathlib import Path

from prism_core.dictionary.safe_xml import Element, elements, language, local_name
from prism_core.errors import ConfigurationError

_CODES = frozenset({"bpt", "ept", "it", "ph", "sub", "ut"})
"""Inline elements of TMX that hold codes of a word processor, not words."""


def read_memory(path: Path, source: str, target: str) -> Iterator[tuple[str, str]]:
    """The pairs of ``path`` in the languages ``source`` and ``target`` (ISO 639), in order.

    A file that ends in ``.tmx`` or ``.xml`` is TMX 1.4; any other is UTF-8 text with a sentence,
    a tab and its translation on each line. Raises ``ConfigurationError``.
    """
    is_xml = path.suffix.lower() in (".tmx", ".xml")
    pairs = _of_tmx(path, source, target) if is_xml else _of_columns(path)
    found = False
    for pair in pairs:
        if all(pair):
            found = True
            yield pair
    if not found:
        wanted = f"from {source} to {target}" if is_xml else "(two columns, a tab between them)"
        raise ConfigurationError(f"{path} holds no translation {wanted}.")


def read_parallel(source: Path, target: Path) -> Iterator[tuple[str, str]]:
    """The pairs of two files of equally many lines; lines without both sides are left out.

    What a translator returned escaped for HTML is read as plain text. Raises
    ``ConfigurationError``.
    """
    for text, translation in zip_longest(_lines(source), _lines(target)):
        if text is None or translation is None:
            raise ConfigurationError(
                f"{source} and {target} have different numbers of lines; line by line, one must "
                "be the translation of the other."
            )
        if text and translation:
            yield text, unescape(translation)


def _of_tmx(path: Path, source: str, target: str) -> Iterator[tuple[str, str]]:
    for unit in elements(path, ("tu",)):
        sides = {
            language(variant): _words(segment)
            for variant in unit
            if local_name(variant) == "tuv"
            for segment in variant
            if local_name(segment) == "seg"
        }
        yield sides.get(source, ""), sides.get(target, "")


def _words(segment: Element) -> str:
    return " ".join("".join(_pieces(segment)).split())


def _pieces(element: Element) -> Iterator[str]:
    yield element.text or ""
    for inner in element:
        if local_name(inner) not in _CODES:
            yield from _pieces(inner)
        yield inner.tail or ""


def _of_columns(path: Path) -> Iterator[tuple[str, str]]:
    for line in _lines(path):
        columns = line.split("\t")
        if len(columns) >= 2:
            yield columns[0].strip(), columns[1].strip()


def _lines(path: Path) -> Iterator[str]:
    """The lines of a UTF-8 file, without the white space around them; only a newline ends one."""
    try:
        with path.open(encoding="utf-8-sig", newline="\n") as file:
            yield from (line.strip() for line in file)
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ConfigurationError(f"{path} is not UTF-8 text.") from None
