"""Dates that came back in another order, or with the month in the words of the target language.

Entry: ``find_date`` for a date in digits, ``find_month`` for a month alone, ``find_month_between``
for one such as ``02-May-03``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations

from prism_core.alignment import Span
from prism_core.decoding.decoded import Found
from prism_core.decoding.target_text import TargetText
from prism_core.dictionary import Dictionary
from prism_core.record import Replacement

_LENGTHS = (None, 4, 3)
"""Numbers of letters of a month that are searched for: all, or those of its short forms."""
_LETTERS = re.compile(r"[^\W\d_]{3,}")
_RUN = re.compile(r"\d+")
_IN_DIGITS = re.compile(
    r"(?<![\d.,])(\d{1,4})([-./\s]\s?)(\d{1,2})([-./\s]\s?)(\d{1,4})(?![\d]|[.,]\d)"
)
_IN_WORDS = re.compile(
    r"(?<![\d.,])(?P<day>\d{1,2})(?P<mark>\.?[ºª°]|er|\.)?(?P<before> (?:de |d['’])?)"
    r"(?P<month>[^\W\d_]+)(?P<after>,?(?: de| del)? )(?P<year>\d{4})(?!\d)"
)

_DAY_FIRST: Mapping[tuple[int, ...], tuple[int, ...]] = {(1, 0, 2): (0, 1, 2), (2, 0, 1): (2, 1, 0)}
_MONTH_FIRST: Mapping[tuple[int, ...], tuple[int, ...]] = {(2, 1, 0): (2, 0, 1)}
"""Orders in which a date came back whose day was taken for its month, and the right ones."""


def is_date_in_digits(replacement: Replacement) -> bool:
    """Return True if both the original and its surrogate are year, month and day in digits."""
    return bool(_parts(replacement.substitute) and _parts(replacement.word))


def find_date(replacement: Replacement, target: TargetText, dictionary: Dictionary) -> Found | None:
    """Find a date in digits, and write the original in its form; None if it is ambiguous."""
    sent, own = _parts(replacement.substitute), _parts(replacement.word)
    if sent is None or own is None:
        return None
    if (span := target.find_text(replacement.substitute)) is not None:
        return Found(span, replacement.word)
    turned, worded = _find_turned(sent, own, target), _find_worded(sent, own, target, dictionary)
    free = (Found(*place) for place in (*turned, *worded) if target.is_free(place[0]))
    return next(free, None)


def find_month(
    replacement: Replacement, target: TargetText, dictionary: Dictionary
) -> Found | None:
    """Find the short month that was sent as the target has it; write the original's alike."""
    sent, own = (
        _translate_month(word, dictionary) for word in (replacement.substitute, replacement.word)
    )
    for length in _LENGTHS:
        span = target.find_text(sent[:length]) if sent and own else None
        if span is not None:
            capital = target.text[span[0]].isupper()
            return Found(span, own[:length].capitalize() if capital else own[:length])
    return None


def find_month_between(
    replacement: Replacement, target: TargetText, dictionary: Dictionary
) -> Found | None:
    """Find a date such as ``02-May-03`` with its month in the target language."""
    letters = _LETTERS.search(replacement.substitute)
    month = _translate_month(letters.group(), dictionary) if letters else ""
    for length in _LENGTHS if month else ():
        span = target.find_text(_LETTERS.sub(month[:length], replacement.substitute))
        if span is not None:
            return Found(span, replacement.word)
    return None


def _translate_month(short: str, dictionary: Dictionary) -> str:
    """Return the target-language month that a source word begins; empty if there is none."""
    for name in dictionary.language.dates.months:
        if len(short) > 2 and name.startswith(short.lower().rstrip(".")[:3]):
            return _month_word(name, dictionary)
    return ""


def _month_word(name: str, dictionary: Dictionary) -> str:
    """Return the month ``name`` as dates have it; empty if the dictionary does not know it."""
    entry = dictionary.find(name, "MONTH")
    return entry.inflect("") if entry else ""


def _parts(date: str) -> tuple[str, ...] | None:
    """Split a date into its three groups of digits, in the order they are written."""
    groups = tuple(_RUN.findall(date))
    return groups if len(groups) == 3 and max(map(len, groups)) <= 4 else None


def _find_turned(
    sent: tuple[str, ...], own: tuple[str, ...], target: TargetText
) -> Iterator[tuple[Span, str]]:
    for match in _IN_DIGITS.finditer(target.text):
        shown = match[1], match[3], match[5]
        marks = match[2], match[4], ""
        found = {
            "".join(
                text
                for part, group, mark in zip(_turn(own, order), shown, marks, strict=True)
                for text in (_in_width(part, group), mark)
            )
            for order in permutations(range(3))
            if _are_same([sent[i] for i in order], shown)
        }
        if len(found) == 1:
            yield match.span(), found.pop()


def _find_worded(
    sent: tuple[str, ...], own: tuple[str, ...], target: TargetText, dictionary: Dictionary
) -> Iterator[tuple[Span, str]]:
    for match in _IN_WORDS.finditer(target.text):
        word, names = match["month"].lower(), dictionary.language.dates.months
        months = (dictionary.find(name, "MONTH") for name in names)
        forms = [map(str.lower, entry.forms.texts if entry else ()) for entry in months]
        month = next((number for number, texts in enumerate(forms, 1) if word in texts), 0)
        shown = match["year"], str(month), match["day"]
        found = {
            _write_date(_turn(own, order), match, dictionary)
            for order in ([(0, 1, 2)] if len(sent[0]) == 4 else permutations(range(3)))
            if month and _are_same([sent[i] for i in order], shown)
        } - {""}
        if len(found) == 1:
            yield match.span(), found.pop()


def _turn(own: Sequence[str], order: tuple[int, ...]) -> list[str]:
    """Put ``own`` in the ``order`` that came back; a part over 12 is a day."""
    if len(own[0]) < 3 and int(own[0]) > 12:
        order = _DAY_FIRST.get(order, order)
    elif len(own[0]) < 3 and int(own[1]) > 12:
        order = _MONTH_FIRST.get(order, order)
    return [own[i] for i in order]


def _write_date(date: Sequence[str], match: re.Match[str], dictionary: Dictionary) -> str:
    """Write year, month and day in the form that ``match`` shows; empty if the month is none."""
    year, month, day = date
    names = dict(enumerate(dictionary.language.dates.months, start=1))
    name = names.get(int(month))
    word = _month_word(name, dictionary) if name else ""
    if not word:
        return ""
    word = word.capitalize() if match["month"][:1].isupper() else word
    before, after = f"{int(day)}{match['mark'] or ''}{match['before']}", match["after"]
    return f"{before}{word}{after}{_in_width(year, '2000')}"


def _are_same(sent: Sequence[str], shown: Sequence[str]) -> bool:
    """Return True if both have the same numbers in order, a year with or without its century."""
    has_century = all(max(map(len, numbers)) > 2 for numbers in (sent, shown))
    last = slice(None) if has_century else slice(-2, None)
    return all(int(one[last]) == int(other[last]) for one, other in zip(sent, shown, strict=True))


def _in_width(own: str, shown: str) -> str:
    """Write ``own`` with as many leading zeros or digits of a year as ``shown`` has."""
    if len(shown) == 4 and len(own) == 2:
        return ("20" if int(own) < 70 else "19") + own
    if len(shown) == 2 and len(own) == 4:
        return own[2:]
    return str(int(own)).zfill(2 if shown.startswith("0") or len(own) == 2 == len(shown) else 1)
