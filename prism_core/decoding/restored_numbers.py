"""Numbers: digits of a surrogate, found in whatever form came back, and the original's form.

An amount in words came back in digits, so what it is put in for is known: *two thousand* is *dos
mil*. Where the words of a number depend on a gender that is not known, it is written in digits.

Entry: ``find_amount``, ``find_code``; ``spell_amounts`` once the neighbours of amounts are known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import chain

from prism_core.alignment import Span
from prism_core.decoding.ambiguous_entries import WORDS
from prism_core.decoding.decoded import Found
from prism_core.decoding.target_text import TargetText
from prism_core.dictionary import Dictionary
from prism_core.languages import (
    Amount,
    AmountKind,
    Numbers,
    amount_reader,
    magnitude_of,
    number_format,
    spell_out,
)
from prism_core.mechanisms import in_case_of
from prism_core.record import Encoded, Fate, Kind, Replacement

_DIGITS = re.compile(r"\d(?:(?:[.,:'’/\-–\s]|\s?h\s?)?\d)*")
"""Digits with at most one separator between two of them, such as the *h* of a French clock.

Several numbers may stand in one run.
"""
_LOOSE = r"[.,:'’/\-–()\s]{0,3}"
_CLOCK = re.compile(r"([01]?\d|2[0-3])[:.]([0-5]\d)")
_AFTER_NOON = r"(?:\s?(?i:[ap]\.?\s?m\b)\.?)?"
_LEAST_LOOSE = 5
"""Minimum digits of a number that may be found with several separators between two digits.

