"""Where a provider is and with which key: checked when a translator is made, before it is used."""

from __future__ import annotations

import ipaddress
import logging
import os
from dataclasses import dataclass
from urllib.parse import urlsplit

from prism_core.errors import Misconfigured
from prism_core.settings.translators import TranslatorSettings


@dataclass(frozen=True, slots=True)
class Address:
    """A provider's address: ``url`` has no slash at its end, ``local`` means this machine."""

    url: str
    host: str
    local: bool

    @property
    def is_bare(self) -> bool:
        """Whether it is a host alone, without a path."""
        return not urlsplit(self.url).path


def address_of(settings: TranslatorSettings, default: str) -> Address:
    """The address in the settings, or ``default``; one that would expose texts is refused."""
    base_url = default if settings.base_url is None else settings.base_url
    try:
        parts = urlsplit(base_url)
        host = parts.hostname or ""
        _ = parts.port
    except ValueError:
        raise Misconfigured("translator.base_url is not an address.") from None
    if parts.scheme not in {"http", "https"} or not host:
        raise Misconfigured("translator.base_url must start with https:// and name a host.")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise Misconfigured("translator.base_url must hold no credentials, query or fragment.")
    local = is_this_machine(host)
    if parts.scheme == "http" and not local and not settings.allow_plain_http:
        raise Misconfigured(
            f"translator.base_url would send texts and key to {host} unencrypted. Use https://, "
            "or set translator.allow_plain_http = true if the network in between is yours."
        )
    return Address(base_url.rstrip("/"), host, local)


def key_of(settings: TranslatorSettings, default: str, *, needed: bool = True) -> str:
    """The key from the environment variable of the settings, or ``default``; "" if none is needed.

    Raises ``Misconfigured`` when it is missing or cannot be sent; the message has its name only.
    """
    variable = settings.api_key_env or default
    key = os.environ.get(variable, "").strip()
    if not key and needed:
        raise Misconfigured(
            f"The environment variable {variable} with the key of the translator is not set. "
            "Set it, or name another one in translator.api_key_env."
        )
    if not (key.isascii() and key.isprintable()):
        raise Misconfigured(f"What the environment variable {variable} holds is not a key.")
    return key


def silence(*libraries: str) -> None:
    """No word of these libraries in any log, whatever the environment says: they log requests."""
    for name in libraries:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)


def is_this_machine(host: str) -> bool:
    """Whether ``host`` is a loopback address, or the name of one."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
