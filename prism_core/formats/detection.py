"""Detection of a file's format by its content; the file's name only tips the scales.

A file that PRISM cannot rebuild is refused here with advice, and is above all never taken for plain
text: translating the tags of an XML file or the keys of a JSON file would break it silently.

Entry: `detect`; `is_locked` says whether an Office file of the 1990s needs a password.
"""

from __future__ import annotations

import io
import mmap
import re
import struct
import zipfile
import zlib
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Final

import olefile

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.base import file_errors
from prism_core.formats.character_sets import decode_text
from prism_core.formats.code_lines import is_code, is_json, is_table
from prism_core.formats.csv_table import find_dialect
from prism_core.formats.mailbox_lines import message_spans

_HEAD: Final = 65_536
"""Number of bytes from the start of a file that decide, except inside zip and OLE containers."""

_PDF_OBJECT: Final = re.compile(rb"%[^\r\n]{0,16}[\r\n]+\d+ \d+ obj\b")
"""Start of a PDF whose first line was damaged; PDF readers recover it."""
_ZIP_MAGIC: Final = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
_CALENDAR: Final = re.compile(rb"(?:\xef\xbb\xbf)?\s*BEGIN:VCALENDAR\s", re.IGNORECASE)
_COUNTED_MAIL: Final = re.compile(rb"\d{1,10}[ \t]*\r?\n")
"""Length line with which Apple Mail begins a message (EMLX); settings in XML follow the message."""
_RTF_MAGIC: Final = b"{\\rtf"
_PICTURE: Final = re.compile(
    rb"\x89PNG\r\n\x1a\n|\xff\xd8\xff|GIF8[79]a|II\*\0|MM\0\*|8BPS|RIFF.{4}WEBP|\0\0\x01\0[^\0]\0"
    rb"|BM.{12}[\x0c\x28\x38\x6c\x7c]\0\0\0|\0\0\0\x0cjP  "
    rb"|.{4}ftyp(?:hei[cfmsx]|hev[cx]|mif1|avi[fs])",
    re.DOTALL,
)
"""PNG, JPEG, GIF, TIFF, Photoshop, WebP, icon, BMP, JPEG 2000, HEIF and AVIF."""
OLE_MAGIC: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OLE_ENCRYPTED: Final = "EncryptedPackage".encode("utf-16-le")
OLE_MESSAGE: Final = "__properties_version1.0".encode("utf-16-le")
_OFFICE_STREAMS: Final = {
    "WordDocument": "doc",
    "Workbook": "xls",
    "Book": "xls",
    "PowerPoint Document": "ppt",
}
"""Streams at the top of a compound file that identify the program of the 1990s that made it."""
_STREAM_HEAD: Final = 4096
_WORD_ENCRYPTED: Final = 0x01
_EXCEL_FILE_PASSWORD: Final = 0x002F
_POWERPOINT_ENCRYPTED: Final = b"\xdf\xc4\xd1\xf3"
_CONTENT_TYPES_CAP: Final = 4_000_000
_OFFICE_MAIN: Final = {
    name: re.compile(pattern)
    for name, pattern in {
        "docx": rb"wordprocessingml\.(document|template)\.main"
        rb"|ms-word\.(document|template)\.macroEnabled",
        "xlsx": rb"spreadsheetml\.(sheet|template)\.main|ms-excel\.(sheet|template)\.macroEnabled",
        "pptx": rb"presentationml\.(presentation|template|slideshow)\.main"
        rb"|ms-powerpoint\.(presentation|template|slideshow)\.macroEnabled",
    }.items()
}
"""Content types of the main part, which tell the Office formats apart."""
_OPEN_TEXT: Final = re.compile(
    rb"\s*application/vnd\.oasis\.opendocument\."
    rb"(text|spreadsheet|presentation|graphics)(-template|-master|-web)?\s*"
)
_FLAT_OPEN_TEXT: Final = re.compile(
    r"\s*(<\?xml[^>]{0,200}>)?\s*<office:document\s[^>]*?office:mimetype\s*=\s*[\"']"
    r"application/vnd\.oasis\.opendocument\."
    r"(text|spreadsheet|presentation|graphics)(-template)?[\"']"
)

