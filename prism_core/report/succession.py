"""The chain of runs: each report of a folder follows the one before it.

A run carries its place and the last hash of the report before it, so that a report that was taken
out, put in or moved shows. What was taken away at the end shows to who remembers the last one: the
state store does.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from prism_core.report.canonical import NO_RUN

PREFIX = "run="
_LINK = ("sequence", "run_head", "previous_run", "previous_head")
_EARLIER = ("documents", "sentences", "requests")


@dataclass(frozen=True, slots=True)
class Link:
    """A report as the next one sees it: what its folder is called after ``run=``, its place, its
    last hash, and what it follows itself. Reports of schema 1 have no place: 0."""

    name: str
    sequence: int
    head: str
    previous_run: str = ""
    previous_head: str = NO_RUN


BEGINNING = Link("", 0, NO_RUN)


def run_folders(report: Path) -> list[Path]:
    """The folders of all reports in ``report``, complete or not."""
    return sorted(folder for folder in report.glob(f"{PREFIX}*") if folder.is_dir())


def name_of(folder: Path) -> str:
    """What the report in ``folder`` is called: the id of its run, and ``.2`` for its second."""
    return folder.name.removeprefix(PREFIX)


def link_of(folder: Path) -> Link | None:
    """The report in ``folder``; None when ``run.parquet`` cannot be read."""
    try:
        with pq.ParquetFile(folder / "run.parquet") as file:
            version = file.schema_arrow.metadata[b"prism.schema_version"].decode()
            row = file.read().to_pylist()[0]
        return _link(name_of(folder), version, row)
    except (OSError, pa.ArrowException, LookupError, TypeError, UnicodeDecodeError):
        return None


def last_link(report: Path) -> Link:
    """The report that the next one follows; ``BEGINNING`` when there is none."""
    links = [(link, folder) for folder in run_folders(report) if (link := link_of(folder))]
    if not links:
        return BEGINNING
    return max(links, key=lambda one: (one[0].sequence, _finished(one[1]), one[0].name))[0]


@contextmanager
def appending(report: Path) -> Iterator[None]:
    """Let one process at a time add a report to the folder.

    Where the file system knows no such lock, two that end in the same instant may follow the same
    one; nothing is lost, and whoever verifies is told.
    """
    descriptor = os.open(report, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        with suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _link(name: str, version: str, row: dict[str, Any]) -> Link:
    if version.startswith("1."):
        return Link(name, 0, _earlier_head(version, row))
    sequence, head, previous_run, previous_head = (row[column] for column in _LINK)
    return Link(name, int(sequence), head, previous_run or "", previous_head)


def _earlier_head(version: str, row: dict[str, Any]) -> str:
    """One hash for a report of schema 1, which had one for each table alone."""
    heads = " ".join(row[f"{table}_chain_head"] for table in _EARLIER)
    return sha256(f"prism-report {version} run {row['run_id']} {heads}".encode()).hexdigest()


def _finished(folder: Path) -> float:
    row = pq.ParquetFile(folder / "run.parquet").read(["finished_at"]).to_pylist()[0]
    return float(row["finished_at"].timestamp())
