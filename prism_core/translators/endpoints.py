"""The address of a provider, the key for it, and the codes it uses for languages.

All of them are checked when a translator is made, before it is used.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from prism_core.connections import is_this_machine
from prism_core.errors import Misconfigured
from prism_core.settings import KeyedSettings, ServerSettings, ServiceSettings


@dataclass(frozen=True, slots=True)
class Address:
    """Address of a provider; ``url`` has no trailing slash, ``local`` means this machine."""

    url: str
    host: str
    local: bool

    @property
    def is_bare(self) -> bool:
        """True if the address is a host alone, without a path."""
        return not urlsplit(self.url).path


def address_of(settings: ServerSettings, default: str) -> Address:
    """Return the address in the settings, or ``default``. Raises ``Misconfigured``."""
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


def key_of(settings: KeyedSettings, default: str, *, needed: bool = True) -> str:
    """Return the key from the environment variable of the settings, or else of ``default``.

    Returns "" if no key is set and none is ``needed``. Raises ``Misconfigured`` when a needed key
    is missing or a key cannot be sent; the message holds the variable's name only.
    """
    variable = settings.api_key_env or default
    key = os.environ.get(variable, "").strip()
    if not key and needed:
        raise Misconfigured(
            f"The environment variable {variable} with the key of the translator is not set. "
            "Set it, or name another one in translator.api_key_env."
        )
    if not (key.isascii() and key.isprintable()):
        raise Misconfigured(f"The environment variable {variable} does not hold a valid key.")
    return key


def target_code(settings: ServiceSettings, target: str, codes: Mapping[str, str]) -> str:
    """Return ``translator.target_code`` if set, else the entry of ``codes`` for ``target``.

    A target without an entry is its own code. Raises ``Misconfigured`` when the setting is of
    another language than ``target``.
    """
    known = codes.get(target, target)
    chosen = settings.target_code
    if chosen is None:
        return known
    if _language(chosen) not in {target, _language(known)}:
        raise Misconfigured(
            f"translator.target_code is {chosen}, but the translation is to be into {target}."
        )
    return chosen


def _language(code: str) -> str:
    return code.replace("_", "-").partition("-")[0].lower()
