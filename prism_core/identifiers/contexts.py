"""Numbers and codes that a word beside them tells the class of: *MRN*, *Policy No.*, *plate*."""

from __future__ import annotations

import re
from collections.abc import Iterator

from prism_core.identifiers.base import Match, Strength
from prism_core.identifiers.context_words import ANNOUNCING, NUMBER_WORDS, PHRASES
from prism_core.identifiers.nearest import WORD, bare, nearest
from prism_core.identifiers.number_form import form_of, is_year
from prism_core.identifiers.phones import line_of
from prism_core.identifiers.told_apart import Told, label_after, label_of_head_noun, label_shared

_COPULAS = ("is", "was", "are", "reads", "shows")
_ENDINGS = (["ending", "with"], ["ends", "with"], ["ending", "in"])
_REACHED = ("at", "on")
_LINES = ("PHONE", "FAX", "IP")
"""What somebody is reached at: *Holm Insurance at 020 7946 0958* names no policy."""
_NEAR = 64
_FAR = 120
_SHORT_WAY = 20
_DIGIT = re.compile(r"\d")
_VALUE = re.compile(r"(?<![\w@])#?((?:[A-Z]{1,6}[-/._])*[^\W_]*\d\w*(?:[-/.:]\w+)*)(?![@\w])")
_UNITS = re.compile(
    r"\s?(?:%|percent|per cent|mg|ml|kg|g\b|cm|mm|km|mmhg|bpm|euros?|dollars?|pounds?|usd|eur|"
    r"gbp|years?|"
    r"days?|weeks?|months?|hours?|minutes?|€|£|\$|times|units|tablets?|patients|people|pages)",
    re.IGNORECASE,
)
_GROUP = re.compile(r"[ -](?=\w*\d)([A-Z0-9]{2,5})(?![\w@])")
_LETTERS_BEFORE = re.compile(r"(?<![\w.])[A-Z]{1,4}[ -]$")
_LETTERS_AFTER = re.compile(r"[ -][A-Z]{1,3}(?![\w@])")
_OWN_SIGN = re.compile(r"(?<!\w)[A-Z]{2,4}:$")
_PREFIX = re.compile(r"([A-Za-z]{2}(?=[-_#:./])|[A-Za-z]{3,6})[-_#:./]?\d")
_LONGEST_GROUP = 5
_MOST_GROUPS = 10
_LONGEST_RUN = 200
_FEWEST_WITH_LETTERS = 3
"""Digits that capitals before them make a code of: *BVR 852*, but *FILE B 12*."""


class ContextDetector:
    """Numbers by the words about them in their sentence; *No.* and the like say it is a number."""

    def find(self, text: str) -> Iterator[Match]:
        """The numbers of ``text`` that a word before or after them names."""
        done, told = 0, None
        for match in _values(text):
            start, end = match.span(1)
            if start < done:
                continue
            first = (
                start if text[start - 2 : start - 1].islower() else _with_letters(text, done, start)
            )
            last = _with_groups(text, start, end)
            value = text[first if last - start >= _FEWEST_WITH_LETTERS else start : last]
            label = _label(text, done, first, value, last, told)
            if plate_end := _end_of_plate(text, done, first, last, value, told):
                label, last = "VEHICLE", plate_end
            if label:
                first = _with_own_sign(text, done, first, label)
                done, told = last, Told(label, text[first:last])
                yield Match(first, done, label, Strength.NAMED)


def _end_of_plate(
    text: str, floor: int, start: int, end: int, value: str, told: Told | None
) -> int:
    """Where the plate ends that the number, with all letters about it, is named as; else 0."""
    letters = _LETTERS_AFTER.match(text, end)
    last = letters.end() if letters else end
    whole = text[start:last]
    if whole == value or not form_of(whole).plate:
        return 0
    return last if _label(text, floor, start, whole, last, told) == "VEHICLE" else 0


def label_of_head(head: str) -> str:
    """The label that ``head``, of a column or a line of a form, gives to a number; else empty."""
    return nearest([word.lower() for word in WORD.findall(f"{head} no.")])


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


def _label(text: str, floor: int, start: int, value: str, end: int, told: Told | None) -> str:
    """What the words about the number say; ``told`` is the number before it, if it was named."""
    if text[start - 1 : start] in ("$", "€", "£") or _UNITS.match(text, end):
        return ""
    if told and start - floor <= _FAR and (label := label_shared(text[floor:start], value, told)):
        return label
    form = form_of(value)
    if form.plain and not _is_numbered(text, floor, start, value):
        return ""
    if label := label_after(text, end, form):
        return label
    own = _PREFIX.match(value)
    if own and own[1].lower() in ANNOUNCING:
        return PHRASES[own[1].lower()]
    words = [word.lower() for word in WORD.findall(text[max(floor, start - _NEAR) : start])]
    label = label_of_head_noun(text[max(floor, start - _FAR) : start], words, form) or nearest(
        words, form
    )
    if words and words[-1] in _REACHED and label not in _LINES:
        return ""
    if label in ("PHONE", "FAX"):
        dials = sum(map(str.isdigit, value)) >= 3 and not any(map(str.isalpha, value))
        return line_of(text, start, end) if dials else ""
    return label


def _is_numbered(text: str, floor: int, start: int, value: str) -> bool:
    """Whether the word right before may make a number of any digits."""
    before = text[max(floor, start - _SHORT_WAY) : start].split()
    if before[-1:] == ["in"] and is_year(value):
        return False  # *the policy ending in 2019*
    if before and (before[-1] in _COPULAS or before[-2:] in _ENDINGS):
        del before[-1]
    if not before:
        return False
    last = before[-1]
    word = last.strip(".:#()=").lower()
    return not word or last[-1] in ":#(=" or word in NUMBER_WORDS or bare(word) in ANNOUNCING


def _with_letters(text: str, floor: int, start: int) -> int:
    """The start of the number with the capitals before it that are part of it (*AB 1234*)."""
    while match := _LETTERS_BEFORE.search(text, max(floor, start - _LONGEST_GROUP), start):
        word = match.group()[:-1].lower()
        if word in PHRASES or (word in NUMBER_WORDS and word != "n"):
            break
        start = match.start()
    return start


def _with_own_sign(text: str, floor: int, start: int, label: str) -> int:
    """The start of the number with the sign it begins with, if the words before named it already:
    *serial number SN:4711*."""
    sign = _OWN_SIGN.search(text, max(floor, start - _LONGEST_GROUP), start)
    if sign is None or PHRASES.get(sign.group()[:-1].lower()) != label:
        return start
    words = [word.lower() for word in WORD.findall(text[max(floor, start - _NEAR) : sign.start()])]
    return sign.start() if nearest(words) == label else start


def _with_groups(text: str, start: int, end: int) -> int:
    """The end of the number with the groups of digits that are written apart from it."""
    size = end - start
    for groups in range(_MOST_GROUPS):
        match = _GROUP.match(text, end) if size <= _LONGEST_GROUP else None
        if match is None or _UNITS.match(text, match.end()):
            break
        if len(match[1]) == 4 != size and is_year(match[1]) and not groups:
            further = _GROUP.match(text, match.end())
            if further is None or _UNITS.match(text, further.end()):
                break
        size, end = len(match[1]), match.end()
    return end
