"""Numbers whose class stands further off than beside them: in lists, appositions, after a phrase.

*Plates 25-YHB-4 and YF 839 L*; *4711, the claim number*; *the claim number with Holm Ltd. is 4711*;
*fingerprints (card no. 4711)*.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from prism_core.identifiers.context_words import NUMBER_WORDS, ORDINARY, PHRASES
from prism_core.identifiers.nearest import WORD, bare, known
from prism_core.identifiers.number_form import Form, are_alike, form_of

_LONGEST_PHRASE = 3
_SHORTEST = 3
"""Of the numbers that go on with a list because they look like the one before."""
_ELSEWHERE = frozenset("PHONE FAX IP POSTCODE".split())
"""Labels of numbers that have a form of their own, or are told by what is dialled."""
_NAME = r"[^\W\d_][^\W\d_.'’/-]*"
_NUMBER = (
    r"(?:numbers?\b|nos?\b\.?|nr\b\.?|ids?\b|codes?\b|references?\b|refs?\b\.?|identifiers?\b)"
)
_NUMBERED = re.compile(rf"\b{_NUMBER}", re.IGNORECASE)
_WHOSE = r"(?:the|his|her|my|our|your|their|its|an?)"
_LISTED = re.compile(
    r"(?:\s\([^()\d]{1,30}\)|\s(?:for|of|in|on|from|at|to)(?:\s[^\W\d_][\w'’-]*){1,4})?"
    r"(?:\s?[,;/&+]\s?(?:(?:and|or|as well as)\s)?|\s(?:and|or|as well as)\s)#?\s?"
)
"""All that stands between two numbers of a list."""
_OTHER_ONE = re.compile(
    r"(?:\b(?:that|those|the (?:ones?|numbers?))\s(?:of|for)\s[^;:\d]{1,60}"
    r"|\b(?:his|hers|mine|yours|ours|theirs)"
    r"|\bthe\s(?:other|second|third|next|new|old|former|latter|last)(?:\s(?:one|number))?"
    rf"|{_NAME}['’]s),?\s(?:is|was|are|were|reads)\s$",
    re.IGNORECASE,
)
"""What stands for the noun of the number before."""
_INSTEAD = re.compile(
    r"(?:\b(?:swapped|changed|exchanged|replaced|swopped|traded|upgraded|amended|corrected|"
    r"renewed|reissued|switched|moved|transferred|converted)\s(?:for|by|with|to|as|into)"
    r"|\b(?:instead\sof|formerly|previously|now|then|rather\sthan|not|or|to|through|up\sto|until)"
    r"|\b(?:was|is)\s(?:ours|mine|theirs|now)|\bours\s(?:is|was)"
    r"|-+>|=+>|→|»)\s(?:(?:the|an?|our|his|her|my|your|their)\s)?"
    r"(?:(?:old|new|other|right|left|spare|second|current|former|previous)\s)?(?:one,?\s)?$"
)
"""What stands before the number that a thing had before, or has now, or the last of a row."""
_LONGEST_BETWEEN = 40
_COPULAS = frozenset("is was reads being :".split())
_HEAD = re.compile(
    rf"(?P<noun>{_NAME}(?:['’.-]{_NAME})*(?:\s{_NAME}(?:['’.-]{_NAME})*){{0,2}}?)"
    rf"(?P<numbered>\s{_NUMBER})?\s(?:with|of|at|from|for|in|under|by|on|held|given|issued|used)\s"
    r"(?P<between>[^;:\d()]{1,90}?)(?P<said>\s(?:is|was|reads|being)|:)?\s?\(?$",
    re.IGNORECASE,
)
_LONGEST_OWN = 6
_OWN = re.compile(rf"(?:{_WHOSE}\s)?{_NAME}(?:\s{_NAME}){{0,3}},?")
_THINGS = frozenset("card record file sample specimen chart lab index".split())
_WITH_CARDS = ("PLAN", "LICENCE", "NATIONAL_ID", "RECORD")
_GENERIC = re.compile(
    rf"(?P<noun>{_NAME}(?:\s{_NAME}){{0,2}})(?:\s\(|,\s|\s(?:on|as|with)\s)"
    rf"(?P<thing>{'|'.join(sorted(_THINGS))})\s{_NUMBER}:?\s?$",
    re.IGNORECASE,
)
"""Things that are kept of many others, numbered in brackets after what they are kept of."""
_END = r"(?=\s?[,.;)]|\s?$|\s(?:of|for|on|in|at|with|from|under|that|which)\s(?![^,.;]{0,40}\d))"
_AFTER = re.compile(
    rf"(?:(?:,|\s[-=])\s(?:which\s(?:is|was)\s)?{_WHOSE}\s|\s(?:is|was|being|as|for)\s{_WHOSE}\s"
    rf"|\s\((?:{_WHOSE}\s)?)"
    rf"(?:(?P<noun>{_NAME}(?:[\s'’-]{_NAME}){{0,3}}?)\s{_NUMBER}"
    rf"|number\s(?:of|on)\s(?:{_WHOSE}\s)?(?P<whose>{_NAME}(?:\s{_NAME}){{0,2}}?)){_END}",
    re.IGNORECASE,
)
_IN_BRACKETS = re.compile(
    rf"\s\((?:{_WHOSE}\s)?(?P<noun>{_NAME}(?:\s{_NAME}){{0,2}})\)", re.IGNORECASE
)

_PLAINLY = re.compile(
    rf"(?:,\s|\s[-=]\s|\s(?:is|was|being|as)\s){_WHOSE}\s"
    rf"(?P<noun>{_NAME}(?:[\s'’-]{_NAME}){{0,2}}?)(?=\s?[,.;)]|\s?$|\s(?:of|on|for|in|that|which)\s)",
    re.IGNORECASE,
)
"""*X4471123, my policy*; *was the plate on the van*."""


class Told(NamedTuple):
    """A number that was named: its label, and how it is written."""

    label: str
    value: str


def label_shared(between: str, value: str, told: Told) -> str:
    """The label of the number before, if ``value`` goes on with its list or is *that of* another.

    ``between`` is what stands between the two.
    """
    if told.label in _ELSEWHERE:
        return ""
    form = form_of(value)
    code = not form.plain and not form.bare
    like_it = len(value) >= _SHORTEST and are_alike(value, told.value)
    if _LISTED.fullmatch(between) and (code or like_it):
        return told.label
    if len(between) <= _LONGEST_BETWEEN and (code or like_it) and _INSTEAD.search(between):
        return told.label
    return told.label if code and _OTHER_ONE.search(between) else ""


def label_of_head_noun(before: str, words: Sequence[str], form: Form) -> str:
    """The label of the noun that a phrase, or the name of a mere thing, parts from its number.

    ``words`` are the last of ``before``, in lower case.
    """
    if form.plain or not words:
        return ""
    numbered = bare(words[-2 if words[-1] == ":" else -1 :][0]) in NUMBER_WORDS
    if numbered and not _THINGS.isdisjoint(words[-3:]):
        return _label_of_owner(before)
    said = words[-1] in _COPULAS
    own = (
        not said
        and "of" in words[-_LONGEST_OWN:]
        and not NUMBER_WORDS.isdisjoint(map(bare, words[-2 * _LONGEST_OWN :]))
    )
    return _label_before_phrase(before, form) if said or own else ""


def _label_of_owner(before: str) -> str:
    match = _GENERIC.search(before)
    label = _label_of(match["noun"]) if match else ""
    with_card = match is not None and match["thing"].lower() == "card" and label in _WITH_CARDS
    return label if label == "BIOMETRIC" or with_card else ""


def _label_before_phrase(before: str, form: Form) -> str:
    match = _HEAD.search(before)
    if match is None or _NUMBERED.search(match["between"]):
        return ""
    if not match["said"]:
        return _label_of_own(match, form)
    phrase = _phrase_of(match["noun"])
    sure = match["numbered"] or (phrase not in ORDINARY and (form.long or form.mixed))
    return PHRASES[phrase] if phrase and sure else ""


def _label_of_own(match: re.Match[str], form: Form) -> str:
    """The label of a number *of* something, with no verb: *pension no. of the patient 4711*."""
    own = match["numbered"] and not form.bare and _OWN.fullmatch(match["between"])
    return _label_of(match["noun"]) if own else ""


def label_after(text: str, end: int, form: Form) -> str:
    """The label that an apposition after the number gives it: *4711, the claim number*."""
    if form.plain:
        return ""
    if match := _AFTER.match(text, end):
        return _label_of(match["noun"] or match["whose"])
    code = form.long or form.mixed
    match = (_IN_BRACKETS.match(text, end) or _PLAINLY.match(text, end)) if code else None
    phrase = _phrase_of(match["noun"]) if match else ""
    return PHRASES[phrase] if phrase and phrase not in ORDINARY else ""


def _label_of(noun: str) -> str:
    phrase = _phrase_of(noun)
    return PHRASES[phrase] if phrase else ""


def _phrase_of(noun: str) -> str:
    """The longest phrase of the lists that ``noun`` ends with; empty if it ends with none."""
    words = [bare(word) for word in WORD.findall(noun.lower())][-_LONGEST_PHRASE:]
    found = next(filter(None, (known(" ".join(words[i:])) for i in range(len(words)))), "")
    return "" if PHRASES.get(found) in _ELSEWHERE else found
