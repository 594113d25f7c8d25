from __future__ import annotations

import re
from collections import Counter

import pytest

from prism_core.identifiers.leak_check import (
    LeakCheck,
    count_detected,
    count_remaining,
    count_replaced,
)
from prism_core.identifiers.lists import DenyList
from prism_core.record import Encoded, Fate, Kind, Replacement
from prism_core.settings import IdentifierClass
from prism_core.state.sealed_columns import pack, unpack
from tests.words import ENGLISH

NAME, DATE, OTHER = IdentifierClass.NAME, IdentifierClass.DATE, IdentifierClass.OTHER
GEOGRAPHY = IdentifierClass.GEOGRAPHY
FOUND, KEPT = Fate.IDENTIFIER, Fate.KEPT
RECORD = (
    Replacement(0, 1, "Quibble", "Carver", Kind.NAME, "PERSON"),
    Replacement(2, 1, "Monday", "Friday", Kind.WORD, "NNP"),
)
SENT = Encoded(
    "Carver on Friday",
    RECORD,
    (FOUND, KEPT, FOUND),
    labels=("PERSON", "DATE"),
    drawn=((0, 6), (10, 16)),
)
WITHHELD = Encoded("", (), (FOUND, FOUND, KEPT), withheld="leak", labels=("PERSON", "PLACE"))


def test_identifiers_are_counted_by_the_labels_of_their_detectors() -> None:
    assert count_detected(SENT) == count_replaced(SENT) == {NAME: 1, DATE: 1}
    assert count_detected(WITHHELD) == {NAME: 1, GEOGRAPHY: 1}, "neighbours are told apart"
    assert count_replaced(WITHHELD) == {}


def test_labels_and_spans_are_stored_with_the_encoding() -> None:
    assert unpack(Encoded, pack(SENT)) == SENT


@pytest.mark.parametrize(
    ("text", "denied", "never", "counts"),
    [
        ("Carver on Friday", [], [], {}),
        ("Quibble on Friday", [], [], {NAME: 1}),
        ("Q u i b b l e on Monday", [], [], {NAME: 1, DATE: 1}),
        ("Carver met Ashworth on Friday", ["Ashworth"], [], {NAME: 1}),
        ("Quibble on Friday", ["Quibble"], [], {NAME: 1}),
        ("Carver of 4471023 on Friday", ["4471023"], [], {OTHER: 1}),
        ("Carver on Friday", ["Carver"], [], {}),
        ("Quibble on Friday", ["Friday"], [], {NAME: 1}),
        ("Carver on Friday with saffron", [], ["saffron"], {OTHER: 1}),
    ],
    ids=[
        "nothing",
        "own",
        "own, spaced out",
        "denied",
        "own and denied counts once",
        "denied number",
        "a surrogate that is a name of the archive",
        "own beside such a one",
        "never to be sent",
    ],
)
def test_what_remained_is_counted_by_class(text, denied, never, counts) -> None:
    deny_list, check = DenyList(), LeakCheck(ENGLISH, never)
    for form in denied:
        deny_list.add(form)
    own = [one.word for one in RECORD]
    drawn = [found.span() for found in re.finditer("Carver|Friday", text)]
    shown = check.find_leaks(text, own, deny_list, lambda _word: False, drawn)
    assert bool(shown) == bool(counts)
    assert count_remaining(SENT, shown) == Counter(counts)
