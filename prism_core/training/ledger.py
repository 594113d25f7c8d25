"""Ledger of a private training: the steps that were taken, whatever kills the process.

It is a file of JSON lines: one a step, on disk before the step's result is used. The first holds
the plan; each other line the number of a step and the hash of all before it. The file only grows,
so it never says less than was spent. A step whose result was lost stays spent and is not repeated.

Entry: ``PrivacyLedger.open``; then ``spend`` for each step.
"""

from __future__ import annotations

import fcntl
import json
import os
from contextlib import suppress
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO

from prism_core.errors import StateError, StoreInUse
from prism_core.training.lot_sampling import NoisePlan

_VERSION = 1


class PrivacyLedger:
    """Ledger of one training, locked against any other process until ``close``."""

    def __init__(self, file: BinaryIO, path: Path, spent: int, head: str) -> None:
        self._file = file
        self._path = path
        self.spent = spent
        """Number of the last step that was taken, counted from 1."""
        self.head = head
        """Hash of all lines."""

    @classmethod
    def open(cls, path: Path, plan: NoisePlan, terms: LedgerTerms) -> PrivacyLedger:
        """Open the ledger at ``path``, or create it.

        A line that a kill cut off counts as a step. Raises ``StoreInUse`` while another process has
        it open, and ``StateError`` if it belongs to another plan or was altered.
        """
        begins = _line({"version": _VERSION, **asdict(plan), **asdict(terms)}, "")
        try:
            file = os.fdopen(os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600), "a+b")
        except OSError as error:
            raise StateError(f"{path} cannot be opened: {error.strerror}") from None
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.close()
            raise StoreInUse(f"{path} is in use: another training writes to it.") from None
        try:
            return cls._read(file, path, begins)
        except StateError:
            file.close()
            raise

    @classmethod
    def _read(cls, file: BinaryIO, path: Path, begins: bytes) -> PrivacyLedger:
        file.seek(0)
        first, *lines = file.read().split(b"\n") or [b""]
        if not lines and begins.startswith(first):  # new, or killed when it was
            file.truncate(0)
            ledger = cls(file, path, 0, _head(begins))
            ledger._write(begins)
            return ledger
        if first + b"\n" != begins:
            raise StateError(
                f"{path} is of another training: of more or fewer documents, other settings, noise "
                "or base. Name another folder, or the same settings as before."
            )
        ledger = cls(file, path, 0, _head(begins))
        torn = lines.pop()
        for line in lines:
            ledger._follow(line + b"\n")
        if torn:
            file.truncate(file.tell() - len(torn))
            ledger.spend(ledger.spent + 1)
        return ledger

    def spend(self, step: int) -> None:
        """Record that ``step`` (from 1, later than all before) is taken; it is on disk afterwards.

        Raises ``StateError`` if that fails: the step's result may not be used then.
        """
        if step <= self.spent:
            raise ValueError("a step is taken once")
        line = _line({"step": step}, self.head)
        self._write(line)
        self.spent, self.head = step, _head(line)

    def close(self) -> None:
        """Release the lock. What could not be written stays unwritten: it was not spent."""
        with suppress(OSError):
            self._file.close()

    def _follow(self, line: bytes) -> None:
        """Account for a line that was written before."""
        try:
            step = int(json.loads(line)["step"])
        except (ValueError, LookupError, TypeError):
            step = 0
        if step <= self.spent or _line({"step": step}, self.head) != line:
            raise StateError(f"{self._path} is not as it was written; its training cannot go on.")
        self.spent, self.head = step, _head(line)

    def _write(self, line: bytes) -> None:
        try:
            self._file.write(line)
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            raise StateError(f"{self._path} cannot be written: {error.strerror}") from None


@dataclass(frozen=True, slots=True)
class LedgerTerms:
    """Terms of a guarantee that a resumed training must not change.

    ``unit``: the protected unit; ``sentences``: the most of it that count; ``clip`` C > 0;
    ``epsilon`` and ``delta`` as requested; ``model``: a digest of the public facts of the model:
    its pieces, its shape, its trained parts, the base.
    """

    unit: str
    sentences: int | None
    clip: float
    epsilon: float
    delta: float
    model: str = ""


def _line(content: dict[str, Any], head: str) -> bytes:
    chained = {**content, "after": head}
    return json.dumps(chained, sort_keys=True, separators=(",", ":")).encode() + b"\n"


def _head(line: bytes) -> str:
    return sha256(line).hexdigest()
