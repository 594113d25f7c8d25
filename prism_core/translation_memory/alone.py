"""Lines and cells that are one word of grammar (*Other*, *From:*), translated here.

Entry: ``WordsAlone.translate``. A surname may be such a word, and a cell shows nothing else to tell
it by; so what forms have in such cells is listed, with its translations, and is never sent.
"""

from __future__ import annotations

import re

from prism_core.resources import shipped_words_alone

_LINE = re.compile(r"([-–•*(\s]*)([^\W\d_]+(?:['’-][^\W\d_]+)*)([\s:.,;)*]*)")


class WordsAlone:
    """Those of ``source`` that have a translation into ``target``; none of other languages."""

    def __init__(self, source: str, target: str) -> None:
        self._target, self._words = target, dict[str, str]()
        path = shipped_words_alone(source)
        if path.exists():
            head, *rows = (
                line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()
            )
            if target in head[1:]:
                self._words = {row[0]: row[head.index(target)] for row in rows}

    def translate(self, text: str) -> str | None:
        """The translation of ``text``, in its case and with its marks, if it is such a word."""
        line = _LINE.fullmatch(text)
        if line is None:
            return None
        before, word, after = line.groups()
        known = self._words.get(word.lower())
        if known is None or (len(word) == 1 and word.isupper()):  # an initial, a door
            return None
        if word.isupper():
            known = known.upper()
        elif word[0].isupper():
            known = known[0].upper() + known[1:]
        if after.strip() == ":":
            after = " :" if self._target == "fr" else ":"
        return before + known + after
