"""The normal form in which identifiers are compared: what a reader takes for the same."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

_NO_LETTER_OR_DIGIT = re.compile(r"[\W_]+")


class _Visible(dict[int, int | None]):
    """Character codes to themselves, or to None for accents and invisible characters.

    Filled as characters are met, so it has at most one entry for each character there is.
    """

    def __missing__(self, code: int) -> int | None:
        visible = unicodedata.category(chr(code)) not in ("Mn", "Cf")
        self[code] = code if visible else None
        return self[code]


_VISIBLE = _Visible()


def normalise(text: str) -> str:
    """Compatibility forms, accents, invisible characters and case taken away.

    Full-width and styled letters become plain, ``é`` becomes ``e``, soft hyphens and zero-width
    characters disappear. ASCII has none of these.
    """
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFKD", text).translate(_VISIBLE).casefold()


def normal_forms(texts: Sequence[str]) -> list[str]:
    """``normalise`` for each of ``texts``."""
    all_ascii = "".join(texts).isascii()
    return list(map(str.lower if all_ascii else normalise, texts))


def squash(text: str) -> str:
    """The normal form with everything but letters and digits taken out: spacing hides nothing."""
    normal = normalise(text)
    return normal if normal.isalnum() else _NO_LETTER_OR_DIGIT.sub("", normal)
