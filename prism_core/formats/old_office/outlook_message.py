"""Outlook messages as Internet messages: headers, bodies and attachments in new MIME parts.

Entry: `OutlookFormat` -> `convert_message`; then `_Converter.convert` -> `_make_attachment` of
each -> `_make_body` -> `_add_headers`, and again for an embedded message.
"""

from __future__ import annotations

import base64
import email
import io
import re
from collections.abc import Iterable, Sequence
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
from typing import Final

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.character_sets import encoding_of_page
from prism_core.formats.detection import OLE_MAGIC, OLE_MESSAGE
from prism_core.formats.mail import ConvertedMail
from prism_core.formats.old_office.outlook_store import (
    INTERNET_CODE_PAGE,
    OutlookItem,
    decompress,
    load_message,
    read_rich_body,
)

_CLASS, _SUBJECT, _SUBMITTED, _HEADERS, _IDENTIFIER = 0x001A, 0x0037, 0x0039, 0x007D, 0x1035
_BODY, _RICH_TEXT, _HTML = 0x1000, 0x1009, 0x1013
_SENDER_NAME, _SENDER_ADDRESSES = (0x0C1A, 0x0042), (0x5D01, 0x5D02, 0x0C1F, 0x0065)
_RECIPIENT_ROLE, _RECIPIENT_NAME, _RECIPIENT_ADDRESSES = 0x0C15, 0x3001, (0x39FE, 0x3003)
_DATA, _METHOD, _FILE_NAMES, _MIME_TYPE, _CONTENT_ID = (
    0x3701, 0x3705, (0x3707, 0x3704), 0x370E, 0x3712,
)  # fmt: skip
_EMBEDDED: Final = 5
"""Attachment method (MS-OXCMSG 2.2.2.9) of an embedded message."""
_DEEPEST: Final = 10
_LONGEST_HEADERS: Final = 1_000_000
_OWN_HEADERS: Final = re.compile(r"(content-.*|mime-version|x-mozilla.*)\Z", re.IGNORECASE)
_ROLES: Final = {1: "To", 2: "Cc", 3: "Bcc"}
_SIGNED_CLASSES: Final = ("ipm.note.smime.multipartsigned", "ipm.note.secure.sign")
_SEALED_CLASSES: Final = ("ipm.note.smime", "ipm.note.secure")
_OTHER_ITEMS: Final = re.compile(
    r"ipm\.(appointment|contact|task|stickynote|activity|distlist|schedule)\b"
)
_MIME: Final = re.compile(r"[A-Za-z0-9.+-]+/[A-Za-z0-9.+-]+")
_META_CHARSET: Final = re.compile(r"(<meta[^>]{0,200}?charset=[\"']?)([\w.:-]+)", re.IGNORECASE)


class OutlookFormat(ConvertedMail):
    """Outlook messages, rebuilt as Internet messages.

    The headers of the output are the transport headers if there are any, else sender, recipients,
    subject and date.
    """

    name = "msg"

    def convert(self, content: bytes) -> tuple[bytes, tuple[str, ...]]:
        """Convert a message; see ``convert_message``."""
        return convert_message(content)


def convert_message(content: bytes) -> tuple[bytes, tuple[str, ...]]:
    """Convert the Outlook message ``content``; return the message and notices.

    The same content gives the same bytes. The notices name content that has no place in an Internet
    message.

    A body in Rich Text alone becomes the HTML from which it was made, or plain text
    (``rich-text-as-plain``). Messages in the message, embedded or attached as files, become
    embedded messages. Raises ``DocumentError``: corrupt, signed, encrypted, too large (nested too
    deeply).
    """
    converter = _Converter()
    try:
        message = converter.convert(load_message(content), 0)
        target = io.BytesIO()
        lines = policy.compat32.clone(linesep="\r\n")
        BytesGenerator(target, mangle_from_=False, policy=lines).flatten(message)
        return target.getvalue(), tuple(converter.notices)
    except DocumentError:
        raise
    except Exception:  # noqa: BLE001 (the standard library refuses headers with errors of its own)
        raise DocumentError(DocumentFailure.CORRUPT) from None


