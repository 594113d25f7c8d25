"""A private folder for documents in clear while a step works on them, and for copies of reports.

Entry: ``Scratch``; ``file`` gives a path for one document, removed at the end of the block, and
``make_folder`` a folder that lasts as long as the ``Scratch``. The next process of this user that
needs such a folder removes those of killed processes.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from prism_core.errors import StateError

_PREFIX: Final = "prism-private-"
_LOCK: Final = "lock"


class Scratch:
    """A private folder within the folder for temporary files, made when first needed; thread-safe.

    The folder belongs to its process: the holder of its lock is alive. It is removed when it is
    closed or garbage-collected, and when the process ends. With ``TMPDIR`` on a file system in
    memory, no disk ever holds a document.
    """

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._folder: Path | None = None
        self._remove: Callable[[], object] = lambda: None

    @contextmanager
    def file(self, name: str) -> Iterator[Path]:
        """Give a path that ends in ``name`` in an empty folder, removed with its content.

        Raises ``StateError`` when no folder can be made.
        """
        folder = self.make_folder()
        try:
            yield folder / name
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def make_folder(self) -> Path:
        """Make an empty folder that is removed with this object. Raises as ``file``."""
        try:
            return Path(tempfile.mkdtemp(dir=self._open()))
        except OSError as error:
            raise StateError(
                f"no temporary folder can be made: {error.strerror}; make room, or set TMPDIR"
            ) from None

    def close(self) -> None:
        """Remove the folder; a later ``file`` makes another."""
        with self._guard:
            self._remove()
            self._folder = None

    def _open(self) -> Path:
        with self._guard:
            if self._folder is None:
                remove_leftovers()
                made = Path(tempfile.mkdtemp(prefix=".prism-"))
                lock = os.open(made / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
                fcntl.flock(lock, fcntl.LOCK_EX)
                # only now by its name: one that is not locked is a leftover
                self._folder = made.with_name(_PREFIX + made.name.removeprefix(".prism-"))
                made.rename(self._folder)
                self._remove = weakref.finalize(self, _remove, self._folder, lock, os.getpid())
            return self._folder


def _remove(folder: Path, lock: int, process: int) -> None:
    """Remove ``folder``, but not in a fork of its ``process``."""
    if os.getpid() == process:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


def remove_leftovers() -> None:
    """Remove the folders of this user's processes that have ended."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with suppress(OSError):
            if folder.is_symlink() or folder.stat().st_uid != os.getuid():
                continue
            # made anew where a process was killed while it removed the folder, the lock first
            flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
            lock = os.open(folder / _LOCK, flags, 0o600)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder, ignore_errors=True)
            finally:
                os.close(lock)
