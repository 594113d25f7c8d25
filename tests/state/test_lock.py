"""One run at a time, and never a lock that outlives its run."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from prism_core.errors import StoreInUse
from prism_core.state import lock
from prism_core.state.lock import exclusive, working
from tests.state.holding import held


def test_another_process_is_refused_until_the_first_is_killed(tmp_path: Path) -> None:
    with held("exclusive", tmp_path) as holder:
        with pytest.raises(StoreInUse), exclusive(tmp_path):
            pass
        holder.kill()
        holder.wait()
    with exclusive(tmp_path):
        pass


def test_a_child_of_a_killed_run_does_not_keep_the_lock(tmp_path: Path) -> None:
    script = (
        "import os, signal, sys, time\n"
        "from pathlib import Path\n"
        "from prism_core.state.lock import exclusive\n"
        "with exclusive(Path(sys.argv[1])):\n"
        "    if os.fork() == 0:\n"
        "        sys.stdin.read()\n"
        "        os._exit(0)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path)], stdin=subprocess.PIPE
    ) as run:
        run.wait()
        with exclusive(tmp_path):
            pass


def test_a_run_begins_when_the_last_worker_of_a_killed_one_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with held("working", tmp_path) as worker:
        with working(tmp_path):
            pass
        monkeypatch.setattr(lock, "_WORKERS_END", 0.1)
        with pytest.raises(StoreInUse), exclusive(tmp_path):
            pass
        monkeypatch.setattr(lock, "_WORKERS_END", 60)
        threading.Timer(0.3, worker.kill).start()
        with exclusive(tmp_path):
            assert worker.wait() < 0
    with exclusive(tmp_path), working(tmp_path):
        pass


def test_a_thread_of_the_same_process_is_refused_too(tmp_path: Path) -> None:
    refused = []

    def second() -> None:
        try:
            with exclusive(tmp_path):
                pass
        except StoreInUse as error:
            refused.append(error)

    with exclusive(tmp_path):
        for _ in range(2):
            thread = threading.Thread(target=second)
            thread.start()
            thread.join()
    assert len(refused) == 2
    with exclusive(tmp_path):
        pass
