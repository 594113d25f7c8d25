"""What documents look like on paper: LibreOffice lays them out, and their pages are counted.

One process of LibreOffice converts many files, with a profile of its own that goes afterwards. A
file that makes it hang or crash costs a time-out and a fresh process, not the files after it.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pikepdf

_BATCH: Final = 25
"""Files that one process converts; it grows with each of them."""


class ProgramMissingError(Exception):
    """A program that lays out documents is not installed; the message says which."""


def program(*names: str) -> str:
    """The path of the first program of ``names`` that is installed."""
    for name in names:
        if path := shutil.which(name):
            return path
    raise ProgramMissingError(
        f"{names[0]} is missing; scripts/ensure-programs says what to install (as root it does)."
    )


def converted(
    files: Sequence[Path], folder: Path, form: str = "pdf", seconds: float = 60
) -> list[Path | None]:
    """A file of ``form`` in ``folder`` for each of ``files``; None where LibreOffice makes none.

    Files are told apart by their place in ``files``, whatever their names. A process that takes
    longer than ``seconds``, and a tenth of it more for each file, is ended with all it started.
    """
    found: dict[int, Path] = {}
    folder.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        profile, staged = Path(work) / "profile", Path(work) / "in"
        staged.mkdir()
        named = [staged / f"{number:05}{file.suffix}" for number, file in enumerate(files)]
        for file, copy in zip(files, named, strict=True):
            shutil.copyfile(file, copy)
        for batch in _batched(range(len(files))):
            _convert_all([named[index] for index in batch], _Target(folder, form, profile), seconds)
            for index in batch:
                made = folder / f"{named[index].stem}.{form}"
                if made.exists():
                    found[index] = made
    return [found.get(index) for index in range(len(files))]


def _batched(indices: Sequence[int]) -> list[Sequence[int]]:
    return [indices[start : start + _BATCH] for start in range(0, len(indices), _BATCH)]


@dataclass(frozen=True, slots=True)
class _Target:
    """What files become, where, and the profile of the program that converts them."""

    folder: Path
    form: str
    profile: Path

    def has(self, file: Path) -> bool:
        """Whether ``file`` was converted."""
        return (self.folder / f"{file.stem}.{self.form}").exists()


def _convert_all(files: Sequence[Path], target: _Target, seconds: float) -> None:
    """Convert ``files``; after a process that did not end well, the rest one by one."""
    if not _convert(files, target, seconds + len(files) * seconds / 10):
        for file in files:
            if not target.has(file):
                _convert([file], target, seconds)


def _convert(files: Sequence[Path], target: _Target, seconds: float) -> bool:
    """Whether the process ended well, and in time."""
    command = [
        *(program("soffice", "libreoffice"), "--headless", "--norestore", "--nolockcheck"),
        f"-env:UserInstallation={target.profile.as_uri()}",
        *("--convert-to", target.form, "--outdir", str(target.folder)),
        *map(str, files),
    ]
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # so that all its processes can be ended together
    )
    try:
        return process.wait(timeout=seconds) == 0
    except subprocess.TimeoutExpired:
        return False
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def pages(pdf: Path) -> int:
    """How many pages ``pdf`` has, which may be damaged as long as it can be repaired."""
    with pikepdf.open(pdf) as document:
        return len(document.pages)


def pictures(pdf: Path, folder: Path, dots_per_inch: int = 40) -> list[bytes]:
    """Each page of ``pdf`` as a grey picture (PGM)."""
    folder.mkdir()
    subprocess.run(
        [program("pdftoppm"), "-r", str(dots_per_inch), "-gray", str(pdf), str(folder / "page")],
        check=True,
        capture_output=True,
        timeout=60,
    )
    return [path.read_bytes() for path in sorted(folder.iterdir())]
