from __future__ import annotations

from pathlib import Path

import pytest

from prism_core.building.inspection import inspect, survey_file
from prism_core.dictionary import save_dictionary
from prism_core.mechanisms import Pools
from prism_core.settings import MechanismSettings
from tests.words import dictionary, entry, nouns

SETTINGS = MechanismSettings.choose(threshold=0.7, minimum_pool=20)


def test_a_confident_word_is_replaced_and_its_pool_is_that_of_the_mechanism() -> None:
    book = dictionary(*nouns(40), entry("house"))
    (sense,) = inspect("House", book, SETTINGS).senses
    assert sense.replaced
    pool = Pools(book, 0.7, 20).for_entry(sense.entry).behind
    assert sense.pool == len(pool) == 41
    assert "hidden among 41 words" in sense.why


def test_an_unsure_word_is_replaced_too_and_the_threshold_for_drawing_it_is_named() -> None:
    book = dictionary(*nouns(40), entry("house", confidence=0.45))
    (sense,) = inspect("house", book, SETTINGS).senses
    assert sense.replaced
    assert "hidden among 41 words" in sense.why
    assert "0.45 is below the threshold 0.7, so it is not drawn itself" in sense.why
    (pool,) = {tuple(Pools(book, 0.7, 20).for_entry(sense.entry).drawn)}
    assert sense.entry not in pool


def test_a_pool_that_is_too_small_is_named() -> None:
    (sense,) = inspect("house", dictionary(*nouns(5), entry("house")), SETTINGS).senses
    assert sense.pool == 0
    assert "fewer than 20 words" in sense.why


@pytest.mark.parametrize(
    ("word", "verdict"),
    [("the", "function word"), ("Edith", "public name"), ("hose", "not in the dictionary")],
)
def test_a_word_without_an_entry_is_explained(word, verdict) -> None:
    found = inspect(word, dictionary(entry("house"), entry("horse")), SETTINGS)
    assert found.senses == ()
    assert verdict in found.verdict


def test_an_unknown_word_gets_near_ones_and_what_the_policy_does_with_it() -> None:
    book = dictionary(entry("house"), entry("zebra"))
    assert inspect("hose", book, SETTINGS).near == ("house",)
    withhold = MechanismSettings.choose(unknown_words="withhold")
    assert "withheld" in inspect("hose", book, withhold).verdict


def test_a_dictionary_is_expected_to_bring_back_what_draws_prefer(tmp_path: Path) -> None:
    sure = [one._replace(calibrated=0.98, translator="t") for one in nouns(40)]
    unsure = [entry(f"unsure{i}")._replace(calibrated=0.9, translator="t") for i in range(40)]
    file = tmp_path / "pair.parquet"
    save_dictionary([*sure, *unsure], {"source": "en", "target": "es", "drawn_from": "0.9"}, file)
    rates = {}
    for draws in ("plausible", "uniform"):
        found = survey_file(file, "t", MechanismSettings.choose(draws=draws))
        assert found.drawn == 80
        (rates[draws],) = {tag.rate for tag in found.tags if tag.drawn}
    assert rates["uniform"] == pytest.approx(0.94, abs=0.02)
    assert rates["plausible"] == pytest.approx(0.98, abs=0.02)
    assert rates["plausible"] > rates["uniform"] + 0.02


def test_a_word_that_the_mechanism_sends_by_choice_is_explained() -> None:
    book = dictionary(*nouns(30), entry("window"), entry("cancer"))
    light = MechanismSettings.choose(hidden_words="telling", minimum_pool=1)
    (sense,) = inspect("window", book, light).senses
    assert (sense.replaced, sense.pool) == (False, 0)
    assert "hidden_words is telling" in sense.why
    (sense,) = inspect("cancer", book, light).senses
    assert (sense.replaced, sense.pool) == (True, 1)
    assert "hidden among 1 words that do" in sense.why
