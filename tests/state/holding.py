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
from prism_core.state import lock
with getattr(lock, sys.argv[1])(Path(sys.argv[2]), *sys.argv[3:]):
    print("held", flush=True)
    sys.stdin.read()
"""


@contextmanager
def held(lock: str, folder: Path, *url: str) -> Iterator[subprocess.Popen[str]]:
    """A process with ``lock``, the name of one of ``prism_core.state.lock``."""
    with subprocess.Popen(
        [sys.executable, "-c", _HOLD, lock, str(folder), *url],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        yield holder
