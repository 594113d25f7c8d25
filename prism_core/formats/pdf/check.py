"""What another library reads from a PDF: the witness that text is gone, or was drawn whole."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

import pypdfium2

_UNSTABLE = re.compile("[\\s\\-\u2010\u00ad\u0000-\u001f\ufffe\uffff]")
"""White space and hyphens: pdfium adds and drops them at the ends of lines."""


def page_texts(data: bytes) -> Iterator[str]:
    """The text of each page, in the order pdfium gives it. Raises ``pypdfium2.PdfiumError``."""
    document = pypdfium2.PdfDocument(data)
    try:
        for index in range(len(document)):
            page = document[index]
            words = page.get_textpage()
            yield words.get_text_range()
            words.close()
            page.close()
    finally:
        document.close()


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
