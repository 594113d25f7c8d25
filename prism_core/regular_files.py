"""Files in a folder that others may change meanwhile: opened without surprises, and held."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from prism_core.errors import DocumentError, DocumentFailure

CHANGED: Final = "It was changed or removed while it was being translated; run again."
_UNREADABLE: Final = "It cannot be opened; check its permissions and run again."
_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_FILE: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


@contextmanager
def open_regular(folder: Path, relative: str) -> Iterator[int]:
    """A descriptor for reading the regular file ``relative`` in ``folder``, while the block lasts.

    No link below ``folder`` is followed, and no pipe waited for. Raises ``DocumentError``:
    restricted for what may not be read, unrebuildable for what is no such file, or no more.
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
def hold_regular(folder: Path, relative: str) -> Iterator[Path]:
    """A path with the name of ``relative`` to the file that ``open_regular`` gives.

    For this process it is that file while the block lasts, whatever takes its place in ``folder``.
    """
    with open_regular(folder, relative) as handle, TemporaryDirectory(prefix="prism-") as place:
        path = Path(place, Path(relative).name)
        path.symlink_to(f"/proc/self/fd/{handle}")
        yield path
