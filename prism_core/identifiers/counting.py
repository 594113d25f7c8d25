"""The class of an identifier; how many of each a sentence has, had replaced, and still shows."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

from prism_core.identifiers import names, patterns
from prism_core.identifiers.detectors import detector_classes
from prism_core.identifiers.leaks.check import Leaks
from prism_core.identifiers.normal_form import normal_forms
from prism_core.record import Encoded, Fate, Replacement
from prism_core.settings import IdentifierClass

_WORD = re.compile(r"\w+")


@cache
def class_of(label: str) -> IdentifierClass:
    """The class that a detector's ``label`` counts in; ``OTHER`` for one that is not known."""
    classes = {**patterns.CLASSES, **names.CLASSES}
    for detector in detector_classes():
        classes |= detector.classes
    return classes.get(label, IdentifierClass.OTHER)


def list_identifiers(encoded: Encoded) -> list[Replacement]:
    """The replacements of identifiers, in order; none for a sentence that was withheld."""
    return [
        replacement
        for replacement in encoded.record
        if encoded.fates[replacement.position] is Fate.IDENTIFIER
    ]


def count_detected(encoded: Encoded) -> Counter[IdentifierClass]:
    """The identifiers that were recognised."""
    return Counter(map(class_of, encoded.labels))


def count_replaced(encoded: Encoded) -> Counter[IdentifierClass]:
    """The identifiers that a surrogate stands for in what may be sent."""
    pairs = zip(encoded.labels, list_identifiers(encoded), strict=False)  # none when withheld
    return Counter(class_of(label) for label, _ in pairs)


def count_remaining(encoded: Encoded, leaks: Leaks) -> Counter[IdentifierClass]:
    """The identifiers that the text to be sent shows, as the leak check found them in it.

    What was drawn tells nothing of the archive, whatever it is (``LeakCheck``). A denied word
    without a class of its own is a name, or other when it has digits.
    """
    identifiers = list_identifiers(encoded)
    counts = Counter(class_of(encoded.labels[index]) for index in leaks.own)
    accounted = {
        form for index in leaks.own for form in normal_forms(_WORD.findall(identifiers[index].word))
    }
    for word, form in zip(leaks.denied, normal_forms(leaks.denied), strict=True):
        if form not in accounted:
            number = any(map(str.isdigit, word))
            counts[IdentifierClass.OTHER if number else IdentifierClass.NAME] += 1
    if leaks.never_sent and not counts:
        counts[IdentifierClass.OTHER] += 1
    return counts
