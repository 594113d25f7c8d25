"""Amounts in words compared with a translation, whatever form they have there.

*two thousand* may have become *2.000*, *2 mil* or *dos mil*; the words of numbers are those of the
Unicode CLDR. Entry: ``lacks_amount``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from decimal import Decimal
from functools import cache

from prism_core.dictionary import without_accents
from prism_core.drafts.number_formats import MAGNITUDE, stands_in_roman
from prism_core.languages import (
    Amount,
    AmountKind,
    number_format,
    spell_ordinal,
    spell_out,
)

_TOKEN = re.compile(r"\d+(?:[.,'’\u00a0\u202f ]\d{3})*(?:[.,]\d+)?|[^\W\d_]+|[^\w\s-]")
_MORE_DIGITS = re.compile(r"\d+")
_CONNECTORS = frozenset("and e et und y".split())
"""Words between the parts of a number."""
_DOZEN = re.compile(r"\b(?:d[ou]+c?[ez]+n|duzi|dutzend|dozz)")
_COLLECTIVES = {
    6: _DOZEN,
    12: _DOZEN,
    24: _DOZEN,
    100: re.compile(r"\b(?:cent[eiao]|hundert|hundred)"),
    1000: re.compile(r"\b(?:milh|mill[ai]|tausend|thousand)"),
}
"""Nouns for so many things, in languages of Europe: *uma centena de técnicos*."""
_HALF = re.compile(r"\b(?:half|medi|mei|demi|halb|mezz)")
_QUARTER = re.compile(r"(?:quart|cuart|viertel|dreiviertel)")
_FRACTIONS = {15: _QUARTER, 30: _HALF, 45: _QUARTER}
"""Words for minutes, where they begin."""
_UNITS = (1, 10**3, 10**6, 10**9, 10**12)
_HALF_DAY, _HOUR = 12, 60


def lacks_amount(amount: Amount, translation: str, target: str) -> bool:
    """Return True if ``translation``, in ``target``, has no form of ``amount``.

    Returns False where the words of numbers in ``target`` are not known.
    """
    if spell_out(1, target) is None:
        return False
    tokens = _tokens(translation)
    if amount.kind is AmountKind.CLOCK:
        return not (_tells_hour(amount, tokens, target) and _tells_minutes(amount, tokens, target))
    if amount.kind is AmountKind.FRACTION:
        return not any(_says(Decimal(n), tokens, target) for n in amount.digits.split("/")[:1])
    if amount.kind is AmountKind.ORDINAL:
        said = stands_in_roman(amount.digits, translation) or amount.digits in tokens
        ordinals = spell_ordinal(int(amount.digits), target)
        return not said and not any(_find(_tokens(words), tokens) for words in ordinals)
    if _says(amount.value, tokens, target):
        return False
    collective = _COLLECTIVES.get(int(amount.value))
    if collective and collective.search(without_accents(translation.lower())):
        return False
    return not _says_half(amount, translation, tokens, target)


def _says_half(amount: Amount, translation: str, tokens: Sequence[str], target: str) -> bool:
    """Return True for *four hours and a half*, *half a million*."""
    if not _HALF.search(without_accents(translation.lower())):
        return False
    whole, _, fraction = amount.digits.partition(".")
    if fraction == "5":
        return _says(Decimal(whole), tokens, target)
    return str(amount.value).rstrip("0") == "5" and MAGNITUDE.search(translation) is not None


def _read_clock(amount: Amount) -> tuple[int, int]:
    hour, minutes = map(int, amount.digits.split(":"))
    return hour, minutes


def _tells_hour(amount: Amount, tokens: Sequence[str], target: str) -> bool:
    """Return True if the hour stands in ``tokens``: the same, the next, or in the afternoon."""
    hour, minutes = _read_clock(amount)
    may_be_next = amount.spelled or 2 * minutes >= _HOUR  # *quarter to nine* is 8:45
    hours = {hour % _HALF_DAY, (hour + may_be_next) % _HALF_DAY}
    for token in tokens:
        digits = _MORE_DIGITS.match(token)
        if digits and int(digits[0]) % _HALF_DAY in hours:
            return True
    return any(_says(Decimal(h or _HALF_DAY), tokens, target) for h in hours)


def _tells_minutes(amount: Amount, tokens: Sequence[str], target: str) -> bool:
    """Return True if ``tokens`` have the minutes, those to the next hour, or their fraction."""
    _, minutes = _read_clock(amount)
    fraction = _FRACTIONS.get(minutes)
    if not minutes or (fraction and any(map(fraction.match, tokens))):
        return True
    return any(_says(Decimal(told), tokens, target) for told in (minutes, _HOUR - minutes))


def _says(value: Decimal, tokens: Sequence[str], target: str) -> bool:
    """Return True if ``tokens`` have ``value`` in digits, partly in words, or in words."""
    form = number_format(target)
    for index, token in enumerate(tokens):
        number = form.value_of(token) if token[0].isdecimal() else None
        if number is not None:
            following = tokens[index + 1] if index + 1 < len(tokens) else ""
            unit = _unit_of(following, target)
            double = tokens[index + 2] if index + 2 < len(tokens) and unit > 1 else ""
            if value == Decimal(number) * unit * _unit_of(double, target):
                return True
    if value != int(value):
        return False
    spelling = spell_out(int(value), target)
    if spelling is None:
        return False
    return any(_find(_tokens(words), tokens, _number_words(target)) for words in spelling.texts)


@cache
def _unit_of(word: str, target: str) -> int:
    for unit in _UNITS[1:]:
        for count in (1, 2):
            spelling = spell_out(count * unit, target)
            if spelling and word in _tokens(spelling.usual)[-1:]:
                return unit
    return 1


@cache
def _number_words(target: str) -> frozenset[str]:
    """Return words that make another number of the one right beside them."""
    numbers = (*range(2, 100), *(n * unit for unit in (100, *_UNITS[1:]) for n in range(1, 10)))
    one, *spelled = (spell_out(number, target) for number in (1, *numbers))
    words = frozenset(
        token for known in spelled if known for text in known.texts for token in _tokens(text)
    )
    return words.difference(one.texts if one else (), _CONNECTORS)  # which are articles, too


def _find(
    words: Sequence[str], tokens: Sequence[str], beside: Collection[str] = frozenset()
) -> bool:
    """Return True if ``words`` stand in ``tokens``, and none of ``beside`` right beside them.

    Connecting words do not count, unless a number precedes one: *three and four thousand*.
    """
    places = [place for place, token in enumerate(tokens) if token not in _CONNECTORS]
    words = [word for word in words if word not in _CONNECTORS]
    for start in range(len(places) - len(words) + 1):
        run = places[start : start + len(words)]
        if [tokens[place] for place in run] == words:
            around = {tokens[run[0] - 1] if run[0] else ""}
            around |= {tokens[place] for place in places[start + len(words) :][:1]}
            if around.isdisjoint(beside):
                return True
    return False


def _tokens(text: str) -> list[str]:
    """Return numbers, words in lower case without accents, and marks."""
    return _TOKEN.findall(without_accents(text.lower()))
