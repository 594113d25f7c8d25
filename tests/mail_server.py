"""A mail server on loopback for tests: what it takes in, it keeps."""

from __future__ import annotations

import ssl
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, Envelope

USER, PASSWORD = "operator", "correct horse battery staple"


class MailServer:
    """As a context manager it listens at ``port``; ``mails`` are those it accepted.

    With ``tls`` it speaks STARTTLS, and wants it before anything else; ``implicit``: TLS from the
    first byte. With ``login`` it takes mail of ``USER`` with ``PASSWORD`` alone.
    """

    def __init__(
        self, tls: ssl.SSLContext | None = None, *, implicit: bool = False, login: bool = False
    ) -> None:
        self.mails: list[EmailMessage] = []
        self.envelopes: list[Envelope] = []
        self.greetings: list[str] = []
        options: dict[str, Any] = {"hostname": "127.0.0.1", "port": 0}
        if tls is not None and implicit:
            options["ssl_context"] = tls
        elif tls is not None:
            options |= {"tls_context": tls, "require_starttls": True}
        if login:
            options |= {"authenticator": _authenticated, "auth_required": True}
            options["auth_require_tls"] = not implicit
        self._controller = _AnyPort(self, **options)

    async def handle_EHLO(  # noqa: N802 - the name that the library looks for
        self, _server: object, session: Any, _envelope: object, hostname: str, responses: list[str]
    ) -> list[str]:
        session.host_name = hostname
        self.greetings.append(hostname)
        return responses

    async def handle_DATA(self, _server: object, _session: object, envelope: Envelope) -> str:  # noqa: N802 - likewise
        content = envelope.content
        assert isinstance(content, bytes)
        mail = message_from_bytes(content, policy=policy.default)
        assert isinstance(mail, EmailMessage)
        self.mails.append(mail)
        self.envelopes.append(envelope)
        return "250 OK"

    @property
    def port(self) -> int:
        return int(self._controller.port)

    def __enter__(self) -> MailServer:
        self._controller.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._controller.stop()


class _AnyPort(Controller):
    """Learns its port before it tries itself out."""

    def _trigger_server(self) -> None:
        self.port = self.server.sockets[0].getsockname()[1]
        super()._trigger_server()


def _authenticated(
    server: object, session: object, envelope: object, mechanism: str, data: Any
) -> AuthResult:
    right = (data.login, data.password) == (USER.encode(), PASSWORD.encode())
    return AuthResult(success=right, handled=right)
