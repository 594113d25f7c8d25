"""Slots of running text: what the place of an English word demands of its translation.

The names are those of the frames (``she``, ``infinitive``, ``will_they`` …), so that forms read
off running text and forms read off frames are labelled alike.
"""

from __future__ import annotations

from collections.abc import Sequence

from prism_core.building.vocabulary import CALENDAR
from prism_core.language.sentence import Token
from prism_core.language.words import MONTHS, WEEKDAYS, is_function_word

FUNCTION = "FUNCTION"
"""Tag of the entries of function words."""
FARTHEST = 6
"""How many tokens away a verb's subject is looked for."""

_FIXED = {
    "NN": "noun",
    "NNS": "noun",
    "MONTH": "month",
    "WEEKDAY": "weekday",
    "RB": "adverb",
    "RBR": "adverb",
    "CD": "count",
    "VBZ": "she",
}
_PERSONS = {"i": "i", "we": "we", "you": "you", "they": "they", "he": "she", "she": "she"}
_PERSONS |= {"it": "she", "this": "she", "that": "she", "these": "they", "those": "they"}
_NUMBERS = {"NN": "she", "NNP": "she", "NNS": "they", "NNPS": "they"}
_BE = frozenset("be am is are was were been being 's 're 'm ’s ’re ’m".split())
_HAVE = frozenset("have has had having 've ’ve 'd ’d".split())
_MODALS = {"to": "infinitive", "will": "will", "'ll": "will", "’ll": "will", "wo": "will"}
_MODALS |= {"would": "would", "'d": "would", "’d": "would", "did": "did", "does": "does"}
_MODALS |= {"do": "do"} | dict.fromkeys("can could may might must should ca".split(), "can")
_PASSED_OVER = ("RB", "RBR", "RBS", "MD")
_RELATIVE = frozenset("who which that".split())


def place_tag(token: Token) -> str:
    """The tag a token is looked up under: months, weekdays and function words have their own."""
    lower = token.text.lower()
    if token.text[:1].isupper() and token.tag == "NNP":
        return "MONTH" if lower in MONTHS else "WEEKDAY" if lower in WEEKDAYS else token.tag
    return FUNCTION if is_function_word(lower) else token.tag


def slot(tokens: Sequence[Token], position: int) -> str:
    """The slot of ``tokens[position]``; empty where the text does not tell.

    Adjectives have none here: theirs follows from the noun (``noun_of``).
    """
    tag = place_tag(tokens[position])
    if tag in _FIXED:
        return _FIXED[tag]
    if tag in ("VBP", "VBD"):
        return _subject(tokens, position)
    if tag == "VB":
        return _after_modal(tokens, position)
    if tag == "VBG":
        return _gerund(tokens, position)
    return _participle(tokens, position) if tag == "VBN" else ""


def noun_of(tokens: Sequence[Token], position: int) -> int | None:
    """Where the noun stands that the adjective at ``position`` precedes: the last of its run."""
    at = position + 1
    while at < len(tokens) and tokens[at].tag in ("JJ", "JJR", "JJS", "CC", ",", "VBN", "VBG"):
        at += 1
    if at - position > FARTHEST or at == len(tokens) or tokens[at].tag not in ("NN", "NNS"):
        return None
    while at + 1 < len(tokens) and tokens[at + 1].tag in ("NN", "NNS"):
        at += 1
    return at


def is_place(tag: str, token: Token) -> bool:
    """Whether ``token`` is written as dictionary words are: lower case, or of the calendar."""
    return tag in (*CALENDAR, FUNCTION) or (token.text.islower() and token.text.isalpha())


def _subject(tokens: Sequence[Token], position: int) -> str:
    for at in range(position - 1, max(-1, position - 1 - FARTHEST), -1):
        token = tokens[at]
        lower = token.text.lower()
        if token.tag in _PASSED_OVER or lower in _RELATIVE or lower in _HAVE or lower in _BE:
            continue
        if lower in _PERSONS:
            return _PERSONS[lower]
        return _NUMBERS.get(token.tag, "")
    return ""


def _before(tokens: Sequence[Token], position: int) -> int | None:
    """The nearest token to the left that is no adverb."""
    at = position - 1
    while at >= 0 and tokens[at].tag in _PASSED_OVER and tokens[at].text.lower() not in _MODALS:
        at -= 1
    return at if at >= 0 else None


def _after_modal(tokens: Sequence[Token], position: int) -> str:
    at = _before(tokens, position)
    if at is None:
        return ""
    lower = tokens[at].text.lower()
    if lower in _PERSONS:  # a question: "Did she go?"
        at -= 1
        lower = tokens[at].text.lower() if at >= 0 else ""
    modal = _MODALS.get(lower, "")
    if modal in ("", "infinitive", "can"):
        return modal
    subject = _subject(tokens, at)
    return f"{modal}_{subject}" if subject else ""


def _gerund(tokens: Sequence[Token], position: int) -> str:
    at = _before(tokens, position)
    if at is None:
        return "subject"
    token = tokens[at]
    if token.text.lower() in _BE:
        return "progressive"
    return "after" if token.tag == "IN" else ""


def _participle(tokens: Sequence[Token], position: int) -> str:
    at = _before(tokens, position)
    if at is None:
        return ""
    lower = tokens[at].text.lower()
    if lower in _HAVE:
        return "perfect"
    if lower in _BE:
        subject = _subject(tokens, at)
        return f"passive_{subject}" if subject else ""
    return ""
