"""Numbers: the digits of a surrogate found in whatever form came back, and given theirs again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from prism_core.decoding.target_text import Span, TargetText
from prism_core.languages import Numbers
from prism_core.record import Replacement

_DIGITS = re.compile(r"\d(?:(?:[.,:'’/\-–\s]|\s?h\s?)?\d)*")
"""Digits with at most one separator between two of them, such as the *h* of a French clock; several
numbers may stand in one run."""
_LOOSE = r"[.,:'’/\-–()\s]{0,3}"
_LEAST_LOOSE = 5
"""Digits of a number that is found with several separators between two of them."""
_MAY_BEGIN = re.compile(r"(?<!\d)(?<!\d[.,])")
_MAY_END = re.compile(r"(?![.,]?\d)")
_RUN = re.compile(r"\d+")


def find_number(surrogate: str, target: TargetText, numbers: Numbers) -> Span | None:
    """The place of the digits of ``surrogate``, as written or with other separators between."""
    places = chain(
        _find_as_written(surrogate, target.text),
        _find_in_any_form(surrogate, target.text, numbers),
        _find_loosely(surrogate, target.text),
    )
    return next(filter(target.is_free, places), None)


def _find_as_written(surrogate: str, text: str) -> Iterator[Span]:
    start = text.find(surrogate)
    while start >= 0:
        end = start + len(surrogate)
        if _is_whole(text, start, end):
            yield start, end
        start = text.find(surrogate, start + 1)


def _find_in_any_form(surrogate: str, text: str, numbers: Numbers) -> Iterator[Span]:
    """The places of the digits of ``surrogate``, the ending of a source ordinal included."""
    wanted, ordinal_ending = digits_of(surrogate), re.compile(numbers.ordinal)
    for run in _DIGITS.finditer(text):
        places = [i for i in range(*run.span()) if text[i].isdecimal()]
        digits = digits_of(run.group())
        first = digits.find(wanted)
        while first >= 0:
            start, end = places[first], places[first + len(wanted) - 1] + 1
            if _is_whole(text, start, end):
                ordinal = ordinal_ending.match(text, end)
                yield start, ordinal.end() if ordinal else end
            first = digits.find(wanted, first + 1)


def _find_loosely(surrogate: str, text: str) -> Iterator[Span]:
    """The places of all digits of a long ``surrogate``, with brackets and blanks between."""
    wanted = digits_of(surrogate)
    if len(wanted) >= _LEAST_LOOSE:
        for match in re.finditer(_LOOSE.join(wanted), text):
            if _is_whole(text, *match.span()):
                yield match.span()


def _is_whole(text: str, start: int, end: int) -> bool:
    """Whether what stands there is no part of a longer number."""
    return bool(_MAY_BEGIN.match(text, start) and _MAY_END.match(text, end))


def digits_of(text: str) -> str:
    """The digits of ``text``, those of any script as ASCII ones."""
    return "".join(str(int(c)) for c in text if c.isdecimal())


def restore_number(replacement: Replacement, shown: str, numbers: Numbers) -> str:
    """The original digits in the form that came back.

    Where their number differs, the original's groups take the places of the surrogate's; if the
    form has other groups, or came back as it was sent, the original is put in as it is written,
    but without an ordinal's ending that the form has not. Digits in words become digits.
    """
    word = numbers.in_digits(replacement.word) or replacement.word
    if shown == replacement.substitute:
        return word
    original = digits_of(word)
    if len(original) == len(digits_of(shown)):
        digits = iter(original)
        return re.sub(r"\d", lambda _: next(digits), shown)
    groups, others = _RUN.findall(word), _RUN.findall(shown)
    as_sent = others == _RUN.findall(replacement.substitute)
    if as_sent and len(groups) == len(others) > 1:
        own = iter(groups)
        return _RUN.sub(lambda _: next(own), shown)
    return groups[0] if _is_bare_ordinal(word, shown, numbers) else word


def _is_bare_ordinal(word: str, shown: str, numbers: Numbers) -> bool:
    return re.fullmatch(rf"\d+{numbers.ordinal}", word) is not None and shown.isdecimal()
