"""Looks for a planted word in every byte that a folder holds."""

from __future__ import annotations

import base64
from pathlib import Path


def files_with(word: str, folder: Path) -> list[str]:
    """Files under ``folder`` that hold ``word``, plain, in UTF-16, or in base64 at any offset."""
    needles = [word.encode(), word.encode("utf-16-le"), *_in_base64(word.encode())]
    contents = ((file, file.read_bytes()) for file in sorted(folder.rglob("*")) if file.is_file())
    return [
        str(file.relative_to(folder))
        for file, content in contents
        if any(needle in content for needle in needles)
    ]


def _in_base64(word: bytes) -> list[bytes]:
    """What ``word`` looks like in base64, less the characters that its neighbours change."""
    shifted = (base64.b64encode(b"\0" * shift + word) for shift in range(3))
    whole = (len(word) // 3 - 1) * 4
    return [encoded[4 if shift else 0 :][:whole] for shift, encoded in enumerate(shifted)]
