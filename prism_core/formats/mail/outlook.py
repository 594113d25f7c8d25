"""Outlook messages (``.msg``): read from their OLE file, rebuilt as Internet messages."""

from __future__ import annotations

import base64
import io
import re
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from email import policy
from email.generator import BytesGenerator
from email.header import Header
from email.message import Message
from email.mime.base import MIMEBase
from email.mime.message import MIMEMessage
from email.mime.multipart import MIMEMultipart
from email.mime.nonmultipart import MIMENonMultipart
from email.parser import HeaderParser
from email.utils import format_datetime
from pathlib import Path
from typing import Any, Final

import oxmsg
from oxmsg.domain import constants
from oxmsg.properties import Properties

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.base import Document
from prism_core.formats.embedded import Formats
from prism_core.formats.mail.bodies import read_text
from prism_core.formats.mail.eml import as_document, read_message, rebuild
from prism_core.formats.mail.sites import Survey
from prism_core.formats.mail.survey import survey

_EMBEDDED: Final = 5
"""The attachment method (MS-OXCMSG 2.2.2.9) of a message within a message."""
_RICH_TEXT: Final = constants.PID_RTF_COMPRESSED
_RICH_TEXT_ADVICE: Final = "Its text is Rich Text; save it in Outlook as HTML or plain text."
_EMBEDDED_STORAGE: Final = "__substg1.0_3701000D"
_DEEPEST: Final = 10
_OWN_HEADERS: Final = re.compile(r"(content-.*|mime-version|x-mozilla.*)\Z", re.IGNORECASE)
_ROLES: Final = {1: "To", 2: "Cc", 3: "Bcc"}
_SEALED: Final = {
    "ipm.note.smime": DocumentFailure.ENCRYPTED,
    "ipm.note.secure": DocumentFailure.ENCRYPTED,
    "ipm.note.smime.multipartsigned": DocumentFailure.SIGNED,
    "ipm.note.secure.sign": DocumentFailure.SIGNED,
}


class OutlookFormat:
    """Outlook messages. What is written is a new Internet message with the same parts.

    Its headers are those the message travelled with, else sender, recipients, subject and date.
    """

    name = "msg"

    def __init__(self, formats: Formats) -> None:
        self._formats = formats

    def read(self, path: Path) -> Document:
        """The subject, then the bodies and attachments. Raises ``DocumentError``."""
        with tempfile.TemporaryDirectory() as folder:
            return as_document(path, self.name, self._survey(path, Path(folder)))

    def write(self, document: Document, translations: Sequence[str], path: Path) -> tuple[str, ...]:
        """Write the translated message as ``.eml``. Raises ``DocumentError``."""
        with tempfile.TemporaryDirectory() as folder:
            surveyed = self._survey(document.path, Path(folder))
            return rebuild(surveyed, document, translations, path)

    def _survey(self, path: Path, folder: Path) -> Survey:
        converted = to_internet_message(read_message(path))
        surveyed = survey(converted.message, self._formats, folder)
        return replace(surveyed, notices=surveyed.notices + converted.notices)


@dataclass(frozen=True, slots=True)
class Converted:
    """An Outlook message as an Internet message, and notices of what has no place in one."""

    message: bytes
    notices: tuple[str, ...]


def to_internet_message(content: bytes) -> Converted:
    """Convert the Outlook message ``content``; the same bytes each time.

    Raises ``DocumentError``: corrupt, signed, encrypted, too large (nested too deeply), or
    unsupported (its body is in Rich Text alone).
    """
    converter = _Converter()
    try:
        message = converter.convert(oxmsg.Message.load(content), 0)
        target = io.BytesIO()
        BytesGenerator(target, policy=policy.compat32.clone(linesep="\r\n")).flatten(message)
    except DocumentError:
        raise
    except Exception:  # noqa: BLE001 (oxmsg and olefile meet damage with errors of every kind)
        raise DocumentError(DocumentFailure.CORRUPT) from None
    return Converted(target.getvalue(), tuple(converter.notices))


class _Converter:
    """Builds the parts; numbers the boundaries, which no encoded body can hold."""

    def __init__(self) -> None:
        self._boundaries = 0
        self.notices: list[str] = []

    def convert(self, outlook: Any, depth: int) -> Message:
        failure = _SEALED.get(outlook.message_class.lower())
        if failure:
            raise DocumentError(failure)
        if depth > _DEEPEST:
            raise DocumentError(DocumentFailure.TOO_LARGE)
        attachments = [self._attachment(each, depth) for each in outlook.attachments]
        message = self._multipart("mixed", [self._body(outlook), *filter(None, attachments)])
        _add_headers(message, outlook)
        return message

    def _multipart(self, subtype: str, parts: list[Message]) -> Message:
        if len(parts) == 1:
            return parts[0]
        self._boundaries += 1
        multipart = MIMEMultipart(subtype, boundary=f"=-outlook-{self._boundaries}-=")
        for part in parts:
            if "MIME-Version" in part:
                del part["MIME-Version"]
            multipart.attach(part)
        return multipart

    def _body(self, outlook: Any) -> Message:
        plain = _string(outlook.properties, outlook._storage, constants.PID_BODY)
        html = _html_body(outlook)
        if not plain and not html and outlook.properties.binary_prop_value(_RICH_TEXT):
            raise DocumentError(DocumentFailure.UNSUPPORTED, _RICH_TEXT_ADVICE)
        bodies = [_text_part(plain, "plain")] if plain or not html else []
        if html:
            bodies.append(_text_part(html, "html"))
        return self._multipart("alternative", bodies)

    def _attachment(self, attachment: Any, depth: int) -> Message | None:
        properties = attachment.properties
        if properties.int_prop_value(constants.PID_ATTACH_METHOD) == _EMBEDDED:
            storages = attachment._storage.storages  # oxmsg gives no public way to these
            inner = next((each for each in storages if each.name == _EMBEDDED_STORAGE), None)
            if inner is not None:
                return MIMEMessage(self.convert(_EmbeddedMessage(inner), depth + 1))
        content = attachment.file_bytes
        if content is None:  # an OLE object, or a pointer to a file elsewhere
            self.notices.append("attachment:unsupported")
            return None
        return _attachment_part(attachment, content)


