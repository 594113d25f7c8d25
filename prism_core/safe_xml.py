"""Parser of untrusted XML files, element by element: no entities, no DTD, no network."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Protocol

from lxml import etree

from prism_core.errors import ConfigurationError

Element = etree._Element
"""XML element; for annotations, so that no other module imports the parser."""
LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"


class Readable(Protocol):
    """Protocol of a file that the parser can read."""

    def read(self, size: int, /) -> bytes:
        """Return at most the next ``size`` bytes; none at the end."""
        ...


def elements(
    path: Path,
    names: Collection[str],
    opener: Callable[[Path], AbstractContextManager[Readable]] | None = None,
) -> Iterator[Element]:
    """Yield every element of ``path`` whose local name is among ``names``, complete, in order.

    ``opener`` gives the XML of a file that is not plain XML. Each element is emptied once the next
    is requested, so that memory does not grow with the file. Raises ``ConfigurationError`` when the
    file cannot be read, is no XML, or declares entities; a DOCTYPE that only names a DTD is
    ignored, and the DTD is never opened.
    """
    try:
        with opener(path) if opener else path.open("rb") as file:
            yield from _elements(file, path, names)
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be read: {error.strerror}") from None
    except etree.XMLSyntaxError as error:
        line = error.lineno
    else:
        return
    raise ConfigurationError(f"{path} is not well-formed XML (line {line}).") from None


def _elements(file: Readable, path: Path, names: Collection[str]) -> Iterator[Element]:
    parsed = etree.iterparse(
        file,
        events=("start", "end"),
        load_dtd=False,
        no_network=True,
        resolve_entities=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    document_type: Any = None
    for event, element in parsed:
        if document_type is None:
            document_type = element.getroottree().docinfo.internalDTD or ""
            if document_type and document_type.entities():
                raise ConfigurationError(
                    f"{path} declares XML entities, which such a file does not need; check where "
                    "it came from."
                )
        if event == "end" and local_name(element) in names:
            yield element
            element.clear()
            while element.getprevious() is not None:
                del element.getparent()[0]


def local_name(element: Element | None) -> str:
    """Return the element's name without its namespace; empty for comments and the like."""
    tag = None if element is None else element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def namespace(element: Element) -> str:
    """Return the element's namespace, empty when it has none."""
    tag = element.tag
    return tag[1:].partition("}")[0] if isinstance(tag, str) and tag.startswith("{") else ""


def language(element: Element) -> str:
    """Return the element's language as ISO 639 in lower case: ``en`` for ``en-GB``, ``EN_US``."""
    named = element.get(LANGUAGE) or element.get("lang") or ""
    return named.replace("_", "-").partition("-")[0].lower()
