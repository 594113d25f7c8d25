"""Messages made for tests, and what the mail format makes of them."""

import email
from email import policy
from pathlib import Path

import pytest

from prism_core.errors import DocumentError
from prism_core.formats import format_for, read_document, write_document
from tests.formats.aligned import wrap

HEADERS = (
    b"From: Ana Bell <ana@example.org>\r\n"
    b'To: Jo <jo@example.org>,\r\n\t"Li, M." <li@example.org>\r\n'
    b"Date: Wed, 1 Jul 2026 16:42:07 -0400\r\n"
    b"Message-ID: <1.2@example.org>\r\n"
)


def message(body: bytes, headers: bytes = b"", subject: bytes = b"Subject: The hearing") -> bytes:
    """A message with the headers above, then ``subject`` and ``headers``."""
    lines = [HEADERS.rstrip(b"\r\n"), *filter(None, (subject, headers))]
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


def mixed(*parts: bytes, kind: bytes = b"mixed", boundary: bytes = b"edge") -> tuple[bytes, bytes]:
    """The body and the Content-Type header of a multipart message."""
    inner = b"".join(b"--" + boundary + b"\r\n" + part + b"\r\n" for part in parts)
    header = b"Content-Type: multipart/" + kind + b'; boundary="' + boundary + b'"'
    return b"Preamble\r\n" + inner + b"--" + boundary + b"--\r\nEpilogue\r\n", header


def saved(folder: Path, content: bytes, name: str = "mail.eml") -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


def texts(path: Path) -> list[str]:
    return [segment.text for segment in read_document(path).segments]


def translated(path: Path, translate) -> tuple[bytes, tuple[str, ...]]:
    """What is written when every text becomes ``translate(text)``, and the notices."""
    document = read_document(path)
    target = path.with_name("translated")
    given = [translate(segment.text) for segment in document.segments]
    notices = write_document(document, wrap(given), target)
    return target.read_bytes(), notices


def parsed(content: bytes):
    return email.message_from_bytes(content, policy=policy.default)


def outline(content: bytes) -> list[str]:
    """The types of the parts, as the standard library sees them."""
    return [part.get_content_type() for part in email.message_from_bytes(content).walk()]


def refusal(path: Path, name: str = "eml"):
    """The class of the ``DocumentError`` that reading raises."""
    with pytest.raises(DocumentError) as raised:
        format_for(name).read(path)
    return raised.value.failure
