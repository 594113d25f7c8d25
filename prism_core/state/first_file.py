"""Files of which the first writer's stays: a key, or the name of a schema."""

from __future__ import annotations

import os
import secrets
from pathlib import Path


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
