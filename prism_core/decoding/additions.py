"""Text that a translator added: numbers, links and names that match nothing in the request.

A translator may add what its user would believe. Every word of the answer in which no substitute
was found is checked. A common word, or a word that was sent, is no addition.

Entry: ``find_additions``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import StrEnum

from prism_core.decoding.target_text import TargetText
from prism_core.dictionary import Dictionary, common_start, without_accents

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_DIGITS = re.compile(r"\d+(?:[.,:\u00a0\u202f ]\d+)*")
_LINK = re.compile(
    r"https?:|www\.|[\w.+-]+@[\w-]+\.\w+"
    r"|[\w-]+\.(?:com|net|org|info|biz|io|eu|es|fr|de|uk|us|ru|cn|me|app|dev|xyz|site|online)\b",
    re.IGNORECASE,
)
_IN_LINK = re.compile(r"[@:]|\.\w|www\.", re.IGNORECASE)
"""Pattern that every link contains; most answers contain none."""
_BEGINS = re.compile(r"(?:^|[.!?:;…\"“”«»„‘’'()\[\]/–—-])\W*$")
"""Pattern of the text before a word that has its capital because something begins there."""
_ALIKE = 4
"""Number of initial letters that a word must share with a sent word to count as that word."""
_SHORTEST = 4
"""Minimum number of letters of a name, and of each part of a compound: *Sie*, *Sr*, *CO* are none.
"""
_LONGEST_MR = 5
"""Maximum number of letters of a form of address: *Herrn*."""
_PART = re.compile(r"[^\W\d_]+")
_MOST_SPELLED = 4
"""Maximum number of digits that may stand for a number written in words."""


class Addition(StrEnum):
    """Kind of addition, as the report names it."""

    NUMBER = "number"
    LINK = "link"
    NAME = "name"


def find_additions(sent: str, target: TargetText, dictionary: Dictionary) -> frozenset[Addition]:
    """Find what ``target``, an answer, has beyond x_pub (``sent``), where nothing is taken."""
    words = (m for m in _WORD.finditer(target.text) if m[0][0].isupper())
    names = (m for m in words if len(m[0]) >= _SHORTEST)
    sent_digits = _digits_of(sent)
    shown = (_digits_of(m[0]) for m in _free(_DIGITS.finditer(target.text), target))
    numbers = [digits for digits in shown if digits not in sent_digits]
    is_number_word = dictionary.language.numbers.is_number_word
    is_added = {
        Addition.LINK: _IN_LINK.search(target.text) is not None
        and any(m[0] not in sent for m in _free(_LINK.finditer(target.text), target)),
        Addition.NUMBER: any(len(digits) > _MOST_SPELLED for digits in numbers)
        or (bool(numbers) and not any(map(is_number_word, _WORD.findall(sent.lower())))),
        Addition.NAME: any(_is_new_name(m, sent, dictionary) for m in _free(names, target)),
    }
    return frozenset(addition for addition, is_there in is_added.items() if is_there)


def _free(found: Iterable[re.Match[str]], target: TargetText) -> Iterator[re.Match[str]]:
    return (word for word in found if target.is_free(word.span()))


def _digits_of(text: str) -> str:
    return "".join(filter(str.isdecimal, text))


def _is_new_name(found: re.Match[str], sent: str, dictionary: Dictionary) -> bool:
    """Return True if a capitalised word is a name that was not sent.

    Its capital must be its own, and it must not be in the dictionary. Neither may public
    translations have it for a word that was sent, nor may it be a form of address.
    """
    word = found[0]
    if _BEGINS.search(found.string[: found.start()]):
        return False
    words = [other.lower() for other in _WORD.findall(sent)]
    says_mr = not dictionary.language.words.honorifics.isdisjoint(words)
    if says_mr and len(word) <= _LONGEST_MR:
        return False
    if any(dictionary.association(other, word.lower()) > 0 for other in words):
        return False
    shown, known = list(map(without_accents, words)), dictionary.target_words
    return not all(
        part in known
        or any(  # two of them written as one
            part[:cut] in known and part[cut:].removeprefix("s") in known
            for cut in range(_SHORTEST, len(part) - _SHORTEST + 1)
        )
        or any(common_start(other, part) >= _ALIKE for other in shown)
        for part in _PART.findall(without_accents(word.lower()))
    )
