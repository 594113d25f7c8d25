"""The local name index: which file a keyed id stands for. It stays out of the report."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable
from pathlib import Path

from prism_core.errors import OutputError


def write_name_index(file: Path, names: Iterable[tuple[str, str]]) -> None:
    """Write ``(document_id, path relative to IN)`` pairs as CSV, readable by the owner alone."""
    partial = file.with_suffix(".partial")
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        partial.unlink(missing_ok=True)
        descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(
            descriptor, "w", encoding="utf-8", errors="surrogateescape", newline=""
        ) as opened:
            writer = csv.writer(opened)
            writer.writerow(("document_id", "path"))
            writer.writerows(names)
        partial.replace(file)
    except OSError as error:
        raise OutputError(f"the name index cannot be written: {error.strerror}") from None


def read_name_index(file: Path) -> dict[str, str]:
    """``document_id -> path``; empty when there is none."""
    try:
        with file.open(encoding="utf-8", errors="surrogateescape", newline="") as opened:
            return {row["document_id"]: row["path"] for row in csv.DictReader(opened)}
    except FileNotFoundError:
        return {}
