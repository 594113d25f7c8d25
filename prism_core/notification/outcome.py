"""What a way of delivery says of a notice that did not arrive, and how it finds its secrets."""

from __future__ import annotations

from collections.abc import Mapping


class NotDelivered(Exception):
    """A notice did not arrive; the message says why, without addresses and foreign words."""


def secret_from(environment: Mapping[str, str], variable: str) -> str:
    """The secret in ``variable``; raises ``NotDelivered`` when there is none."""
    if secret := environment.get(variable, "").strip():
        return secret
    raise NotDelivered(f"the environment variable {variable} is not set")
