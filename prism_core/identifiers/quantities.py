"""Numbers that are plainly amounts, so that no detector need be asked about them.

Most numbers of most texts are: *5 mg*, *37.2*, *in 2019*. They are replaced like all others; this
only spares the time to look what they might identify.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from prism_core.identifiers.base import Span
from prism_core.language.function_words import is_function_word

_LONGEST = 7
_APART = 3
_MARKS = frozenset("-–:#=(/")
_ANNOUNCES = frozenset(
    "no nos nr num number numbers n id ids identifier code ref reference º n° nº with nummer ext "
    "extension".split()
)
_COPULAS = frozenset("is was are reads shows".split())
_CONTINUES = ("rue ", "av", "bo", "pl", "qu", "ch", "im", "al", "ul", "of ", "day ", "st ", "bis", "ter")
"""What goes on after a house number, and between the day of a date and its month."""
_NUMBERED_PARTS = frozenset(
    "figure fig table day week grade stage type section chapter article phase step level item".split()
)
_MONTHS = ("may", "march")
"""Months that are function words, or look like one."""
_NAMELESS = re.compile(r"(?:[A-Za-z]+[-‐])+\d{1,2}|\d{1,4}(?:[.,]\d+)?[A-Za-z]{1,4}")
"""Codes that are words or amounts: *COVID-19*, *27km*."""


def are_quantities(text: str, spans: Sequence[Span], announces: frozenset[str]) -> bool:
    """Whether each of ``spans`` is a short number that nothing beside it makes an identifier.

    ``announces`` are words, in lower case, that give a number of any length a class.
    """
    done = -_APART - 1
    for span in spans:
        value = text[span.start : span.end]
        if span.label == "CODE":
            short = _NAMELESS.fullmatch(value) is not None
        else:
            short = span.label == "NUMBER" and _is_short(value, text[span.end : span.end + 1])
        if not short or span.start - done <= _APART:
            return False
        if value[0].isdigit() and not _stands_free(text, span, announces):
            return False
        done = span.end
    return True


def _is_short(value: str, after: str) -> bool:
    if len(value) > _LONGEST or "-" in value or value.count(".") > 1:
        return False
    if value[0] in "91" and after != "%" and value.isdigit() and 90 <= int(value) < 140:
        return False  # may be an age over 89
    return len(value) < 6 or "/" not in value


def _stands_free(text: str, span: Span, announces: frozenset[str]) -> bool:
    """Whether no capital, mark or announcing word stands right before or after."""
    after = text[span.end : span.end + 6].lstrip(" ,-")
    if after[:1].isupper() or after[:1].isdigit() or after.startswith(_CONTINUES):
        return False
    before, rest = _word_before(text, span.start)
    if before in _COPULAS:
        before, _ = _word_before(text, rest)
    bare = before.lower().strip(".()")
    if before[:1].isupper() and not (bare in _NUMBERED_PARTS or is_function_word(bare)):
        return False
    if bare in _MONTHS or (before[-1:] in _MARKS and len(before) > 1):
        return False
    return bare not in _ANNOUNCES and bare not in announces


def _word_before(text: str, end: int) -> tuple[str, int]:
    """The word before ``end``, and where it begins."""
    start = text.rfind(" ", 0, max(0, end - 1)) + 1
    return text[start:end].rstrip(" ,"), start
