"""Counts of identifiers by class: detected, replaced, and still visible in the text to be sent."""

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
    """Return the class that a detector's ``label`` counts in; ``OTHER`` for an unknown label."""
    classes = {**patterns.CLASSES, **names.CLASSES}
    for detector in detector_classes():
        classes |= detector.classes
    return classes.get(label, IdentifierClass.OTHER)


def list_identifiers(encoded: Encoded) -> list[Replacement]:
    """Return the replacements of identifiers, in order; none for a withheld sentence."""
    return [
        replacement
        for replacement in encoded.record
        if encoded.fates[replacement.position] is Fate.IDENTIFIER
    ]


def count_detected(encoded: Encoded) -> Counter[IdentifierClass]:
    """Count the identifiers that were recognised."""
    return Counter(map(class_of, encoded.labels))


def count_replaced(encoded: Encoded) -> Counter[IdentifierClass]:
    """Count the identifiers that have a surrogate in the text that may be sent."""
    pairs = zip(encoded.labels, list_identifiers(encoded), strict=False)  # none when withheld
    return Counter(class_of(label) for label, _ in pairs)


def count_remaining(encoded: Encoded, leaks: Leaks) -> Counter[IdentifierClass]:
    """Count the identifiers that the leak check found in the text to be sent.

    Surrogates never count: they are drawn without knowledge of the archive (see ``LeakCheck``). A
    denied word without a class counts as a name, or as other if it has digits.
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
