"""Internet messages (RFC 5322) and Outlook messages: subject, bodies, attachments by their format.

An Outlook message (``.msg``) is read from its OLE file and rebuilt as an Internet message.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from prism_core.alignment import Translation
from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.base import Document, Formats, read_limited
from prism_core.formats.mail.outlook_message import to_internet_message
from prism_core.formats.mail.rewriting import Survey, first_failure
from prism_core.formats.mail.survey import survey

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
        """The subject, then the bodies and attachments in order.

        Raises ``DocumentError``: too large (over 200 MB), or when no text was found: empty, or the
        class of an attachment that could not be read, for that is where the text may be.
        """
        with TemporaryDirectory() as folder:
            surveyed = self._survey(path, Path(folder))
            segments = surveyed.segments
        if any(segment.kind != "filename" for segment in segments):
            return Document(path, self.name, segments, surveyed.notices)
        if "winmail-dat" in surveyed.notices:
            raise DocumentError(DocumentFailure.UNSUPPORTED, _PACKET_ADVICE)
        failure = first_failure(surveyed.notices)
        if failure is not None:
            raise DocumentError(failure, _ATTACHMENTS_ADVICE)
        raise DocumentError(DocumentFailure.EMPTY)

    def write(
        self, document: Document, translations: Sequence[Translation], path: Path
    ) -> tuple[str, ...]:
        """Write the translated message; a notice names each attachment that could not be rebuilt.

        Raises ``DocumentError`` (unrebuildable) if the message is no longer the one that was read.
        """
        with TemporaryDirectory() as folder:
            surveyed = self._survey(document.path, Path(folder))
            if surveyed.segments != document.segments or len(translations) != len(
                document.segments
            ):
                raise DocumentError(DocumentFailure.UNREBUILDABLE)
            message, notices = surveyed.rebuild(translations)
        path.write_bytes(message)
        return notices

    def _survey(self, path: Path, folder: Path) -> Survey:
        return survey(read_limited(path, _MOST_BYTES), self._formats, folder)


class OutlookFormat(MailFormat):
    """Outlook messages. What is written is a new Internet message with the same parts.

    Its headers are those the message travelled with, else sender, recipients, subject and date.
    """

    name = "msg"

    def _survey(self, path: Path, folder: Path) -> Survey:
        converted = to_internet_message(read_limited(path, _MOST_BYTES))
        surveyed = survey(converted.message, self._formats, folder)
        return replace(surveyed, notices=surveyed.notices + converted.notices)
