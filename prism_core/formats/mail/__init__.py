"""Mail: Internet messages (``eml``), and mailboxes of them (``mbox``).

A mailbox is a file of many messages, each of them read and rebuilt separately. Entry:
``MailFormat``, and ``ConvertedMail`` for messages that are rebuilt as ``eml`` (``eml``);
``MboxFormat`` -> ``_read_messages``, one for each span, and ``_MailboxMessage.write``.
"""

from __future__ import annotations

import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from prism_core.alignment import Translation
from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.base import Document, Formats, Segment, file_errors, notices
from prism_core.formats.mail.eml import ConvertedMail, MailFormat, survey_message
from prism_core.formats.mail.sites import MailSurvey, first_failure
from prism_core.formats.mailbox_lines import Envelope, message_spans, open_envelope

__all__ = ["ConvertedMail", "MailFormat", "MboxFormat"]

_BLOCK: Final = 1 << 20
_MOST_BYTES: Final = 100_000_000
"""Limit in bytes of one message."""


class MboxFormat:
    """Mailboxes of many messages; unchanged texts give the same bytes.

    Each message is handled as ``eml`` handles it. ``From `` lines, and every message whose texts do
    not change, keep their bytes. A ``>From `` that the mailbox put into a body is ``From `` for the
    translator and is quoted again. A message that cannot be translated (signed, encrypted …) stays
    as it is, and a notice gives the class.

    At any time one message (at most ``most_bytes``) and the texts of all messages are in memory. A
    larger message stays as it is; only the limits of the run bound the size of the mailbox.
    """

    name = "mbox"

    def __init__(self, formats: Formats, most_bytes: int = _MOST_BYTES) -> None:
        self._formats = formats
        self._most_bytes = most_bytes

    def read(self, path: Path) -> Document:
        """Return the texts of all messages in order. Raises ``DocumentError``."""
        segments: list[Segment] = []
        counts: Counter[str] = Counter()
        with _open_file(path) as file:
            for message in self._read_messages(file):
                segments += message.segments
                counts.update(message.notices)
        if not segments:
            unread = first_failure(notice for notice, _ in counts.most_common())
            raise DocumentError(unread or DocumentFailure.EMPTY)
        return Document(path, self.name, tuple(segments), notices(dict(sorted(counts.items()))))

    def write(
        self, document: Document, translations: Sequence[Translation], path: Path
    ) -> tuple[str, ...]:
        """Write the mailbox message by message.

        A notice counts the messages that stay as they were.

        Raises ``DocumentError`` (unrebuildable) if the mailbox is not the one that was read.
        """
        counts: Counter[str] = Counter()
        taken = 0
        with _open_file(document.path) as source, path.open("wb") as target:
            for message in self._read_messages(source):
                after = taken + len(message.segments)
                if message.segments != document.segments[taken:after]:
                    raise DocumentError(DocumentFailure.UNREBUILDABLE)
                counts.update(message.write(translations[taken:after], source, target))
                taken = after
        if taken != len(document.segments):
            raise DocumentError(DocumentFailure.UNREBUILDABLE)
        return notices(dict(sorted(counts.items())))

    def _read_messages(self, file: BinaryIO) -> Iterator[_MailboxMessage]:
        """Yield the messages of ``file`` one at a time; each is dropped before the next."""
        with tempfile.TemporaryDirectory() as folder:
            for start, end in message_spans(file):
                if end - start > self._most_bytes:
                    yield _MailboxMessage(
                        start, end, (_unchanged_notice(DocumentFailure.TOO_LARGE),)
                    )
                    continue
                file.seek(start)
                envelope = open_envelope(file.read(end - start))
                try:
                    surveyed = survey_message(envelope.message, self._formats, Path(folder))
                except DocumentError as error:
                    yield _MailboxMessage(start, end, (_unchanged_notice(error.failure),))
                else:
                    opened = (envelope, surveyed)
                    yield _MailboxMessage(start, end, surveyed.notices, surveyed.segments, opened)
                for copies in Path(folder).iterdir():
                    shutil.rmtree(copies)


@dataclass(frozen=True, slots=True)
class _MailboxMessage:
    """Message of a mailbox, in ``start:end``; a message that stays as it is has no segments."""

    start: int
    end: int
    notices: tuple[str, ...]
    segments: tuple[Segment, ...] = ()
    opened: tuple[Envelope, MailSurvey] | None = None

    def write(
        self, translations: Sequence[Translation], source: BinaryIO, target: BinaryIO
    ) -> tuple[str, ...]:
        """Write the message with ``translations``, or copy it with a notice."""
        changed = [segment.text for segment in self.segments] != [
            translation.text for translation in translations
        ]
        notices: tuple[str, ...] = ()
        if self.opened is not None and changed:
            envelope, surveyed = self.opened
            try:
                message, notices = surveyed.rebuild(translations)
            except DocumentError as error:
                notices = (_unchanged_notice(error.failure),)
            else:
                target.write(envelope.seal(message))
                return notices
        position = source.seek(self.start)
        while position < self.end:
            block = source.read(min(_BLOCK, self.end - position))
            if not block:
                raise DocumentError(DocumentFailure.UNREBUILDABLE)
            target.write(block)
            position += len(block)
        return notices


def _unchanged_notice(failure: DocumentFailure) -> str:
    """Return the notice of a message that stays as it is."""
    return f"message:{failure.value}"


def _open_file(path: Path) -> BinaryIO:
    with file_errors():
        return path.open("rb")