class _Converter:
    """Builder of the parts; numbers the boundaries, which no encoded body can contain."""

    def __init__(self) -> None:
        self._boundaries = 0
        self.notices: list[str] = []

    def convert(self, item: OutlookItem, depth: int) -> Message:
        """Convert the message ``item``, unless it is sealed."""
        failure = _find_seal(item)
        if failure:
            raise DocumentError(failure)
        if depth > _DEEPEST:
            raise DocumentError(DocumentFailure.TOO_LARGE)
        if _OTHER_ITEMS.match(item.text(_CLASS).lower()):
            self.notices.append("outlook-item-as-message")
        found = [self._make_attachment(attached, depth) for attached in item.attachments]
        attachments = [part for part in found if part is not None]
        body, shown = self._make_body(item, attachments)
        others = [part for part in attachments if part not in shown]
        message = self._make_multipart("mixed", [body, *others])
        _add_headers(message, item)
        return message

    def _make_multipart(self, subtype: str, parts: list[Message]) -> Message:
        if len(parts) == 1:
            return parts[0]
        self._boundaries += 1
        multipart = MIMEMultipart(subtype, boundary=f"=-outlook-{self._boundaries}-=")
        for part in parts:
            if "MIME-Version" in part:
                del part["MIME-Version"]
            multipart.attach(part)
        return multipart

    def _make_body(
        self, item: OutlookItem, attachments: Sequence[Message]
    ) -> tuple[Message, list[Message]]:
        """Return the body in all its forms, and those ``attachments`` that its HTML shows."""
        page = encoding_of_page(item.number(INTERNET_CODE_PAGE) or 0)
        plain, content = item.body(_BODY, page), item.binary(_HTML)
        if content is None:
            html = item.body(_HTML, page)
        else:
            declared = _META_CHARSET.search(content[:4096].decode("latin-1"))
            html = item.decode(content, page if page != "ascii" or not declared else declared[2])
        rich = None if html else _read_rich_body(item, needed=not plain)
        text, origin = rich or ("", "")
        if origin == "html":
            html = text
        elif rich:
            plain = plain or text
            self.notices += ["rich-text-as-plain"] if origin == "rich" else []
        bodies = [_make_text_part(plain, "plain")] if plain or not html else []
        names = [str(each.get("Content-ID", "")).strip("<>") for each in attachments]
        shown = [
            each
            for each, name in zip(attachments, names, strict=True)
            if name and f"cid:{name}" in html
        ]
        if html:
            bodies.append(self._make_multipart("related", [_make_text_part(html, "html"), *shown]))
        return self._make_multipart("alternative", bodies), shown

    def _make_attachment(self, attachment: OutlookItem, depth: int) -> Message | None:
        embedded = attachment.embedded
        if embedded is not None and attachment.number(_METHOD) == _EMBEDDED:
            return MIMEMessage(self._make_inner_message(embedded, depth + 1))
        content = attachment.binary(_DATA)
        if content is None:  # an OLE object, or a pointer to a file elsewhere
            self.notices.append("attachment:unsupported")
            return None
        name = _first_text(attachment, _FILE_NAMES)
        if content.startswith(OLE_MAGIC) and OLE_MESSAGE in content:
            try:
                inner = MIMEMessage(self._make_inner_message(load_message(content), depth + 1))
            except DocumentError as error:
                self.notices.append(f"attachment:{error.failure.value}")
            else:
                _describe_attachment(inner, re.sub(r"(?i)\.msg\Z", ".eml", name), cited="")
                return inner
        mime_type = attachment.text(_MIME_TYPE)
        if not _MIME.fullmatch(mime_type) or mime_type.startswith(("multipart/", "message/")):
            mime_type = "application/octet-stream"
        part = _encode_base64(MIMEBase(*mime_type.split("/")), content)
        _describe_attachment(part, name, _join_lines(attachment.text(_CONTENT_ID)).strip("<> "))
        return part

    def _make_inner_message(self, item: OutlookItem, depth: int) -> Message:
        """Convert an embedded message; a sealed one is put together as it was sent.

        The sealed content is its one attachment: MIME that was signed, or a PKCS #7 structure.
        """
        if _find_seal(item) is None:
            return self.convert(item, depth)
        content = next((each.binary(_DATA) or b"" for each in item.attachments), b"")
        if re.match(rb"(?i)content-type:\s*multipart/signed", content):
            message = email.message_from_bytes(content)
        else:
            part = MIMEBase("application", "pkcs7-mime", name="smime.p7m")
            message = _encode_base64(part, content)
        _add_headers(message, item)
        return message


