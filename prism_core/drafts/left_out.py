"""Words of a source that its translation leaves out.

A model attends to the words that it translates. Firefox models leave out clauses of long sentences
(*8 hours apart*, *She was breathing ambient air*), and the rest reads well.

Entry: ``leaves_out``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from prism_core.languages import Language

_NO_LETTER = re.compile(r"[\W\d_]+")
_LEAST_ATTENTION = 0.35
_IN_A_ROW = 2
"""Content words of one phrase: one alone is often part of another (*took place: ocorreu*)."""
_SHORTEST = 3


class ReadWord(NamedTuple):
    """Word of a source, the marks at it included."""

    text: str
    attention: float
    """Largest share, 0 to 1, of the attention of a piece of the translation to one of its own."""


def leaves_out(words: Iterable[ReadWord], language: Language) -> bool:
    """Return True if a translation hardly attends to two content words in a row.

    ``words`` are all words of a source in ``language``. Short words and function words between two
    content words do not count.
    """
    in_a_row = 0
    for word in words:
        letters = _NO_LETTER.sub("", word.text).lower()
        if len(letters) >= _SHORTEST and not language.is_function_word(letters):
            in_a_row = in_a_row + 1 if word.attention < _LEAST_ATTENTION else 0
            if in_a_row == _IN_A_ROW:
                return True
    return False
