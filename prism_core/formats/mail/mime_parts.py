"""Parts of a message as spans of its bytes, so that everything not edited stays as it is.

The standard library parses a message into objects and writes it anew; here the message is only
measured. Edits are made on the spans, and every other byte, header, boundary and preamble included,
is copied.

Entry: `parse_message`; `read_subject` and `write_subject`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from email.errors import HeaderParseError
from email.header import Header, decode_header
from email.message import Message
from functools import lru_cache
from itertools import pairwise
from typing import Final

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.character_sets import C1, UNSEEN, charsets

_FIELD_LINE: Final = re.compile(rb"([!-9;-~]+)[ \t]*:|[ \t]|>?From ")
_LINE: Final = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_LONGEST_VALUE: Final = 65_536
"""Greatest size in bytes of a subject or content header that is read."""
_CITED: Final = "content-id"
_CONTENT_FIELDS: Final = frozenset(
    ("content-type", "content-transfer-encoding", "content-disposition", _CITED)
)
_ENCODED_WORD: Final = re.compile(r"=\?[\w.*-]+\?[bqBQ]\?[^?]*\?=")
_REPLY_MARK: Final = re.compile(r"(?:(?:re|fwd?|aw|wg|sv|vs|tr|rv|antw)(?:\[\d+\])?\s*:\s*)*", re.I)


@dataclass(frozen=True, slots=True)
class Field:
    """Header called ``name`` (lower case) in ``start:end``, whose value begins at ``value``."""

    name: str
    start: int
    value: int
    end: int


@dataclass(frozen=True, slots=True)
class ContentHeaders:
    """Headers of a part about its body; every word in lower case but boundary and name.

    ``disposition`` is ``inline``, ``attachment`` or empty. ``name`` is the decoded name of the
    file. ``cited`` says that HTML can show the part in its text, by a Content-ID.
    """

    media_type: str
    charset: str = ""
    transfer: str = ""
    boundary: bytes = b""
    disposition: str = ""
    name: str = ""
    cited: bool = False
    flowed: bool = False
    smime: str = ""

    @property
    def suffix(self) -> str:
        """Suffix of the file's name, in lower case with its dot; empty when it has none."""
        return suffix_of(self.name).lower()


def suffix_of(name: str) -> str:
    """Return the suffix of the file ``name`` with its dot; empty when it has none."""
    suffix = re.search(r"\.[A-Za-z0-9]{1,8}\Z", name)
    return suffix[0] if suffix else ""


def scan_fields(message: bytes, start: int, end: int) -> tuple[tuple[Field, ...], int, bool]:
    """Return the headers from ``start`` on, the start of the body, and if a blank line is there."""
    fields: list[Field] = []
    position = start
    while position < end:
        line = _LINE.match(message, position, end)
        assert line is not None  # noqa: S101 (the pattern matches everywhere)
        if not line[0].strip(b"\r\n"):
            return tuple(fields), line.end(), True
        match = _FIELD_LINE.match(message, position, line.end())
        if match is None or (match[0] in b" \t" and not fields):
            return tuple(fields), position, False
        if match[0] in b" \t":
            last = fields[-1]
            fields[-1] = Field(last.name, last.start, last.value, line.end())
        else:
            name = match[1].decode("ascii").lower() if match[1] else ""
            fields.append(Field(name, position, match.end(), line.end()))
        position = line.end()
    return tuple(fields), end, False


def parse_content(message: bytes, fields: tuple[Field, ...], default_type: str) -> ContentHeaders:
    """Parse the content headers, but damaged ones; the file's name is as a reader sees it."""
    values: dict[str, str] = {}
    for field in fields:
        if field.name in _CONTENT_FIELDS and field.name not in values:
            values[field.name] = _unfold(message, field)
    if _CITED in values:
        values[_CITED] = ""  # its value always differs and does not matter; see the cache
    return _parse_values(tuple(values.items()), default_type)


@lru_cache(maxsize=1024)
def _parse_values(values: tuple[tuple[str, str], ...], default_type: str) -> ContentHeaders:
    """Parse unfolded fields, which are alike in most messages; hence the cache."""
    parsed = Message()
    parsed.set_default_type(default_type)
    for field, value in values:
        parsed[field] = value
    try:
        name = parsed.get_filename("") or ""
        with suppress(UnicodeEncodeError):  # RFC 2231, decoded already
            name = _decode_line(name.encode("latin-1"))
        return ContentHeaders(
            media_type=parsed.get_content_type(),
            charset=(parsed.get_content_charset() or "").strip(),
            transfer=str(parsed.get("content-transfer-encoding", "")).split(";")[0].strip().lower(),
            boundary=(parsed.get_boundary() or "").encode("latin-1", "replace"),
            disposition=(parsed.get_content_disposition() or ""),
            name=" ".join(_decode_words(name).split()),
            cited=_CITED in parsed,
            flowed=str(parsed.get_param("format") or "").lower() == "flowed",
            smime=str(parsed.get_param("smime-type") or "").lower(),
        )
    except (ValueError, LookupError, TypeError, AttributeError):
        # The standard library raises these for parameters broken on purpose (RFC 2231).
        return ContentHeaders(default_type)


def _decode_line(raw: bytes) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("cp1252", "replace")


