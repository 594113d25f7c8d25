"""Internet messages (RFC 5322): subject, bodies, attachments by their format.

`ConvertedMail` is a message of another kind (Outlook's), rebuilt as an Internet message.

Entry: `MailFormat` -> `survey_message`; notices name the content that could not be read.
"""

from __future__ import annotations

import io
import re
import tempfile
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from prism_core.alignment import Translation
from prism_core.errors import DocumentError, DocumentFailure
from prism_core.file_names import find_words
from prism_core.formats.base import Document, Formats, Segment, read_limited
from prism_core.formats.hypertext import find_declared, split_html
from prism_core.formats.mail.bodies import decode_body, read_payload
from prism_core.formats.mail.mime_parts import MailPart, parse_message, read_subject
from prism_core.formats.mail.sites import (
    AttachedDocument,
    AttachedMailbox,
    AttachedMessage,
    AttachedOutlookMessage,
    HtmlSite,
    MailSurvey,
    NameSite,
    PlainSite,
    Site,
    SubjectSite,
    first_failure,
)
from prism_core.formats.mailbox_lines import Envelope, message_spans, open_envelope
from prism_core.formats.plain import split_plain

_ATTACHMENTS_ADVICE: Final = (
    "The message has no text of its own, and its attachments cannot be read; save them separately."
)
_PACKET_ADVICE: Final = (
    "Its text is in a winmail.dat, which only Outlook opens; save it in Outlook as HTML or MSG."
)


class MailFormat:
    """Messages as mail programs save them; unchanged texts give the same bytes.

    Every byte that is not part of a translated text stays: headers, addresses, boundaries,
    pictures. Signed and encrypted messages are refused. ``formats`` reads the attachments; an
    attachment that cannot be read stays as it is, and a notice names the class of failure.
    """

    name = "eml"

    def __init__(self, formats: Formats) -> None:
        self._formats = formats

    def read(self, path: Path) -> Document:
        """Return the texts; raise ``DocumentError`` if there are none, or by what is unread."""
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
        """Write the message; raise ``DocumentError`` (unrebuildable) if it is another one."""
        with TemporaryDirectory() as folder:
            surveyed = self._survey(document.path, Path(folder))
            if surveyed.segments != document.segments or len(translations) != len(
                document.segments
            ):
                raise DocumentError(DocumentFailure.UNREBUILDABLE)
            message, notices = surveyed.rebuild(translations)
        path.write_bytes(message)
        return notices

    def _survey(self, path: Path, folder: Path) -> MailSurvey:
        return survey_message(read_limited(path), self._formats, folder)


class ConvertedMail(MailFormat):
    """Messages of another kind. The output is a new Internet message with the same parts."""

    @abstractmethod
    def convert(self, content: bytes) -> tuple[bytes, tuple[str, ...]]:
        """Convert a message; return the Internet message and notices. Raises ``DocumentError``."""

    def _survey(self, path: Path, folder: Path) -> MailSurvey:
        message, notices = self.convert(read_limited(path))
        surveyed = survey_message(message, self._formats, folder)
        return replace(surveyed, notices=surveyed.notices + notices)


_SEALED_ADVICE: Final = "Decrypt the message and save it again."
_DEEPEST: Final = 10
"""Greatest depth of messages attached to messages attached to messages …"""
_SIGNED: Final = frozenset(
    ("multipart/signed", "application/pgp-signature", "application/pkcs7-signature",
     "application/x-pkcs7-signature")
)  # fmt: skip
_ENCRYPTED: Final = frozenset(
    ("multipart/encrypted", "application/pgp-encrypted", "application/pkcs7-mime",
     "application/x-pkcs7-mime")
)  # fmt: skip
_PGP_LINE: Final = re.compile(r"^-----BEGIN PGP (SIGNED )?MESSAGE", re.MULTILINE)
_PGP: Final = re.compile(r"(?:^|>)\s*-----BEGIN PGP (SIGNED )?MESSAGE", re.MULTILINE)
"""Start of a sealed body: at the start of a line, and in HTML also after a tag."""
_ARMOURED: Final = re.compile(
    rb"\s*-----BEGIN (?:PGP (?P<kind>MESSAGE|SIGNED MESSAGE)?|[A-Z ]*(?:KEY|CERTIFICATE))"
)
"""Files sealed by PGP, its keys and signatures, and those of other programs."""
_SEALS: Final = {b"MESSAGE": DocumentFailure.ENCRYPTED, b"SIGNED MESSAGE": DocumentFailure.SIGNED}
_MEDIA: Final = ("image/", "audio/", "video/", "font/")
_OUTLOOK_PACKETS: Final = ("application/ms-tnef", "application/vnd.ms-tnef")
_OUTLOOK_PACKET: Final = b"\x78\x9f\x3e\x22"
"""Start of a ``winmail.dat`` ([MS-OXTNEF])."""
_PROSE_TYPES: Final = re.compile(
    r"text/(?:plain|(?:x-)?markdown|x-web-markdown)|application/(?:octet-stream|te?xt|(?:x-)?markdown)"
    r"|application/(?:x-)?(?:unknown|download|force-download)|binary/octet-stream"
)
"""Types of texts that people write; all others are code, data, tables, addresses or reports."""
_PROSE_SUFFIXES: Final = frozenset((".txt", ".text", ".md", ".markdown"))
_REPORTS: Final = ("text/rfc822-headers",)
"""Content that mail servers write for each other."""


