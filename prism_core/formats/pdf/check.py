"""What other libraries read from a PDF: the witnesses that text is gone, or was drawn whole.

pdfium reads the pages, and pypdf what stands beside them. Neither wrote the file.
"""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress

from pypdf import PdfReader
from pypdf.generic import DictionaryObject, NullObject, PdfObject

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.pdf.libraries import MALFORMED, pdfium_document
from prism_core.formats.pdf.properties import MAX_BOOKMARKS

_UNSTABLE = re.compile("[\\s\\-\u2010\u00ad\u0000-\u001f\ufffe\uffff]")
"""White space and hyphens: pdfium adds and drops them at the ends of lines."""
_KEYS = ("/Title", "/Subject", "/Keywords", "/Contents", "/Subj")


def page_texts(data: bytes) -> Iterator[str]:
    """The text of each page, in the order pdfium gives it. Raises ``pypdfium2.PdfiumError``."""
    with pdfium_document(data) as document:
        for page in document:
            words = page.get_textpage()
            yield words.get_text_range()
            words.close()
            page.close()


def characters(text: str) -> Counter[str]:
    """How often each character occurs, without those that do not survive extraction."""
    return Counter(_UNSTABLE.sub("", text))


def shows_lines(found: str, lines: Sequence[str]) -> bool:
    """Whether ``found`` holds the characters of ``lines`` and no others, in any order.

    pdfium leaves out a line that repeats the one above it, so a repeated line may be missing.
    """
    read = characters(found)
    return characters("".join(set(lines))) <= read <= characters("".join(lines))


def surplus(found: str, allowed: str) -> int:
    """How many characters of ``found`` are beyond those of ``allowed``."""
    return (characters(found) - characters(allowed)).total()


def refuse_remains(data: bytes, replaced: Iterable[str], given: Iterable[str]) -> None:
    """Raise ``DocumentError`` when a title, subject, keywords, a bookmark or a note still says what
    was ``replaced``, as far as pypdf can read the file; what is ``given`` may be said."""
    gone = set(map(_bare, replaced)) - set(map(_bare, given))
    with suppress(*MALFORMED):
        for holder in _holders(PdfReader(io.BytesIO(data))):
            texts = (
                [holder.get(key) for key in _KEYS] if isinstance(holder, DictionaryObject) else ()
            )
            if any(isinstance(text, str) and _bare(text) in gone for text in texts):
                raise DocumentError(DocumentFailure.UNREBUILDABLE)


def _bare(text: str) -> str:
    """The letters and digits of ``text``, which is what any reader makes of it."""
    return "".join(filter(str.isalnum, text))


def _holders(reader: PdfReader) -> Iterator[PdfObject | None]:
    """What holds a text beside the pages: the document, its bookmarks, and annotations."""
    yield reader.trailer.get("/Info", NullObject()).get_object()
    waiting, seen = [reader.root_object.get("/Outlines")], set[int]()
    while waiting and len(seen) < MAX_BOOKMARKS:
        reference = waiting.pop()
        item = reference.get_object() if reference is not None else None
        if isinstance(item, DictionaryObject) and id(item) not in seen:
            seen.add(id(item))
            yield item
            waiting += [item.get("/Next"), item.get("/First")]
    for page in reader.pages:
        for annotation in page.get("/Annots") or ():
            yield annotation.get_object()
