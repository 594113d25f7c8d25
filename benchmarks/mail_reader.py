"""Mail as the standard library reads it: a second opinion on what PRISM reads and writes."""

from __future__ import annotations

import email
import email.policy
import mailbox
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from email.message import EmailMessage
from html.parser import HTMLParser
from pathlib import Path

WORD = re.compile(r"[^\W\d_]{2,}")
Tree = list[tuple[object, ...]]

_FILE = re.compile(
    r"(?ms)^begin \d{3,4} .*?^end$|^-----BEGIN (PGP [A-Z ]+)-----$.*?-----END \1-----$"
)
"""Files that stand in the text."""
_UNTOLD = frozenset(("subject", "content-transfer-encoding", "content-type", "mime-version"))
"""Headers that a translation changes, or whose content the tree compares itself."""


def spoken(texts: Sequence[str]) -> list[str]:
    """The words of ``texts``. Hyphens do not count: lines are broken and joined at them."""
    return [word for text in texts for word in WORD.findall(re.sub(r"[-\u00ad]\s*", "", text))]


def tree(path: Path, name: str) -> list[Tree]:
    """The parts of each message in a file as the standard library sees them."""
    return [list(_tree(message, 0)) for message in _messages(path, name)]


def _tree(part: EmailMessage, depth: int) -> Iterator[tuple[object, ...]]:
    headers = [(n.lower(), str(v)) for n, v in part.items() if n.lower() not in _UNTOLD]
    named = (part.get_content_disposition(), part.get_filename(), part["content-id"])
    yield depth, part.get_content_type(), *map(str, named), sorted(headers)
    if part.is_multipart():
        for inner in part.iter_parts():
            yield from _tree(inner, depth + 1)


def _messages(path: Path, name: str) -> list[EmailMessage]:
    if name == "mbox":
        contents = [bytes(message) for message in mailbox.mbox(path, create=False)]
    else:
        contents = [path.read_bytes()]
    parsed = (email.message_from_bytes(each, policy=email.policy.default) for each in contents)
    return [each for each in parsed if isinstance(each, EmailMessage)]


def source_words(path: Path, name: str) -> dict[str, int]:
    """How often each word occurs in bodies of text and HTML, ``alt`` and ``title`` included."""
    found: Counter[str] = Counter()
    for message in _messages(path, name):
        for part in message.walk():
            if isinstance(part, EmailMessage) and _is_body(part):
                found.update(spoken(_body(part)))
    return dict(found)


def _is_body(part: EmailMessage) -> bool:
    text = part.get_content_type() in ("text/plain", "text/html")
    return text and part.get_content_disposition() != "attachment" and not part.get_filename()


def _body(part: EmailMessage) -> list[str]:
    try:
        text = part.get_content()
    except LookupError:  # a character set that Python does not know
        text = bytes(part.get_payload(decode=True)).decode("utf-8", "replace")
    if part.get_content_type() == "text/plain":
        text = _FILE.sub("", text.replace("\r\n", "\n"))
        return [re.sub(r"(?m)^[> ]+", "", text)]
    reader = _HtmlText()
    reader.feed(text)
    reader.close()
    return reader.texts


class _HtmlText(HTMLParser):
    """The text nodes of a page, and what its ``alt`` and ``title`` say."""

    def __init__(self) -> None:
        super().__init__()
        self.texts = [""]
        self._silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Styles and scripts say nothing."""
        self._silent += tag in ("style", "script")
        self.texts[-1] += " " if tag in ("br", "p", "div", "td", "tr", "li") else ""
        if tag not in ("link", "style"):
            self.texts[:0] = [value or "" for name, value in attrs if name in ("alt", "title")]

    def handle_endtag(self, tag: str) -> None:
        """See above."""
        self._silent -= tag in ("style", "script") and self._silent > 0
        self.texts[-1] += " " if tag in ("p", "div", "td", "tr", "li") else ""

    def handle_data(self, data: str) -> None:
        """Text that a reader sees."""
        if not self._silent:
            self.texts[-1] += data
