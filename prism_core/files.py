"""Safe file operations: open without following links, write atomically, restrict who may read.

Files that PRISM writes for itself are readable by their owner alone, whatever the umask, unless the
settings say otherwise. Translations are an exception: the readers of their sources may read them.

Entry: ``open_regular`` and ``pin_regular`` in a folder that others may change meanwhile;
``create_if_absent`` and ``atomic_write`` for a file in one step; ``make_folder``, ``make_file`` and
``grant_read`` for permissions; ``overwrite_and_remove`` to destroy a file.
"""

from __future__ import annotations

import os
import secrets
import shutil
import stat
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import gettempdir
from typing import BinaryIO, Final, Literal

from prism_core.errors import DocumentError, DocumentFailure, StateError

ReadableBy = Literal["owner", "group", "everyone"]
_READ: Final = {"owner": 0, "group": 0o040, "everyone": 0o044}
_OPEN: Final = {"owner": 0, "group": 0o050, "everyone": 0o055}
_BLOCK: Final = 1 << 20
CHANGED: Final = "It was changed or removed while it was being translated; run again."
_UNREADABLE: Final = "It cannot be opened; check its permissions and run again."
_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_FILE: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


@contextmanager
def open_regular(folder: Path, relative: str) -> Iterator[int]:
    """Open the regular file ``relative`` in ``folder`` for reading, while the block lasts.

    No link below ``folder`` is followed, and no pipe waited for. Raises ``DocumentError``:
    restricted for a file that may not be read, unrebuildable for one that is missing or not
    regular.
    """
    *parents, name = Path(relative).parts
    with ExitStack() as closing:

        def step(part: str | Path, flags: int, within: int | None) -> int:
            handle = os.open(part, flags, dir_fd=within)
            closing.callback(os.close, handle)
            return handle

        try:
            handle = step(folder, _FOLDER, None)
            for parent in parents:
                handle = step(parent, _FOLDER | os.O_NOFOLLOW, handle)
            handle = step(name, _FILE, handle)
        except PermissionError:
            raise DocumentError(DocumentFailure.RESTRICTED, _UNREADABLE) from None
        except OSError:
            raise DocumentError(DocumentFailure.UNREBUILDABLE, CHANGED) from None
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise DocumentError(DocumentFailure.UNREBUILDABLE, CHANGED)
        yield handle


@contextmanager
def pin_regular(folder: Path, relative: str) -> Iterator[Path]:
    """Give a path, with the name of ``relative``, to the file that ``open_regular`` opens.

    For this process it is that file while the block lasts, whatever replaces it in ``folder``.
    """
    with open_regular(folder, relative) as handle:
        private = Path(gettempdir(), f"prism-{secrets.token_hex(8)}")
        private.mkdir(mode=0o700)
        try:
            path = private / Path(relative).name
            path.symlink_to(f"/proc/self/fd/{handle}")
            yield path
        finally:
            shutil.rmtree(private, ignore_errors=True)


@contextmanager
def atomic_write(path: Path) -> Iterator[BinaryIO]:
    """Write a private temporary file, and rename it to ``path`` on success. Raises ``OSError``."""
    partial = path.with_name(f".{path.name}.{secrets.token_hex(8)}.partial")
    descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def create_if_absent(path: Path, content: bytes, mode: int = 0o666) -> bool:
    """Create ``path`` with ``content`` on disk in one step; return False if it exists.

    Of two programs that do so at the same time, one gets False. ``mode`` is that of ``open``, less
    the umask. Raises ``OSError``.
    """
    temporary = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        path.hardlink_to(temporary)
    except FileExistsError:
        return False
    finally:
        temporary.unlink(missing_ok=True)
    return True


def overwrite_and_remove(path: Path) -> None:
    """Fill ``path`` with zeros, on disk, then remove it. Raises ``StateError``."""
    try:
        with path.open("r+b", buffering=0) as file:
            left = file.seek(0, os.SEEK_END)
            file.seek(0)
            while left > 0:
                left -= file.write(bytes(min(left, _BLOCK)))
            os.fsync(file.fileno())
        path.unlink()
    except OSError as error:
        raise StateError(f"{path} cannot be destroyed: {error.strerror}") from None


def make_folder(folder: Path) -> None:
    """Make ``folder`` and its missing parents for the owner alone. Raises ``OSError``."""
    for missing in [path for path in (*reversed(folder.parents), folder) if not path.exists()]:
        missing.mkdir(mode=0o700, exist_ok=True)


def make_private(folder: Path) -> None:
    """Make ``folder`` for its owner alone. Raises ``StateError`` if it is another user's."""
    try:
        for part in (folder.parent, folder):
            part.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = folder.lstat()
    except OSError as error:
        raise StateError(f"{folder} cannot be made: {error.strerror}; set TMPDIR") from None
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.getuid():
        raise StateError(f"{folder} belongs to another user; remove it, or set TMPDIR")


def make_file(file: Path) -> None:
    """Create an empty ``file`` for the owner, or leave one as it is. Raises ``OSError``."""
    file.touch(mode=0o600)


def grant_read(path: Path, readable_by: ReadableBy) -> None:
    """Let ``readable_by`` read ``path`` and everything in it. Raises ``OSError``."""
    if path.is_dir():
        path.chmod(0o700 | _OPEN[readable_by])
        for child in path.iterdir():
            grant_read(child, readable_by)
    else:
        path.chmod(0o600 | _READ[readable_by])
