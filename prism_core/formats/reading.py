"""The bytes of a file, and no more of them than a format can take."""

from __future__ import annotations

from pathlib import Path

from prism_core.errors import DocumentError, DocumentFailure


def read_limited(path: Path, most: int) -> bytes:
    """The bytes of ``path``; raises ``DocumentError``: too large (over ``most``), or corrupt."""
    try:
        if path.stat().st_size > most:
            raise DocumentError(DocumentFailure.TOO_LARGE)
        return path.read_bytes()
    except OSError:
        raise DocumentError(
            DocumentFailure.CORRUPT, "The file cannot be opened; check its permissions."
        ) from None
