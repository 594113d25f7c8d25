"""What the tests of `processes` let a child answer: found there by name."""

import os
import signal
import socket
import time
from pathlib import Path

loaded = []


def load():
    loaded.append(os.getpid())


def who(request: bytes) -> bytes:
    """The process, its server, and the one that loaded."""
    return f"{os.getpid()} {os.getppid()} {loaded[0] if loaded else 0}".encode()


def load_much():
    """Leave a gap of 64 MB below what stays, as loading a dictionary does."""
    parts = [bytes(4096) for _ in range(16_000)]
    loaded.append(parts.pop())


def held(request: bytes) -> bytes:
    """The kilobytes that this process and its server have written to."""
    lines = Path("/proc/self/smaps_rollup").read_text(encoding="ascii").splitlines()
    return next(line.split()[1] for line in lines if line.startswith("Anonymous")).encode()


def misbehave(request: bytes) -> bytes:
    """End in the way that ``request`` names, or stay without ever answering."""
    if request == b"cut off":  # alive, but nobody hears of it any more
        os.closerange(3, 256)
    elif request == b"killed":
        os.kill(os.getpid(), signal.SIGKILL)
    elif request == b"left":
        os._exit(7)
    elif request == b"connect":
        socket.socket(socket.AF_INET).close()
        return b"connected"
    while True:
        time.sleep(60)
