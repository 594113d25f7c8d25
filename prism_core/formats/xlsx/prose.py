"""Which cells hold words: numbers, codes, addresses and names of files stay as they are."""

from __future__ import annotations

import re
from typing import Final

_WORD: Final = re.compile(r"[!-~]+")
_SIGN: Final = re.compile(r"[\d_@\\]|[a-z][A-Z]|://|^www\.|\.[A-Za-z]{2,4}$")
"""What no word of a language has: a digit, an underscore, a capital inside, parts of an address."""


def is_prose(text: str) -> bool:
    """Whether the cell ``text`` is to be translated."""
    if not any(map(str.isalpha, text)):
        return False
    if _WORD.fullmatch(text) is None:
        return True
    return len(text) > 1 and _SIGN.search(text) is None
