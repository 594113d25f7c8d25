"""Numbers: the digits of a surrogate found in whatever form came back, and given theirs again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from prism_core.decoding.target_text import Span, TargetText
from prism_core.mechanisms.base import Replacement

_DIGITS = re.compile(r"\d(?:[.,:'’/\-–\s]?\d)*")
"""Digits with at most one separator between two of them; several numbers may stand in one run."""
_MAY_BEGIN = re.compile(r"(?<!\d)(?<!\d[.,])")
_MAY_END = re.compile(r"(?![.,]?\d)")
_ORDINAL = re.compile(r"(?:st|nd|rd|th)?")


def find_number(surrogate: str, target: TargetText) -> Span | None:
    """The place of the digits of ``surrogate``, as written or with other separators between."""
    text = target.text
    places = chain(
        _as_written(surrogate, text), _in_any_form(surrogate, text), _in_groups(surrogate, text)
    )
    return next(filter(target.is_free, places), None)


def _as_written(surrogate: str, text: str) -> Iterator[Span]:
    start = text.find(surrogate)
    while start >= 0:
        end = start + len(surrogate)
        if _is_whole(text, start, end):
            yield start, end
        start = text.find(surrogate, start + 1)


def _in_any_form(surrogate: str, text: str) -> Iterator[Span]:
    """The places of the digits of ``surrogate``, an English ordinal's ending included."""
    wanted = "".join(c for c in surrogate if c.isdecimal())
    for run in _DIGITS.finditer(text):
        places = [i for i in range(*run.span()) if text[i].isdecimal()]
        digits = "".join(text[i] for i in places)
        first = digits.find(wanted)
        while first >= 0:
            start, end = places[first], places[first + len(wanted) - 1] + 1
            if _is_whole(text, start, end):
                ordinal = _ORDINAL.match(text, end)
                yield start, ordinal.end() if ordinal else end
            first = digits.find(wanted, first + 1)


def _in_groups(surrogate: str, text: str) -> Iterator[Span]:
    """The places of the digits of a ``surrogate`` in groups: *(555) 013-2297*, *+49 30 1234*.

    Up to three marks or blanks stand between two of them, as between its own groups.
    """
    groups = re.findall(r"\d+", surrogate)
    if len(groups) > 1:
        pattern = r"\D{1,3}".join(groups)
        yield from (m.span() for m in re.finditer(pattern, text) if _is_whole(text, *m.span()))


def _is_whole(text: str, start: int, end: int) -> bool:
    """Whether what stands there is no part of a longer number."""
    return bool(_MAY_BEGIN.match(text, start) and _MAY_END.match(text, end))


def restore_number(replacement: Replacement, shown: str) -> str:
    """The original digits in the form that came back.

    When the number of digits differs, or the form came back as it was sent, the original is put
    in as it is written.
    """
    if shown == replacement.substitute:
        return replacement.word
    original = re.findall(r"\d", replacement.word)
    if len(original) != sum(c.isdigit() for c in shown):
        return replacement.word
    digits = iter(original)
    return re.sub(r"\d", lambda _: next(digits), shown)