class _EmbeddedMessage(oxmsg.Message):
    """A message within a message, whose property stream has a shorter head (MS-OXMSG 2.4.1.2)."""

    @property
    def properties(self) -> Any:
        return Properties(self._storage, properties_header_offset=24)


def _string(properties: Any, storage: Any, pid: int) -> str:
    """The text of property ``pid``, empty when absent.

    Some programs write it in the code page of the message though they declare another: oxmsg then
    fails, and the bytes are decoded here.
    """
    try:
        return properties.str_prop_value(pid) or ""
    except (UnicodeError, LookupError):
        content = storage.property_stream_bytes(pid, constants.PTYP_STRING8)
        return _decoded(content, properties)


def _html_body(outlook: Any) -> str:
    try:
        return outlook.html_body or ""
    except (UnicodeError, LookupError):
        content = outlook.properties.binary_prop_value(constants.PID_HTML)
        return _decoded(content or b"", outlook.properties)


def _decoded(content: bytes, properties: Any) -> str:
    code_page = properties.int_prop_value(constants.PID_MESSAGE_CODEPAGE)
    text = read_text(content, f"cp{code_page}" if code_page else "")
    if text is None:
        raise DocumentError(DocumentFailure.CORRUPT)
    return text.text


def _text_part(text: str, subtype: str) -> Message:
    part = MIMENonMultipart("text", subtype, charset="utf-8")
    if (
        subtype == "html"
    ):  # the part's charset counts, and the text is no longer in that of the meta
        text = re.sub(r"(<meta[^>]{0,200}?charset=[\"']?)[\w-]+", r"\1utf-8", text, count=1)
    payload = re.sub(r"\r\n|\r|\n", "\r\n", text.rstrip("\0")).encode("utf-8", "replace")
    return _encode_base64(part, payload)


def _encode_base64(part: Message, payload: bytes) -> Message:
    part["Content-Transfer-Encoding"] = "base64"
    part.set_payload(base64.encodebytes(payload).decode("ascii"))
    return part


def _attachment_part(attachment: Any, content: bytes) -> Message:
    mime_type = str(attachment.mime_type)
    if not re.fullmatch(r"[\w.+-]+/[\w.+-]+", mime_type) or mime_type.startswith(
        ("multipart/", "message/")
    ):
        mime_type = "application/octet-stream"
    part = MIMEBase(*mime_type.split("/"))
    _encode_base64(part, content)
    properties = attachment.properties
    name = attachment.file_name or properties.str_prop_value(constants.PID_ATTACH_FILENAME) or ""
    name = "".join(c for c in name if c.isprintable())
    cited = properties.str_prop_value(constants.PID_ATTACH_CONTENT_ID)
    disposition = "inline" if cited else "attachment"
    encoded = name if name.isascii() else ("utf-8", "", name)
    part.add_header("Content-Disposition", disposition, filename=encoded)
    if cited:
        part["Content-ID"] = f"<{_one_line(cited).strip('<> ')}>"
    return part


def _add_headers(message: Message, outlook: Any) -> None:
    travelled = HeaderParser().parsestr(
        outlook.properties.str_prop_value(constants.PID_TRANSPORT_MESSAGE_HEADERS) or ""
    )
    headers = [(n, _one_line(v)) for n, v in travelled.items() if not _OWN_HEADERS.match(n)]
    present = {name.lower() for name, _ in headers}
    headers += [(n, v) for n, v in _known_headers(outlook) if v and n.lower() not in present]
    for name, value in headers:
        message[name] = (
            value if value.isascii() else Header(value, "utf-8", header_name=name).encode()
        )
    if "MIME-Version" not in message:
        message["MIME-Version"] = "1.0"


def _known_headers(outlook: Any) -> list[tuple[str, str]]:
    sent = outlook.sent_date
    recipients: dict[str, list[str]] = {}
    for recipient in outlook.recipients:
        role = recipient.properties.int_prop_value(constants.PID_RECIPIENT_TYPE) or 1
        address = f'"{recipient.name}" <{recipient.email_address}>'
        recipients.setdefault(_ROLES.get(role, "To"), []).append(address)
    identifier = outlook.properties.str_prop_value(constants.PID_INTERNET_MESSAGE_ID)
    return [
        ("From", _one_line(outlook.sender or "")),
        *((role, _one_line(", ".join(people))) for role, people in recipients.items()),
        ("Subject", _one_line(outlook.subject)),
        ("Date", format_datetime(sent) if sent else ""),
        ("Message-ID", _one_line(identifier or "")),
    ]


def _one_line(value: str) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in value).split())
