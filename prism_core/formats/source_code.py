"""Tells source code from prose, by the look of its lines."""

from __future__ import annotations

import re
from typing import Final

_CODE_LINE: Final = re.compile(
    r"\s*(#include\b|#!/|import [\w.]+;?$|from [\w.]+ import |def \w+\(.*:$|class \w+.*[:{]$"
    r"|(public|private|static|const|var|let|function|return)\b.*[;{(]$|.*[;{}]$|//|/\*)"
)


def looks_like_code(text: str) -> bool:
    """Source code: at least half of the first lines look like statements."""
    lines = [line for line in text.splitlines() if line.strip()][:60]
    if lines and lines[0].startswith("#!"):
        return True
    hits = sum(1 for line in lines if _CODE_LINE.match(line))
    return len(lines) >= 4 and hits * 2 >= len(lines)
