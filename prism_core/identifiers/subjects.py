"""Numbers whose class the sentence says earlier, where no word nearer to them says another.

*The pacemaker that she was given in Bonn, made by Holm, has the number PJN 4711*.
"""

from __future__ import annotations

from collections.abc import Sequence

from prism_core.identifiers.context_words import (
    NUMBER_WORDS,
    OF_AMOUNTS,
    ORDINARY,
    PHRASES,
    UNSAID,
)
from prism_core.identifiers.nearest import bare, known, may_end_phrase
from prism_core.identifiers.number_form import Form

_LONGEST_PHRASE = 3
_THINGS = frozenset("BIOMETRIC DEVICE PHOTO VEHICLE".split())
"""Labels of things that a sentence can be about, however common the word for it is."""
_PAPERS = frozenset("ACCOUNT LICENCE NATIONAL_ID PLAN".split())
"""Labels of papers: of these only words that name little else count so far off."""
_TOO_COMMON = frozenset("member card customer citizen identity plan claim claims".split())
"""Words of papers that mean many things where no number follows: *a member state*."""
_ONLY_NEAR = ORDINARY | _TOO_COMMON
_COPULAS = frozenset("is was are reads says being".split())


def label_of_subject(words: Sequence[str], form: Form) -> str:
    """The label of the last thing that ``words`` speak of before a number; empty if of none.

    Of papers and records only words count that name little else: a sentence about a policy may go
    on to any amount.
    """
    numbered = _is_announced(words)
    sure = numbered or form.serial
    for last in range(len(words) - 1, -1, -1):
        word = words[last]
        if word == ";" or word in OF_AMOUNTS:
            return ""
        if not may_end_phrase(word):
            continue
        label = _label_at(words, last, numbered=numbered, sure=sure)
        if label == "VEHICLE" and not (form.plate or numbered):
            continue
        if label:
            return "" if label == "CODE" else label
    return ""


def _is_announced(words: Sequence[str]) -> bool:
    last = words[-2:-1] if words[-1] in _COPULAS else words[-1:]
    return bool(last) and bare(last[0]) in NUMBER_WORDS


def _label_at(words: Sequence[str], last: int, *, numbered: bool, sure: bool) -> str:
    """The label of the longest phrase that ends at ``last``, if it counts from afar."""
    for length in range(min(_LONGEST_PHRASE, last + 1), 0, -1):
        phrase = known(" ".join(map(bare, words[last - length + 1 : last + 1])))
        if phrase and phrase not in UNSAID and bare(words[last]) not in NUMBER_WORDS:
            label = PHRASES[phrase]
            plain = phrase not in ORDINARY or label == "VEHICLE"  # it has the form of a plate then
            if label == "CODE" or (label in _THINGS and (sure or plain)):
                return label
            far = label in _PAPERS or (numbered and label == "RECORD")
            return label if far and phrase not in _ONLY_NEAR else ""
    return ""
