"""Alter a report as somebody could who has the files and a Parquet library."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from prism_core.report.chain import Signer, chain_hashes, genesis, row_bytes, run_head
from prism_core.report.parquet_schema import TABLES
from prism_core.report.rows import SCHEMA_VERSION
from prism_core.report.writing import write_tables
from tests.report.sample_rows import DOCUMENTS, FACTS, IDENTIFIERS, REQUESTS, SENTENCES

KEY = Signer(b"a key that nobody else has......")
RUNS = ("run-monday", "run-tuesday", "run-wednesday")
Rows = list[dict[str, Any]]


def write_week(report: Path) -> None:
    """Three runs, one after the other, signed."""
    for run in RUNS:
        rows = [
            replace(row, run_id=run)
            for table in (DOCUMENTS, SENTENCES, IDENTIFIERS, REQUESTS)
            for row in table
        ]
        write_tables(report, replace(FACTS, run_id=run), rows, signer=KEY)


def rewrite(file: Path, change: Callable[[Rows], Rows]) -> None:
    """Store ``change(rows)`` in place of the rows of ``file``."""
    schema = pq.read_schema(file)
    rows = pq.ParquetFile(file).read().to_pylist()
    pq.write_table(pa.Table.from_pylist(change(rows), schema), file)


def forge(folder: Path, table: str, change: Callable[[Rows], Rows]) -> None:
    """Change rows, and compute all hashes anew: what is possible without the key."""
    file = folder / f"{table}.parquet"
    rewrite(file, change)
    stored = pq.ParquetFile(file).read()
    covered = stored.select(stored.schema.names[:-1]).combine_chunks()
    first = genesis(SCHEMA_VERSION, table, folder.name.removeprefix("run="), covered.schema)
    hashes = [h for batch in covered.to_batches() for h in chain_hashes(first, row_bytes(batch))]
    names = stored.schema.names
    column = pa.array(hashes, pa.string())
    pq.write_table(stored.set_column(len(names) - 1, stored.schema.field(-1), column), file)
    end = hashes[-1] if hashes else first
    rewrite(
        folder / "run.parquet",
        lambda rows: [rows[0] | {f"{table}_rows": len(hashes), f"{table}_chain_head": end}],
    )
    reseal(folder)


def reseal(folder: Path) -> None:
    """Compute the hash of the run anew, and put it on its page."""
    file = folder / "run.parquet"
    stored = pq.ParquetFile(file).read()
    head, page = run_head(stored), folder / "index.html"
    (old,) = stored["run_head"].to_pylist()
    page.write_bytes(page.read_bytes().replace(old.encode(), head.encode()))
    rewrite(file, lambda rows: [rows[0] | {"run_head": head}])


def at_random(report: Path, rng: random.Random) -> str:
    """Alter one thing; says what."""
    folder = report / f"run={rng.choice(RUNS)}"
    alteration = rng.choice(ALTERATIONS)
    return f"{alteration.__name__} in {folder.name}: {alteration(folder, rng)}"


def _change(folder: Path, rng: random.Random) -> object:
    """One value of one row of any table, the run's own included."""
    file = folder / f"{rng.choice([*TABLES, 'run'])}.parquet"
    rows = pq.ParquetFile(file).read().to_pylist()
    columns = [name for name in rows[0] if name != "signature"]  # of which only the key tells
    row, column = rng.randrange(len(rows)), rng.choice(columns)
    field = pq.read_schema(file).field(column)
    before = rows[row][column]
    rows[row][column] = _another(before, field, rng)
    rewrite(file, lambda _: rows)
    return file.name, row, column


def _another(value: Any, field: pa.Field, rng: random.Random) -> Any:
    if value is not None and field.nullable and rng.random() < 0.3:
        return None
    if pa.types.is_string(field.type):
        return f"{value or ''}x"
    if pa.types.is_list(field.type):
        return [*(value or []), ""]
    if pa.types.is_timestamp(field.type):
        return FACTS.started_at.replace(year=2020 if value else 2021)
    return 7 if value is None else 3 if value == float("inf") else value + 1


