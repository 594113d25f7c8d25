"""A file that is to be gone, as far as a program can see to that."""

from __future__ import annotations

import os
from pathlib import Path

from prism_core.errors import StateError

_BLOCK = 1 << 20


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
