"""The word that stands nearest before a number and names its class."""

from __future__ import annotations

import re

from prism_core.identifiers.context_words import (
    ANNOUNCING,
    FILLERS,
    NUMBER_WORDS,
    OF_AMOUNTS,
    ORDINARY,
    PHRASES,
    PLATED,
    UNSAID,
)
from prism_core.identifiers.number_form import Form

WORD = re.compile(r"[^\W\d_]+(?:[./'’-][^\W\d_]+)*\.?|[#:;()=º°|]|\d[\w.,/-]*")
"""The words of a text, and the marks that tell where what they say ends."""
_LONGEST_PHRASE = 3
_REFERENCES = ("reference", "ref")
"""What names a number of a file where nothing says what it refers to."""
_BESIDE = frozenset("( = is was with".split())
"""What may stand between an ordinary word and its code."""
_NO_FORM = Form()


def nearest(words: list[str], form: Form = _NO_FORM) -> str:
    """The label of the phrase that stands nearest before a number of ``form``; else empty.

    ``words`` are those before it, in lower case, in their order.
    """
    words = [bare(word) for word in words]
    numbered, skipped, beside = False, 0, True
    otherwise = "RECORD" if words and words[-1] in _REFERENCES and not form.plain else ""
    for last in range(len(words) - 1, -1, -1):
        word = words[last]
        for length in range(min(_LONGEST_PHRASE, last + 1), 0, -1):
            phrase = known(" ".join(words[last - length + 1 : last + 1]))
            if phrase in UNSAID and not form.plain:
                otherwise = otherwise or PHRASES[phrase]
            elif phrase and (numbered or _names(phrase, form, skipped, beside=beside)):
                return PHRASES[phrase]
        if word in OF_AMOUNTS or word == ";" or word[:1].isdigit():
            return otherwise
        numbered = numbered or (word in NUMBER_WORDS and skipped == 0)
        beside = beside and word in _BESIDE
        skipped += word not in FILLERS
        if skipped > (3 if numbered else 2):
            return otherwise
    return otherwise


def _names(phrase: str, form: Form, skipped: int, *, beside: bool) -> bool:
    """Whether ``phrase`` names a number of ``form`` that no *No.* announces."""
    if phrase in ANNOUNCING:
        return True
    if form.plain or (form.bare and skipped):
        return False
    if phrase in PLATED and form.plate and beside:
        return True
    if phrase not in ORDINARY:
        return True
    model = PHRASES[phrase] in ("DEVICE", "VEHICLE")  # *printer LJ4200N*
    return beside and (form.long or (form.mixed and not model))


def known(phrase: str) -> str:
    """``phrase`` as the lists have it, in the singular perhaps; empty if they have it not."""
    if phrase in PHRASES:
        return phrase
    singular = phrase.removesuffix("s")
    return singular if singular in PHRASES else ""


def bare(word: str) -> str:
    """``word`` without its full stops, with plain apostrophes."""
    word = word.rstrip(".")
    return word.replace(".", "") if word.count(".") else word.replace("’", "'")
