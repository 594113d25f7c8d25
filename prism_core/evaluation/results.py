"""What was measured, kept as it comes: one line of JSON for each run of one method.

A line has a key that covers all it depends on, so a sweep that was stopped, however it was, goes
on with what is missing. It has sums by document and no text.

Entry: ``Results`` of a folder; it reads lines with ``_read``, and ``add`` writes one.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import zlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np

from prism_core.errors import OutputError, StateError
from prism_core.evaluation.tally import COLUMNS, VERSION, Table
from prism_core.files import make_file, make_folder

SCHEMA = 1
FILE = "results.jsonl"
ARCHIVED = "results.jsonl.gz"
"""The same compressed, as it lies in ``docs/evaluation``: it is read and never written."""


@dataclass(frozen=True, slots=True)
class Measurement:
    """One method, at one strength, with one seed, over one corpus, judged by one panel.

    The digests say over what: texts, number of documents, dictionary and code, language model.
    """

    corpus: str
    corpus_digest: str
    documents: int
    method: str
    setting: str
    version: str
    seed: int
    panel: str
    translator: str
    languages: str
    model: str

    @property
    def key(self) -> str:
        """A digest of all of it, and of what is counted."""
        named = json.dumps([SCHEMA, VERSION, COLUMNS, asdict(self)], sort_keys=True)
        return hashlib.sha256(named.encode()).hexdigest()[:24]


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where and when a run was made, in ISO 8601, and what it took."""

    machine: str
    versions: dict[str, str]
    date: str
    seconds: float
    cpu_seconds: float


@dataclass(frozen=True)
class Result:
    """A run with its sums: ``table`` has a row a document, in the order of ``names``."""

    run: Measurement
    provenance: Provenance
    names: tuple[str, ...]
    table: Table


class Results:
    """The results of one folder. Appending is all that is done to its file; one writer at a time.

    A last line that was cut off by a kill is dropped, and its run made again; so is one whose key
    is another than this version of PRISM gives its run: it was counted otherwise. Raises
    ``StateError`` for a file that is of another kind, ``OutputError`` when it cannot be written.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE
        self._known = {
            result.run.key: result
            for path in (folder / ARCHIVED, self.path)
            for result in _read(path)
        }

    def __iter__(self) -> Iterator[Result]:
        return iter(self._known.values())

    def __contains__(self, run: Measurement) -> bool:
        return run.key in self._known

    def add(self, result: Result) -> None:
        """Keep ``result``; when this returns it is on the disk."""
        row = {
            "schema": SCHEMA,
            "key": result.run.key,
            "run": asdict(result.run),
            "provenance": asdict(result.provenance),
            "columns": COLUMNS,
            "documents": [
                # Whole numbers without a point; others (shares of a guess) to six places.
                [name, *(int(v) if float(v).is_integer() else round(float(v), 6) for v in sums)]
                for name, sums in zip(result.names, result.table, strict=True)
            ],
        }
        line = json.dumps(row, ensure_ascii=False, separators=(",", ":"))
        try:
            make_folder(self.path.parent)
            make_file(self.path)
            with self.path.open("ab+") as file:
                if file.tell() and os.pread(file.fileno(), 1, file.tell() - 1) != b"\n":
                    file.write(b"\n")  # behind a line that was cut off begins a new one
                file.write(line.encode() + b"\n")
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise OutputError(f"{self.path} cannot be written: {error.strerror}.") from None
        self._known[result.run.key] = result


def _read(path: Path) -> Iterator[Result]:
    if not path.is_file():
        return
    content = path.read_bytes()
    try:
        lines = (gzip.decompress(content) if path.suffix == ".gz" else content).split(b"\n")
    except (OSError, EOFError, zlib.error):
        raise StateError(f"{path} cannot be unpacked: move the file away.") from None
    for number, line in enumerate(lines, start=1):
        try:
            row = json.loads(line) if line.strip() else None
        except ValueError:
            continue  # cut off by a kill: it is made again
        if row is None:
            continue
        try:
            if row["schema"] != SCHEMA or tuple(row["columns"]) != COLUMNS:
                continue  # of another version of PRISM: it is made again
            run = Measurement(
                **{field.name: row["run"][field.name] for field in fields(Measurement)}
            )
            if row["key"] != run.key:
                continue  # of another way to count: it is made again
            rows = row["documents"]
            table = np.array([sums[1:] for sums in rows], dtype=np.float64)
            if table.shape != (run.documents, len(COLUMNS)) or not np.isfinite(table).all():
                raise ValueError
            names = tuple(str(sums[0]) for sums in rows)
            yield Result(run, _provenance(row["provenance"]), names, table)
        except (KeyError, TypeError, ValueError):
            raise StateError(
                f"Line {number} of {path} is no result of an evaluation: move the file away."
            ) from None


def _provenance(row: dict[str, Any]) -> Provenance:
    """Raises ``TypeError`` or ``ValueError`` for what is none."""
    datetime.fromisoformat(row["date"])
    return Provenance(
        machine=str(row["machine"]),
        versions={str(name): str(number) for name, number in dict(row["versions"]).items()},
        date=row["date"],
        seconds=float(row["seconds"]),
        cpu_seconds=float(row["cpu_seconds"]),
    )
