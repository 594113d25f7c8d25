"""The normal form in which identifiers are compared: what a reader takes for the same."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from prism_core.identifiers.confusables import digit_of, is_invisible, look_of

_NO_LETTER_OR_DIGIT = re.compile(r"[\W_]+")
_NOT_AS_DECOMPOSED = str.maketrans({"™": " ", "℠": " ", "ϲ": "c", "Ϲ": "C"})
"""The compatibility forms of these do not look like them, or run into the name before them."""


class _Shown(dict[int, str | None]):
    """Character codes to what is seen of them: nothing, a plain digit, or themselves.

    Filled as characters are met, so it has at most one entry for each character there is.
    """

    def __missing__(self, code: int) -> str | None:
        character = chr(code)
        self[code] = None if is_invisible(character) else digit_of(character) or character
        return self[code]


class _Looks(dict[int, str]):
    """Codes of casefolded characters to the Latin letter that they look like, else themselves."""

    def __missing__(self, code: int) -> str:
        self[code] = look_of(chr(code))
        return self[code]


_SHOWN = _Shown()
_LOOKS = _Looks()


def visible(text: str) -> str:
    """``text`` in its own letter case, as far as it is seen.

    Full-width and styled letters and all digits become plain, accents go, and so do soft hyphens,
    zero-width characters and controls. ASCII has none of these.
    """
    if text.isascii():
        return text
    return unicodedata.normalize("NFKD", text.translate(_NOT_AS_DECOMPOSED)).translate(_SHOWN)


def normalise(text: str) -> str:
    """``visible`` without case, and with Latin letters for those that look like them.

    Other scripts are written in Latin letters as far as they look so: for comparing, not reading.
    """
    if text.isascii():
        return text.lower()
    folded = visible(text).casefold()
    return folded if folded.isascii() else folded.translate(_LOOKS)


def normal_forms(texts: Sequence[str]) -> list[str]:
    """``normalise`` for each of ``texts``."""
    all_ascii = "".join(texts).isascii()
    return list(map(str.lower if all_ascii else normalise, texts))


def squash(text: str) -> str:
    """The normal form with everything but letters and digits taken out: spacing hides nothing."""
    normal = normalise(text)
    return normal if normal.isalnum() else _NO_LETTER_OR_DIGIT.sub("", normal)
