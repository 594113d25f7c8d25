"""Words with several senses whose translation has the one that is hardly meant.

Models write *teatro* for *taken to theatre*, and *alunos* for *pupils equal and reactive*: fluent
sentences that nothing else shows to be wrong. So the data lists, for a pair of languages, words
with their neighbours, and what a translation has in the wrong sense.

Entry: ``find_wrong_senses``.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from prism_core.alignment import Match
from prism_core.resources import SHIPPED_LANGUAGES, read_rows


class _Sense(NamedTuple):
    """Patterns of a source, and of a translation that takes it in the wrong sense."""

    source: re.Pattern[str]
    target: re.Pattern[str]


def find_wrong_senses(text: str, translation: str, source: str, target: str) -> list[Match]:
    """Return the words of ``text`` that ``translation`` has in a sense that is hardly meant.

    Empty for a pair (ISO 639-1) of which no words are listed.
    """
    senses = _read_senses(source, target)
    if not senses or not senses[0].source.search(text):
        return []
    return [
        Match(asked.span(), written.span())
        for sense in senses[1:]
        if (asked := sense.source.search(text)) and (written := sense.target.search(translation))
    ]


@cache
def _read_senses(source: str, target: str) -> list[_Sense]:
    """Read the listed words of a pair; the first of several finds any of the others."""
    rows = read_rows(SHIPPED_LANGUAGES / "wrong_senses.tsv")
    listed = [tuple(patterns) for pair, *patterns in rows if pair == f"{source}-{target}"]
    alternatives = ["|".join(patterns) for patterns in zip(*listed, strict=True)]
    return [
        _Sense(*(re.compile(rf"\b(?:{pattern})(?!\w)", re.IGNORECASE) for pattern in patterns))
        for patterns in ([alternatives] if listed else []) + [list(row) for row in listed]
    ]
