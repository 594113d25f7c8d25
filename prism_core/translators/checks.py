"""Is this answer a translation of that text? A translator is not trusted to have done its work.

The checks are cheap, know no language and err on the side of doubt: an answer in doubt is asked
for once more, alone, and then the sentence is reported as failed. No check quotes a text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

_UNSENDABLE = re.compile("[\0\n\r\ud800-\udfff]")


def first_unsendable(texts: Sequence[str]) -> int | None:
    """The index of the first text that is not a sentence on one line: with a line end, a NUL or
    half a surrogate pair in it. None when all can be sent."""
    return next((n for n, text in enumerate(texts) if _UNSENDABLE.search(text)), None)


class AnswerFault(StrEnum):
    """What is wrong with an answer, as the ledger and the report name it."""

    EMPTY = "empty-answer"
    TOO_LONG = "answer-too-long"
    TOO_SHORT = "answer-too-short"
    UNTRANSLATED = "answer-untranslated"
    CONTROL_CHARACTERS = "answer-control-characters"


@dataclass(frozen=True, slots=True)
class AnswerChecks:
    """How much doubt is allowed.

    An answer may have ``longest_ratio`` times the characters of its text and ``slack`` more, and
    must have ``shortest_ratio`` times those beyond ``brief`` (Chinese needs a fifth of English).
    A text with at least ``words_to_translate`` lower-case words must not come back as it was,
    unless ``allow_unchanged`` says that the translator changes nothing on purpose.
    """

    longest_ratio: float = 3.0
    slack: int = 80
    shortest_ratio: float = 0.1
    brief: int = 20
    words_to_translate: int = 4
    allow_unchanged: bool = False

    def fault_of(self, text: str, answer: str) -> AnswerFault | None:
        """The first fault of ``answer`` to ``text``; None when it may be used."""
        if not text.strip():
            return None if not answer.strip() else AnswerFault.TOO_LONG
        if not answer.strip():
            return AnswerFault.EMPTY
        if len(answer) > self.longest_ratio * len(text) + self.slack:
            return AnswerFault.TOO_LONG
        if len(answer) < self.shortest_ratio * (len(text) - self.brief):
            return AnswerFault.TOO_SHORT
        if _control_characters(answer) - _control_characters(text):
            return AnswerFault.CONTROL_CHARACTERS
        unchanged = not self.allow_unchanged and _normal(text) == _normal(answer)
        if unchanged and len(_LOWER_CASE_WORD.findall(text)) >= self.words_to_translate:
            return AnswerFault.UNTRANSLATED
        return None


_LETTERS = r"[^\W\d_A-Z]"
_LOWER_CASE_WORD = re.compile(
    rf"(?<!\S)[^\w\s]*{_LETTERS}{{2,}}(?:['’-]{_LETTERS}+)*[^\w\s]*(?!\S)"
)
"""Names and abbreviations may well stay as they are, and so may addresses, so only lower-case words
between spaces count."""


def _normal(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")


def _control_characters(text: str) -> set[str]:
    """C0 and C1 controls, line breaks among them, and half surrogate pairs: a sentence has none,
    so its answer has none."""
    return set(_CONTROL.findall(text))
