"""Who may read what PRISM writes for itself: its owner alone, unless the settings say otherwise.

Whatever the umask says. Translations are not meant: they may be read by whoever may read their
sources.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

ReadableBy = Literal["owner", "group", "everyone"]

_READ = {"owner": 0, "group": 0o040, "everyone": 0o044}
_OPEN = {"owner": 0, "group": 0o050, "everyone": 0o055}


def make_folder(folder: Path) -> None:
    """Make ``folder`` and what is missing above it, for the owner; what is there stays as it is.

    Raises ``OSError``.
    """
    for missing in [path for path in (*reversed(folder.parents), folder) if not path.exists()]:
        missing.mkdir(mode=0o700, exist_ok=True)


def make_file(file: Path) -> None:
    """Make an empty ``file`` for the owner, to be filled by somebody who knows its name alone.

    One that is there keeps what it holds and its mode. Raises ``OSError``.
    """
    file.touch(mode=0o600)


def let_read(path: Path, readable_by: ReadableBy) -> None:
    """Let ``readable_by`` read ``path`` and all that is in it. Raises ``OSError``."""
    if path.is_dir():
        path.chmod(0o700 | _OPEN[readable_by])
        for inside in path.iterdir():
            let_read(inside, readable_by)
    else:
        path.chmod(0o600 | _READ[readable_by])
