"""Internet messages (RFC 5322): subject, text and HTML bodies, attachments by their own format."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from prism_core.alignment import Translation
from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.base import Document
from prism_core.formats.embedded import Formats
from prism_core.formats.mail.rewriting import Survey
from prism_core.formats.mail.survey import survey
from prism_core.formats.reading import read_limited

_MOST_BYTES: Final = 200_000_000
_ATTACHMENTS_ADVICE: Final = (
    "The message has no text of its own, and what it carries cannot be read; save that apart."
)
_PACKET_ADVICE: Final = (
    "Its text is in a winmail.dat, which only Outlook opens; save it in Outlook as HTML or MSG."
)


class MailFormat:
    """Messages as mail programs save them; unchanged texts give the same bytes.

    Every byte that is not part of a translated text stays: headers, addresses, boundaries,
    pictures. Signed and encrypted messages are refused. ``formats`` reads the attachments; one
    that cannot be read stays as it is, and a notice names the class.
    """

    name = "eml"

    def __init__(self, formats: Formats) -> None:
        self._formats = formats

    def read(self, path: Path) -> Document:
        """The subject, then the bodies and attachments in order. Raises ``DocumentError``."""
        message = read_message(path)
        with tempfile.TemporaryDirectory() as folder:
            return as_document(path, self.name, survey(message, self._formats, Path(folder)))

    def write(
        self, document: Document, translations: Sequence[Translation], path: Path
    ) -> tuple[str, ...]:
        """Write the translated message; a notice names each attachment that could not be rebuilt.

        Raises ``DocumentError`` (unrebuildable) if the message is no longer the one that was read.
        """
        message = read_message(document.path)
        with tempfile.TemporaryDirectory() as folder:
            return rebuild(
                survey(message, self._formats, Path(folder)), document, translations, path
            )


def read_message(path: Path) -> bytes:
    """The bytes of a message; raises ``DocumentError``: too large (over 200 MB), or corrupt."""
    return read_limited(path, _MOST_BYTES)


def as_document(path: Path, name: str, surveyed: Survey) -> Document:
    """What was surveyed, as a document.

    Raises ``DocumentError`` when no text was found: empty, or the class of an attachment that
    could not be read, for that is where the text may be.
    """
    if any(segment.kind != "filename" for segment in surveyed.segments):
        return Document(path, name, surveyed.segments, surveyed.notices)
    if "winmail-dat" in surveyed.notices:
        raise DocumentError(DocumentFailure.UNSUPPORTED, _PACKET_ADVICE)
    for notice in surveyed.notices:
        kind, _, failure = notice.partition(":")
        if kind == "attachment":
            raise DocumentError(DocumentFailure(failure), _ATTACHMENTS_ADVICE)
    raise DocumentError(DocumentFailure.EMPTY)


def rebuild(
    surveyed: Survey, document: Document, translations: Sequence[Translation], path: Path
) -> tuple[str, ...]:
    """Write the message that was surveyed to ``path``, with ``translations``; gives notices."""
    if surveyed.segments != document.segments or len(translations) != len(document.segments):
        raise DocumentError(DocumentFailure.UNREBUILDABLE)
    message, notices = surveyed.rebuild(translations)
    path.write_bytes(message)
    return notices
