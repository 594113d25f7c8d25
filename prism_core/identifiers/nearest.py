"""The word that stands nearest before a number and names its class."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from prism_core.identifiers.context_words import (
    ANNOUNCING,
    FILLERS,
    LOOSE,
    NUMBER_WORDS,
    OF_AMOUNTS,
    ORDINARY,
    PHRASES,
    PLATED,
    REFERENCES,
    UNSAID,
)
from prism_core.identifiers.number_form import Form

WORD = re.compile(r"bar[ -]code|[^\W\d_]+(?:[./'’-][^\W\d_]+)*\.?|[#:;()=º°|]|\d[\w.,/-]*")
"""The words of a text, and the marks that tell where what they say ends."""
_LONGEST_PHRASE = 3
_BESIDE = frozenset("( = is was with".split())
"""What may stand between an ordinary word and its code."""
_NO_FORM = Form()
_THINGS = frozenset(
    """
    card record file kit sample specimen chart log enrolment enrollment profile document template
    """.split()
)
"""Things that are kept of many others, and named by them."""
_NEAR_WORDS = 4
_MARKS = (":", "#", "(")
_LAST_WORDS = frozenset(phrase.rpartition(" ")[2] for phrase in PHRASES)


def nearest(words: list[str], form: Form = _NO_FORM) -> str:
    """The label of the phrase that stands nearest before a number of ``form``; else empty.

    ``words`` are those before it, in lower case, in their order.
    """
    code = form.long or form.mixed
    numbered, skipped, beside = False, 0, True
    for last in range(len(words) - 1, -1, -1):
        word = bare(words[last])
        longest = min(_LONGEST_PHRASE, last + 1) if may_end_phrase(word) else 0
        for length in range(longest, 0, -1):
            phrase = known(" ".join(map(bare, words[last - length + 1 : last + 1])))
            if phrase in UNSAID and not form.plain:
                break
            if phrase and (numbered or _names(phrase, form, skipped, beside=beside)):
                return _kept_of(words[: last - length + 1], phrase) or PHRASES[phrase]
        if word in OF_AMOUNTS or word == ";" or word[:1].isdigit():
            return ""
        numbered = numbered or (word in NUMBER_WORDS and skipped == 0)
        beside = beside and word in _BESIDE
        skipped += word not in FILLERS and not (code and word in LOOSE)
        if skipped > (3 if numbered else 2):
            return ""
    return ""


def _kept_of(before: Sequence[str], phrase: str) -> str:
    """The label of what a mere thing is kept of: *fingerprint record*, *palm vein enrolment*."""
    if phrase not in _THINGS:
        return ""
    before = [bare(word) for word in before]
    for length in range(min(_LONGEST_PHRASE, len(before)), 0, -1):
        owner = known(" ".join(before[-length:]))
        label = PHRASES.get(owner, "CODE")
        if label not in ("RECORD", "CODE") and (owner not in ORDINARY or label == "PLAN"):
            return label
    if any(PHRASES.get(known(word)) == "BIOMETRIC" for word in before[-_NEAR_WORDS:]):
        return "BIOMETRIC"
    return ""


def of_a_file(words: list[str], form: Form) -> str:
    """``RECORD`` where the words before a number say that it is kept under it, not what is."""
    if form.plain or not words:
        return ""
    words = [bare(word) for word in words[-_LONGEST_PHRASE - 1 :] if word not in _MARKS]
    if not words:
        return ""
    kept = any(" ".join(pair) in UNSAID for pair in pairwise(words))
    under = words[-1] == "under" and (form.long or form.mixed)
    return "RECORD" if kept or under or words[-1] in REFERENCES else ""


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
    model = PHRASES[phrase] in ("DEVICE", "VEHICLE", "CODE")  # *printer LJ4200N*
    return beside and (form.long or form.serial or (form.mixed and not model))


def may_end_phrase(word: str) -> bool:
    """Whether a phrase of the lists, or its plural, ends with ``word``."""
    return word in _LAST_WORDS or bare(word).removesuffix("s").removesuffix("'") in _LAST_WORDS


def known(phrase: str) -> str:
    """``phrase`` as the lists have it, in the singular perhaps; empty if they have it not."""
    if phrase in PHRASES:
        return phrase
    singular = phrase.removesuffix("s").removesuffix("'")
    return singular if singular in PHRASES else ""


def bare(word: str) -> str:
    """``word`` without its full stops, with plain apostrophes."""
    if word.isalpha():
        return word
    word = word.rstrip(".")
    word = word.replace(".", "") if word.count(".") else word.replace("’", "'")
    return word if "/" not in word or word in PHRASES else word.rpartition("/")[2]
