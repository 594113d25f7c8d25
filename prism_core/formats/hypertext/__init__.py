"""HTML: web pages as files, in the encoding they declare, and HTML inside other documents."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from prism_core.alignment import Translation
from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.base import Document, Formats, notices
from prism_core.formats.character_sets import (
    DecodedText,
    charsets,
    decode_declared,
    decode_text,
    read_text,
)
from prism_core.formats.hypertext.html_layout import HtmlLayout, split_html

_DECLARED: Final = re.compile(
    rb"<meta\b[^>]{0,300}?\bcharset\s*=\s*[\"']?\s*([\w.:-]{1,40})"
    rb"|\A\s*<\?xml\b[^>]{0,300}?\bencoding\s*=\s*[\"']([\w.:-]{1,40})",
    re.IGNORECASE,
)
_PRESCANNED: Final = 4096
_PRINTABLE: Final = bytes(range(0x20, 0x7F))


class HtmlFormat:
    """HTML and XHTML files. Unchanged translations give the same bytes.

    The encoding stays: a letter that it lacks becomes a character reference. A page that changes
    and names the source as its language (``lang``) names the target and its writing direction,
    where the target is known. Nothing is parsed as XML, so no entity is expanded and nothing is
    fetched.
    """

    name = "html"

    def __init__(self, formats: Formats) -> None:
        self._options = formats.options

    def read(self, path: Path) -> Document:
        """Return the texts; raise ``DocumentError``: empty, too large, or unsupported (binary)."""
        decoded = read_text(path, decode_page)
        layout = split_html(decoded.text, self._options)
        if not layout.places:
            raise DocumentError(DocumentFailure.EMPTY)
        return Document(path, self.name, layout.segments, decoded.notices)

    def write(
        self, document: Document, translations: Sequence[Translation], path: Path
    ) -> tuple[str, ...]:
        """Write the page, and count formatting given up (``formatting-simplified:N``)."""
        decoded = read_text(document.path, decode_page)
        layout = split_html(decoded.text)
        if layout.segments != document.segments:
            raise DocumentError(DocumentFailure.UNREBUILDABLE)
        text, lost = layout.rebuild(translations, self._options)
        path.write_bytes(decoded.mark + text.encode(decoded.encoding, "xmlcharrefreplace"))
        return notices({"formatting-simplified": lost})


def decode_page(content: bytes) -> DecodedText | None:
    """Decode by byte-order mark, then by the declared encoding, then as any text; None if binary.

    A declared encoding counts if it gives the same bytes back and is like ASCII. A page in plain
    ASCII that declares nothing is written in ASCII again, because a browser would have to guess the
    encoding of any other character.
    """
    declared = find_declared(content)
    page = decode_declared(content, declared) if declared else None
    if page:
        like_ascii = _PRINTABLE.decode(page.encoding, "ignore") == _PRINTABLE.decode("ascii")
        if page.mark or (like_ascii and page.text.encode(page.encoding) == content):
            return page
    if declared and charsets(declared) == ():
        return None
    decoded = decode_text(content)
    if decoded is not None and not declared and not decoded.mark and content.isascii():
        return DecodedText(decoded.text, "ascii")
    return decoded


def find_declared(content: bytes) -> str:
    """Return the character set that a page declares in its first bytes, or an empty string."""
    found = _DECLARED.search(content[:_PRESCANNED])
    declared = (found[1] or found[2]).decode("ascii").lower() if found else ""
    return "windows-1252" if declared == "x-user-defined" else declared


__all__ = ["HtmlFormat", "HtmlLayout", "decode_page", "find_declared", "split_html"]
