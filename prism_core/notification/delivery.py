"""Delivery of a notice by webhook, mail and a metrics file, within a time limit; it never raises.

With a secret, the header ``X-Prism-Signature`` of a webhook is ``t=SECONDS,v1=HEX``: HMAC-SHA256
under the secret of ``SECONDS.BODY``, so that a receiver can refuse forged and old ones.

Entry: ``deliver``; then ``post_webhook``, ``send_mail`` and ``write_metrics``, the
``configured_channels``.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import smtplib
import ssl
import threading
import time
from collections.abc import Callable, Mapping
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid
from urllib.parse import urlsplit

from prism_core.connections import is_this_machine, silence
from prism_core.files import atomic_write
from prism_core.notification.notice import Notice
from prism_core.settings import NotifySettings

SIGNATURE = "X-Prism-Signature"
_GREETING = "[127.0.0.1]"
"""Name given to a mail server instead of this machine's, which is private, and slow to find out."""
_NOT_SENT = "the summary of the run could not be sent by {}: {}; see [notify] in the settings"
Channel = Callable[[NotifySettings, Notice, Mapping[str, str]], None]


class NotDelivered(Exception):
    """Error raised when a notice did not arrive; its message has no address and no foreign text."""


def configured_channels(settings: NotifySettings) -> dict[str, Channel]:
    """Return the channels that are set up, by their names for people."""
    channels: dict[str, tuple[Channel, object]] = {
        "webhook": (post_webhook, settings.webhook),
        "mail": (send_mail, settings.mail_to),
        "metrics_file": (write_metrics, settings.metrics_file),
    }
    return {name: channel for name, (channel, target) in channels.items() if target}


def deliver(
    settings: NotifySettings, notice: Notice, environment: Mapping[str, str]
) -> tuple[str, ...]:
    """Send ``notice`` through the configured channels; return one line for each that failed.

    All channels together have ``settings.timeout_seconds``: each has a thread that is not awaited
    for longer. The libraries limit only single steps; a server that answers one byte at a time
    would never time out. ``environment`` has the secrets that the settings name.
    """
    channels = configured_channels(settings)
    problems = dict.fromkeys(channels, "it took too long")

    def attempt(name: str, arguments: Channel) -> None:
        try:
            arguments(settings, notice, environment)
            problems[name] = ""
        except NotDelivered as error:
            problems[name] = str(error)
        except Exception as error:  # noqa: BLE001 - a notice must not end the run; no foreign text
            problems[name] = f"an internal error of PRISM ({type(error).__name__})"

    threads = [
        threading.Thread(target=attempt, args=arguments, daemon=True)
        for arguments in channels.items()
    ]
    for thread in threads:
        thread.start()
    until = time.monotonic() + settings.timeout_seconds
    for thread in threads:
        thread.join(max(until - time.monotonic(), 0))
    return tuple(_NOT_SENT.format(*problem) for problem in problems.items() if problem[1])


def write_metrics(settings: NotifySettings, notice: Notice, _environment: object) -> None:
    """Write ``metrics_file`` atomically, for everybody to read; raises ``NotDelivered``."""
    file = settings.metrics_file
    if file is None:
        return
    try:
        with atomic_write(file) as whole:
            whole.write(notice.to_metrics().encode())
            os.fchmod(whole.fileno(), 0o644)
    except OSError as error:
        raise NotDelivered(error.strerror or "it cannot be written") from None


def send_mail(settings: NotifySettings, notice: Notice, environment: Mapping[str, str]) -> None:
    """Hand ``notice`` to the mail server over verified TLS; raises ``NotDelivered``."""
    try:
        host, port, limit = settings.smtp_host or "", settings.smtp_port, settings.timeout_seconds
        context = ssl.create_default_context()
        server = (
            smtplib.SMTP_SSL(host, port, _GREETING, timeout=limit, context=context)
            if settings.smtp_security == "tls"
            else smtplib.SMTP(host, port, _GREETING, timeout=limit)
        )
        with server:
            if settings.smtp_security == "starttls":
                server.starttls(context=context)
            if settings.smtp_user and settings.smtp_password_env:
                password = secret_from(environment, settings.smtp_password_env)
                server.login(settings.smtp_user, password)
            refused = server.send_message(_mail(settings, notice))
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


def _mail(settings: NotifySettings, notice: Notice) -> EmailMessage:
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


def post_webhook(settings: NotifySettings, notice: Notice, environment: Mapping[str, str]) -> None:
    """Send ``notice`` to the webhook once, without redirects; raises ``NotDelivered``."""
    address, body = settings.webhook or "", notice.to_json()
    headers = {"Content-Type": "application/json", "User-Agent": "prism"}
    if settings.webhook_secret_env:
        secret = secret_from(environment, settings.webhook_secret_env)
        headers[SIGNATURE] = signature(secret.encode(), body, int(time.time()))
    import httpx2  # here, where it is set up

    silence("httpx2", "httpcore2")
    local = is_this_machine(urlsplit(address).hostname or "")
    limit = settings.timeout_seconds
    try:
        with (
            httpx2.Client(trust_env=not local, timeout=limit) as client,
            client.stream(
                "POST", address, content=body, headers=headers, follow_redirects=False
            ) as response,
        ):
            status = response.status_code
    except (httpx2.HTTPError, httpx2.InvalidURL, OSError):
        status = 0
    if not status:
        raise NotDelivered("it cannot be reached, or its certificate is not trusted")
    if not 200 <= status < 300:
        raise NotDelivered(f"it answered with status {status}")


def signature(secret: bytes, body: bytes, seconds: int) -> str:
    """Return the signature that a receiver computes to compare (``hmac.compare_digest``)."""
    signed = hmac.new(secret, f"{seconds}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={seconds},v1={signed}"


def secret_from(environment: Mapping[str, str], variable: str) -> str:
    """Return the secret in ``variable``; raise ``NotDelivered`` when there is none."""
    if secret := environment.get(variable, "").strip():
        return secret
    raise NotDelivered(f"the environment variable {variable} is not set")
