"""The places of a message that hold text: its subject, its bodies, its attachments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Protocol

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.base import Document, DocumentFormat, Segment
from prism_core.formats.hypertext import HtmlLayout
from prism_core.formats.mail.bodies import Text, newline_of, payload_edits, text_edits
from prism_core.formats.mail.envelope import Envelope
from prism_core.formats.mail.headers import Field, Subject, write_subject
from prism_core.formats.mail.parts import Edit, Part, apply_edits, take_apart
from prism_core.formats.plain import PlainLayout


@dataclass(frozen=True, slots=True)
class Rewrite:
    """The edits that put translations into a message, and notices of what did not work."""

    edits: tuple[Edit, ...]
    notices: tuple[str, ...] = ()


class Site(Protocol):
    """A place of a message: what it says, and how to make it say something else."""

    @property
    def segments(self) -> tuple[Segment, ...]:
        """The texts of the place, in order."""
        ...

    def rewrite(self, translations: Sequence[str]) -> Rewrite:
        """Put ``translations``, one for each segment and not all equal to it, in their place."""
        ...


@dataclass(frozen=True, slots=True)
class SubjectSite:
    """The subject line; marks such as ``Re:`` before it stay."""

    message: bytes
    field: Field
    subject: Subject

    @property
    def segments(self) -> tuple[Segment, ...]:
        """See ``Site``."""
        return (Segment(self.subject.text, "subject"),)

    def rewrite(self, translations: Sequence[str]) -> Rewrite:
        """See ``Site``."""
        newline = newline_of(self.message)
        value = write_subject(self.subject.marks + translations[0], newline)
        content = b" " + value + newline.encode()
        return Rewrite((Edit(self.field.value, self.field.end, content),))


@dataclass(frozen=True, slots=True)
class PlainSite:
    """A ``text/plain`` body."""

    message: bytes
    part: Part
    text: Text
    layout: PlainLayout

    @property
    def segments(self) -> tuple[Segment, ...]:
        """See ``Site``."""
        return tuple(map(Segment, self.layout.texts))

    def rewrite(self, translations: Sequence[str]) -> Rewrite:
        """See ``Site``."""
        text = self.layout.join(translations)
        return Rewrite(tuple(text_edits(self.message, self.part, self.text, text)))


@dataclass(frozen=True, slots=True)
class HtmlSite:
    """A ``text/html`` body."""

    message: bytes
    part: Part
    text: Text
    layout: HtmlLayout

    @property
    def segments(self) -> tuple[Segment, ...]:
        """See ``Site``."""
        return self.layout.segments

    def rewrite(self, translations: Sequence[str]) -> Rewrite:
        """See ``Site``."""
        text = self.layout.join(translations)
        return Rewrite(tuple(text_edits(self.message, self.part, self.text, text)))


@dataclass(frozen=True, slots=True)
class AttachedDocument:
    """An attachment that another format reads; ``document.path`` is its copy in a work folder."""

    message: bytes
    part: Part
    document: Document
    format: DocumentFormat

    @property
    def segments(self) -> tuple[Segment, ...]:
        """See ``Site``."""
        return self.document.segments

    def rewrite(self, translations: Sequence[str]) -> Rewrite:
        """Rebuild the attachment; one that fails stays as it was, and a notice gives the class."""
        rebuilt = self.document.path.with_name(f"rebuilt-{self.document.path.name}")
        try:
            notices = self.format.write(self.document, translations, rebuilt)
        except DocumentError as error:
            return Rewrite((), (f"attachment:{error.failure.value}",))
        edits = payload_edits(self.message, self.part, rebuilt.read_bytes())
        return Rewrite(tuple(edits), tuple(notices))


@dataclass(frozen=True, slots=True)
class AttachedMessage:
    """A message attached as a file, encoded: it is taken apart like the one that holds it."""

    message: bytes
    part: Part
    inner: Survey

    @property
    def segments(self) -> tuple[Segment, ...]:
        """See ``Site``."""
        return self.inner.segments

    def rewrite(self, translations: Sequence[str]) -> Rewrite:
        """See ``Site``."""
        payload, notices = self.inner.rebuild(translations)
        return Rewrite(tuple(payload_edits(self.message, self.part, payload)), notices)


@dataclass(frozen=True, slots=True)
class AttachedMailbox:
    """A mailbox attached as a file: its messages are taken apart like the one that holds it."""

    message: bytes
    part: Part
    inners: tuple[tuple[Envelope, Survey | None], ...]

    @property
    def segments(self) -> tuple[Segment, ...]:
        """See ``Site``."""
        return tuple(s for _, inner in self.inners if inner is not None for s in inner.segments)

    def rewrite(self, translations: Sequence[str]) -> Rewrite:
        """See ``Site``; a message that cannot be rebuilt stays as it was, with a notice."""
        remaining = iter(translations)
        pieces: list[bytes] = []
        notices: list[str] = []
        for envelope, inner in self.inners:
            content = envelope.message
            if inner is not None:
                given = list(islice(remaining, len(inner.segments)))
                try:
                    content, told = inner.rebuild(given)
                    notices += told
                except DocumentError as error:
                    notices.append(f"attachment:{error.failure.value}")
            pieces.append(envelope.sealed(content))
        edits = payload_edits(self.message, self.part, b"".join(pieces))
        return Rewrite(tuple(edits), tuple(notices))


@dataclass(frozen=True, slots=True)
class Survey:
    """All sites of a message, in its order, and notices of the parts that have none."""

    message: bytes
    root: Part
    sites: tuple[Site, ...]
    notices: tuple[str, ...]

    @property
    def segments(self) -> tuple[Segment, ...]:
        """The texts of all sites."""
        return tuple(segment for site in self.sites for segment in site.segments)

    def rebuild(self, translations: Sequence[str]) -> tuple[bytes, tuple[str, ...]]:
        """The message with ``translations`` in place of its segments, and notices."""
        edits: list[Edit] = []
        notices: list[str] = []
        taken = 0
        for site in self.sites:
            segments = site.segments
            given = translations[taken : taken + len(segments)]
            taken += len(segments)
            if any(s.text != text for s, text in zip(segments, given, strict=True)):
                rewrite = site.rewrite(given)
                edits += rewrite.edits
                notices += rewrite.notices
        return _apply_checked(self.message, self.root, edits), tuple(notices)


def _apply_checked(message: bytes, root: Part, edits: Sequence[Edit]) -> bytes:
    """Make ``edits``; raises ``DocumentError`` (unrebuildable) if the parts are not the same after.

    A translated line could look like a boundary between parts.
    """
    if not edits:
        return message
    rebuilt = apply_edits(message, edits)
    if take_apart(rebuilt).outline() != root.outline():
        raise DocumentError(DocumentFailure.UNREBUILDABLE)
    return rebuilt
