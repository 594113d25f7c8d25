"""Client of a server process that loads once and forks a child for each connection.

Entry: ``ForkServer.connect``; it starts the process (``server_process``) when there is none, and
gives a ``Child`` with a connection to it. The server ends when its control connection closes,
however the caller ended, and all its children are killed with it, by the kernel if need be.
"""

from __future__ import annotations

import os
import select
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import astuple
from multiprocessing.connection import Connection, Pipe
from typing import Final

from prism_core.processes.kernel_limits import KernelLimits

_REQUEST: Final = struct.Struct("!?ddQQ")
"""Flag whether a child is limited, and its ``KernelLimits``."""
SERVER_MODULE: Final = "prism_core.processes.server_process"
_GRACE: Final = 5.0
"""Seconds for the server to end before it is killed: it may still be loading."""


class ServerLostError(Exception):
    """Error raised when the server process ended, or could not be started."""


class Child:
    """A running child: it answers each message over ``connection``; closing it ends the child."""

    def __init__(self, connection: Connection, status: int) -> None:
        self.connection = connection
        self._status = status

    def close(self) -> None:
        """Abandon the child."""
        self.connection.close()
        if self._status >= 0:
            os.close(self._status)
            self._status = -1

    def limit_waiting(self, seconds: float) -> None:
        """Let each wait for the child end after ``seconds``, with a ``BlockingIOError``."""
        limit = struct.pack("@ll", int(seconds), int(seconds % 1 * 1e6))
        with socket.socket(fileno=os.dup(self.connection.fileno())) as end:
            end.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, limit)
            end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, limit)

    def exit_code(self, seconds: float) -> int | None:
        """Return the child's exit code (minus its signal) within ``seconds``, or None."""
        waiting = select.poll()
        waiting.register(self._status, select.POLLIN)
        if not waiting.poll(seconds * 1000):
            return None
        report = os.read(self._status, 4)
        if len(report) < 4:
            raise ServerLostError
        code: int = struct.unpack("!i", report)[0]
        return code


class ForkServer:
    """A server process that runs ``load`` and forks children that answer requests; thread-safe.

    ``answer`` makes a reply of a request; ``load`` runs in the server, before the first child. Both
    are found by their names, so they belong to modules, which the server imports (a ``partial`` of
    such a function will do). ``environment`` gives that of the server and its children, in addition
    to what Python needs to find the modules. ``name``, that of ``answer``, ends its command line.
    """

    def __init__(
        self,
        answer: Callable[[bytes], bytes],
        environment: Callable[[], Mapping[str, str]],
        load: Callable[[], object] | None = None,
    ) -> None:
        self.name = f"{answer.__module__}.{answer.__qualname__}"
        self._answer = answer
        self._environment = environment
        self._load = load
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._control: Connection | None = None
        self._owner = os.getpid()

    def connect(self, limits: KernelLimits | None = None) -> Child:
        """Start a new child within ``limits``. Raises ``ServerLostError``."""
        own_end, child_end = Pipe()
        status, end = os.pipe()
        try:
            with self._lock, child_end, os.fdopen(end, "wb") as status_end:
                for _ in range(2):
                    with suppress(OSError):  # it ended since the last call
                        _send_child(
                            self._ensure_running(), limits, child_end.fileno(), status_end.fileno()
                        )
                        return Child(own_end, status)
                    self._discard()
                raise ServerLostError
        except BaseException:
            own_end.close()
            os.close(status)
            raise

    def stop(self) -> None:
        """End the server and its children; the next call starts another."""
        with self._lock:
            self._discard()

    def _ensure_running(self) -> Connection:
        """Return the connection to the server, which is started if there is none."""
        server = self._process if self._owner == os.getpid() else None
        if self._control is not None and server is not None and server.poll() is None:
            return self._control
        self._discard()
        control, remote = Pipe()
        folders = [folder or os.getcwd() for folder in sys.path]  # noqa: PTH109 (a plain string)
        with remote:
            server = subprocess.Popen(  # noqa: S603 (our own module, no shell)
                # -P: nothing is imported from the folder PRISM is started in
                [sys.executable, "-P", "-m", SERVER_MODULE, str(remote.fileno()), self.name],
                pass_fds=(remote.fileno(),),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env={**self._environment(), "PYTHONPATH": os.pathsep.join(folders)},
                start_new_session=True,  # Ctrl-C is for the caller, who then closes the connection
            )
        self._control, self._process, self._owner = control, server, os.getpid()
        control.send((self._load, self._answer))
        return control

    def _discard(self) -> None:
        """Close the control connection, which ends the server and its children."""
        if self._control is not None:
            self._control.close()
        if self._process is not None and self._owner == os.getpid():
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(timeout=_GRACE)
            self._process.kill()
            self._process.wait()
        self._process = self._control = None


def _send_child(control: Connection, limits: KernelLimits | None, *handles: int) -> None:
    """Request a child within ``limits``, which gets ``handles``, in one message."""
    bounds = astuple(limits) if limits else (0.0, 0.0, 0, 0)
    with socket.socket(fileno=os.dup(control.fileno())) as end:
        socket.send_fds(end, [_REQUEST.pack(limits is not None, *bounds)], handles)


def take_child(control: Connection) -> tuple[KernelLimits | None, int, int]:
    """Receive a request for a child, in the server; raises ``EOFError`` without a caller."""
    with socket.socket(fileno=os.dup(control.fileno())) as end:
        request, handles, _, _ = socket.recv_fds(end, _REQUEST.size, 2)
    if len(request) < _REQUEST.size:
        raise EOFError
    is_limited, *bounds = _REQUEST.unpack(request)
    connection, status = handles
    return KernelLimits(*bounds) if is_limited else None, connection, status
