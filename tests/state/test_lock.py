"""One run at a time, and never a lock that outlives its run."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from prism_core.errors import StoreInUse
from prism_core.state import StatePlace, lock
from tests.state.holding import held


def test_another_process_is_refused_until_the_first_is_killed(tmp_path: Path) -> None:
    with held("hold", tmp_path) as holder:
        with pytest.raises(StoreInUse), StatePlace(tmp_path).hold():
            pass
        holder.kill()
        holder.wait()
    with StatePlace(tmp_path).hold():
        pass


def test_a_child_of_a_killed_run_does_not_keep_the_lock(tmp_path: Path) -> None:
    script = (
        "import os, signal, sys, time\n"
        "from pathlib import Path\n"
        "from prism_core.state import StatePlace\n"
        "with StatePlace(Path(sys.argv[1])).hold():\n"
        "    if os.fork() == 0:\n"
        "        sys.stdin.read()\n"
        "        os._exit(0)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path)], stdin=subprocess.PIPE
    ) as run:
        run.wait()
        with StatePlace(tmp_path).hold():
            pass


def test_a_run_begins_when_the_last_worker_of_a_killed_one_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with held("share", tmp_path) as worker:
        with StatePlace(tmp_path).share():
            pass
        monkeypatch.setattr(lock, "_WORKERS_END", 0.1)
        with pytest.raises(StoreInUse), StatePlace(tmp_path).hold():
            pass
        monkeypatch.setattr(lock, "_WORKERS_END", 60)
        threading.Timer(0.3, worker.kill).start()
        with StatePlace(tmp_path).hold():
            assert worker.wait() < 0
    with StatePlace(tmp_path).hold(), StatePlace(tmp_path).share():
        pass


def test_a_thread_of_the_same_process_is_refused_too(tmp_path: Path) -> None:
    refused = []

    def second() -> None:
        try:
            with StatePlace(tmp_path).hold():
                pass
        except StoreInUse as error:
            refused.append(error)

    with StatePlace(tmp_path).hold():
        for _ in range(2):
            thread = threading.Thread(target=second)
            thread.start()
            thread.join()
    assert len(refused) == 2
    with StatePlace(tmp_path).hold():
        pass
