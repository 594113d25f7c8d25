"""Helpers of all connections: recognition of this machine, and silencing of libraries."""

from __future__ import annotations

import ipaddress
import logging


def is_this_machine(host: str) -> bool:
    """Return True if ``host`` is a loopback address, or ``localhost``."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def silence(*libraries: str) -> None:
    """Disable all logging of these libraries, whatever the environment says: they log requests."""
    for name in libraries:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
