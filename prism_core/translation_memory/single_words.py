"""Lines and cells that are a single word (*Other*, *From:*, *Left*) or a formula (*Kind regards,*).

A surname may be such a word, and nothing else in a cell tells. So the words that forms have in such
cells are listed, with their translations, and are never sent; so are formulas of letters, minutes
and records, which models translate word by word. Words of several senses are listed, too, whoever
translates them, since nothing beside a word says which one is meant.

Entry: ``SingleWordTranslations.translate``, ``is_unclear_alone``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from prism_core.resources import read_rows, shipped_senses, shipped_single_words

WORD_ALONE = "word-alone"
"""Reason for doubt in a translation: the text is one word, which has several senses."""

_LINE = re.compile(r"([-–•*\s]*)([^\W\d_]+(?:['’-][^\W\d_]+)*)([\s:.,;*]*)")
_LISTED = re.compile(r"([-–•*\s]*)([^\W\d_]+(?:['’ -][^\W\d_]+)*)([\s:.,;*]*)")
"""The same of several words."""
_ABBREVIATIONS = frozenset(
    "mr mrs ms dr prof sr sra srta sres dña dra etc usw ca approx aprox env messrs".split()
)
"""Words whose full stop marks an abbreviation, not an end: *Mr.* is *Herr*."""


class WordAlone(NamedTuple):
    """A text of one word, and what stands around it."""

    before: str
    word: str
    after: str

    @classmethod
    def read(cls, text: str) -> WordAlone | None:
        """Return ``text`` in parts, or None if it is not one word."""
        found = _LINE.fullmatch(text)
        return None if found is None else cls(*found.groups())


def is_unclear_alone(text: str, source: str) -> bool:
    """Return True if ``text`` is one word of the language ``source`` that has several senses."""
    line = WordAlone.read(text)
    return line is not None and line.word.lower() in _read_senses(source)


@cache
def _read_senses(source: str) -> frozenset[str]:
    path = shipped_senses(source)
    return frozenset(path.read_text(encoding="utf-8").split() if path.exists() else ())


class SingleWordTranslations:
    """Translations of single words and formulas; ``is_term`` knows the user's own terms."""

    def __init__(
        self, source: str, target: str, is_term: Callable[[str], bool] = lambda _: False
    ) -> None:
        self._target, self.words, self._is_term = target, dict[str, str](), is_term
        path = shipped_single_words(source)
        if path.exists():
            head, *rows = read_rows(path)
            if target in head[1:]:
                self.words = {row[0]: row[head.index(target)] for row in rows}

    def translate(self, text: str) -> str | None:
        """Return the translation of ``text``, with its case and marks, or None for other text.

        Returns None for a letter (an initial, an item of a list), for two capitals (a code: *DE*),
        and for *No.*, which announces a number.
        """
        line = _LISTED.fullmatch(text)
        if line is None:
            return None
        before, word, after = line.groups()
        known = self.words.get(word.lower())
        is_code = len(word) == 1 or (len(word) == 2 and word.isupper())
        is_number = word.lower() == "no" and after.strip() in (".", ":", ".:")
        if known is None or is_code or is_number or any(map(self._is_term, (word, *word.split()))):
            return None
        is_shortened = word.lower() in _ABBREVIATIONS and known.lower() not in _ABBREVIATIONS
        if after.startswith(".") and (is_shortened or known.endswith(".")):
            after = after[1:]
        if word.isupper():
            known = known.upper()
        elif word[0].isupper():
            known = known[0].upper() + known[1:]
        if after.strip() == ":":
            after = " :" if self._target == "fr" else ":"
        return before + known + after
