"""Numbers in English words, read as digits: *five five five, oh one eight eight* is 5550188."""

from __future__ import annotations

import re
from collections.abc import Sequence

_UNITS = {
    word: value
    for value, word in enumerate("one two three four five six seven eight nine".split(), start=1)
}
_TEENS = {
    word: value
    for value, word in enumerate(
        "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(),
        start=10,
    )
}
_TENS = {
    word: value * 10
    for value, word in enumerate(
        "twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2
    )
}
_ORDINAL_UNITS = {
    word: value
    for value, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth".split(), start=1
    )
}
_ORDINAL_TEENS = {"twelfth": 12} | {f"{word}th": value for word, value in _TEENS.items()}
_ORDINAL_TENS = {f"{word[:-1]}ieth": value for word, value in _TENS.items()}
_UP_TO_9 = _UNITS | _ORDINAL_UNITS
_FROM_10 = _TEENS | _ORDINAL_TEENS
_BY_TEN = _TENS | _ORDINAL_TENS | {"fourty": 40, "ninty": 90}
_MAGNITUDES = {"thousand": 10**3, "million": 10**6, "billion": 10**9}
_NOUGHTS = frozenset("zero nought naught".split())
_NOUGHTS_AMONG_DIGITS = frozenset("oh o nil".split())
_TIMES = {"double": 2, "triple": 3, "treble": 3}
_MARKS = frozenset("dash hyphen dot point slash stroke".split())
_ROMAN = re.compile(r"(?=[MDCLXVI]{4})M{0,3}(?:C[MD]|D?C{0,3})(?:X[CL]|L?X{0,3})(?:I[XV]|V?I{0,3})")
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}

LARGE = frozenset(["hundred", *_MAGNITUDES])
NUMBER_WORDS = frozenset(_UP_TO_9) | frozenset(_FROM_10) | frozenset(_BY_TEN) | _NOUGHTS
"""In lower case; without one of these a text spells no number."""
BESIDE_DIGITS = _NOUGHTS_AMONG_DIGITS | frozenset(_TIMES) | _MARKS
"""Words that are part of a number beside digits alone: *555 dash oh 188*."""
_SAYS_A_NUMBER = NUMBER_WORDS | BESIDE_DIGITS | {"a", "an"}


def with_digits(words: Sequence[str]) -> list[str]:
    """``words`` (lower case, no marks among them) with digits for numbers that are spelled out.

    Each cardinal or ordinal becomes one element, *nineteen eighty-seven* two of them. *oh* is a
    zero beside another number only; words for marks between two numbers (*dash*) are left out.
    """
    read: list[str] = []
    place = 0
    while place < len(words):
        word = words[place]
        if word not in _SAYS_A_NUMBER and not word.isdigit():
            read.append(word)
            place += 1
            continue
        after_number = bool(read) and read[-1].isdigit()
        digits, end = _number(words, place)
        if not digits:
            end = place + 1
            follows = _at(words, end) in _NOUGHTS_AMONG_DIGITS
            before_number = follows or bool(_number(words, end)[0])
            if word in _NOUGHTS_AMONG_DIGITS and (after_number or before_number):
                digits = "0"
            elif word in _MARKS and after_number and before_number:
                place = end
                continue
        read.append(digits or word)
        place = end
    return read


def roman_value(word: str) -> str:
    """The digits of a Roman numeral in capitals, of four letters or more; empty for any other."""
    if not _ROMAN.fullmatch(word):
        return ""
    values = [_ROMAN_VALUES[letter] for letter in word.lower()]
    after = [*values[1:], 0]
    return str(sum(-one if one < other else one for one, other in zip(values, after, strict=True)))


def _number(words: Sequence[str], place: int) -> tuple[str, int]:
    """The digits of the number that begins at ``place``, and where it ends; empty if none does."""
    word = _at(words, place)
    if word.isdigit():
        return word, place + 1
    if word in _NOUGHTS:
        return "0", place + 1
    if word in _TIMES:
        digit, end = _number(words, place + 1)
        return digit * _TIMES[word], end
    value, end = _cardinal(words, place)
    return (str(value), end) if end > place else ("", place)


def _cardinal(words: Sequence[str], place: int) -> tuple[int, int]:
    """Value and end of *two thousand five hundred and six*; the end is ``place`` if it is none."""
    total, end, most = 0, place, 10**12
    while True:
        value, after = _below_thousand(words, end)
        magnitude = _MAGNITUDES.get(_at(words, after), 1) if after > end else 1
        if after == end or magnitude >= most:
            return total, end
        total += value * magnitude
        end, most = after + (magnitude > 1), magnitude
        if magnitude == 1:
            return total, end
        end = _past_and(words, end)


def _below_thousand(words: Sequence[str], place: int) -> tuple[int, int]:
    if _at(words, place) in ("a", "an") and _at(words, place + 1) in ("hundred", *_MAGNITUDES):
        value, end = 1, place + 1
    else:
        value, end = _below_hundred(words, place)
    if end == place or _at(words, end) not in ("hundred", "hundredth"):
        return value, end
    rest, after = _below_hundred(words, _past_and(words, end + 1))
    return value * 100 + rest, after if rest else end + 1


def _below_hundred(words: Sequence[str], place: int) -> tuple[int, int]:
    word = _at(words, place)
    if word in _BY_TEN:
        unit = _UP_TO_9.get(_at(words, place + 1), 0)
        return _BY_TEN[word] + unit, place + 1 + bool(unit)
    value = _UP_TO_9.get(word) or _FROM_10.get(word) or 0
    return value, place + bool(value)


def _past_and(words: Sequence[str], place: int) -> int:
    """The place after *and*, where a number follows it."""
    follows = _at(words, place) == "and" and _below_hundred(words, place + 1)[0]
    return place + bool(follows)


def _at(words: Sequence[str], place: int) -> str:
    return words[place] if place < len(words) else ""
