"""Where the shared corpora are; they are never part of the project."""

import os
from pathlib import Path

SHARED_DATA = Path(os.environ.get("PRISM_SHARED_DATA", "../shared/data")).resolve()


def shared(relative: str) -> Path:
    """The file or folder ``relative`` of the shared data; fails with the reason when absent."""
    path = SHARED_DATA / relative
    assert path.exists(), f"{relative} is missing; set PRISM_SHARED_DATA to the shared data folder"
    return path