_HEADER: Final = re.compile(r"([!-9;-~]{1,76})[ \t]*:")
_PROOF_HEADER: Final = re.compile(
    r"received|return-path|delivered-to|envelope-to|message-id|mime-version|references|in-reply-to"
    r"|content-(type|transfer-encoding)|authentication-results|(dkim|domainkey)-signature"
    r"|user-agent|x-mailer|list-id|sender|reply-to"
)
_COMMON_HEADERS: Final = frozenset(("from", "to", "cc", "bcc", "subject", "date"))

_MARKUP: Final = re.compile(r"\s*<(\?xml|!doctype|!--|html|head|body|svg|script)\b", re.IGNORECASE)
_CODE_SUFFIX: Final = re.compile(
    r"\.(b64|bat|c|cfg|cl|clj|conf|cpp|cs|css|diff|el|go|h|hpp|hqx|ini|java|js|jsonl?|kt|li?sp"
    r"|log|lua|patch|php|pl|po|ps1|py|r|rb|rs|scm|sh|shar|sql|srt|svg|swift|tex|toml|ts|uue?"
    r"|vcf|vtt|xml|ya?ml)",
    re.IGNORECASE,
)
_TABLE_SUFFIXES: Final = frozenset((".csv", ".tsv", ".tab"))
_TABLE_ADVICE: Final = "Its rows have no separator in common; save it as CSV again, or as XLSX."
_PROSE_ADVICE: Final = "Markup, data and source files are not handled; put its text into a DOCX."


_PROLOGUE: Final = re.compile(
    r"(?:\s+|\ufeff|<!--.*?-->|<\?xml\b[^>]*\?>|<\?xml-stylesheet\b[^>]*\?>)*+", re.DOTALL
)
_PAGE: Final = re.compile(r"<(?:!doctype\s+html\b|(?:html|head|body|frameset)\b)", re.IGNORECASE)
_FRAGMENT: Final = re.compile(
    r"<(?P<tag>a|article|b|blockquote|center|div|dl|em|fieldset|font|footer|form|h[1-6]|header|i"
    r"|main|nav|ol|p|pre|section|span|strong|table|title|ul)(?=[\s>])[^>]*>.*</(?P=tag)\s*>",
    re.IGNORECASE | re.DOTALL,
)
_VOID_FIRST: Final = re.compile(r"<(?:meta|link|base|hr|br|img)(?=[\s/>])[^>]*>\s*", re.IGNORECASE)
_PAGE_SUFFIXES: Final = frozenset((".html", ".htm", ".xhtml"))
_TAG: Final = re.compile(r"<[a-z][a-z0-9]*(?:\s[^<>]*)?>", re.IGNORECASE)
_UNREAD: Final = re.compile(
    r"<(script|style|pre|code|textarea)\b.*?(?:</\1\s*>|\Z)|<!--.*?(?:-->|\Z)",
    re.IGNORECASE | re.DOTALL,
)
_TEMPLATE: Final = re.compile(r"<\?(?:php\b|=)|<%|\{%")

_FENCE: Final = re.compile(
    r"^ {0,3}(`{3,}|~{3,})[^\n`]*\n.*?(?:^ {0,3}\1[`~]*[ \t]*$|\Z)", re.M | re.S
)
_MARKDOWN: Final = (
    re.compile(r"^ {0,3}#{1,6} +[^\s#]", re.MULTILINE),
    re.compile(r"\[[^\[\]\n]{1,300}\]\((?:<[^>\n]*>|[^\s()]+)(?: +[\"'][^\n]*?[\"'])?\)"),
    re.compile(r"(?<![\w*])\*\*(?![\s*])[^*\n]*[^\s*]\*\*(?!\w)"),
    re.compile(r"^ {0,3}\|?(?: *:?-{2,}:? *\|)+(?: *:?-{2,}:? *)?$", re.MULTILINE),
    re.compile(r"^ {0,3}\[[^\]\n]+\]: +\S+(?: +[\"'(].*)?$", re.MULTILINE),
    re.compile(r"(?<![`\\\w])`[^`\s](?:[^`\n]*[^`\s])?`(?![`\w_])"),
    _FENCE,
)
"""Headings, links, strong words, tables, labels and code; lists and rules are in any text."""
_FOREIGN: Final = re.compile(r"^(?:\.\. [\w-]+::|#\+\w+:|\\documentclass)", re.MULTILINE)
"""Signs of reStructuredText, Org mode and LaTeX."""
_MARKDOWN_SUFFIXES: Final = frozenset((".md", ".markdown", ".mdown", ".mkd", ".mkdn"))


