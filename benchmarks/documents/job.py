"""One run of the real job over a folder, and what its report says of each file.

entry: `translate_folder` -> `read_rows`; `lost_files` compares the rows with the folder.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pyarrow.dataset as ds

from benchmarks.corpus import names_by_id, run
from benchmarks.documents.findings import Finding
from benchmarks.processes import Usage

_UNWRITTEN: Final = ("failed", "nothing-to-translate")


@dataclass(frozen=True)
class Translated:
    """A file of the folder, ``name`` in it, and what the report says; ``written`` if anything."""

    name: str
    source: Path
    written: Path | None
    format: str
    outcome: str
    failure: str
    notices: tuple[str, ...]

    def tells(self, *names: str) -> bool:
        """Whether a notice of any of these names (without its count) is there."""
        return any(notice.partition(":")[0] in names for notice in self.notices)


def translate_folder(folder: Path, output: Path, translator: str, workers: int) -> Usage | None:
    """Run the job, unless ``output`` has a report already: then None."""
    if (output / "prism-report").is_dir():
        return None
    return run(folder, output, translator, workers)


def read_rows(folder: Path, output: Path) -> list[Translated]:
    """A row for each document of the last run, in the order of their names."""
    names = names_by_id(output)
    reports = sorted(
        (output / "prism-report").glob("run=*/documents.parquet"),
        key=lambda path: path.stat().st_mtime,
    )
    rows = []
    for row in ds.dataset(str(reports[-1])).to_table().to_pylist():
        name = names.get(row["document_id"], "")
        made = [output / name, *output.glob(f"{name}.*")] if name else []
        rows.append(
            Translated(
                name=name,
                source=folder / name,
                written=next((path for path in made if path.is_file()), None),
                format=str(row["format"]),
                outcome=str(row["outcome"]),
                failure=str(row["failure"] or ""),
                notices=tuple(row["notices"] or ()),
            )
        )
    return sorted(rows, key=lambda row: row.name)


def lost_files(folder: Path, rows: list[Translated]) -> list[Finding]:
    """Files without a row or with several, and rows that say *translated* of nothing written."""
    counted = Counter(row.name for row in rows)
    there = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    found = [Finding(name, "without a row", 1) for name in sorted(there - counted.keys())]
    found += [Finding(name, "several rows", n) for name, n in counted.items() if n > 1]
    unwritten = (row for row in rows if row.outcome not in _UNWRITTEN and row.written is None)
    return found + [Finding(row.name, "not written", 1) for row in unwritten]
