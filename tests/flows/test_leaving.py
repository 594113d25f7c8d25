"""The command ends without taking its memory apart, but leaves nothing else undone."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
COMMAND = """
import atexit, sys, threading, time
from types import SimpleNamespace

def last():
    time.sleep(0.3)
    sys.stdout.write("thread ")
    atexit.register(sys.stdout.write, "handler ")

class Kept:
    def __del__(self):
        sys.stdout.write("taken apart ")

def begin():
    threading.Thread(target=last).start()
    raise SystemExit(CODE)

kept = Kept()
sys.modules["flows.command.cli"] = SimpleNamespace(main=begin)
from flows.command import main
main()
"""


def run(code: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", COMMAND.replace("CODE", code)]
    variables = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": ""}
    return subprocess.run(command, env=variables, capture_output=True, text=True)


def test_threads_end_handlers_are_called_and_all_that_was_printed_arrives() -> None:
    ended = run("5")
    assert (ended.returncode, ended.stdout) == (5, "thread handler ")


def test_what_ends_without_a_code_ends_as_any_program() -> None:
    ended = run("'no number'")
    assert ended.returncode == 1
    assert ended.stdout == "thread handler taken apart "
    assert "no number" in ended.stderr
