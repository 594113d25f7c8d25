"""Of a closed set the original is drawn like any other: what never comes would tell what it is."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from random import Random

import pytest

from prism_core.encoding import Encoder, make_encoder
from prism_core.identifiers import DenyList
from prism_core.identifiers.format_preserving import is_closed
from prism_core.identifiers.leak_check import LeakCheck
from prism_core.language import LanguageModel
from prism_core.mechanisms import make_mechanism
from prism_core.record import Encoded, Kind
from prism_core.settings import MechanismSettings
from tests.words import ENGLISH, calendar_words

DRAWS = 700


@pytest.fixture(scope="module")
def model() -> LanguageModel:
    return LanguageModel.load("en", lemmas=False)


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    words = calendar_words()
    return make_encoder(words, make_mechanism(MechanismSettings.choose(minimum_pool=5), words))


def sent(model: LanguageModel, encoder: Encoder, text: str, draws: int) -> list[Encoded]:
    """``draws`` encodings; none is withheld, since that would follow from the original too."""
    (sentence,) = model.sentences(text)
    encodings = [encoder.encode(sentence, DenyList(), Random(seed)) for seed in range(draws)]
    assert not [one for one in encodings if one.withheld]
    return encodings


def drawn(encodings: list[Encoded], place: int = 0) -> Counter[str]:
    return Counter(one.record[place].substitute for one in encodings)


def chi_squared(counts: Counter[str], choices: int) -> float:
    even = counts.total() / choices
    seen = sum((count - even) ** 2 / even for count in counts.values())
    return seen + even * (choices - len(counts))


SETS = {
    "month": ("It was of him in {}.", ("March",), 12),
    "weekday": ("It was of him on {}.", ("Monday", "Sunday"), 7),
    "day": ("It was of him on {} March.", ("31",), 22),
    "day as an ordinal": ("It was of him on the {} of March.", ("3rd",), 9),
    "one digit": ("There was {} of them.", ("1", "7"), 10),
    "two digits": ("There were {} of them.", ("90",), 90),
    "year": ("It was of him in {}.", ("1987",), 200),
    "initial": ("It was of him, {} Baxter.", ("J.", "A."), 24),
    "code": ("It was of him in {}.", ("B7", "K1"), 112),
    "piece": ("It was of him in {}.", ("704(a)(7)", "5 mg/kg"), 512),
    "clock": ("It was of him at {} or so.", ("7 a.m.", "10:30 PM"), 539),
}


@pytest.mark.parametrize("name", SETS)
def test_every_one_of_a_closed_set_is_drawn_evenly_whatever_stands_there(
    model, encoder, name
) -> None:
    frame, originals, choices = SETS[name]
    for original in originals:
        counts = drawn(sent(model, encoder, frame.format(original), DRAWS))
        freedom = choices - 1
        spread = (2 * freedom) ** 0.5
        assert freedom - 4 * spread < chi_squared(counts, choices) < freedom + 5 * spread
        assert len(counts) == choices or choices > 100, "all of them and nothing else"
        assert counts.total() == DRAWS
        assert original in counts or choices > 100 or original in ("A.", "K1")


def test_a_date_in_digits_is_any_of_its_form_whatever_stands_there(model, encoder) -> None:
    for original in ("25/03/1987", "03/25/1987", "03/04/1987"):
        texts = drawn(sent(model, encoder, f"It was of him on {original}.", 400))
        days = [tuple(map(int, text.split("/"))) for text in texts]
        assert {first for first, _, _ in days} == {second for _, second, _ in days}
        assert {first for first, _, _ in days} == set(range(1, 13)), "no day tells its place"
        assert min(days, key=lambda day: day[2])[2] < 1910
        assert max(days, key=lambda day: day[2])[2] > 2089


def test_two_of_a_set_are_drawn_as_a_permutation_of_it_that_is_even(model, encoder) -> None:
    encodings = sent(model, encoder, "It was of him on Monday or on Friday.", 1500)
    pairs = Counter(" ".join(part.substitute for part in one.record[:2]) for one in encodings)
    assert len(pairs) == len(list(permutations(range(7), 2)))
    assert 10 < chi_squared(pairs, 42) < 95, "chance gives 41"
    assert pairs["Monday Friday"], "each may stand for itself"
    assert pairs["Friday Monday"], "and for the other"


def test_equal_ones_stay_equal(model, encoder) -> None:
    for one in sent(model, encoder, "It was of him on Monday or of her on Monday.", 50):
        assert one.record[0].substitute == one.record[1].substitute


def test_a_longer_number_may_hold_the_digits_of_a_short_one_beside_it(model, encoder) -> None:
    longer = drawn(sent(model, encoder, "It was of him: 17 of 48213.", DRAWS), place=1)
    assert sum("17" in number for number in longer) > 8, "chance gives 25"


def test_what_was_drawn_blindly_is_no_leak_and_anything_else_is_one() -> None:
    check, nobody = LeakCheck(ENGLISH), DenyList()
    for text, drawn, leaks in (
        ("It was 30 or 14.", [(7, 9), (13, 15)], False),
        ("It was 30 or 14 or 30.", [(7, 9), (13, 15)], True),
        ("In 14 it was 30 or 14.", [(13, 15), (19, 21)], True),
    ):
        seen = (nobody, lambda _: False, drawn, ("14", "30"))
        assert bool(check.find_leaks(text, (), *seen).own) == leaks, text
    assert check.find_leaks(
        "It was 30 or 14.", ("14",), nobody, lambda _: False, [(7, 9), (13, 15)]
    ), "if it is no blind one"


def test_a_blind_draw_does_not_remain(model, encoder) -> None:
    encodings = sent(model, encoder, "It was of him on Monday.", 60)
    itself = [one for one in encodings if one.record[0].substitute == "Monday"]
    assert itself
    assert not any(encoder.remaining(one, DenyList()) for one in itself)


@pytest.mark.parametrize(
    ("text", "kind", "closed"),
    [
        ("9999", Kind.NUMBER, True),
        ("48213", Kind.NUMBER, False),
        ("1,234.5", Kind.NUMBER, False),
        ("B12", Kind.CODE, True),
        ("AB-1234", Kind.CODE, False),
        ("J.-P.", Kind.NAME, True),
        ("Kovacs", Kind.NAME, False),
        ("UN", Kind.NAME, False),
    ],
)
def test_a_set_of_ten_thousand_is_closed_and_a_larger_one_is_not(text, kind, closed) -> None:
    assert is_closed(text, kind) == closed
