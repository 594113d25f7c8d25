"""Units of a memory that resemble a sentence: how like, which words differ, and what it costs."""

from difflib import SequenceMatcher
from random import Random

import pytest

from prism_core.translation_memory import TranslationUnit, find_matches
from tests.timing import processor_limit

SENTENCE = "Take two tablets of it every day."
UNIT = TranslationUnit("Take three tablets of it every day.", "Tome três por dia.")


def match(*units, sentence=SENTENCE, threshold=75, **penalties):
    return find_matches({"a": sentence}, units, threshold, **penalties).get("a")


def test_a_match_says_how_like_it_is_and_which_words_differ():
    found = match(UNIT)
    assert (found.percent, found.target) == (87, "Tome três por dia.")
    assert found.label == "87 %: two ← three"


def test_only_an_equal_source_is_a_hundred_percent():
    assert match(TranslationUnit(f" {SENTENCE} ", "Tome dois.")).percent == 100
    assert match(TranslationUnit(SENTENCE.lower(), "Tome dois.")).percent == 99


def test_the_best_unit_counts_and_the_last_of_equal_ones():
    worse = TranslationUnit("Take three pills of it every day.", "Tome três pílulas.")
    later = UNIT._replace(target="Tome três, por favor.")
    assert match(UNIT, worse, later).target == later.target


@pytest.mark.parametrize(("threshold", "is_found"), [(87, True), (88, False)])
def test_what_is_below_the_threshold_is_no_match(threshold, is_found):
    assert (match(UNIT, threshold=threshold) is not None) is is_found


def test_units_of_machines_and_drafts_cost_their_penalties():
    draft = UNIT._replace(is_machine=True, is_unreviewed=True)
    costs = {"machine_penalty": 7, "unreviewed_penalty": 5}
    assert match(draft, **costs).percent == 75
    assert match(draft, **costs, threshold=76) is None
    assert match(UNIT._replace(target="Mine."), draft, **costs).target == "Mine."


def test_no_match_in_reach_is_missed():
    rng, words = Random(3), [f"w{number}" for number in range(30)]
    texts = {str(i): " ".join(rng.choices(words, k=rng.randint(3, 12))) for i in range(40)}
    units = []
    for text in texts.values():
        changed = text.split()
        changed[rng.randrange(len(changed))] = rng.choice(words)
        units.append(TranslationUnit(" ".join(changed), "x"))
    found = find_matches(texts, units, 60)
    for row_id, text in texts.items():
        likeness = [
            100 if text == unit.source
            else int(SequenceMatcher(None, text.split(), unit.source.split(), False).ratio() * 100)
            for unit in units
        ]  # fmt: skip
        assert (found[row_id].percent if row_id in found else 0) == (
            max(likeness) if max(likeness) >= 60 else 0
        )


def test_a_memory_of_like_units_is_searched_in_bounded_time():
    texts = {str(i): f"Page {i} of 200 of the report" for i in range(20_000)}
    units = [TranslationUnit(f"Page {i} of 200 of a report", "x") for i in range(200)]
    with processor_limit(5):
        assert len(find_matches(texts, units, 75)) >= 200
