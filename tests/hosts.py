"""Hosts of the tests' own: network namespaces of this machine, joined by a switch; for root.

Each host has an address, its own loopback, and a cable to the switch that can be pulled. Nothing of
it is seen from outside: the switch stands in a namespace, too.
"""

from __future__ import annotations

import ctypes
import os
import secrets
import signal
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

_NAMESPACES = Path("/run/netns")
_CLONE_NEWNET = 0x40000000
_NETWORK = "10.213.7"


@dataclass(frozen=True)
class Host:
    """A host at ``address``; ``namespace`` is its name to the kernel, ``cable`` its end of the
    switch."""

    namespace: str
    address: str
    cable: str
    switch: str

    @contextmanager
    def inside(self) -> Iterator[None]:
        """Let this thread be on the host: sockets and processes that it makes stay there."""
        with Path("/proc/thread-self/ns/net").open("rb") as home:
            _enter(_NAMESPACES / self.namespace)
            try:
                yield
            finally:
                _set_namespace(home.fileno())

    def enter(self) -> None:
        """Let this process be on the host for good; it has no other thread yet."""
        _enter(_NAMESPACES / self.namespace)

    def cut(self) -> None:
        """Pull the cable: packets are lost in both directions, and nobody is told."""
        _ip("-n", self.switch, "link", "set", self.cable, "down")

    def join(self) -> None:
        """Put the cable back."""
        _ip("-n", self.switch, "link", "set", self.cable, "up")

    def kill(self) -> int:
        """Kill every process on the host at once, as losing its power does; how many they were."""
        running = _ip("netns", "pids", self.namespace).split()
        for process in map(int, running):
            os.kill(process, signal.SIGKILL)
        return len(running)


@contextmanager
def hosts(count: int) -> Iterator[list[Host]]:
    """``count`` hosts on one switch; what still runs on them ends with the block."""
    assert os.geteuid() == 0, "network namespaces are made by root: run the tests as root"
    name = f"prism-{secrets.token_hex(3)}"
    switch = f"{name}-switch"
    with ExitStack() as made:
        _make_namespace(switch, made)
        _ip("-n", switch, "link", "add", "bridge", "type", "bridge")
        _ip("-n", switch, "link", "set", "bridge", "up")
        yield [_make_host(name, number, switch, made) for number in range(1, count + 1)]


def _make_host(name: str, number: int, switch: str, made: ExitStack) -> Host:
    host = Host(f"{name}-{number}", f"{_NETWORK}.{number}", f"port{number}", switch)
    _make_namespace(host.namespace, made)
    made.callback(host.kill)
    peer = ("peer", "name", "eth0", "netns", host.namespace)
    _ip("-n", switch, "link", "add", host.cable, "type", "veth", *peer)
    _ip("-n", switch, "link", "set", host.cable, "master", "bridge", "up")
    _ip("-n", host.namespace, "address", "add", f"{host.address}/24", "dev", "eth0")
    for link in ("lo", "eth0"):
        _ip("-n", host.namespace, "link", "set", link, "up")
    return host


def _make_namespace(name: str, made: ExitStack) -> None:
    _ip("netns", "add", name)
    made.callback(_ip, "netns", "delete", name)


def _ip(*arguments: str) -> str:
    ended = subprocess.run(["ip", *arguments], capture_output=True, text=True, check=False)
    assert ended.returncode == 0, f"ip {' '.join(arguments)}: {ended.stderr}"
    return ended.stdout


def _enter(namespace: Path) -> None:
    with namespace.open("rb") as file:
        _set_namespace(file.fileno())


def _set_namespace(descriptor: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    assert libc.setns(descriptor, _CLONE_NEWNET) == 0, os.strerror(ctypes.get_errno())
