"""Another process that has the lock of a state folder until it is killed."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_HOLD = """
import sys
from pathlib import Path
from prism_core.state import StatePlace
with getattr(StatePlace(Path(sys.argv[2]), *sys.argv[3:]), sys.argv[1])():
    print("held", flush=True)
    sys.stdin.read()
"""


@contextmanager
def held(lock: str, folder: Path, *url: str) -> Iterator[subprocess.Popen[str]]:
    """A process with ``lock``, ``hold`` or ``share`` of ``StatePlace``."""
    with subprocess.Popen(
        [sys.executable, "-c", _HOLD, lock, str(folder), *url],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        yield holder
