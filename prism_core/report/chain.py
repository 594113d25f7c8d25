"""The chain of runs: each report of a folder follows the one before it.

A run carries its place and the last hash of the report before it, so that a report that was taken
out, put in or moved shows. What was taken away at the end shows to who remembers the last one: the
state store does.

The hashes of a report show what was altered to whoever noted the last one. Who can rewrite the
folder can also compute all hashes anew, but not sign the last (``Signer``).
"""

from __future__ import annotations

import fcntl
import hmac
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from prism_core.report.canonical import NO_RUN

PREFIX = "run="
_LINK = ("sequence", "run_head", "previous_run", "previous_head")
_PURPOSE = b"prism report signature 1"
_KEY_ID_DIGITS = 16


@dataclass(frozen=True, slots=True)
class Link:
    """A report as the next one sees it: what its folder is called after ``run=``, its place, its
    last hash, and what it follows itself; without any, what the first report follows."""

    name: str = ""
    sequence: int = 0
    head: str = NO_RUN
    previous_run: str = ""
    previous_head: str = NO_RUN


BEGINNING = Link()


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
            row = file.read(list(_LINK)).to_pylist()[0]
        sequence, head, previous_run, previous_head = (row[column] for column in _LINK)
        return Link(name_of(folder), int(sequence), head, previous_run or "", previous_head)
    except (OSError, pa.ArrowException, LookupError, TypeError, ValueError):
        return None


def last_link(report: Path) -> Link:
    """The report that the next one follows; ``BEGINNING`` when there is none."""
    links = [link for folder in run_folders(report) if (link := link_of(folder))]
    return max(links, key=lambda link: (link.sequence, link.name), default=BEGINNING)


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


class Signer:
    """HMAC-SHA-256 under a key of its own, derived from the key of the state store.

    It needs no state store, so that a report can be checked when that is gone, and nothing that is
    encrypted can be read with what signs.
    """

    def __init__(self, key: bytes) -> None:
        self._key = hmac.digest(key, _PURPOSE, sha256)
        self.key_id = hmac.digest(self._key, b"name", sha256).hex()[:_KEY_ID_DIGITS]
        """Tells this key from another, and nothing else about it."""

    def sign(self, head: str) -> str:
        """The signature of a run's last hash, 64 hex digits."""
        return hmac.digest(self._key, b"head\0" + head.encode(), sha256).hex()

    def has_signed(self, head: str, signature: str) -> bool:
        """Whether ``signature`` is this key's, of that very hash."""
        return hmac.compare_digest(self.sign(head), signature)
