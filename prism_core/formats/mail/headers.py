"""Headers of a message part: where each lies, what the content headers say, and the subject.

entry: `scan_fields` finds the headers of a part; `parse_content` reads those about its body, and
`read_subject` -> `write_subject` take the subject apart and write it anew.
"""

from __future__ import annotations

import re
import unicodedata
from contextlib import suppress
from dataclasses import dataclass
from email.errors import HeaderParseError
from email.header import Header, decode_header
from email.message import Message
from typing import Final

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.decoding import charsets

_FIELD_LINE: Final = re.compile(rb"([!-9;-~]+)[ \t]*:|[ \t]|>?From ")
_LINE: Final = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_LONGEST_VALUE: Final = 65_536
"""The longest subject or content header that is looked into, in bytes."""
_CONTENT_FIELDS: Final = frozenset(
    ("content-type", "content-transfer-encoding", "content-disposition", "content-id")
)
C1: Final = re.compile("[\x80-\x9f]")
"""Control characters that no text has: where they are, another character set was used."""
_WESTERN: Final = ("us-ascii", "iso-8859-1")
_ENCODED_WORD: Final = re.compile(r"=\?[\w.*-]+\?[bqBQ]\?[^?]*\?=")
_REPLY_MARK: Final = re.compile(r"(?:(?:re|fwd?|aw|wg|sv|vs|tr|rv|antw)(?:\[\d+\])?\s*:\s*)*", re.I)

_UNSEEN: Final = re.compile("[\u00ad\u200b\u200c\u2060\ufeff]")
"""Soft hyphens and spaces of no width: they would hide a name from its detectors."""


@dataclass(frozen=True, slots=True)
class Field:
    """A header: its lines lie in ``start:end``, its value begins at ``value``.

    ``name`` is in lower case.
    """

    name: str
    start: int
    value: int
    end: int


@dataclass(frozen=True, slots=True)
class Content:
    """What a part's headers say of its body; every word in lower case but boundary and name.

    ``disposition`` is ``inline``, ``attachment`` or empty. ``name`` is that of the file, decoded.
    ``cited`` says that HTML can show the part in its text, by a Content-ID.
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
        """That of the file's name, in lower case with its dot; empty when it has none."""
        suffix = re.search(r"\.[A-Za-z0-9]{1,8}\Z", self.name)
        return suffix[0].lower() if suffix else ""


def scan_fields(message: bytes, start: int, end: int) -> tuple[tuple[Field, ...], int, bool]:
    """The headers from ``start`` on, where the body begins, and whether a blank line parts them."""
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


def parse_content(message: bytes, fields: tuple[Field, ...], default_type: str) -> Content:
    """Read the content headers among ``fields``; a damaged one counts as absent."""
    parsed = Message()
    parsed.set_default_type(default_type)
    for field in fields:
        if field.name in _CONTENT_FIELDS and field.name not in parsed:
            parsed[field.name] = _unfold(message, field)
    try:
        return Content(
            media_type=parsed.get_content_type(),
            charset=(parsed.get_content_charset() or "").strip(),
            transfer=str(parsed.get("content-transfer-encoding", "")).split(";")[0].strip().lower(),
            boundary=(parsed.get_boundary() or "").encode("latin-1", "replace"),
            disposition=(parsed.get_content_disposition() or ""),
            name=_file_name(parsed.get_filename("") or ""),
            cited="content-id" in parsed,
            flowed=str(parsed.get_param("format") or "").lower() == "flowed",
            smime=str(parsed.get_param("smime-type") or "").lower(),
        )
    except (ValueError, LookupError, TypeError, AttributeError):
        # What the standard library raises for parameters broken on purpose (RFC 2231).
        return Content(default_type)


def _file_name(raw: str) -> str:
    """A name as a reader sees it: bytes are UTF-8 or Windows-1252, encoded words undone."""
    try:
        line = _decode_line(raw.encode("latin-1"))
    except UnicodeEncodeError:  # RFC 2231, decoded already
        line = raw
    return " ".join(_decode_words(line).split())


def _decode_line(raw: bytes) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("cp1252", "replace")


def _unfold(message: bytes, field: Field) -> str:
    """The value on one line; every byte is one character."""
    if field.end - field.value > _LONGEST_VALUE:
        raise DocumentError(DocumentFailure.TOO_LARGE, "One of its headers is over 64 KB.")
    value = message[field.value : field.end].decode("latin-1")
    return re.sub(r"\s*[\r\n]+\s*", " ", value).strip()


@dataclass(frozen=True, slots=True)
class Subject:
    """A subject line: marks such as ``Re:`` that stay, and the text that is translated."""

    marks: str
    text: str


def read_subject(message: bytes, field: Field) -> Subject:
    """The subject in ``field``; no text of one whose encoded words are broken, which stays."""
    line = _decode_line(_unfold(message, field).encode("latin-1"))
    line = " ".join(_UNSEEN.sub("", _decode_words(line)).split())
    if _ENCODED_WORD.search(line):
        return Subject(line, "")
    marks = _REPLY_MARK.match(line)
    cut = marks.end() if marks else 0
    return Subject(line[:cut], line[cut:])


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
    """An encoded word by its character set, or by UTF-8 if that is not known or wrong."""
    if charset is None:
        return piece.decode("raw-unicode-escape")
    for encoding in (*charsets(charset), "utf-8"):
        with suppress(UnicodeError, ValueError):
            text = piece.decode(encoding)
            if not C1.search(text):
                return text
    return piece.decode("cp1252") if charset.lower() in _WESTERN else piece.decode("utf-8")


def write_subject(text: str, newline: str) -> bytes:
    """``text`` as a header value, encoded and folded; line breaks in it cannot start a header."""
    line = "".join(c if c.isprintable() or unicodedata.category(c) == "Cf" else " " for c in text)
    charset = "us-ascii" if line.isascii() and "=?" not in line else "utf-8"
    header = Header(line, charset, maxlinelen=76, header_name="Subject")
    return header.encode(linesep=newline).encode("ascii")