def detect(path: Path) -> str:
    """Return the registry name of the file at ``path``, such as ``docx``, ``eml`` or ``txt``.

    Raises ``DocumentError``: empty, encrypted (a password-protected Office file), unsupported
    (other compound files, archives, markup, data, source code), a picture, corrupt (a damaged zip
    or compound file, or a file that cannot be opened).
    """
    with file_errors(), path.open("rb") as file:
        head = file.read(_HEAD)
    if not head.strip():
        raise DocumentError(DocumentFailure.EMPTY)
    if b"%PDF-" in head[:1024] or _PDF_OBJECT.match(head):
        return "pdf"
    if _PICTURE.match(head):
        raise DocumentError(DocumentFailure.PICTURE)
    if head.lstrip().startswith(_RTF_MAGIC):
        return "rtf"
    if _CALENDAR.match(head):
        return "ics"
    if head.startswith(_ZIP_MAGIC):
        return _detect_zip(path)
    if head.startswith(OLE_MAGIC):
        return _detect_ole(path)
    if is_mail(head):  # several messages after ``From `` lines are a mailbox; one is a mail
        with path.open("rb") as file:
            spans = message_spans(file) if head.lstrip(b"\r\n").startswith(b"From ") else ()
            return "mbox" if len(list(islice(spans, 2))) > 1 else "eml"
    counted = _COUNTED_MAIL.match(head)
    if counted and is_mail(head[counted.end() :]):
        raise DocumentError(DocumentFailure.UNSUPPORTED, "Export it from Apple Mail as EML.")
    return _detect_text(path, head)


def _detect_zip(path: Path) -> str:
    """Detect an Office file by the content type of its main part, others by their ``mimetype``."""
    try:
        with zipfile.ZipFile(path) as archive:
            starts, present = [], archive.namelist()
            for name in ("mimetype", "[Content_Types].xml"):
                with archive.open(name) if name in present else io.BytesIO() as member:
                    starts.append(member.read(_CONTENT_TYPES_CAP))
    except (zipfile.BadZipFile, zlib.error, OSError, ValueError, NotImplementedError, EOFError):
        raise DocumentError(DocumentFailure.CORRUPT) from None
    except RuntimeError:  # zipfile's error for a member that needs a password
        raise DocumentError(DocumentFailure.ENCRYPTED) from None
    media_type, content_types = starts
    for name, main in _OFFICE_MAIN.items():
        if main.search(content_types):
            return name
    if _OPEN_TEXT.fullmatch(media_type):
        return "odt"
    raise DocumentError(DocumentFailure.UNSUPPORTED)


def _detect_ole(path: Path) -> str:
    """Tell apart Outlook messages, encrypted Office files and the Office files of the 1990s."""
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        if content.find(_OLE_ENCRYPTED) >= 0:
            raise DocumentError(DocumentFailure.ENCRYPTED)
        if content.find(OLE_MESSAGE) >= 0:
            return "msg"
    try:  # embedded documents do not count
        with olefile.OleFileIO(path) as compound:
            kinds = [kind for name, kind in _OFFICE_STREAMS.items() if compound.exists(name)]
    except Exception:  # noqa: BLE001 (whatever olefile makes of damage)
        raise DocumentError(DocumentFailure.CORRUPT) from None
    if not kinds:
        raise DocumentError(
            DocumentFailure.UNSUPPORTED,
            "Save it in a current Office format (DOCX, XLSX, PPTX) and run again.",
        )
    return kinds[0]


