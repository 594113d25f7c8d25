"""HTML: web pages as files, in the encoding they declare, and HTML inside other documents."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from prism_core.alignment import Translation
from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.base import Document, Formats, notices
from prism_core.formats.character_sets import MARKS, DecodedText, charsets, decode_text, read_text
from prism_core.formats.hypertext.html_layout import HtmlLayout, split_html

_DECLARED: Final = re.compile(
    rb"<meta\b[^>]{0,300}?\bcharset\s*=\s*[\"']?\s*([\w.:-]{1,40})"
    rb"|\A\s*<\?xml\b[^>]{0,300}?\bencoding\s*=\s*[\"']([\w.:-]{1,40})",
    re.IGNORECASE,
)
_PRESCANNED: Final = 4096
_PRINTABLE: Final = bytes(range(0x20, 0x7F))
_WESTERN: Final = frozenset(("ascii", "us-ascii", "iso-8859-1", "iso8859-1", "latin-1", "latin1"))
"""Character sets that browsers read as Windows-1252 (WHATWG Encoding)."""


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
        """Return title, paragraphs, cells, descriptions and labels.

        Raises ``DocumentError``: empty (no text, as in a frame set), too large, or unsupported
        (binary).
        """
        layout = split_html(read_text(path, decode_page).text, self._options)
        if not layout.places:
            raise DocumentError(DocumentFailure.EMPTY)
        return Document(path, self.name, layout.segments)

    def write(
        self, document: Document, translations: Sequence[Translation], path: Path
    ) -> tuple[str, ...]:
        """Write the page with ``translations``; everything between the texts stays.

        ``formatting-simplified:N`` changes of formatting inside paragraphs were given up.
        """
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
    declared = _DECLARED.search(content[:_PRESCANNED])
    marked = any(content.startswith(mark) for mark, _ in MARKS)
    charset = (declared[1] or declared[2]).decode("ascii").lower() if declared else ""
    wanted = ("cp1252", charset) if charset in _WESTERN else charsets(charset)
    for encoding in wanted if charset and not marked else ():
        try:
            text = content.decode(encoding)
            like_ascii = _PRINTABLE.decode(encoding) == _PRINTABLE.decode("ascii")
            if like_ascii and text.encode(encoding) == content and "\0" not in text:
                return DecodedText(text, encoding)
        except (UnicodeError, LookupError, ValueError):
            continue
    decoded = decode_text(content)
    if decoded is not None and not declared and not decoded.mark and content.isascii():
        return DecodedText(decoded.text, "ascii")
    return decoded


__all__ = ["HtmlFormat", "HtmlLayout", "decode_page", "split_html"]
