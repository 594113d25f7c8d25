from __future__ import annotations

import csv
import random
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from prism_core.errors import OutputError
from prism_core.record import Remark
from prism_core.report.csv_export import Coarsening, export_csv
from prism_core.report.parquet_schema import TABLES
from prism_core.report.writing import write_tables
from tests.report.altering import RUNS, write_week
from tests.report.sample_rows import FACTS, TRANSLATED


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    report = tmp_path_factory.mktemp("report")
    write_week(report)
    return [report / f"run={run}" for run in RUNS]


def read(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8", newline="") as opened:
        return list(csv.DictReader(opened))


def outside() -> Coarsening:
    return Coarsening(random.Random(3))


def test_every_row_of_every_run_is_exported(folders, tmp_path: Path) -> None:
    written = export_csv(folders, tmp_path / "csv")
    assert set(written) == {*TABLES, "runs"}
    assert {stat.S_IMODE(file.stat().st_mode) for file in (tmp_path / "csv").iterdir()} == {0o600}
    for table, rows in written.items():
        assert len(read(tmp_path / "csv" / f"{table}.csv")) == rows > 0
    first = read(tmp_path / "csv" / "documents.csv")[0]
    assert first["tokens_kept"] == str(TRANSLATED.tokens_kept)
    assert first["notices"] == "attachment:unsupported"
    assert first["privacy_score"] == ""
    assert first["finished_at"] == TRANSLATED.finished_at.isoformat()


def test_nothing_is_written_over(folders, tmp_path: Path) -> None:
    (tmp_path / "requests.csv").write_text("mine")
    with pytest.raises(OutputError, match="another folder"):
        export_csv(folders, tmp_path)
    assert (tmp_path / "requests.csv").read_text() == "mine"


def test_a_spreadsheet_computes_nothing_of_what_the_operator_wrote(tmp_path: Path) -> None:
    written = write_tables(tmp_path, replace(FACTS, purpose="=1+1", retention="-"))
    export_csv([written.folder], tmp_path / "csv")
    (run,) = read(tmp_path / "csv" / "runs.csv")
    assert (run["purpose"], run["retention"]) == ("'=1+1", "'-")


def test_an_external_copy_has_no_id_hash_or_exact_count_of_the_report(folders, tmp_path) -> None:
    export_csv(folders, tmp_path / "inside")
    written = export_csv(folders, tmp_path / "outside", external=True, rng=random.Random(3))
    assert "sentences" not in written
    texts = [file.read_text(encoding="utf-8") for file in (tmp_path / "outside").iterdir()]
    for table in ("documents", "requests", "runs"):
        for row in read(tmp_path / "inside" / f"{table}.csv"):
            for name, value in row.items():
                if name.endswith(("_id", "_hash", "_head", "digest")) and len(value) > 3:
                    assert not any(value in text for text in texts), name
    document = read(tmp_path / "outside" / "documents.csv")[0]
    assert document["tokens"] == "41 to 80"
    assert document["bytes"] == "641 to 1280"
    assert document["sentences_unrestored"] == "0"
    assert document["finished_at"] == "2026-11-20"
    assert document["outcome"] == "translated"
    assert (document["pool_mean"], document["identifiers_remaining"]) == ("400.0", "")


def test_ids_of_an_external_copy_fit_each_other_and_no_other_copy(folders, tmp_path) -> None:
    export_csv(folders, tmp_path / "one", external=True)
    export_csv(folders, tmp_path / "two", external=True)
    documents = read(tmp_path / "one" / "documents.csv")
    runs = {row["run_id"] for row in read(tmp_path / "one" / "runs.csv")}
    assert {row["run_id"] for row in documents} == runs
    named = {row["document_id"] for row in documents}
    assert {row["document_id"] for row in read(tmp_path / "one" / "identifiers.csv")} <= named
    assert named.isdisjoint(row["document_id"] for row in read(tmp_path / "two" / "documents.csv"))


@pytest.mark.parametrize(
    ("count", "range_"),
    [
        (0, "0"),
        (1, "1 to 10"),
        (10, "1 to 10"),
        (11, "11 to 20"),
        (21, "21 to 40"),
        (40, "21 to 40"),
        (41, "41 to 80"),
    ],
)
def test_a_count_becomes_the_range_that_it_is_in(count: int, range_: str) -> None:
    assert outside().range(count) == range_


def test_a_count_in_a_notice_becomes_a_range_too() -> None:
    assert [Remark("blocks-shrunk:2").name, Remark("blocks-shrunk:2").number] == [
        "blocks-shrunk",
        2,
    ]
    row = outside().row({"notices": ["blocks-shrunk:2", "attachment:unsupported"]})
    assert row["notices"] == ["blocks-shrunk:1 to 10", "attachment:unsupported"]


def test_what_cannot_be_written_is_an_output_error(folders, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="cannot be written"):
        export_csv(folders, tmp_path / "file" / "below")


@pytest.mark.parametrize("table", ["documents", "identifiers", "requests"])
@pytest.mark.parametrize("damage", ["cut", "removed"])
def test_a_report_that_cannot_be_read_leaves_no_half_export(tmp_path, table, damage) -> None:
    write_week(tmp_path / "report")
    folder = tmp_path / "report" / f"run={RUNS[1]}"
    file = folder / f"{table}.parquet"
    if damage == "cut":
        file.write_bytes(file.read_bytes()[:500])
    else:
        file.unlink()
    with pytest.raises(OutputError, match="prism audit verify says what is missing"):
        export_csv([folder], tmp_path / "csv")
    assert not list((tmp_path / "csv").iterdir())
