"""Bullets and numbers of list items, in every script, and leaders at the end of entries."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

_BULLETS = "•‣⁃∙※→⇒➔"
_NO_BULLETS = "©®™℗°℠№℃℉"
LABEL_SIGNS = "•·▪◦‣●○■□\u2013*-"
"""Signs that begin an item of a flowing document, as the set of a regular expression."""
_SIGNS = "-\u2010\u2011\u2012–—―*·o>»+~†‡"
_NUMBER = re.compile(
    r"""(?P<open>[(\[\u207d]?|§\ ?|\#\ ?|N[or°º]\.?\ |№\ ?)
    (?P<value>\d{1,4}(?:\.\d{1,4})+|\d{1,3}|[ivxlc]{1,7}|[IVXLC]{1,7}|[^\W\d_]|[一二三四五六七八九十]{1,3})
    (?P<close>[.)\]\u207e°ºª、．]{0,2}|\ ?:|\.?-)(?:\s|$|(?<=[、．]))""",
    re.VERBOSE,
)
_LEADERS = re.compile(
    r"(?P<dots>(?:[.·]\s*){5,}|(?:…\s*){2,}[.\s]*)(?P<figure>\w{0,3}-?\d{1,5}|[ivxlcIVXLC]{1,7})?\s*$"
)
"""Leaders from an entry to its page or figure, or to the edge."""
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_IDEOGRAPHS = "一二三四五六七八九十"


class Marker(NamedTuple):
    """Marker of a list item.

    Numbers of the same ``kind`` count by ``value``. ``is_bullet`` is True for a sign that stands
    nowhere else, ``is_bare`` for a number without punctuation.
    """

    kind: str
    value: int
    is_bullet: bool = False
    is_bare: bool = False


def read_markers(text: str) -> tuple[Marker, ...]:
    """Return what the marker that begins ``text`` may be; empty where none does."""
    sign, rest = text[:1], text[1:2]
    if sign and not rest.strip():
        if unicodedata.decomposition(sign).startswith("<circle>"):
            return (Marker("circle", ord(sign)),)
        if sign in _SIGNS:
            return (Marker(sign, 0),)
        if sign in _BULLETS or (unicodedata.category(sign) == "So" and sign not in _NO_BULLETS):
            return (Marker(sign, 0, is_bullet=True),)
    found = _NUMBER.match(text)
    if not found:
        return ()
    before, digits, behind = found.group("open", "value", "close")
    is_bare = not (before or behind or "." in digits)
    values = dict(_read_values(digits))
    if is_bare and not digits.isdecimal():  # a letter of its own is a word, or part of a name
        values = {kind: value for kind, value in values.items() if kind in ("roman", "ROMAN")}
    return tuple(
        Marker(f"{before.strip()}{kind}{behind.strip()}", value, is_bare=is_bare)
        for kind, value in values.items()
    )


def _read_values(number: str) -> Iterator[tuple[str, int]]:
    """Yield each kind of number that ``number`` may be, with its value."""
    *above, last = number.split(".")
    if last.isdecimal():
        yield ".".join((*above, unicodedata.name(last[0]).split()[0])), int(last)
    elif set(number) <= {*_IDEOGRAPHS}:
        tens, _, units = number.rpartition("十")
        ten = ("一二三四五六七八九".find(tens) + 1 or 1) * 10 if "十" in number else 0
        yield "ideograph", ten + _IDEOGRAPHS.find(units) + 1 if units else ten
    else:
        if set(number.lower()) <= _ROMAN.keys():
            digits = [_ROMAN[letter] for letter in number.lower()]
            following = [*digits[1:], 0]
            yield (
                "roman" if number.islower() else "ROMAN",
                sum(-d if d < n else d for d, n in zip(digits, following, strict=True)),
            )
        if len(number) == 1:
            yield ("letter" if number.islower() else "LETTER"), ord(number)


def find_leaders(text: str) -> re.Match[str] | None:
    """Find the ``dots`` and the ``figure``, if any, at which an entry that is ``text`` ends."""
    return _LEADERS.search(text)


def is_marker(text: str) -> bool:
    """Return True if ``text`` is a bullet or a number of a list, and nothing else."""
    found = _NUMBER.match(text)
    return bool(read_markers(text)) and (len(text) == 1 or bool(found and found.end() == len(text)))
