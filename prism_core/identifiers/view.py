"""A text as a reader sees it, for patterns: plain blanks, hyphens and digits, nothing invisible."""

from __future__ import annotations

import re
from unicodedata import category, digit

_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]")
_BLANKS = (
    "\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
)
_HYPHENS = "\u2010\u2011\u2012\u2013\u2014\u2212\ufe63\uff0d"


class _Alike(dict[int, int]):
    """Character codes to those of the plain character that looks like it, filled as they are met.

    Has at most one entry for each character there is.
    """

    def __missing__(self, code: int) -> int:
        character = chr(code)
        plain = character
        if character in _BLANKS:
            plain = " "
        elif character in _HYPHENS:
            plain = "-"
        elif "\uff01" <= character <= "\uff5e":
            plain = chr(code - 0xFEE0)
        elif category(character) == "Nd":
            plain = str(digit(character))
        self[code] = ord(plain)
        return self[code]


_ALIKE = _Alike()


def without_invisible(text: str) -> str:
    """``text`` less soft hyphens, zero-width characters and marks of direction."""
    return _INVISIBLE.sub("", text)


class View:
    """``text`` is what patterns read; ``span`` tells where something of it stands in the source."""

    def __init__(self, source: str) -> None:
        self.text = source
        self._starts: list[int] | None = None
        if not source.isascii():
            self.text = source.translate(_ALIKE)
            if _INVISIBLE.search(source):
                self._leave_out_invisible()

    def _leave_out_invisible(self) -> None:
        shown = [_INVISIBLE.match(character) is None for character in self.text]
        self._starts = [place for place, is_shown in enumerate(shown) if is_shown]
        self.text = _INVISIBLE.sub("", self.text)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The characters of the source that ``[start, end)`` of the view stands for, not empty."""
        if self._starts is None:
            return start, end
        return self._starts[start], self._starts[end - 1] + 1