Brackets and blanks count as separators.
"""
_MAY_BEGIN = re.compile(r"(?<!\d)(?<!\d[.,])")
_MAY_END = re.compile(r"(?![.,]?\d)")
_RUN = re.compile(r"\d+")
_MARKED = re.compile(r"\d+(?:[.,]\d+)+")
_NEXT = re.compile(r"\s([^\W\d_]+)")
_NUMBER_WORD = "CD"
_DASH = re.compile(r"(?<=\d)[-–](?=\d)")
_BETWEEN = r" [^\W\d_]{1,3} "
"""Pattern of the word that translators write for the dash of a range: *45–22* is *45 a 22*."""
_AMOUNTS = frozenset(AmountKind)


def find_amount(
    replacement: Replacement, target: TargetText, dictionary: Dictionary
) -> Found | None:
    """Find a number in digits, and write its original in the form that came back."""
    span = find_number(replacement.substitute, target, dictionary.language.numbers)
    if span is None:
        return None
    shown, amount = target.text[slice(*span)], _read_amount(replacement, dictionary)
    if amount is None:
        text = restore_number(replacement, shown, dictionary)
    elif amount.kind is AmountKind.CARDINAL:
        text = _write_digits(amount, dictionary.target)
    elif amount.kind is AmountKind.PERCENT:
        digits = number_format(dictionary.target).write(amount.digits)
        text = _RUN.sub(digits, shown, count=1)
    else:
        is_ordinal, numbers = amount.kind is AmountKind.ORDINAL, dictionary.language.numbers
        ending = numbers.ordinal_ending(int(amount.digits)) if is_ordinal else ""
        in_digits = replacement._replace(word=amount.digits + ending)
        text = restore_number(in_digits, shown, dictionary)
    return Found(span, text)


def find_code(replacement: Replacement, target: TargetText, dictionary: Dictionary) -> Found | None:
    """Find a code; a measure gets the target's marks between digits: *1.040 mg* as *1,040 mg*.

    It does so where both languages state their marks, or the target is English. Any other code
    (*704.5(a)*, *art. 1.255*) is written as it is in the source.
    """
    code, word = replacement.substitute, replacement.word
    numbers, language = dictionary.language.numbers, dictionary.target_language
    span = target.find_text(code) or target.find_spaced(code)
    if span is None and not any(map(str.isalpha, code)):
        span = find_number(code, target, numbers)
    is_measure = replacement.tag == "PIECE" and word[0].isdecimal() and ")" not in word
    if is_measure and numbers.blanks and language:
        theirs = language.numbers
        if theirs.blanks or language.code == "en":
            word = _MARKED.sub(lambda number: numbers.write_as(theirs, number[0]), word)
    return span and Found(span, word)


def _read_amount(replacement: Replacement, dictionary: Dictionary) -> Amount | None:
    """Return the amount that was hidden; None if the replacement is no amount."""
    if replacement.tag not in _AMOUNTS:
        return None
    return amount_reader(dictionary.language).read(replacement.word, replacement.tag)


def _write_digits(amount: Amount, language: str) -> str:
    """Write a cardinal in digits; with the word for millions if it had one."""
    form, value = number_format(language), amount.value
    most = int(value) if amount.spelled else amount.unit  # *2,193 million* has no thousand millions
    magnitude = magnitude_of(most, language) if amount.in_millions else None
    if magnitude is None:
        return form.write(_plain(value))
    unit, singular, plural = magnitude
    count = value / unit
    below = int(form.singular_below) if form.singular_below else 0
    return f"{form.write(_plain(count))} {singular if count == 1 or count < below else plural}"


def _plain(value: Decimal) -> str:
    return f"{value.normalize():f}"


def spell_amounts(
    encoded: Encoded, found: Mapping[int, Found], target: TargetText, dictionary: Dictionary
) -> dict[int, Found]:
    """Write cardinals that were in words in words, and the link from millions to what they count.

    Example: *dos millones de euros*. This is more certain than what the dictionary has for a number
    word, which some translators leave as it is when they are asked for it alone.
    """
    spelled: dict[int, Found] = {}
    amounts = [
        (replacement, amount)
        for replacement in encoded.record
        if replacement.position in found and (amount := _read_cardinal(replacement, dictionary))
    ]
    if not amounts:
        return spelled
    starts: dict[int, Found] = {}
    """Restored words by where their substitutes begin, each with its tag."""
    for replacement in encoded.record:
        place = found.get(replacement.position)
        if place is not None:
            is_name = replacement.kind is Kind.NAME and not place.tag
            tag = "NNP" if is_name else place.tag_for(replacement)
            starts[place.span[0]] = place._replace(tag=tag)
    for replacement, amount in amounts:
        place = found[replacement.position]
        after = replacement.position + replacement.length
        is_kept = encoded.fates[after : after + 1] == (Fate.KEPT,)
        following = list(_list_following(place, starts, target, is_kept=is_kept))
        text = _in_words(amount, following, dictionary) or place.text
        text = in_case_of(text, place.text) if replacement.kind in WORDS else text
        begins = replacement.word[0].isupper() and target.begins_sentence(place.span[0])
        place = place._replace(text=text[:1].upper() + text[1:] if begins else text)
        if amount.in_millions and following:
            place = _link(place, following[0], dictionary)
        spelled[replacement.position] = place
    return spelled


def _read_cardinal(replacement: Replacement, dictionary: Dictionary) -> Amount | None:
    """Return the cardinal that was hidden, by a number or by another word for a number."""
    if replacement.kind in WORDS and replacement.tag == _NUMBER_WORD:
        return amount_reader(dictionary.language).read_word(replacement.word)
    amount = _read_amount(replacement, dictionary)
    return amount if amount and amount.kind is AmountKind.CARDINAL else None


def _list_following(
    amount: Found, starts: Mapping[int, Found], target: TargetText, *, is_kept: bool
) -> Iterator[Found]:
    """Yield the adjectives and noun right after an amount; a word ``is_kept`` as a noun."""
    end = amount.span[1]
    while word := _NEXT.match(target.text, end):
        place = starts.get(word.start(1))
        if place is None and is_kept and end == amount.span[1]:
            place = Found(word.span(1), word[1], tag="NN")
        if place is None or not place.tag.startswith(("NN", "JJ", "VBN")):
            return
        yield place
        if place.tag.startswith("NN"):
            return
        end = place.span[1]


def _in_words(amount: Amount, following: Sequence[Found], dictionary: Dictionary) -> str:
    """Return the words of ``amount`` before the words ``following``; empty if not known."""
    value = amount.value
    if not amount.spelled or value != int(value):
        return ""
    spelling = spell_out(int(value), dictionary.target)
    if spelling is None or len(spelling.texts) == 1:
        return spelling.usual if spelling else ""
    noun = next((place for place in following if place.tag.startswith("NN")), None)
    if noun is None:
        return ""
    features = dictionary.form_index.features(noun.text, noun.tag)
    by_gender = spelling.by_gender
    known = [by_gender[feature] for feature in features if feature in by_gender]
    if len(known) == 1:
        return known[0]
    # Genders that are called by nouns: a row tells which of the two stands before this noun.
    return dictionary.companion(spelling.usual, noun.text.lower(), features) or ""


def _link(place: Found, counted: Found, dictionary: Dictionary) -> Found:
    """Write the link between ``place`` and the noun ``counted`` right after it."""
    link, language = number_format(dictionary.target).link, dictionary.target_language
    elided = language.words.elided.get(link) if language else None
    if language and elided and re.match(language.words.takes_other_article, counted.text.lower()):
        start, end = place.span
        return place._replace(span=(start, end + 1), text=f"{place.text} {elided}")
    return place._replace(text=f"{place.text} {link}") if link else place


def find_number(surrogate: str, target: TargetText, numbers: Numbers) -> Span | None:
    """Find the digits of ``surrogate``, as written or with other separators between."""
    digits, clock = digits_of(surrogate), _CLOCK.fullmatch(surrogate)
    on_half_day = rf"{(int(clock[1]) - 1) % 12 + 1}[:.]{clock[2]}{_AFTER_NOON}" if clock else ""
    places = chain(
        _find_whole(surrogate, target.text),
        _find_in_any_form(digits, target.text, numbers) if digits else (),
        _find_pattern(_LOOSE.join(digits), target.text) if len(digits) >= _LEAST_LOOSE else (),
        _find_pattern(on_half_day, target.text) if clock else (),
        _find_spoken_range(surrogate, target.text),
    )
    return next(filter(target.is_free, places), None)


def _find_whole(number: str, text: str) -> Iterator[Span]:
    """Yield every span of ``number`` that is a whole number; two may overlap."""
    start = text.find(number)
    while start >= 0:
        if _is_whole(text, start, start + len(number)):
            yield start, start + len(number)
        start = text.find(number, start + 1)


def _find_pattern(pattern: str, text: str) -> Iterator[Span]:
    """Yield every span of ``pattern`` that is a whole number; two may overlap."""
    for match in re.finditer(rf"(?=({pattern}))", text):
        if _is_whole(text, *match.span(1)):
            yield match.span(1)


def _find_spoken_range(surrogate: str, text: str) -> Iterator[Span]:
    """Yield the spans of a range with a word for its dash and any decimal marks."""
    halves = _DASH.split(surrogate)
    if len(halves) > 1:
        escaped = (re.sub(r"\\?[.,]", "[.,]", re.escape(half)) for half in halves)
        yield from _find_pattern(_BETWEEN.join(escaped), text)


def _find_in_any_form(wanted: str, text: str, numbers: Numbers) -> Iterator[Span]:
    """Yield the spans of the digits ``wanted``, including the ending of a source ordinal."""
    ordinal_ending = re.compile(numbers.ordinal)
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


def _is_whole(text: str, start: int, end: int) -> bool:
    """Return True if the text between ``start`` and ``end`` is no part of a longer number."""
    return bool(_MAY_BEGIN.match(text, start) and _MAY_END.match(text, end))


def digits_of(text: str) -> str:
    """Return the digits of ``text``, those of any script as ASCII digits."""
    return "".join(str(int(c)) for c in text if c.isdecimal())


def restore_number(replacement: Replacement, shown: str, dictionary: Dictionary) -> str:
    """Write the original's digits in the form that came back.

    If the form has other groups of digits, or came back as it was sent, the original is written as
    it is in the source, with the target's marks between groups of digits.
    """
    numbers, target = dictionary.language.numbers, dictionary.target_language
    word = numbers.in_digits(replacement.word) or replacement.word
    if target is not None and numbers.blanks and replacement.tag == "NUMBER":
        word = numbers.write_as(target.numbers, word)
    elif dictionary.target and numbers.thousands in word and replacement.tag == "NUMBER":
        value = number_format(dictionary.language.code).value_of(word)
        word = number_format(dictionary.target).write(value) if value else word
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
    is_ordinal = re.fullmatch(rf"\d+{numbers.ordinal}", word) is not None
    return groups[0] if is_ordinal and shown.isdecimal() else word
