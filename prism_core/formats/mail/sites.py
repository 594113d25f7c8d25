"""Sites of a message: the places that hold text, and translations put into all of them at once.

Entry: `MailSurvey.rebuild`, which takes the edits of each `Site`, and checks the parts.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from prism_core.alignment import Translation
from prism_core.errors import DocumentError, DocumentFailure
from prism_core.file_names import SpokenName, rename
from prism_core.formats.base import (
    DEFAULT_OPTIONS,
    Document,
    DocumentFormat,
    Edit,
    FormatOptions,
    OutputType,
    Segment,
    apply_edits,
    changed_parts,
    notices,
)
from prism_core.formats.character_sets import DecodedText
from prism_core.formats.hypertext import HtmlLayout
from prism_core.formats.mail.bodies import (
    detect_newline,
    header_edits,
    name_edits,
    payload_edits,
    text_edits,
    type_edits,
)
from prism_core.formats.mail.mime_parts import (
    Field,
    MailPart,
    parse_message,
    suffix_of,
    write_subject,
)
from prism_core.formats.mailbox_lines import Envelope
from prism_core.formats.plain import PlainLayout

_LONGEST_NAME = 200
"""Greatest length of a file name in bytes; three times as many fit a header line."""


@dataclass(frozen=True, slots=True)
class Rewrite:
    """Edits, notices, the new name of a file (if it changes), and the types that replace it."""

    edits: Sequence[Edit]
    notices: tuple[str, ...] = ()
    name: str | None = None
    outline: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Site(ABC):
    """Place in ``part`` of ``message``: its texts, and the edits that replace them."""

    message: bytes
    part: MailPart
    segments: tuple[Segment, ...]

    @abstractmethod
    def rewrite(self, translations: Sequence[Translation]) -> Rewrite:
        """Put ``translations``, one for each segment and not all equal to it, in their place."""


@dataclass(frozen=True, slots=True)
class MailSurvey:
    """All sites of a message, in its order, and notices of the parts that have none."""

    message: bytes
    root: MailPart
    sites: tuple[Site, ...]
    notices: tuple[str, ...]
    options: FormatOptions = DEFAULT_OPTIONS

    @property
    def segments(self) -> tuple[Segment, ...]:
        """Texts of all sites."""
        return tuple(segment for site in self.sites for segment in site.segments)

    def rebuild(self, translations: Sequence[Translation]) -> tuple[bytes, tuple[str, ...]]:
        """Return the message and notices; raise ``DocumentError`` if its parts would change."""
        rewrites = [
            (site, site.rewrite(given)) for site, given in changed_parts(self.sites, translations)
        ]
        notices = tuple(notice for _, rewrite in rewrites for notice in rewrite.notices)
        edits = [edit for _, rewrite in rewrites for edit in rewrite.edits]
        edits += self._name_files([(s.part, r.name) for s, r in rewrites if r.name is not None])
        if not edits:
            return self.message, notices
        edits += self._name_target([site.part for site, rewrite in rewrites if rewrite.edits])
        rebuilt = apply_edits(self.message, edits)
        changed = [(site.part, rewrite.outline) for site, rewrite in rewrites if rewrite.outline]
        if parse_message(rebuilt).outline() != _expected_outline(self.root, changed):
            raise DocumentError(DocumentFailure.UNREBUILDABLE)
        return rebuilt, notices

    def _name_files(self, names: Sequence[tuple[MailPart, str]]) -> Iterator[Edit]:
        """Call files by new names, never two by the same; one may have new words and suffix."""
        merged: dict[int, tuple[MailPart, str]] = {}
        for part, name in names:
            before = merged.get(id(part))
            new = replace_suffix(name, suffix_of(before[1])) if before else name
            merged[id(part)] = part, new
        used = Counter(part.content.name.casefold() for part in self.root.walk())
        newline = detect_newline(self.message)
        for part, name in merged.values():
            is_same = name.casefold() == part.content.name.casefold()
            if name and used[name.casefold()] == int(is_same):
                used[name.casefold()] = 1
                yield from name_edits(self.message, part, name, newline)

    def _name_target(self, changed: Sequence[MailPart]) -> Iterator[Edit]:
        """Name the target language where a header names the language of a part that changed."""
        if not self.options.target:
            return
        for part in self.root.walk():
            field = part.field("content-language")
            if field and any(part.start <= inner.start < part.end for inner in changed):
                value = self.message[field.value : field.end]
                named = value.strip().decode("latin-1").lower()
                if named.partition("-")[0] == self.options.source or not self.options.source:
                    kept = len(value) - len(value.lstrip()), len(value.rstrip())
                    start, end = (field.value + offset for offset in kept)
                    yield Edit(start, end, self.options.target.encode("ascii", "ignore"))


def _expected_outline(
    part: MailPart, changed: Sequence[tuple[MailPart, tuple[str, ...]]]
) -> tuple[str, ...]:
    """Return the types below ``part`` after the parts in ``changed`` are replaced."""
    for each, outline in changed:
        if each is part:
            return outline
    inner = (name for below in part.parts for name in _expected_outline(below, changed))
    return (part.content.media_type, *inner)


def first_failure(notices: Iterable[str]) -> DocumentFailure | None:
    """Return the class of the first part or message that could not be read; None when all could."""
    for notice in notices:
        kind, _, failure = notice.partition(":")
        if kind in ("message", "attachment"):
            return DocumentFailure(failure.partition(":")[0])
    return None


def replace_suffix(name: str, suffix: str) -> str:
    """Return ``name`` with ``suffix`` in place of its own; a file without a name gets none."""
    return name.removesuffix(suffix_of(name)) + suffix if name else ""


@dataclass(frozen=True, slots=True)
class SubjectSite(Site):
    """Subject line; prefixes such as ``Re:`` stay."""

    field: Field
    marks: str

    def rewrite(self, translations: Sequence[Translation]) -> Rewrite:  # noqa: D102
        newline = detect_newline(self.message)
        value = write_subject(self.marks + translations[0].text, newline)
        content = b" " + value + newline.encode()
        return Rewrite((Edit(self.field.value, self.field.end, content),))


@dataclass(frozen=True, slots=True)
class PlainSite(Site):
    """``text/plain`` body."""

    text: DecodedText
    layout: PlainLayout

    def rewrite(self, translations: Sequence[Translation]) -> Rewrite:  # noqa: D102
        text = self.layout.join(translations)
        return Rewrite(text_edits(self.message, self.part, self.text, text))


@dataclass(frozen=True, slots=True)
class HtmlSite(Site):
    """``text/html`` body."""

    text: DecodedText
    layout: HtmlLayout
    options: FormatOptions

    def rewrite(self, translations: Sequence[Translation]) -> Rewrite:  # noqa: D102
        text, lost = self.layout.rebuild(translations, self.options)
        edits = text_edits(self.message, self.part, self.text, text)
        return Rewrite(edits, notices({"formatting-simplified": lost}))


@dataclass(frozen=True, slots=True)
class AttachedDocument(Site):
    """Attachment that another format reads from a copy, and the type it is written as."""

    document: Document
    format: DocumentFormat
    output: OutputType

    def rewrite(self, translations: Sequence[Translation]) -> Rewrite:
        """Rebuild the attachment; one that fails stays as it was, and a notice gives the class."""
        rebuilt = self.document.path.with_name(f"rebuilt-{self.document.path.name}")
        try:
            notices = self.format.write(self.document, translations, rebuilt)
        except DocumentError as error:
            return Rewrite((), (f"attachment:{error.failure.value}",))
        payload, content = rebuilt.read_bytes(), self.part.content
        is_other = content.charset.replace("_", "-") not in ("utf-8", "utf8")
        in_unicode = payload.decode("utf-8", "ignore").encode("utf-8") == payload
        is_text = content.media_type.startswith("text/") and not payload.isascii()
        charset = "utf-8" if is_text and is_other and in_unicode else ""
        edits = payload_edits(self.message, self.part, payload, charset)
        field = self.part.field("content-type")
        if not self.output.media_type or field is None:
            return Rewrite(edits, notices)
        edits += type_edits(self.message, field, self.output.media_type)
        name = replace_suffix(self.part.content.name, self.output.suffix)
        return Rewrite(edits, notices, name, (self.output.media_type,))


@dataclass(frozen=True, slots=True)
class AttachedMessage(Site):
    """Message attached as an encoded file; it is parsed like the message that holds it."""

    inner: MailSurvey

    def rewrite(self, translations: Sequence[Translation]) -> Rewrite:  # noqa: D102
        payload, notices = self.inner.rebuild(translations)
        return Rewrite(payload_edits(self.message, self.part, payload), notices)


@dataclass(frozen=True, slots=True)
class AttachedMailbox(Site):
    """Mailbox attached as a file; its messages are parsed like the message that holds it."""

    inners: tuple[tuple[Envelope, MailSurvey | None], ...]

    def rewrite(self, translations: Sequence[Translation]) -> Rewrite:
        """Rebuild the messages; one that cannot be rebuilt stays as it was, with a notice."""
        remaining = iter(translations)
        pieces: list[bytes] = []
        notices: list[str] = []
        for envelope, inner in self.inners:
            content = envelope.message
            if inner is not None:
                given = list(islice(remaining, len(inner.segments)))
                try:
                    content, inner_notices = inner.rebuild(given)
                    notices += inner_notices
                except DocumentError as error:
                    notices.append(f"attachment:{error.failure.value}")
            pieces.append(envelope.seal(content))
        edits = payload_edits(self.message, self.part, b"".join(pieces))
        return Rewrite(edits, tuple(notices))


@dataclass(frozen=True, slots=True)
class AttachedOutlookMessage(Site):
    """Outlook message attached as a file; translated, it is an embedded message."""

    inner: MailSurvey

    def rewrite(self, translations: Sequence[Translation]) -> Rewrite:
        """Rebuild the message; the file becomes an ``.eml``, and its part a ``message/rfc822``."""
        payload, notices = self.inner.rebuild(translations)
        outline = ("message/rfc822", *parse_message(payload).outline())
        newline = detect_newline(self.message).encode()
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
        return Rewrite(edits, notices, replace_suffix(self.part.content.name, ".eml"), outline)


@dataclass(frozen=True, slots=True)
class NameSite(Site):
    """Name of an attached file, where it has words."""

    name: SpokenName

    def rewrite(self, translations: Sequence[Translation]) -> Rewrite:
        """Translate the name; a name that is unsafe, or that another file has, is not used."""
        name = rename(self.part.content.name, self.name, translations[0].text, _LONGEST_NAME)
        return Rewrite((), (), name)