def survey_message(message: bytes, formats: Formats, folder: Path, depth: int = 0) -> MailSurvey:
    """Return every site of ``message``, with copies in ``folder``; raise ``DocumentError``."""
    if depth > _DEEPEST:
        raise DocumentError(DocumentFailure.TOO_LARGE)
    root = parse_message(message)
    surveyor = _Surveyor(message, formats, folder, depth)
    sites = tuple(surveyor.find_message_sites(root))
    return MailSurvey(message, root, sites, tuple(surveyor.notices), formats.options)


class _Surveyor:
    def __init__(self, message: bytes, formats: Formats, folder: Path, depth: int) -> None:
        self._message = message
        self._formats = formats
        self._folder = folder
        self._depth = depth
        self.notices: list[str] = []

    def find_message_sites(self, part: MailPart) -> Iterator[Site]:
        """Yield the subject of the message ``part``, then its bodies and attachments."""
        field = part.field("subject")
        if field:
            marks, text = read_subject(self._message, field)
            if any(map(str.isalnum, text)):
                yield SubjectSite(self._message, part, (Segment(text, "subject"),), field, marks)
        yield from self._find_part_sites(part)

    def _find_part_sites(self, part: MailPart) -> Iterator[Site]:
        kind = part.content.media_type
        _refuse_sealed(part)
        if kind == "message/rfc822" and part.parts:
            noticed = len(self.notices)
            try:
                yield from list(self.find_message_sites(part.parts[0]))
            except DocumentError as error:  # a sealed message stays; the rest is translated
                del self.notices[noticed:]
                self._add_notice(error.failure)
        elif part.parts:
            for inner in part.parts:
                yield from self._find_part_sites(inner)
        elif kind.startswith("multipart/"):
            self._add_notice(DocumentFailure.CORRUPT)
        elif kind.startswith(_MEDIA):
            if part.content.disposition == "attachment" or not part.content.cited:
                self._add_notice(DocumentFailure.UNSUPPORTED)  # other media belong to the HTML
        elif part.end > part.body:
            yield from self._find_leaf_sites(part)
        yield from self._find_name_sites(part)

    def _find_name_sites(self, part: MailPart) -> Iterator[Site]:
        """Yield the name of a file that a reader sees, where the user wants names translated."""
        content = part.content
        seen = content.name and (content.disposition == "attachment" or not content.cited)
        path = "/" in content.name or "\\" in content.name
        if seen and not path and self._formats.options.attachment_names == "translate":
            name = find_words(content.name)
            if name is not None:
                segments = (Segment(name.text, "filename"),)
                yield NameSite(self._message, part, segments, name)

    def _find_leaf_sites(self, part: MailPart) -> Iterator[Site]:
        content = part.content
        payload = read_payload(self._message, part)
        if payload is None:
            self._add_notice(DocumentFailure.CORRUPT)
        elif content.media_type == "text/html" or (
            content.media_type == "text/plain" and not content.name
        ):
            yield from self._find_text_sites(part, payload)
        elif content.media_type in _OUTLOOK_PACKETS or payload.startswith(_OUTLOOK_PACKET):
            self.notices.append("winmail-dat")
        elif content.media_type in _REPORTS or (
            content.media_type.startswith("message/") and content.media_type != "message/rfc822"
        ):
            self._add_notice(DocumentFailure.UNSUPPORTED)
        else:
            yield from self._find_attachment_sites(part, payload)

    def _find_text_sites(self, part: MailPart, payload: bytes) -> Iterator[Site]:
        is_html = part.content.media_type == "text/html"
        charset = part.content.charset
        if is_html and not charset:  # the charset that the HTML declares
            charset = find_declared(payload)
        text = decode_body(payload, charset)
        if text is None:
            self._add_notice(DocumentFailure.CORRUPT)
            return
        self.notices += text.notices
        sealed = (_PGP if is_html else _PGP_LINE).search(text.text)
        if sealed and sealed[1]:  # signed by PGP in the text itself, and not quoted there
            raise DocumentError(DocumentFailure.SIGNED)
        if sealed:
            raise DocumentError(DocumentFailure.ENCRYPTED, _SEALED_ADVICE)
        if is_html:
            html = split_html(text.text, self._formats.options)
            if html.places:
                options = self._formats.options
                yield HtmlSite(self._message, part, html.segments, text, html, options)
        else:
            layout = split_plain(text.text, part.content.flowed, self._formats.options)
            self.notices += layout.notices
            if layout.texts:
                yield PlainSite(self._message, part, layout.segments, text, layout)

    def _find_attachment_sites(self, part: MailPart, payload: bytes) -> Iterator[Site]:
        armoured = _ARMOURED.match(payload)
        if armoured:
            self._add_notice(_SEALS.get(armoured["kind"], DocumentFailure.UNSUPPORTED))
            return
        content = part.content
        is_prose = _PROSE_TYPES.fullmatch(content.media_type) is not None or (
            not content.media_type.startswith("text/") and content.suffix in _PROSE_SUFFIXES
        )
        # the copy keeps only the suffix of the attachment's name
        path = Path(tempfile.mkdtemp(dir=self._folder)) / f"attachment{part.content.suffix}"
        path.write_bytes(payload)
        try:
            name = self._formats.detect(path)
            if name == "txt" and part.content.media_type == "text/plain":
                yield from self._find_text_sites(part, payload)
            elif name in ("txt", "md") and not is_prose:  # code, data or a report
                self._add_notice(DocumentFailure.UNSUPPORTED)
            elif name == "eml":
                inner = survey_message(payload, self._formats, self._folder, self._depth + 1)
                self.notices += inner.notices
                yield AttachedMessage(self._message, part, inner.segments, inner)
            elif name == "mbox":
                inners = tuple(self._survey_mailbox(payload))
                segments = tuple(s for _, inner in inners if inner for s in inner.segments)
                yield AttachedMailbox(self._message, part, segments, inners)
            elif isinstance(found := self._formats.get(name), ConvertedMail):
                message, notices = found.convert(payload)
                inner = survey_message(message, self._formats, self._folder, self._depth + 1)
                self.notices += [*inner.notices, *notices]
                yield AttachedOutlookMessage(self._message, part, inner.segments, inner)
            else:
                document = found.read(path)
                self.notices += document.notices
                output = self._formats.output_type(name)
                yield AttachedDocument(
                    self._message, part, document.segments, document, found, output
                )
        except DocumentError as error:
            self._add_notice(error.failure)

    def _survey_mailbox(self, payload: bytes) -> Iterator[tuple[Envelope, MailSurvey | None]]:
        """Yield the messages of an attached mailbox; None for a message that stays as it is."""
        for start, end in message_spans(io.BytesIO(payload)):
            envelope = open_envelope(payload[start:end])
            try:
                inner = survey_message(
                    envelope.message, self._formats, self._folder, self._depth + 1
                )
            except DocumentError as error:
                self._add_notice(error.failure)
                yield envelope, None
            else:
                self.notices += inner.notices
                yield envelope, inner

    def _add_notice(self, failure: DocumentFailure) -> None:
        self.notices.append(f"attachment:{failure.value}")


def _refuse_sealed(part: MailPart) -> None:
    """Raise for a part that may not be edited: signed or encrypted by S/MIME or PGP/MIME."""
    kind = part.content.media_type
    if kind in _SIGNED or part.content.smime == "signed-data":
        raise DocumentError(DocumentFailure.SIGNED)
    if kind in _ENCRYPTED or part.content.suffix == ".p7m":
        raise DocumentError(DocumentFailure.ENCRYPTED, _SEALED_ADVICE)
