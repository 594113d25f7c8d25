"""A notice as one POST request, signed if there is a secret to sign it with.

With a secret, the header ``X-Prism-Signature`` is ``t=SECONDS,v1=HEX``: HMAC-SHA256 under the
secret of ``SECONDS.BODY``, so that a receiver can refuse forged and old ones.
"""

from __future__ import annotations

import hashlib
import hmac
import time
from collections.abc import Mapping
from urllib.parse import urlsplit

import httpx2

from prism_core.connections import is_this_machine, silence
from prism_core.notification.notice import NotDelivered, Notice, secret_from
from prism_core.settings import NotifySettings

SIGNATURE = "X-Prism-Signature"


def post(settings: NotifySettings, notice: Notice, environment: Mapping[str, str]) -> None:
    """Send ``notice`` to the webhook, once. Raises ``NotDelivered``.

    Redirects are not followed, and the answer is not read but for its status.
    """
    address, body = settings.webhook or "", notice.to_json()
    headers = {"Content-Type": "application/json", "User-Agent": "prism"}
    if settings.webhook_secret_env:
        secret = secret_from(environment, settings.webhook_secret_env)
        headers[SIGNATURE] = signature(secret.encode(), body, int(time.time()))
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
    """What a receiver computes from body and secret, to compare (``hmac.compare_digest``)."""
    signed = hmac.new(secret, f"{seconds}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={seconds},v1={signed}"