def _unfold(message: bytes, field: Field) -> str:
    """Return the value on one line; every byte is one character."""
    if field.end - field.value > _LONGEST_VALUE:
        raise DocumentError(DocumentFailure.TOO_LARGE, "One of its headers is over 64 KB.")
    value = message[field.value : field.end].decode("latin-1")
    return re.sub(r"\s*[\r\n]+\s*", " ", value).strip()


def read_subject(message: bytes, field: Field) -> tuple[str, str]:
    """Return prefixes such as ``Re:`` and the rest, empty where encoded words are broken."""
    line = _decode_line(_unfold(message, field).encode("latin-1"))
    line = " ".join(UNSEEN.sub("", _decode_words(line)).split())
    if _ENCODED_WORD.search(line):
        return line, ""
    marks = _REPLY_MARK.match(line)
    cut = marks.end() if marks else 0
    return line[:cut], line[cut:]


def _decode_words(line: str) -> str:
    if "=?" not in line:
        return line
    try:
        return "".join(
            piece if isinstance(piece, str) else _decode_word(piece, charset)
            for piece, charset in decode_header(line)
        )
    except (HeaderParseError, UnicodeError, LookupError, ValueError):
        return line


def _decode_word(piece: bytes, charset: str | None) -> str:
    """Decode an encoded word by its character set, or by UTF-8 if that is not known or wrong."""
    if charset is None:
        return piece.decode("raw-unicode-escape")
    for encoding in (*(charsets(charset) or ()), "utf-8"):
        with suppress(UnicodeError, ValueError):
            text = piece.decode(encoding)
            if not C1.search(text):
                return text
    return piece.decode("utf-8")


def write_subject(text: str, newline: str) -> bytes:
    """Encode and fold ``text`` as a header value; line breaks in it cannot start a header."""
    line = "".join(c if c.isprintable() or unicodedata.category(c) == "Cf" else " " for c in text)
    charset = "us-ascii" if line.isascii() and "=?" not in line else "utf-8"
    header = Header(line, charset, maxlinelen=76, header_name="Subject")
    return header.encode(linesep=newline).encode("ascii")


_DEEPEST: Final = 40
_MOST_PARTS: Final = 5_000
_NESTED: Final = (
    "It has too many parts, or parts nested too deeply, for a real message; check its origin."
)
_PLAIN_TRANSFER: Final = frozenset(("", "7bit", "8bit", "binary"))


@dataclass(frozen=True, slots=True)
class MailPart:
    """Part of a message, or the message; headers in ``start:body``, body in ``body:end``."""

    start: int
    body: int
    end: int
    headed: bool
    fields: tuple[Field, ...]
    content: ContentHeaders
    parts: tuple[MailPart, ...] = ()

    def field(self, name: str) -> Field | None:
        """Return the first header called ``name`` (lower case)."""
        return next((field for field in self.fields if field.name == name), None)

    def walk(self) -> Iterator[MailPart]:
        """Yield this part and all parts below it, in the order of the message."""
        yield self
        for part in self.parts:
            yield from part.walk()

    def outline(self) -> tuple[str, ...]:
        """Return the types of all parts in order, which an edit must not change."""
        return tuple(part.content.media_type for part in self.walk())


def parse_message(message: bytes) -> MailPart:
    """Return the parts; raise ``DocumentError`` (too large) for too many, or too deep ones."""
    return _Splitter(message).split_message(0, len(message), 0)


class _Splitter:
    """Splitter of one message; counts its parts so that a hostile message ends early."""

    def __init__(self, message: bytes) -> None:
        self._message = message
        self._count = 0

    def split_message(self, start: int, end: int, depth: int) -> MailPart:
        leading = re.compile(rb"(?:\xef\xbb\xbf)?[\r\n]*").match(self._message, start, end)
        return self.split_part(leading.end() if leading else start, end, depth, "text/plain")

    def split_part(self, start: int, end: int, depth: int, default_type: str) -> MailPart:
        self._count += 1
        if depth > _DEEPEST or self._count > _MOST_PARTS:
            raise DocumentError(DocumentFailure.TOO_LARGE, _NESTED)
        fields, body, headed = scan_fields(self._message, start, end)
        content = parse_content(self._message, fields, default_type)
        parts: tuple[MailPart, ...] = ()
        if content.media_type == "message/rfc822" and content.transfer in _PLAIN_TRANSFER:
            parts = (self.split_message(body, end, depth + 1),)
        elif content.boundary and content.media_type.startswith("multipart/"):
            digest = content.media_type == "multipart/digest"
            inner_type = "message/rfc822" if digest else "text/plain"
            marks: list[tuple[int, int]] = []
            mark = rb"(?:\A|(?<=[\r\n]))--" + re.escape(content.boundary)
            delimiter = re.compile(mark + rb"(--)?[ \t]*(?:\r\n|\r|\n|\Z)")
            for match in delimiter.finditer(self._message, body, end):
                marks.append(match.span())
                if match[1]:
                    break
            else:  # cut off before the closing delimiter
                marks += [(end, end)] * bool(marks)
            for (_, after), (before, _) in pairwise(marks):  # without the line break before one
                line_break = 2 if self._message[before - 2 : before] == b"\r\n" else 1
                last = max(after, before - (line_break if before < end else 0))
                parts += (self.split_part(after, last, depth + 1, inner_type),)
        return MailPart(start, body, end, headed, fields, content, parts)
