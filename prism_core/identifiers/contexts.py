"""Numbers and codes that a word beside them tells the class of: *MRN*, *Policy No.*, *plate*."""

from __future__ import annotations

import re
from collections.abc import Iterator

from prism_core.identifiers.base import Match, Strength
from prism_core.identifiers.context_words import (
    ANNOUNCING,
    FILLERS,
    NUMBER_WORDS,
    ORDINARY,
    PHRASES,
)
from prism_core.identifiers.phones import line_of

_LONGEST_PHRASE = 3
_COPULAS = ("is", "was", "are", "reads", "shows")
_REACHED = ("at", "on")
_LINES = ("PHONE", "FAX", "IP")
"""What somebody is reached at: *Holm Insurance at 020 7946 0958* names no policy."""
_REFERENCES = ("reference", "ref")
"""What names a number of a file where nothing says what it refers to."""
_NEAR = 64
_SHORT_WAY = 20
_DIGIT = re.compile(r"\d")
_VALUE = re.compile(r"(?<![\w@])#?((?:[A-Z]{1,6}[-/._])*[^\W_]*\d\w*(?:[-/.:]\w+)*)(?![@\w])")
_WORD = re.compile(r"[^\W\d_]+(?:[./'’-][^\W\d_]+)*\.?|[#:;()=º°|]|\d[\w.,/-]*")
_AMOUNT = re.compile(
    r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+[.,]\d\d?|\d{1,2}:\d\d|(?:19|20)\d\d|\d{1,3}(?:st|nd|rd|"
    r"th)|\d+[a-z]{1,3}"
)
_UNITS = re.compile(
    r"\s?(?:%|percent|per cent|mg|ml|kg|g\b|cm|mm|km|mmhg|bpm|euros?|dollars?|pounds?|usd|eur|"
    r"gbp|years?|"
    r"days?|weeks?|months?|hours?|minutes?|€|£|\$|times|units|tablets?|patients|people|pages)",
    re.IGNORECASE,
)
_GROUP = re.compile(r"[ -](?=\w*\d)([A-Z0-9]{2,5})(?![\w@])")
_LETTERS_BEFORE = re.compile(r"(?<![\w.])[A-Z]{1,4}[ -]$")
_LETTERS_AFTER = re.compile(r"[ -][A-Z]{1,3}(?![\w@])")
_MAY_END_IN_LETTERS = ("", "VEHICLE")
_OWN_SIGN = re.compile(r"(?<!\w)[A-Z]{2,4}:$")
_PREFIX = re.compile(r"([A-Za-z]{2,6})[-_#:./]?\d")
_SHORTEST = 5
_LONGEST_GROUP = 5
_MOST_GROUPS = 10
_LONGEST_RUN = 200
_FEWEST_WITH_LETTERS = 3
"""Digits that capitals before them make a code of: *BVR 852*, but *FILE B 12*."""


class ContextDetector:
    """Numbers by the words before them in their sentence; *No.* and the like say it is a number."""

    def find(self, text: str) -> Iterator[Match]:
        """The numbers of ``text`` that a word before them names."""
        done = 0
        for match in _values(text):
            start, end = match.span(1)
            if start < done:
                continue
            first = (
                start if text[start - 2 : start - 1].islower() else _with_letters(text, done, start)
            )
            last = _with_groups(text, start, end)
            value = text[first if last - start >= _FEWEST_WITH_LETTERS else start : last]
            label = _label(text, done, first, value, last)
            if (letters := _LETTERS_AFTER.match(text, last)) and label in _MAY_END_IN_LETTERS:
                plate = _label(text, done, first, text[first : letters.end()], letters.end())
                label, last = (plate, letters.end()) if plate == "VEHICLE" else (label, last)
            if label:
                first = _with_own_sign(text, done, first, label)
                done = last
                yield Match(first, done, label, Strength.NAMED)


def label_of_head(head: str) -> str:
    """The label that ``head``, of a column or a line of a form, gives to a number; else empty."""
    return _nearest([word.lower() for word in _WORD.findall(f"{head} no.")], plain=False)


def _values(text: str) -> Iterator[re.Match[str]]:
    """The runs between blanks that hold a digit, less the marks around them.

    What is longer than any number is no number, and would take time that grows with its square.
    """
    done = 0
    for digit in _DIGIT.finditer(text):
        if digit.start() >= done:
            start = text.rfind(" ", 0, digit.start()) + 1
            done = text.find(" ", digit.end())
            done = done if done > 0 else len(text)
            if done - start <= _LONGEST_RUN:
                yield from _VALUE.finditer(text, start, done)


def _label(text: str, floor: int, start: int, value: str, end: int) -> str:
    plain = _is_plain(value)
    if plain and not _is_numbered(text, floor, start):
        return ""
    if text[start - 1 : start] in ("$", "€", "£") or _UNITS.match(text, end):
        return ""
    own = _PREFIX.match(value)
    if own and own[1].lower() in ANNOUNCING:
        return PHRASES[own[1].lower()]
    words = [word.lower() for word in _WORD.findall(text[max(floor, start - _NEAR) : start])]
    label = _nearest(words, plain=plain)
    if words and words[-1] in _REACHED and label not in _LINES:
        return ""
    if label in ("PHONE", "FAX"):
        dials = sum(map(str.isdigit, value)) >= 3 and not any(map(str.isalpha, value))
        return line_of(text, start, end) if dials else ""
    return label


def _is_numbered(text: str, floor: int, start: int) -> bool:
    """Whether the word right before may make a number of any digits."""
    before = text[max(floor, start - _SHORT_WAY) : start].split()
    if before and before[-1] in _COPULAS:
        del before[-1]
    if not before:
        return False
    last = before[-1]
    bare = last.strip(".:#()=").lower()
    return not bare or last[-1] in ":#(=" or bare in NUMBER_WORDS or _bare(bare) in ANNOUNCING


def _is_plain(value: str) -> bool:
    """Whether ``value`` may as well be a quantity, so that only *No.* makes a number of it."""
    return len(value) < _SHORTEST or _AMOUNT.fullmatch(value) is not None


def _nearest(words: list[str], *, plain: bool) -> str:
    """The label of the phrase that stands nearest before the number; empty if none is near."""
    words = [_bare(word) for word in words]
    numbered, skipped = False, 0
    otherwise = "RECORD" if words and words[-1] in _REFERENCES and not plain else ""
    for last in range(len(words) - 1, -1, -1):
        word = words[last]
        for length in range(min(_LONGEST_PHRASE, last + 1), 0, -1):
            phrase = " ".join(words[last - length + 1 : last + 1])
            label = PHRASES.get(phrase) or PHRASES.get(phrase.removesuffix("s"))
            if label and (numbered or phrase in ANNOUNCING or not (plain or phrase in ORDINARY)):
                return label
        if word == ";" or word[:1].isdigit():
            return otherwise
        numbered = numbered or (word in NUMBER_WORDS and skipped == 0)
        skipped += word not in FILLERS
        if skipped > (3 if numbered else 2):
            return otherwise
    return otherwise


def _bare(word: str) -> str:
    word = word.rstrip(".")
    return word.replace(".", "") if word.count(".") else word.replace("’", "'")


def _with_letters(text: str, floor: int, start: int) -> int:
    """The start of the number with the capitals before it that are part of it (*AB 1234*)."""
    while match := _LETTERS_BEFORE.search(text, max(floor, start - _LONGEST_GROUP), start):
        word = match.group()[:-1].lower()
        if word in PHRASES or word in NUMBER_WORDS:
            break
        start = match.start()
    return start


def _with_own_sign(text: str, floor: int, start: int, label: str) -> int:
    """The start of the number with the sign it begins with, if the words before named it already:
    *serial number SN:4711*."""
    sign = _OWN_SIGN.search(text, max(floor, start - _LONGEST_GROUP), start)
    if sign is None or PHRASES.get(sign.group()[:-1].lower()) != label:
        return start
    words = [word.lower() for word in _WORD.findall(text[max(floor, start - _NEAR) : sign.start()])]
    return sign.start() if _nearest(words, plain=False) == label else start


def _with_groups(text: str, start: int, end: int) -> int:
    """The end of the number with the groups of digits that are written apart from it."""
    size = end - start
    for _ in range(_MOST_GROUPS):
        match = _GROUP.match(text, end) if size <= _LONGEST_GROUP else None
        if match is None:
            break
        year = len(match[1]) == 4 != size and _AMOUNT.fullmatch(match[1])
        if year or _UNITS.match(text, match.end()):
            break
        size, end = len(match[1]), match.end()
    return end