def _drop(folder: Path, rng: random.Random) -> object:
    file = _some_table(folder, rng)
    rewrite(file, lambda rows: _without(rows, rng.randrange(len(rows))))
    return file.name


def _duplicate(folder: Path, rng: random.Random) -> object:
    file = _some_table(folder, rng)

    def twice(rows: Rows) -> Rows:
        at = rng.randrange(len(rows) + 1)
        return [*rows[:at], rng.choice(rows), *rows[at:]]

    rewrite(file, twice)
    return file.name


def _swap(folder: Path, rng: random.Random) -> object:
    file = _some_table(folder, rng)

    def swapped(rows: Rows) -> Rows:
        one, other = rng.sample(range(len(rows)), 2)
        rows[one], rows[other] = rows[other], rows[one]
        return rows

    rewrite(file, swapped)
    return file.name


def _swap_names_of_columns(folder: Path, _rng: random.Random) -> object:
    file = folder / "sentences.parquet"
    table = pq.ParquetFile(file).read()
    names = {"tokens_kept": "tokens_replaced", "tokens_replaced": "tokens_kept"}
    pq.write_table(table.rename_columns([names.get(n, n) for n in table.schema.names]), file)
    return file.name


def _remove_a_file(folder: Path, rng: random.Random) -> object:
    file = folder / f"{rng.choice([*TABLES, 'run'])}.parquet"
    file.unlink()
    return file.name


def _truncate_a_file(folder: Path, rng: random.Random) -> object:
    file = _some_table(folder, rng)
    file.write_bytes(file.read_bytes()[: rng.randrange(file.stat().st_size)])
    return file.name


def _add_a_file(folder: Path, rng: random.Random) -> object:
    file = _some_table(folder, rng)
    shutil.copy(file, folder / f"more-{file.name}")
    return file.name


def _take_a_file_of_another_run(folder: Path, rng: random.Random) -> object:
    file = _some_table(folder, rng)
    other = rng.choice([run for run in RUNS if f"run={run}" != folder.name])
    shutil.copy(folder.parent / f"run={other}" / file.name, file)
    return file.name


def _edit_the_page(folder: Path, rng: random.Random) -> object:
    page = folder / "index.html"
    content = page.read_bytes()
    place = rng.randrange(len(content))
    page.write_bytes(content[:place] + b"x" + content[place:])
    return place


def _remove_the_run(folder: Path, _rng: random.Random) -> object:
    shutil.rmtree(folder)
    return ""


def _copy_the_run(folder: Path, _rng: random.Random) -> object:
    shutil.copytree(folder, folder.with_name("run=run-copied"))
    return ""


def _swap_runs(folder: Path, rng: random.Random) -> object:
    other = folder.with_name(f"run={rng.choice([r for r in RUNS if f'run={r}' != folder.name])}")
    aside = folder.with_name("aside")
    folder.rename(aside)
    other.rename(folder)
    aside.rename(other)
    return other.name


def _move_the_run(folder: Path, _rng: random.Random) -> object:
    """Another place in the order, and hashes that fit it."""
    file = folder / "run.parquet"
    rewrite(file, lambda rows: [rows[0] | {"sequence": rows[0]["sequence"] + 1}])
    reseal(folder)
    return ""


def _some_table(folder: Path, rng: random.Random) -> Path:
    return folder / f"{rng.choice(list(TABLES))}.parquet"


def _without(rows: Rows, at: int) -> Rows:
    return [*rows[:at], *rows[at + 1 :]]


ALTERATIONS: tuple[Callable[[Path, random.Random], object], ...] = (
    _change,
    _drop,
    _duplicate,
    _swap,
    _swap_names_of_columns,
    _remove_a_file,
    _truncate_a_file,
    _add_a_file,
    _take_a_file_of_another_run,
    _edit_the_page,
    _remove_the_run,
    _copy_the_run,
    _swap_runs,
    _move_the_run,
)
