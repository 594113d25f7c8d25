"""Calendars (iCalendar, RFC 5545): texts of events, tasks and reminders; the rest byte for byte.

Entry: ``IcsFormat``; rewritten lines are escaped and folded again.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Final

from prism_core.alignment import Translation
from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.base import (
    DEFAULT_OPTIONS,
    Document,
    FormatOptions,
    Formats,
    Segment,
    apply_edits,
    changed_parts,
    read_limited,
    refuse_more,
)
from prism_core.formats.character_sets import DecodedText, decode_text
from prism_core.formats.hypertext import HtmlLayout, split_html
from prism_core.formats.plain import PlainLayout, split_plain

_LONGEST_LINE: Final = 75
"""Longest line in bytes, without the line break; longer lines are folded."""
_TEXT_PROPERTIES: Final = {
    "SUMMARY": "subject", "DESCRIPTION": "paragraph", "LOCATION": "property",
    "COMMENT": "comment", "X-ALT-DESC": "paragraph",
}  # fmt: skip
"""Properties in words, and the kind of text they are."""
_FOLD: Final = re.compile(rb"\r?\n[ \t]")
_LINE: Final = re.compile(rb"(?:[^\r\n]+|\r(?!\n)|\r?\n[ \t])+")
_NAME: Final = re.compile(rb"[A-Za-z0-9-]{1,40}")
_CONTENT: Final = re.compile(r'([A-Za-z0-9-]+)((?:;(?:"[^"]*"|[^":;])*)*):(.*)', re.DOTALL)
_LANGUAGE: Final = re.compile(r'(?i)(;LANGUAGE="?)([a-z]{2,3})(?:[-_][\w-]+)?')
_ESCAPED: Final = re.compile(r"\\(.)", re.DOTALL)
_ENCODED: Final = re.compile(r"(?i);(?:ENCODING=)?(?:QUOTED-PRINTABLE|BASE64|B)\b")


class IcsFormat:
    """Calendars and invitations; unchanged texts give the same bytes.

    Summaries, descriptions (plain and HTML), locations and comments are translated in place,
    escaped and folded as the standard requires. Every other line, and every text that does not
    change, keeps its bytes. A translated text that named the source as its language names the
    target.
    """

    name = "ics"

    def __init__(self, formats: Formats) -> None:
        self._options = formats.options

    def read(self, path: Path) -> Document:
        """Return the texts in the order of the file; raise ``DocumentError``: empty, too large."""
        content = read_limited(path)
        entries = _read_entries(content, self._options)
        segments = tuple(segment for entry in entries for segment in entry.segments)
        if not segments:
            raise DocumentError(DocumentFailure.EMPTY)
        kept = [e.layout.notices for e in entries if isinstance(e.layout, PlainLayout)]
        found = (*_decode_lines(content).notices, *dict.fromkeys(chain.from_iterable(kept)))
        return Document(path, self.name, segments, found)

    def write(
        self, document: Document, translations: Sequence[Translation], path: Path
    ) -> tuple[str, ...]:
        """Write the calendar; a notice says when the encoding had to become UTF-8."""
        content = read_limited(document.path)
        entries = _read_entries(content)
        if tuple(s for entry in entries for s in entry.segments) != document.segments:
            raise DocumentError(DocumentFailure.UNREBUILDABLE)
        changed = changed_parts(entries, translations)
        lines = [(entry, entry.write_line(given, self._options)) for entry, given in changed]
        encoding = _decode_lines(content).encoding
        try:
            path.write_bytes(_write_lines(content, lines, encoding))
        except UnicodeEncodeError:
            unicode = content.decode(encoding).encode("utf-8")
            by_index = {entry.index: entry for entry in _read_entries(unicode)}
            again = [(by_index[entry.index], line) for entry, line in lines]
            path.write_bytes(_write_lines(unicode, again, "utf-8"))
            return ("encoding-changed:utf-8",)
        return ()


@dataclass(frozen=True, slots=True)
class _Entry:
    """Line with text, in ``start:end`` of the file, folds included."""

    index: int
    start: int
    end: int
    head: str
    kind: str
    layout: PlainLayout | HtmlLayout

    @property
    def segments(self) -> tuple[Segment, ...]:
        if isinstance(self.layout, HtmlLayout):
            return self.layout.segments
        return tuple(Segment(text, self.kind) for text in self.layout.texts)

    def write_line(self, translations: Sequence[Translation], options: FormatOptions) -> str:
        """Return the line with ``translations``, not folded."""
        head = self.head
        if options.target:
            head = _LANGUAGE.sub(
                lambda m: m[1] + options.target if options.source in ("", m[2].lower()) else m[0],
                head,
            )
        if isinstance(self.layout, HtmlLayout):
            return head + _escape(self.layout.rebuild(translations, options)[0])
        return head + _escape(self.layout.join(translations))


def _read_entries(content: bytes, options: FormatOptions = DEFAULT_OPTIONS) -> list[_Entry]:
    """Return the lines with text; raise ``DocumentError`` (corrupt, too large)."""
    encoding = _decode_lines(content).encoding
    entries = list[_Entry]()
    for index, match in enumerate(_LINE.finditer(content)):
        line = _FOLD.sub(b"", match[0])
        named = _NAME.match(line)
        name = named[0].decode().upper() if named else ""
        found = (
            _CONTENT.match(line.decode(encoding, "replace")) if name in _TEXT_PROPERTIES else None
        )
        if found is None or _ENCODED.search(found[2]) or "\ufffd" in found[3]:
            continue
        text = _ESCAPED.sub(lambda sign: "\n" if sign[1] in "nN" else sign[1], found[3])
        layout = split_html(text) if name == "X-ALT-DESC" else split_plain(text)
        head = f"{found[1]}{found[2]}:"
        refuse_more(len(entries), options)
        entries.append(_Entry(index, *match.span(), head, _TEXT_PROPERTIES[name], layout))
    return entries


def _decode_lines(content: bytes) -> DecodedText:
    """Decode by the encoding found: the standard asks for UTF-8. A fold may split a letter."""
    decoded = decode_text(_FOLD.sub(b"", content))
    if decoded is None or decoded.encoding.startswith(("utf-16", "utf-32")):
        raise DocumentError(DocumentFailure.CORRUPT)
    return decoded


def _escape(text: str) -> str:
    escaped = re.sub(r"([\\;,])", r"\\\1", text)
    return re.sub(r"\r\n|\r|\n", r"\\n", "".join(c for c in escaped if c >= " " or c in "\t\r\n"))


def _write_lines(content: bytes, lines: Sequence[tuple[_Entry, str]], encoding: str) -> bytes:
    """Return ``content`` with ``lines`` in place of their entries."""
    newline = b"\r\n" if b"\r\n" in content else b"\n"
    edits = []
    for entry, line in lines:
        folded = [b""]
        for character in line:  # every piece but the first begins with a blank
            encoded = character.encode(encoding)
            if len(folded[-1]) + len(encoded) > _LONGEST_LINE:
                folded.append(b" ")
            folded[-1] += encoded
        edits.append((entry.start, entry.end, newline.join(folded)))
    return apply_edits(content, edits)
