"""Mailbox files (mbox): many messages in one file, each read and rebuilt on its own."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from prism_core.alignment import Translation
from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.base import Document, Segment
from prism_core.formats.embedded import Formats
from prism_core.formats.mail.envelope import Envelope, open_envelope
from prism_core.formats.mail.rewriting import Survey
from prism_core.formats.mail.survey import survey
from prism_core.formats.mailbox_lines import message_spans

_BLOCK: Final = 1 << 20
_ADVICE: Final = "Split the mailbox into smaller ones."


@dataclass(frozen=True, slots=True)
class MailboxLimits:
    """What one mailbox may hold: its bytes, those of one message, and the texts of all."""

    file_bytes: int = 1_000_000_000
    message_bytes: int = 100_000_000
    characters: int = 50_000_000
    segments: int = 1_000_000


class MboxFormat:
    """Mailboxes of many messages; unchanged texts give the same bytes.

    Each message is handled as ``eml`` handles it. ``From `` lines, and every message none of whose
    texts changes, keep their bytes; a ``>From `` that the mailbox put into a body is ``From `` to
    the translator and is quoted again. A message that cannot be translated (signed, encrypted …)
    stays as it is, and a notice gives the class.

    At any time one message (at most 100 MB) is in memory, and the texts of all: at most 50 million
    characters in a million segments. A mailbox over these limits, or over 1 GB, is too large; a
    single message that is stays as it is.
    """

    name = "mbox"

    def __init__(self, formats: Formats, limits: MailboxLimits | None = None) -> None:
        self._formats = formats
        self._limits = limits or MailboxLimits()

    def read(self, path: Path) -> Document:
        """The texts of all messages in order. Raises ``DocumentError``."""
        segments: list[Segment] = []
        notices: Counter[str] = Counter()
        characters = 0
        with _opened(path, self._limits.file_bytes) as file:
            for letter in self._letters(file):
                segments += letter.segments
                notices.update(letter.notices)
                characters += sum(len(segment.text) for segment in letter.segments)
                if characters > self._limits.characters or len(segments) > self._limits.segments:
                    raise DocumentError(DocumentFailure.TOO_LARGE, _ADVICE)
        if not segments:
            raise DocumentError(_why_silent(notices))
        return Document(path, self.name, tuple(segments), _counted(notices))

    def write(
        self, document: Document, translations: Sequence[Translation], path: Path
    ) -> tuple[str, ...]:
        """Write the mailbox message by message; a notice counts those that stay as they were.

        Raises ``DocumentError`` (unrebuildable) if the mailbox is not the one that was read.
        """
        notices: Counter[str] = Counter()
        taken = 0
        with _opened(document.path, self._limits.file_bytes) as source, path.open("wb") as target:
            for letter in self._letters(source):
                after = taken + len(letter.segments)
                if letter.segments != document.segments[taken:after]:
                    raise DocumentError(DocumentFailure.UNREBUILDABLE)
                notices.update(letter.write(translations[taken:after], source, target))
                taken = after
        if taken != len(document.segments):
            raise DocumentError(DocumentFailure.UNREBUILDABLE)
        return _counted(notices)

    def _letters(self, file: BinaryIO) -> Iterator[_Letter]:
        """The messages of ``file``, one at a time; each is gone when the next one comes."""
        for start, end in message_spans(file):
            if end - start > self._limits.message_bytes:
                yield _Letter(start, end, (_unchanged(DocumentFailure.TOO_LARGE),))
                continue
            with tempfile.TemporaryDirectory() as folder:
                yield _read_letter(file, start, end, self._formats, Path(folder))


@dataclass(frozen=True, slots=True)
class _Letter:
    """One message of a mailbox, in ``start:end``; one that stays as it is has no segments."""

    start: int
    end: int
    notices: tuple[str, ...]
    segments: tuple[Segment, ...] = ()
    opened: tuple[Envelope, Survey] | None = None

    def write(
        self, translations: Sequence[Translation], source: BinaryIO, target: BinaryIO
    ) -> tuple[str, ...]:
        """Write it with ``translations``; what cannot be rebuilt is copied, with a notice."""
        changed = [segment.text for segment in self.segments] != [
            said.text for said in translations
        ]
        notices: tuple[str, ...] = ()
        if self.opened is not None and changed:
            envelope, surveyed = self.opened
            try:
                message, notices = surveyed.rebuild(translations)
            except DocumentError as error:
                notices = (_unchanged(error.failure),)
            else:
                target.write(envelope.sealed(message))
                return notices
        _copy(source, target, self.start, self.end)
        return notices


def _read_letter(file: BinaryIO, start: int, end: int, formats: Formats, folder: Path) -> _Letter:
    file.seek(start)
    envelope = open_envelope(file.read(end - start))
    try:
        surveyed = survey(envelope.message, formats, folder)
    except DocumentError as error:
        return _Letter(start, end, (_unchanged(error.failure),))
    return _Letter(start, end, surveyed.notices, surveyed.segments, (envelope, surveyed))


def _unchanged(failure: DocumentFailure) -> str:
    """The notice of a message that stays as it is."""
    return f"message:{failure.value}"


def _copy(source: BinaryIO, target: BinaryIO, start: int, end: int) -> None:
    source.seek(start)
    while start < end:
        block = source.read(min(_BLOCK, end - start))
        if not block:
            raise DocumentError(DocumentFailure.UNREBUILDABLE)
        target.write(block)
        start += len(block)


def _opened(path: Path, most: int) -> BinaryIO:
    try:
        if path.stat().st_size > most:
            raise DocumentError(DocumentFailure.TOO_LARGE, _ADVICE)
        return path.open("rb")
    except OSError:
        raise DocumentError(
            DocumentFailure.CORRUPT, "The file cannot be opened; check its permissions."
        ) from None


def _why_silent(notices: Counter[str]) -> DocumentFailure:
    """The class of a mailbox without text: that of its messages that cannot be read, else empty."""
    for notice, _ in notices.most_common():
        kind, _, failure = notice.partition(":")
        if kind in ("message", "attachment"):
            return DocumentFailure(failure)
    return DocumentFailure.EMPTY


def _counted(notices: Counter[str]) -> tuple[str, ...]:
    """Each notice once, with the number of times behind it: ``message:signed:3``."""
    return tuple(f"{notice}:{count}" for notice, count in sorted(notices.items()))
