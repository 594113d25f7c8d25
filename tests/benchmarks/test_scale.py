"""The archive that grows, and how the benchmark tells the parts of a run from each other."""

import json
import math
import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.processes import Usage
from benchmarks.scale import Measured, Setting, overheads, row
from benchmarks.scale_archive import LINES, echo_dictionary, shared_lines, write_archive
from benchmarks.scale_shares import Parts, rows
from prism_core.dictionary import load_dictionary
from tests.shared_data import SHARED_DATA


@pytest.fixture(autouse=True)
def _shared(monkeypatch):
    monkeypatch.setattr("benchmarks.scale_archive.SHARED", SHARED_DATA)


def contents(folder):
    """Every file of ``folder`` but Word's, which holds the time it was made."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(f.relative_to(folder)): f.suffix == ".docx" or f.read_bytes() for f in files}


def test_a_larger_archive_is_a_smaller_one_and_more(tmp_path):
    small = contents(write_archive(tmp_path / "small", 6))
    large = contents(write_archive(tmp_path / "large", 9))
    assert small.items() < large.items()
    assert sorted({Path(name).suffix for name in small}) == [".docx", ".eml", ".txt"]


def test_no_line_of_the_archive_stands_twice_in_it():
    lines = shared_lines()
    assert len(lines) == len(set(lines)) >= 5000 * LINES
    assert lines != sorted(lines)


def test_more_documents_than_there_is_text_for_are_refused(tmp_path):
    with pytest.raises(SystemExit, match=r"different lines for [\d,]+ documents, not 1,000,000"):
        write_archive(tmp_path / "in", 1_000_000)


def test_the_command_translates_the_whole_archive_and_is_measured(tmp_path):
    """In a process of its own: it waits for every child that it has."""
    options = ("--sizes", "3", "--lines", "4", "--repeats", "1", "--json")
    variables = {"PRISM_SHARED_DATA": str(SHARED_DATA), "TMPDIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.scale", *options],
        env=os.environ | variables,
        capture_output=True,
        text=True,
        check=True,
    )
    [found] = json.loads(done.stdout)
    assert (found["documents"], found["exit_code"]) == (3, 0)
    assert found["sentences"] >= 12
    assert 0 < found["first_line"] < found["seconds"]
    assert found["cpu_seconds"] > 0.5
    assert found["peak_mb"] > 100
    assert found["largest_mb"] > 100
    assert not list(tmp_path.glob("prism-scale-*"))


def test_start_up_is_taken_out_of_what_a_document_costs():
    def ran(seconds):
        usage = Usage(0, "", seconds, 0.3, seconds + 1, 250.0, 2, 200.0)
        return Measured(8, (usage,))

    stated = row(Setting("local", 1, "fake", 8), 11, replace(ran(8.0), sentences=88), ran(3.0))
    assert stated["seconds_per_document"] == 0.5
    assert stated["cpu_per_document"] == 0.5
    assert stated["cpu_per_1000_sentences"] == 1000 * 5 / 80


def test_the_dictionary_of_the_fake_translator_leaves_every_word_as_it_is(tmp_path):
    dictionary = load_dictionary(echo_dictionary(tmp_path / "echo.parquet"), "fake")
    assert len(dictionary) > 10_000
    assert all(entry.forms.texts[0] == entry.word for entry in dictionary)
    assert {name for names in dictionary.names.values() for name in names}


def test_the_second_engine_is_compared_with_the_first_at_the_same_size():
    def of(engine, documents, seconds):
        return {
            "engine": engine,
            "workers": 1,
            "documents": documents,
            "cpu_seconds": seconds,
        }

    measured = [of("local", 10, 2.0), of("local", 100, 5.0), of("prefect", 10, 14.5)]
    [more] = overheads(measured)
    assert (more["documents"], more["overhead_cpu_seconds"]) == (10, 12.5)
    assert list(overheads(measured[:2])) == []


def busy(seconds):
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass


class Worker:
    def outer(self):
        busy(0.02)
        self.inner()
        return sum(self.steps())

    def inner(self):
        busy(0.04)

    def steps(self):
        busy(0.03)
        yield 1
        busy(0.03)
        yield 2


def test_each_moment_belongs_to_one_part_generators_included():
    class Watched(Worker):
        outer, inner, steps = Worker.outer, Worker.inner, Worker.steps

    parts = Parts()
    for name in ("outer", "inner", "steps"):
        parts.watch(name, Watched, name)
    assert Watched().outer() == 3
    wanted = {"outer": 0.02, "inner": 0.04, "steps": 0.06}
    assert set(parts.seconds) == set(wanted)
    for name, seconds in wanted.items():
        assert math.isclose(parts.seconds[name], seconds, abs_tol=0.015), name


def test_the_parts_add_up_and_tagging_is_told_apart():
    found = rows({"tagging": 3.0, "encode": 1.0}, 2000)
    assert [one["part"] for one in found] == ["tagging", "encode", "outside tagging"]
    assert found[-1]["per_1000_sentences"] == 0.5
    assert sum(one["share"] for one in found[:-1]) == 1
