"""Files that are made whole or not at all, and files that are to be gone."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from prism_core.errors import StateError

_BLOCK = 1 << 20


def make_first(path: Path, content: bytes, mode: int = 0o666) -> bool:
    """Make ``path`` whole and on disk, in one step; False when there is a file: it stays.

    Of two programs that do so at once, one is told False. ``mode`` is that of ``open``, less the
    umask. Raises ``OSError``.
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
