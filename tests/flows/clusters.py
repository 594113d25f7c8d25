"""A cluster of Dask as its owner starts one: a scheduler and workers, processes on loopback.

Whoever speaks with the scheduler does so through a port that keeps what passes: the run, and the
workers too.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

_PLAIN = {"DASK_DISTRIBUTED__COMM__COMPRESSION": "None", "DASK_DISTRIBUTED__SCHEDULER__PORT": "0"}
"""Nothing is compressed, so that it can be searched."""


@dataclass
class DaskCluster:
    """``port`` leads to the scheduler; ``passed`` are the bytes that went through it."""

    folder: Path
    environment: Mapping[str, str]
    port: int = 0
    passed: bytearray = field(default_factory=bytearray)
    processes: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    @property
    def address(self) -> str:
        return f"tcp://127.0.0.1:{self.port}"

    @property
    def workers(self) -> list[subprocess.Popen[bytes]]:
        return [each for name, each in self.processes.items() if name != "scheduler"]

    def start(self, stack: ExitStack, name: str, *arguments: str) -> None:
        """A program of Dask, which ends with ``stack``; what it says is in the folder."""
        with (self.folder / f"{name}.log").open("wb") as said:
            process = self.processes[name] = subprocess.Popen(
                [sys.executable, "-m", "dask", *arguments, "--no-dashboard"],
                env={**self.environment, **_PLAIN},
                cwd=self.folder,
                stdout=said,
                stderr=said,
            )
        stack.callback(_end, process)


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()


@contextmanager
def dask_cluster(
    folder: Path, workers: int, environment: Mapping[str, str] = os.environ
) -> Iterator[DaskCluster]:
    """A scheduler and ``workers`` with a slot each, which work in ``folder``."""
    folder.mkdir()
    cluster = DaskCluster(folder, environment)
    with ExitStack() as stack:
        port = free_port()
        where = ["--host", "127.0.0.1"]
        cluster.start(stack, "scheduler", "scheduler", *where, "--port", str(port))
        cluster.port = stack.enter_context(_keeping(port, cluster.passed))
        _wait_for(port)
        for number in range(workers):
            slots = ["--nthreads", "1", "--no-nanny", "--local-directory", str(folder)]
            name = f"worker-{number}"
            cluster.start(stack, name, "worker", cluster.address, *where, "--name", name, *slots)
        yield cluster


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _wait_for(port: int, seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.1)
    raise TimeoutError


@contextmanager
def _keeping(to_port: int, kept: bytearray) -> Iterator[int]:
    """A port that leads to ``to_port``; what passes, either way, is added to ``kept``."""

    def carry(source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while received := source.recv(65_536):
                kept.extend(received)
                target.sendall(received)
        for end in (source, target):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def serve() -> None:
        with suppress(OSError):
            while True:
                here, _ = server.accept()
                there = socket.create_connection(("127.0.0.1", to_port))
                for way in ((here, there), (there, here)):
                    threading.Thread(target=carry, args=way, daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=serve, daemon=True).start()
        yield int(server.getsockname()[1])
