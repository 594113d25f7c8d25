"""Invisible characters that a translator's answer may not add.

An override reverses an amount or a date, a zero-width blank hides a word from searches. Both are
Unicode format characters, and a translation into most languages needs none.

Entry: ``added_controls`` for a translator's answer; ``REORDERING`` are those that no translation
may add, whoever made it.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

REORDERING: Final = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Embeddings, overrides and isolates, which set the order of all text up to their end."""
_HIDDEN: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_DIRECTION_MARKS: Final = frozenset("\u061c\u200e\u200f")
_JOINERS: Final = re.compile("[\u180e\u200b-\u200d\u2060]+")
_ON_BASE: Final = re.compile("[\ufe00-\ufe0f\U0001f3fb-\U0001f3ff]")
_WITH_JOINERS: Final = frozenset({"Lo", "Mc", "So"})
"""Letters without case (Arabic, Indic, Thai), vowel signs and emoji."""


def added_controls(text: str, translation: str) -> frozenset[str]:
    """Return the control and format characters that ``translation`` adds without need.

    Characters of ``text`` are no addition. A sentence has no line end, NUL or lone surrogate.
    Direction marks are needed beside letters that are written from the right, joiners and
    zero-width blanks beside letters without case and within emoji, signs of Arabic numbers
    anywhere. A soft hyphen is not needed.
    """
    if translation.isprintable():  # as nearly all are: no character of _HIDDEN is
        return frozenset()
    added = {
        character for character in translation if unicodedata.category(character) in _HIDDEN
    } - set(text)
    return frozenset(character for character in added if not _is_needed(character, translation))


def _is_needed(control: str, text: str) -> bool:
    if control in _DIRECTION_MARKS:
        return any(
            unicodedata.bidirectional(character) in ("R", "AL")
            for character in text
            if character.isalpha()
        )
    if _JOINERS.fullmatch(control):
        runs = (run for run in _JOINERS.finditer(text) if control in run[0])
        return all(_has_joiners(text[: run.start()], text[run.end() :]) for run in runs)
    return unicodedata.bidirectional(control) == "AN"


def _has_joiners(before: str, after: str) -> bool:
    """Return True if joiners may stand between these, by the letter on either side."""
    before = _ON_BASE.sub("", before[-4:])
    while before and unicodedata.category(before[-1]) == "Mn":
        before = before[:-1]
    beside = before[-1:] + after[:1]
    return any(unicodedata.category(character) in _WITH_JOINERS for character in beside)
