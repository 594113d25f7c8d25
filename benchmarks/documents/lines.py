"""Mail, pages and plain text as the standard library reads them, and Outlook's with olefile.

entry: `check`; then `_mail`, `_page`, `_outlook`, or the lines as they are.
"""

from __future__ import annotations

import email
import email.policy
import mailbox
import re
from collections import Counter
from collections.abc import Iterator
from email.message import EmailMessage
from html.parser import HTMLParser
from pathlib import Path
from typing import Final

import olefile

from benchmarks.documents.findings import Finding
from benchmarks.documents.job import Translated
from benchmarks.documents.seen import Seen, compare, refused

_FILE: Final = re.compile(
    r"(?ms)^begin \d{3,4} .*?^end$|^-----BEGIN (PGP [A-Z ]+)-----$.*?-----END \1-----$"
)
"""Files that stand in the text."""
_BASE64: Final = re.compile(r"[\w+/\s]{200,}=*\s*", re.ASCII)
"""The body of an attached message that the standard library does not undo."""
_ATTACHED: Final = ("file ", "1 message/rfc822")
"""Attachments of an Outlook message, among what is counted of the mail it became."""
_HEADER: Final = re.compile(rb"(?:From .*\n)?[A-Za-z-]+:.*\n[A-Za-z-]+:")
"""How mail begins, of any name."""
_UNTOLD: Final = frozenset(
    "subject content-transfer-encoding content-type mime-version content-language "
    "content-length lines".split()
)
"""Headers that a translation changes, or that are compared by themselves."""
_ONCE: Final = frozenset("a img table tr td th ul ol li input button form h1 h2 h3 h4".split())
"""Tags that stay."""
_MARKS: Final = re.compile(r"^ {0,3}(#{1,6}) |^(```)|(\]\()|(`)", re.MULTILINE)
_CODE: Final = re.compile(r"(?ms)^ *(`{3,}|~{3,}).*?^ *\1|`[^`\n]+`|^(?: {4}|\t).*?$|\]\(.*?\)")
"""What stays in Markdown, and items of lists that are indented as code is."""
_SILENT: Final = frozenset(("style", "script", "pre", "code"))
_BLOCKS: Final = frozenset("br p div td th tr li h1 h2 h3 h4 title table ul dt dd".split())


def check(row: Translated) -> Iterator[Finding]:
    """All that is found of one file."""
    before = _read(row.source, row.format)
    if row.written is None:
        yield from refused(row, before)
    elif row.format == "msg":
        written = _mail(row.written)
        files = sum(key.startswith(_ATTACHED) for key in written.counted.elements())
        yield from compare(row, before, Seen(written.texts, Counter(files=files)))
    else:
        yield from compare(row, before, _read(row.written, row.format))


def _read(path: Path, name: str) -> Seen:
    content = path.read_bytes()
    kind = name or ("eml" if _HEADER.match(content) else path.suffix.lower()[1:])
    if kind == "msg":
        return _outlook(path)
    if kind in ("eml", "mbox"):
        return _mail(path, kind)
    text = content.decode("utf-8", "replace")
    if kind in ("html", "htm"):
        return _page(text)
    marks = Counter(filter(None, (sign for found in _MARKS.findall(text) for sign in found)))
    return Seen((_CODE.sub(" ", text),), marks) if kind == "md" else Seen((text,))


def _mail(path: Path, kind: str = "eml") -> Seen:
    if kind == "mbox":
        contents = [bytes(message) for message in mailbox.mbox(path, create=False)]
    else:
        contents = [path.read_bytes()]
    texts, counted, named = list[str](), Counter[str](messages=len(contents)), list[str]()
    for content in contents:
        message = email.message_from_bytes(content, policy=email.policy.default)
        for depth, part in _parts(message):
            seen = _body(part) if _is_body(part) else Seen(())
            texts.append(str(part.get("subject", "")))
            texts += (text for text in seen.texts if not _BASE64.fullmatch(text))
            named += [code for code, _ in seen.named]
            named.append(str(part.get("content-language", "")).partition("-")[0].lower())
            counted[f"{depth} {part.get_content_type()} {part['content-id']}"] += 1
            counted.update(
                f"{depth} {name.lower()}: {value}"
                for name, value in part.items()
                if name.lower() not in _UNTOLD
            )
            if not part.is_multipart() and not _is_body(part):
                counted[f"file {part.get_filename()}"] += 1
    return Seen(tuple(texts), counted, tuple((code, "") for code in named))


def _parts(part: EmailMessage, depth: int = 0) -> Iterator[tuple[int, EmailMessage]]:
    yield depth, part
    if part.is_multipart():
        for inner in part.iter_parts():
            yield from _parts(inner, depth + 1)


def _is_body(part: EmailMessage) -> bool:
    text = part.get_content_type() in ("text/plain", "text/html")
    return text and part.get_content_disposition() != "attachment" and not part.get_filename()


def _body(part: EmailMessage) -> Seen:
    try:
        text = part.get_content()
    except LookupError:  # a character set that Python does not know
        text = bytes(part.get_payload(decode=True)).decode("utf-8", "replace")
    if part.get_content_type() == "text/html":
        return _page(text)
    text = _FILE.sub("", text.replace("\r\n", "\n"))
    return Seen((re.sub(r"(?m)^[> ]+", "", text),))


def _page(text: str) -> Seen:
    reader = _HtmlText()
    reader.feed(text)
    reader.close()
    return Seen(("\n".join(reader.texts),), reader.tags, tuple(reader.named))


class _HtmlText(HTMLParser):
    """The text of a page, line by line, what its ``alt`` and ``title`` say, and its tags."""

    def __init__(self) -> None:
        super().__init__()
        self.texts = [""]
        self.tags: Counter[str] = Counter()
        self.named: list[tuple[str, str]] = []
        self._silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Styles and scripts say nothing."""
        said = {name: value or "" for name, value in attrs}
        self._silent += tag in _SILENT
        if tag in _BLOCKS:
            self.texts.append("")
        if tag in _ONCE:
            self.tags[f"{tag} {said.get('href') or said.get('src') or ''}"] += 1
        self.named.append((said.get("lang", "").partition("-")[0].lower(), ""))
        if tag not in ("link", "style"):
            self.texts[:0] = [said[name] for name in ("alt", "title") if said.get(name)]

    def handle_endtag(self, tag: str) -> None:
        """See above."""
        self._silent -= tag in _SILENT and self._silent > 0
        if tag in _BLOCKS:
            self.texts.append("")

    def handle_data(self, data: str) -> None:
        """Text that a reader sees; breaks in it are blanks."""
        if not self._silent:
            self.texts[-1] += data.replace("\n", " ")


def _outlook(path: Path) -> Seen:
    """Subject, body and number of attachments as the streams of the file have them."""
    if not olefile.isOleFile(path):
        return Seen(())
    with olefile.OleFileIO(path) as file:
        texts = []
        for name in ("0037", "1000"):
            for end, encoding in (("001F", "utf-16-le"), ("001E", "cp1252")):
                stream = f"__substg1.0_{name}{end}"
                if file.exists(stream):
                    texts.append(file.openstream(stream).read().decode(encoding, "replace"))
        files = {entry[0] for entry in file.listdir() if entry[0].startswith("__attach")}
    return Seen(tuple(texts), Counter(files=len(files)))
