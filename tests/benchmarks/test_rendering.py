"""LibreOffice lays out many files at once, and one that it cannot take costs nothing but time."""

import os
import time
from pathlib import Path

import pytest

from benchmarks import rendering
from benchmarks.rendering import ProgramMissingError, converted, pages, program


def processes_with(word):
    """The processes whose command line holds ``word``."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if word.encode() in (folder / "cmdline").read_bytes():
                found.append(folder.name)
        except OSError:
            continue
    return found


def test_files_of_one_name_are_told_apart_and_the_hopeless_are_none(tmp_path):
    files = []
    for name, text in {"a": "One.", "b": "Two." + "\n" * 200 + "Three."}.items():
        (tmp_path / name).mkdir()
        files.append(tmp_path / name / "same.txt")
        files[-1].write_text(text)
    broken = tmp_path / "broken.docx"
    broken.write_bytes(b"PK\x03\x04 not a package")
    first, none, second = converted([files[0], broken, files[1]], tmp_path / "pdf")
    assert none is None
    assert (pages(first), pages(second) > 2) == (1, True)


def test_a_program_that_takes_too_long_is_ended_with_all_it_started(tmp_path, monkeypatch):
    hanging = tmp_path / "bin" / "soffice"
    hanging.parent.mkdir()
    mark = f"86400.{os.getpid()}"
    hanging.write_text(f"#!/bin/sh\nsleep {mark} &\nsleep {mark}\n")
    hanging.chmod(0o755)
    monkeypatch.setenv("PATH", f"{hanging.parent}:{os.environ['PATH']}")
    file = tmp_path / "a.txt"
    file.write_text("One.")
    assert converted([file], tmp_path / "pdf", seconds=0.5) == [None]
    until = time.monotonic() + 10  # the kernel takes its time on a busy machine
    while processes_with(mark) and time.monotonic() < until:
        time.sleep(0.05)
    assert processes_with(mark) == []


def test_a_missing_program_is_named(monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(ProgramMissingError, match=r"soffice is missing.*ensure-programs"):
        program("soffice")


def test_profile_and_staged_files_are_gone_afterwards(tmp_path, monkeypatch):
    monkeypatch.setattr(rendering.tempfile, "tempdir", str(tmp_path))
    file = tmp_path / "a.txt"
    file.write_text("One.")
    converted([file], tmp_path / "pdf")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.txt", "pdf"]
