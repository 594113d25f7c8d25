"""Numbers and codes that a word beside them tells the class of: *MRN*, *Policy No.*, *plate*."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from prism_core.identifiers.base import Match, Strength
from prism_core.identifiers.context_words import ANNOUNCING, NUMBER_WORDS, PHRASES
from prism_core.identifiers.nearest import WORD, bare, known, nearest, of_a_file
from prism_core.identifiers.number_form import form_of, is_plate, is_vehicle, is_year
from prism_core.identifiers.phones import line_of
from prism_core.identifiers.subjects import label_of_subject
from prism_core.identifiers.told_apart import Told, label_after, label_of_head_noun, label_shared

_COPULAS = ("is", "was", "are", "reads", "shows")
_ENDINGS = (["ending", "with"], ["ends", "with"], ["ending", "in"])
_REACHED = ("at", "on")
_LINES = ("PHONE", "FAX", "IP")
_DIALLING = frozenset("tel tel. telephone phone ph ph. mob mob. mobile cell fax fx fax.".split())
_BESIDE_LINE = 2
"""What somebody is reached at: *Holm Insurance at 020 7946 0958* names no policy."""
_OF_NO_CLASS = "CODE"
_EITHER = {"REGISTRATION": ("VEHICLE", "LICENCE"), "INDEX": ("VEHICLE", "RECORD")}
_FRAMED = ("BIOMETRIC", "PHOTO", "VEHICLE")
_ALSO_OF_VEHICLES = ("DEVICE", "LICENCE", "PHOTO", "RECORD")
"""Labels by which a vehicle identification number is called too: *serial number in the type*."""
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
_GROUP = re.compile(r"[ -](?=\w*\d)(\d{6,8}|[A-Z0-9]{2,5})(?![\w@])")
_LETTERS_BEFORE = re.compile(r"(?<![\w./])[A-Z]{1,4}[ -]$")
_PLATE_RUN = re.compile(r"[A-Z\d]{1,4}(?:[ -][A-Z\d]{1,6}){1,3}(?![\w@])")
_LETTER_AFTER = re.compile(r"(?<=\d) [A-Z](?=[,.;:)\]]|\s*$|\s(?:is|was|and|or)\b)(?!\.\w)")
_DAY = re.compile(r"\d{1,2}([-./])\d{1,2}\1(?:\d\d){1,2}")
_BEFORE_DAY = re.compile(
    r"\b(?:dated?|on|since|until|till?|before|after|from|born|dob|d\.o\.b|taken|issued|birth)"
    r"\b[.:]?(?: the)? ?$",
    re.IGNORECASE,
)
_OCTET = r"(?:25[0-5]|2[0-4]\d|1?\d?\d)"
_ADDRESS = re.compile(rf"{_OCTET}(?:\.{_OCTET}){{3}}(?![\d.])|[\da-fA-F]{{1,4}}:[\da-fA-F]{{0,4}}:")
"""How the address of a computer begins."""
_OWN_SIGN = re.compile(r"(?<!\w)[A-Z]{2,4}:$")
_PREFIX = re.compile(r"([A-Za-z]{2}(?=[-_#:./])|[A-Za-z]{3,6})[-_#:./]?\d")
_LONGEST_GROUP = 6
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
            strength = Strength.NAMED
            if not label and (label := _label_from_afar(text, done, first, value, last)):
                strength = Strength.SHAPED
            if label == _OF_NO_CLASS:
                done, told = last, Told(label, value)
            elif label:
                last = _with_letter_after(text, last)
                first = _with_own_sign(text, done, first, label)
                done, told = last, Told(label, text[first:last])
                yield Match(first, done, label, strength)


def _end_of_plate(
    text: str, floor: int, start: int, end: int, value: str, told: Told | None
) -> int:
    """Where the plate ends that the number, with all letters about it, is named as; else 0."""
    goes_on = text[end : end + 1] in (" ", "-") or value != text[start:end]
    run = _PLATE_RUN.match(text, start) if goes_on else None
    whole = run.group() if run else ""
    while len(whole) > len(value):
        if form_of(whole).plate:
            last = start + len(whole)
            label = _label(text, floor, start, whole, last, told)
            label = label or _label_from_afar(text, floor, start, whole, last)
            return start + len(whole) if label == "VEHICLE" else 0
        whole = whole.rpartition(" ")[0] if " " in whole else ""
    return 0


def label_of_head(head: str) -> str:
    """The label that ``head``, of a column or a line of a form, gives to a number; else empty."""
    return nearest(WORD.findall(f"{head} no.".lower()))


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
    if _is_no_number(text, start, value, end):
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
    words = WORD.findall(text[max(floor, start - _NEAR) : start].lower())
    label = label_of_head_noun(text[max(floor, start - _FAR) : start], words, form) or nearest(
        words, form
    )
    if words and words[-1] in _REACHED and label not in _LINES:
        return ""
    if label != "IP" and _ADDRESS.match(value):
        return ""
    if label not in _LINES and form.long and not _DIALLING.isdisjoint(words[-_BESIDE_LINE:]):
        label = "PHONE"
    if label in ("PHONE", "FAX"):
        dials = sum(map(str.isdigit, value)) >= 3 and not any(map(str.isalpha, value))
        return line_of(text, start, end) if dials else ""
    return settled(label, value, words)


def _is_no_number(text: str, start: int, value: str, end: int) -> bool:
    """Whether it is plainly an amount, or a day: *a mortgage dated the 18-10-50*."""
    if text[start - 1 : start] in ("$", "€", "£") or _UNITS.match(text, end):
        return True
    return _DAY.fullmatch(value) is not None and bool(
        _BEFORE_DAY.search(text, max(0, start - _SHORT_WAY), start)
    )


def _label_from_afar(text: str, floor: int, start: int, value: str, end: int) -> str:
    """What the sentence says of the number before the words beside it, which say nothing."""
    if _is_no_number(text, start, value, end):
        return ""
    form = form_of(value)
    if form.plain or not (form.long or form.mixed or _is_numbered(text, floor, start, value)):
        return ""
    words = WORD.findall(text[max(floor, start - _FAR) : start].lower())
    if not words or words[-1] in _REACHED or _ADDRESS.match(value):
        return ""
    return settled(label_of_subject(words, form) or of_a_file(words, form), value, words)


def settled(label: str, value: str, words: Sequence[str] = ()) -> str:
    """``label``, or where it is one of two, the one that a number like ``value`` has.

    ``words`` are those before the number, in lower case.
    """
    if label == "FRAME":
        told = [one for word in words if (one := PHRASES.get(known(bare(word)))) in _FRAMED]
        return told[-1] if told else "PHOTO" if value.isdigit() else "VEHICLE"
    if label in _EITHER:
        return _EITHER[label][0 if form_of(value).plate or is_vehicle(value) else 1]
    if label == "VEHICLE" and is_year(value):
        return ""
    plate = label in ("LICENCE", "RECORD") and is_plate(value)
    return "VEHICLE" if plate or (label in _ALSO_OF_VEHICLES and is_vehicle(value)) else label


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


def _with_letter_after(text: str, end: int) -> int:
    """The end of the number with a letter that closes it: *458980 B*."""
    letter = _LETTER_AFTER.match(text, end)
    return letter.end() if letter else end


def _with_own_sign(text: str, floor: int, start: int, label: str) -> int:
    """The start of the number with the sign it begins with, if the words before named it already:
    *serial number SN:4711*."""
    sign = _OWN_SIGN.search(text, max(floor, start - _LONGEST_GROUP), start)
    if sign is None or PHRASES.get(sign.group()[:-1].lower()) != label:
        return start
    words = WORD.findall(text[max(floor, start - _NEAR) : sign.start()].lower())
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
