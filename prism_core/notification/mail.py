"""A notice as one mail, handed to a server of the operator's over TLS."""

from __future__ import annotations

import smtplib
import ssl
from collections.abc import Mapping
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid

from prism_core.notification.notice import NotDelivered, Notice, secret_from
from prism_core.settings import NotifySettings

_GREETING = "[127.0.0.1]"
"""Said instead of this machine's name, which is nobody's business, and slow to find out."""


def send(settings: NotifySettings, notice: Notice, environment: Mapping[str, str]) -> None:
    """Hand ``notice`` to the mail server for every recipient. Raises ``NotDelivered``.

    The server's certificate is verified, and no password goes out before it was.
    """
    try:
        with _connect(settings) as server:
            if settings.smtp_security == "starttls":
                server.starttls(context=ssl.create_default_context())
            if settings.smtp_user and settings.smtp_password_env:
                password = secret_from(environment, settings.smtp_password_env)
                server.login(settings.smtp_user, password)
            refused = server.send_message(_message(settings, notice))
    except ssl.SSLError:
        problem = "the certificate of the mail server is not trusted"
    except smtplib.SMTPAuthenticationError:
        problem = "the mail server refuses the user or the password"
    except smtplib.SMTPNotSupportedError:
        problem = "the mail server does not offer what smtp_security or smtp_user asks for"
    except smtplib.SMTPResponseException as error:
        problem = f"the mail server refuses it ({error.smtp_code})"
    except (smtplib.SMTPException, OSError, UnicodeError):
        problem = "the mail server cannot be reached, or refuses every recipient"
    else:
        problem = "the mail server refuses some recipients" if refused else ""
    if problem:
        raise NotDelivered(problem)


def _connect(settings: NotifySettings) -> smtplib.SMTP:
    host, port = settings.smtp_host or "", settings.smtp_port
    limit = settings.timeout_seconds
    if settings.smtp_security == "tls":
        context = ssl.create_default_context()
        return smtplib.SMTP_SSL(host, port, _GREETING, timeout=limit, context=context)
    return smtplib.SMTP(host, port, _GREETING, timeout=limit)


def _message(settings: NotifySettings, notice: Notice) -> EmailMessage:
    sender = settings.mail_from or ""
    message = EmailMessage()
    message["From"] = sender
    message["To"] = ", ".join(settings.mail_to)
    message["Subject"] = notice.title
    message["Date"] = format_datetime(notice.ended)
    message["Message-ID"] = make_msgid(domain=sender.rpartition("@")[2])
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(notice.to_text())
    return message
