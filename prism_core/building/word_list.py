"""Word lists: public words with their tags, which running text need not show."""

from __future__ import annotations

import gzip
from pathlib import Path

from prism_core.building.frames import FRAMES
from prism_core.building.vocabulary import Candidate
from prism_core.errors import ConfigurationError


def read_word_list(path: Path) -> list[Candidate]:
    """The candidates of a list: a word, a tab and a Penn tag a line, gzipped or not.

    Lines that start with # are remarks. They have a count of 0: no text shows them. Raises
    ``ConfigurationError`` with the line that is wrong.
    """
    try:
        content = path.read_bytes()
        raw = gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content
        lines = raw.decode("utf-8").splitlines()
    except (OSError, EOFError, UnicodeDecodeError, gzip.BadGzipFile):
        raise ConfigurationError(f"The word list {path} cannot be read as UTF-8 text.") from None
    found = [
        (number, line.split("\t"))
        for number, line in enumerate(lines, start=1)
        if line and not line.startswith("#")
    ]
    for number, fields in found:
        if len(fields) != 2 or fields[1] not in FRAMES:
            raise ConfigurationError(
                f"Line {number} of {path} is not a word, a tab and one of the tags "
                f"{', '.join(FRAMES)}."
            )
    return [Candidate(word, tag, 0) for _, (word, tag) in found]
