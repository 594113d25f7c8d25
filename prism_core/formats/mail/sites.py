"""The places of a message that hold text: its subject, its bodies, its attachments.

Each kind of `Site` makes its edits in ``rewrite``; `survey` finds which there are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from prism_core.errors import DocumentError
from prism_core.file_names import SpokenName, rename
from prism_core.formats.base import Document, DocumentFormat, FormatOptions, OutputType
from prism_core.formats.edits import Edit
from prism_core.formats.hypertext import HtmlLayout
from prism_core.formats.mail.bodies import (
    Text,
    header_edits,
    newline_of,
    payload_edits,
    text_edits,
    type_edits,
)
from prism_core.formats.mail.headers import Field, Subject, write_subject
from prism_core.formats.mail.parts import Part, take_apart
from prism_core.formats.mail.rewriting import Renaming, Rewrite, Site, Survey, replace_suffix
from prism_core.formats.mailbox_lines import Envelope
from prism_core.formats.notices import notices
from prism_core.formats.plain import PlainLayout

_LONGEST_NAME = 200
"""Bytes of a file name; three times as many letters must fit one line of a header."""


@dataclass(frozen=True, slots=True)
class SubjectSite(Site):
    """The subject line; marks such as ``Re:`` before it stay."""

    field: Field
    subject: Subject

    def rewrite(self, translations: Sequence[str]) -> Rewrite:  # noqa: D102
        newline = newline_of(self.message)
        value = write_subject(self.subject.marks + translations[0], newline)
        content = b" " + value + newline.encode()
        return Rewrite((Edit(self.field.value, self.field.end, content),))


@dataclass(frozen=True, slots=True)
class PlainSite(Site):
    """A ``text/plain`` body."""

    text: Text
    layout: PlainLayout

    def rewrite(self, translations: Sequence[str]) -> Rewrite:  # noqa: D102
        text = self.layout.join(translations)
        return Rewrite(tuple(text_edits(self.message, self.part, self.text, text)))


@dataclass(frozen=True, slots=True)
class HtmlSite(Site):
    """A ``text/html`` body."""

    text: Text
    layout: HtmlLayout
    options: FormatOptions

    def rewrite(self, translations: Sequence[str]) -> Rewrite:  # noqa: D102
        text, lost = self.layout.rebuilt(translations, self.options)
        edits = text_edits(self.message, self.part, self.text, text)
        return Rewrite(tuple(edits), notices({"formatting-simplified": lost}))


@dataclass(frozen=True, slots=True)
class AttachedDocument(Site):
    """An attachment that another format reads; ``document.path`` is its copy in a work folder.

    ``output`` is the type it is written as, where that is another one.
    """

    document: Document
    format: DocumentFormat
    output: OutputType

    def rewrite(self, translations: Sequence[str]) -> Rewrite:
        """Rebuild the attachment; one that fails stays as it was, and a notice gives the class."""
        rebuilt = self.document.path.with_name(f"rebuilt-{self.document.path.name}")
        try:
            notices = self.format.write(self.document, translations, rebuilt)
        except DocumentError as error:
            return Rewrite((), (f"attachment:{error.failure.value}",))
        payload = rebuilt.read_bytes()
        edits = payload_edits(self.message, self.part, payload, _charset_of(self.part, payload))
        field = self.part.field("content-type")
        if not self.output.media_type or field is None:
            return Rewrite(tuple(edits), tuple(notices))
        edits += type_edits(self.message, field, self.output.media_type)
        renaming = Renaming(self.part, replace_suffix(self.part.content.name, self.output.suffix))
        return Rewrite(tuple(edits), tuple(notices), renaming, (self.output.media_type,))


@dataclass(frozen=True, slots=True)
class AttachedMessage(Site):
    """A message attached as a file, encoded: it is taken apart like the one that holds it."""

    inner: Survey

    def rewrite(self, translations: Sequence[str]) -> Rewrite:  # noqa: D102
        payload, notices = self.inner.rebuild(translations)
        return Rewrite(tuple(payload_edits(self.message, self.part, payload)), notices)


@dataclass(frozen=True, slots=True)
class AttachedMailbox(Site):
    """A mailbox attached as a file: its messages are taken apart like the one that holds it."""

    inners: tuple[tuple[Envelope, Survey | None], ...]

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
class AttachedOutlookMessage(Site):
    """An Outlook message attached as a file; translated, it is a message within the message."""

    inner: Survey

    def rewrite(self, translations: Sequence[str]) -> Rewrite:
        """See ``Site``; the file becomes an ``.eml``, and its part a ``message/rfc822``."""
        payload, notices = self.inner.rebuild(translations)
        outline = ("message/rfc822", *take_apart(payload).outline())
        newline = newline_of(self.message).encode()
        if newline != b"\r\n":
            payload = payload.replace(b"\r\n", newline)
        edits = [Edit(self.part.body, self.part.end, payload)]
        headers = {"Content-Transfer-Encoding": b"7bit" if payload.isascii() else b"8bit"}
        field = self.part.field("content-type")
        if field:
            edits += type_edits(self.message, field, "message/rfc822")
        else:
            headers["Content-Type"] = b"message/rfc822"
        edits += header_edits(self.part, headers, newline)
        renaming = Renaming(self.part, replace_suffix(self.part.content.name, ".eml"))
        return Rewrite(tuple(edits), notices, renaming, outline)


@dataclass(frozen=True, slots=True)
class NameSite(Site):
    """The name of an attached file, where it has words."""

    name: SpokenName

    def rewrite(self, translations: Sequence[str]) -> Rewrite:
        """See ``Site``; a name that is not safe, or that another file has, is not given."""
        name = rename(self.part.content.name, self.name, translations[0], _LONGEST_NAME)
        return Rewrite((), (), Renaming(self.part, name))


def _charset_of(part: Part, payload: bytes) -> str:
    """``utf-8`` if a text is that now and its part says otherwise, else empty."""
    declared = part.content.charset.replace("_", "-")
    if not part.content.media_type.startswith("text/") or declared in ("utf-8", "utf8"):
        return ""
    try:
        payload.decode("utf-8")
    except UnicodeDecodeError:
        return ""
    return "" if payload.isascii() else "utf-8"
