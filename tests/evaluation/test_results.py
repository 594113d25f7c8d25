from __future__ import annotations

import gzip
import json
from dataclasses import asdict, fields, replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from prism_core.errors import OutputError, StateError
from prism_core.evaluation.results import ARCHIVED, COLUMNS, FILE, Measurement, Results
from tests.evaluation import measured
from tests.evaluation.measured import MADE, result

run = partial(measured.run, documents=1)


def test_what_was_kept_is_there_again_number_for_number(tmp_path: Path) -> None:
    one = result(run(documents=2), [0.5, 1 / 3], [0.25, 0.75])
    Results(tmp_path).add(one)
    (again,) = Results(tmp_path)
    assert (again.run, again.provenance, again.names) == (one.run, one.provenance, one.names)
    assert again.table == pytest.approx(one.table, abs=1e-5)


def test_a_line_that_a_kill_cut_off_is_made_again_and_the_next_is_whole(tmp_path: Path) -> None:
    results = Results(tmp_path)
    for seed in (1, 2):
        results.add(result(run(seed=seed), [0.5], [0.5]))
    path = tmp_path / FILE
    path.write_bytes(path.read_bytes()[:-40])
    again = Results(tmp_path)
    assert run(seed=1) in again
    assert run(seed=2) not in again
    again.add(result(run(seed=2), [0.5], [0.5]))
    assert {one.run.seed for one in Results(tmp_path)} == {1, 2}


@pytest.mark.parametrize("name", [field.name for field in fields(Measurement)])
def test_the_key_covers_everything_a_run_depends_on(name: str) -> None:
    other = 99 if isinstance(getattr(run(), name), int) else "other"
    assert replace(run(), **{name: other}).key != run().key


def test_runs_that_were_counted_otherwise_are_made_again(tmp_path: Path) -> None:
    Results(tmp_path).add(result(run(), [0.5], [0.5]))
    path = tmp_path / FILE
    row = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps({**row, "columns": row["columns"][:-1]}), "utf-8")
    assert list(Results(tmp_path)) == []


def test_raising_the_version_of_the_count_makes_every_run_again(
    tmp_path: Path, monkeypatch
) -> None:
    Results(tmp_path).add(result(run(), [0.5], [0.5]))
    monkeypatch.setattr("prism_core.evaluation.results.VERSION", "another")
    assert run() not in Results(tmp_path)


@pytest.mark.parametrize(
    ("part", "damaged"),
    [
        ("documents", []),
        ("documents", [["one", 1, 2]]),
        ("documents", [["one", *[None] * len(COLUMNS)]]),
        ("documents", None),
        ("provenance", {}),
        ("provenance", {**asdict(MADE), "date": None}),
        ("provenance", {**asdict(MADE), "versions": 3}),
    ],
)
def test_a_damaged_line_is_refused_by_its_number(tmp_path: Path, part: str, damaged) -> None:
    Results(tmp_path).add(result(run(), [0.5], [0.5]))
    path = tmp_path / FILE
    row = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps({**row, part: damaged}), "utf-8")
    with pytest.raises(StateError, match=r"Line 1 .*move the file away"):
        Results(tmp_path)


def test_an_archived_file_with_damage_inside_is_said(tmp_path: Path) -> None:
    packed = bytearray(gzip.compress(bytes(range(256)) * 9))
    packed[20:60] = bytes(40)
    (tmp_path / ARCHIVED).write_bytes(packed)
    with pytest.raises(StateError, match="unpacked"):
        Results(tmp_path)


def test_a_file_of_another_kind_is_refused_by_line(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text('{"a": 1}\n')
    with pytest.raises(StateError, match="Line 1"):
        Results(tmp_path)


def test_an_archived_file_is_read_beside_the_new_one(tmp_path: Path) -> None:
    Results(tmp_path).add(result(run(seed=1), [0.5], [0.5]))
    path = tmp_path / FILE
    (tmp_path / ARCHIVED).write_bytes(gzip.compress(path.read_bytes()))
    path.unlink()
    results = Results(tmp_path)
    assert run(seed=1) in results
    results.add(result(run(seed=2), [0.5], [0.5]))
    assert len(list(Results(tmp_path))) == 2
    (tmp_path / ARCHIVED).write_bytes(b"no archive")
    with pytest.raises(StateError, match="unpacked"):
        Results(tmp_path)


def test_no_text_is_kept(tmp_path: Path) -> None:
    Results(tmp_path).add(result(run(), [0.5], [0.5]))
    row = json.loads((tmp_path / FILE).read_text("utf-8"))
    assert set(row) == {"schema", "key", "run", "provenance", "columns", "documents"}
    assert all(isinstance(n, int | float) for document in row["documents"] for n in document[1:])
    assert np.array([document[1:] for document in row["documents"]]).shape[1] == len(row["columns"])


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    results = Results(tmp_path / "file" / "folder")
    with pytest.raises(OutputError, match="cannot be written"):
        results.add(result(run(), [0.5], [0.5]))