def is_mail(head: bytes) -> bool:
    """Return True if ``head`` has a header that only mail has, or two that people type, too."""
    lines = head[:_HEAD].decode("latin-1").lstrip("\r\n\ufeff").splitlines()
    if lines and re.match(r">?From \S", lines[0]):
        lines = lines[1:]
    names: set[str] = set()
    for line in lines[:200]:
        if line[:1] in " \t" and names:
            continue
        match = _HEADER.match(line)
        if match is None:
            break
        names.add(match[1].lower())
    proof = any(map(_PROOF_HEADER.fullmatch, names)) or (bool(names) and "=?" in lines[0])
    return proof or len(names & _COMMON_HEADERS) >= 2


def _detect_text(path: Path, head: bytes) -> str:
    decoded = decode_text(head, truncated=len(head) == _HEAD)
    if decoded is None:
        raise DocumentError(DocumentFailure.UNSUPPORTED)
    text = decoded.text
    if _FLAT_OPEN_TEXT.match(text):
        return "odt"
    if path.suffix.lower() in _TABLE_SUFFIXES:
        if find_dialect(text, path.suffix) is None:
            raise DocumentError(DocumentFailure.UNSUPPORTED, _TABLE_ADVICE)
        return "csv"
    coded = _CODE_SUFFIX.fullmatch(path.suffix) is not None
    page = not coded and is_html(text, path.suffix)
    if page and not _TEMPLATE.search(_UNREAD.sub("", text)):
        return "html"
    marked = is_markdown(text, path.suffix)
    prose = _FENCE.sub("", text) if marked else text
    refused = coded or page or _MARKUP.match(text) or is_json(text) or is_code(prose)
    if marked and not refused:
        return "md"
    if refused:
        raise DocumentError(DocumentFailure.UNSUPPORTED, _PROSE_ADVICE)
    return "csv" if is_table(text) else "txt"


def is_locked(path: Path) -> bool:
    """Return True if a DOC, XLS or PPT needs a password. Raises ``DocumentError`` (corrupt)."""
    try:
        with olefile.OleFileIO(path) as compound:
            heads = {
                name: compound.openstream(name).read(_STREAM_HEAD)
                for name in _LOCKS
                if compound.exists(name)
            }
            summary = compound.exists("EncryptedSummary")
    except Exception:  # noqa: BLE001 (whatever olefile makes of damage)
        raise DocumentError(DocumentFailure.CORRUPT) from None
    return summary or any(_LOCKS[name](head) for name, head in heads.items())


def _is_locked_workbook(head: bytes) -> bool:
    """Return True if a record at the start of the first sheet says that the rest is encrypted."""
    position = 0
    while position + 4 <= len(head):
        kind, length = struct.unpack_from("<HH", head, position)
        if kind == _EXCEL_FILE_PASSWORD:
            return True
        position += 4 + length
    return False


_LOCKS: Final[dict[str, Callable[[bytes], bool]]] = {
    "WordDocument": lambda head: len(head) > 12 and bool(head[11] & _WORD_ENCRYPTED),
    "Workbook": _is_locked_workbook,
    "Book": _is_locked_workbook,
    "Current User": lambda head: head[12:16] == _POWERPOINT_ENCRYPTED and len(head) > 16,
}


def is_html(text: str, suffix: str) -> bool:
    """Return True if ``text`` begins as a page or piece of one, or has tags and its name."""
    named = suffix.lower()
    if named in _MARKDOWN_SUFFIXES and not _PAGE.match(text):
        return False
    if named in _PAGE_SUFFIXES and "<?xml" not in text and _TAG.search(text):
        return True
    prologue = _PROLOGUE.match(text)
    start = prologue.end() if prologue else 0
    if _PAGE.match(text, start):
        return True
    if is_markdown(text, ""):  # it may begin with a piece of HTML
        return False
    if "<?xml" in text[:start]:
        return False
    while void := _VOID_FIRST.match(text, start):
        start = void.end()
        if _PAGE.match(text, start):
            return True
    return _FRAGMENT.match(text, start) is not None


def is_markdown(text: str, suffix: str) -> bool:
    """Return True if ``text`` has two kinds of marks of Markdown, or one and is named as that."""
    if _FOREIGN.search(text):
        return False
    prose = _FENCE.sub("", text)
    fenced = prose != text
    kinds = fenced + sum(mark.search(prose) is not None for mark in _MARKDOWN[:-1])
    return kinds >= (1 if suffix.lower() in _MARKDOWN_SUFFIXES else 2)
