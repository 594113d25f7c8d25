"""A private folder for documents in clear while a step works on them.

Entry: ``Scratch``; ``file`` gives a place for one document, which is gone with the block. What a
process leaves that was killed goes with the next one of this user that needs such a folder.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from prism_core.errors import StateError

PREFIX: Final = "prism-documents-"
_LOCK: Final = "lock"


class Scratch:
    """One such folder, in that for temporary files, made when it is first needed; for any thread.

    It is its process's own: whoever holds its lock lives. Point ``TMPDIR`` at a file system in
    memory, and no disk ever holds a document.
    """

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._folder: Path | None = None
        self._held = -1

    @contextmanager
    def file(self, name: str) -> Iterator[Path]:
        """A path that ends in ``name`` in an empty folder, which goes with all that is in it.

        Raises ``StateError`` when none can be made.
        """
        try:
            folder = Path(tempfile.mkdtemp(dir=self._open()))
        except OSError as error:
            raise StateError(
                f"no temporary folder can be made: {error.strerror}; make room, or set TMPDIR"
            ) from None
        try:
            yield folder / name
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def close(self) -> None:
        """Remove the folder; a later ``file`` makes another."""
        with self._guard:
            if self._folder is not None:
                shutil.rmtree(self._folder, ignore_errors=True)
                os.close(self._held)
                self._folder = None

    def _open(self) -> Path:
        with self._guard:
            if self._folder is None:
                remove_leftovers()
                made = Path(tempfile.mkdtemp(prefix=".prism-"))
                self._held = os.open(made / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
                fcntl.flock(self._held, fcntl.LOCK_EX)
                # only now by its name: one that is not locked is a leftover
                self._folder = made.with_name(PREFIX + made.name.removeprefix(".prism-"))
                made.rename(self._folder)
            return self._folder


def remove_leftovers() -> None:
    """Remove the folders of this user's processes that are gone."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError):
            if folder.is_symlink() or folder.stat().st_uid != os.getuid():
                continue
            held = os.open(folder / _LOCK, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
            try:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder, ignore_errors=True)
            finally:
                os.close(held)
