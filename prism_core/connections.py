"""What all connections know of hosts: which is this machine, and who keeps quiet about them."""

from __future__ import annotations

import ipaddress
import logging


def is_this_machine(host: str) -> bool:
    """Whether ``host`` is a loopback address, or the name of one."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def silence(*libraries: str) -> None:
    """No word of these libraries in any log, whatever the environment says: they log requests."""
    for name in libraries:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
