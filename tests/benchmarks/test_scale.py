"""The archive that grows, and how the benchmark tells the parts of a run from each other."""

import math
import time
from pathlib import Path

import pytest

from benchmarks.scale import Setting, measured_size, overheads, row
from benchmarks.scale_archive import LINES, echo_dictionary, shared_lines, write_archive
from benchmarks.scale_shares import Parts, rows
from prism_core.dictionary.parquet import load_dictionary
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
    setting = Setting("local", 1, "fake", 4)
    found = measured_size(tmp_path, setting, 3, repeats=1)
    [usage] = found.runs
    assert usage.code == 0, usage.errors
    assert found.sentences >= 12
    assert 0 < usage.first_line < usage.seconds
    assert usage.cpu_seconds > 0.5
    assert usage.peak_mb > 100
    assert [path.name for path in tmp_path.iterdir() if path.is_dir()] == ["archives"]
    stated = row(setting, 3, found, found)
    assert (stated["documents"], stated["seconds_per_document"]) == (3, 0)


def test_the_dictionary_of_the_fake_translator_leaves_every_word_as_it_is(tmp_path):
    dictionary = load_dictionary(echo_dictionary(tmp_path / "echo.parquet"), "fake")
    assert len(dictionary) > 10_000
    assert all(entry.forms.texts == (entry.word,) for entry in dictionary)
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