def _find_seal(item: OutlookItem) -> DocumentFailure | None:
    """Return the reason why a message may not be edited; None when it may."""
    name = item.text(_CLASS).lower()
    if name.startswith(_SIGNED_CLASSES):
        return DocumentFailure.SIGNED
    if not name.startswith(_SEALED_CLASSES):
        return None
    types = [attachment.text(_MIME_TYPE).lower() for attachment in item.attachments]
    signed = any("signed" in each for each in types)
    return DocumentFailure.SIGNED if signed else DocumentFailure.ENCRYPTED


def _read_rich_body(item: OutlookItem, *, needed: bool) -> tuple[str, str] | None:
    """Return the body in Rich Text, if there is one; raise for a damaged one only if ``needed``."""
    content = item.binary(_RICH_TEXT)
    if not content:
        return None
    try:
        return read_rich_body(decompress(content))
    except DocumentError:
        if needed:
            raise
        return None


def _make_text_part(text: str, subtype: str) -> Message:
    part = MIMENonMultipart("text", subtype, charset="utf-8")
    if subtype == "html":  # the part's charset counts; the text is no longer in that of the meta
        text = _META_CHARSET.sub(r"\1utf-8", text, count=1)
    payload = re.sub(r"\r\n|\r|\n", "\r\n", text.rstrip("\0")).encode("utf-8", "replace")
    return _encode_base64(part, payload)


def _encode_base64(part: Message, payload: bytes) -> Message:
    part["Content-Transfer-Encoding"] = "base64"
    part.set_payload(base64.encodebytes(payload).decode("ascii"))
    return part


def _describe_attachment(part: Message, name: str, cited: str) -> None:
    """Add the name of the file, and the Content-ID by which HTML shows it, if it does."""
    named = {"filename": name if name.isascii() else ("utf-8", "", name)} if name else {}
    part.add_header("Content-Disposition", "inline" if cited else "attachment", **named)
    if cited:
        part["Content-ID"] = f"<{cited}>"


def _add_headers(message: Message, item: OutlookItem) -> None:
    """Add the transport headers, and further known facts about the message."""
    travelled = HeaderParser().parsestr(item.text(_HEADERS)[:_LONGEST_HEADERS])
    headers = [(n, _join_lines(v)) for n, v in travelled.items() if not _OWN_HEADERS.match(n)]
    recipients: dict[str, list[str]] = {}
    for recipient in item.recipients:
        role = _ROLES.get(recipient.number(_RECIPIENT_ROLE) or 1, "To")
        addresses = _find_addresses(recipient, _RECIPIENT_ADDRESSES)
        person = _format_address(_join_lines(recipient.text(_RECIPIENT_NAME)), addresses)
        recipients.setdefault(role, []).append(person)
    sent, sender = item.date(_SUBMITTED), _find_addresses(item, _SENDER_ADDRESSES)
    known = {
        "From": _format_address(_first_text(item, _SENDER_NAME), sender),
        **{role: ", ".join(filter(None, people)) for role, people in recipients.items()},
        "Subject": _join_lines(item.text(_SUBJECT)),
        "Date": format_datetime(sent) if sent else "",
        "Message-ID": _join_lines(item.text(_IDENTIFIER)),
    }
    present = {name.lower() for name, _ in headers}
    headers += [(n, v) for n, v in known.items() if v and n.lower() not in present]
    for name, value in headers:
        if not name.isascii():
            continue
        message[name] = (
            value if value.isascii() else Header(value, "utf-8", header_name=name).encode()
        )
    if "MIME-Version" not in message:
        message["MIME-Version"] = "1.0"


def _find_addresses(item: OutlookItem, pids: Iterable[int]) -> list[str]:
    """Return the addresses in ``pids``, Internet addresses before those of Exchange."""
    found = filter(None, (_join_lines(item.text(pid)) for pid in pids))
    return sorted(found, key=lambda address: "@" not in address)


def _format_address(name: str, addresses: list[str]) -> str:
    if not addresses:
        return name
    quoted = re.sub(r'(["\\])', r"\\\1", name)
    return f'"{quoted}" <{addresses[0]}>' if name else f"<{addresses[0]}>"


def _first_text(item: OutlookItem, pids: Iterable[int]) -> str:
    """Return the first property of ``pids`` that is not empty, on one line."""
    return next(filter(None, (_join_lines(item.text(pid)) for pid in pids)), "")


def _join_lines(value: str) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in value).split())
