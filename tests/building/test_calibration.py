"""How surely words come back, from all that is known of them."""

from __future__ import annotations

import pytest

from prism_core.building.calibration import calibrate
from prism_core.dictionary import ASSOCIATED, GLOSSARY, Entry
from tests.words import entry

SEEN = [
    ("the wall is old", "el muro es viejo"),
    ("a wall", "un muro"),
    ("old walls", "muros viejos"),
]


def row(word: str, form: str, translator: str = "google", confidence: float = 0.5, tag: str = "NN"):
    return entry(word, tag, [form], confidence=confidence)._replace(translator=translator)


def sureness(*rows: Entry, pairs=SEEN, target: str = "es", word: str = "wall", people=()) -> float:
    found = calibrate(rows, pairs, target, people)
    (figure,) = {one.calibrated for one in found if one.word == word and one.tag == "NN"}
    return figure


def test_all_rows_of_a_word_have_one_figure_and_it_is_a_probability() -> None:
    rows = [row("wall", "muro", name) for name in ("google", "microsoft", "apertium")]
    assert 0 < sureness(*rows) < 1


def test_a_word_is_surer_the_more_of_its_lines_have_a_form_of_it() -> None:
    wall = row("wall", "muro")
    missed = [SEEN[0], ("a wall", "una tapia")]
    assert sureness(wall) > sureness(wall, pairs=missed) > sureness(row("wall", "pared"))


def test_an_inflection_in_a_line_counts_as_a_form() -> None:
    assert sureness(row("wall", "muros")) > sureness(row("wall", "pared"))


def test_confidence_and_associates_make_a_word_surer() -> None:
    associates = entry("wall", ASSOCIATED, ["muro"])
    assert sureness(row("wall", "muro", confidence=0.95)) > sureness(row("wall", "muro"))
    (scored,) = {
        one.calibrated
        for one in calibrate([row("wall", "muro"), associates], SEEN, "es")
        if one.tag == "NN"
    }
    assert scored > sureness(row("wall", "muro"))


def test_a_line_that_shows_an_associate_counts_and_a_form_counts_more() -> None:
    wall, pairs = row("wall", "muro"), [("a wall", "una tapia")] * 5
    told = entry("wall", ASSOCIATED, ["tapia"])
    assert sureness(wall, told, pairs=pairs) > sureness(wall, pairs=pairs)
    assert sureness(row("wall", "tapia"), pairs=pairs) > sureness(wall, told, pairs=pairs)


def test_what_people_wrote_tells_of_words_too() -> None:
    wall = row("wall", "muro")
    missed = [("a wall", "una tapia")] * 5
    assert sureness(wall, people=SEEN) > sureness(wall) > sureness(wall, people=missed)


def test_a_form_that_begins_as_the_word_does_is_surer() -> None:
    seen = [("the animal", "el animal"), ("the monster", "el ladrón")]
    rows = row("animal", "animal"), row("monster", "ladrón")
    assert sureness(*rows, pairs=seen, word="animal") > sureness(*rows, pairs=seen, word="monster")


def test_what_a_translator_by_rule_alone_knows_is_sure_only_where_others_wrote_it() -> None:
    apertium = row("wall", "muro", "apertium", confidence=0.99)
    assert sureness(apertium) > sureness(row("wall", "pared", "apertium", confidence=0.99))
    assert sureness(apertium, pairs=[("a house", "una casa")]) == 0.0


def test_another_target_language_is_taken_for_the_least_sure_one() -> None:
    wall = row("wall", "muro")
    known = [sureness(wall, target=target) for target in ("es", "fr", "de")]
    assert sureness(wall, target="it") == min(known)


@pytest.mark.parametrize(
    "left",
    [
        row("a wall", "muro"),
        row("wall", "muro", GLOSSARY),
        row("Wall", "Muro", tag="PLACE"),
        row("wall", "muro", tag="FUNCTION"),
        row("wall", "wall", tag="LEFT-NN"),
    ],
)
def test_what_is_never_drawn_as_a_word_has_no_figure(left: Entry) -> None:
    assert calibrate([left], SEEN, "es") == [left]


def into_english(*rows: Entry, pairs: list[tuple[str, str]], people=()) -> float:
    found = calibrate(rows, pairs, "en", people)
    (sureness,) = {one.calibrated for one in found if one.word == "muro"}
    return sureness


def test_into_english_a_form_that_comes_again_and_that_people_write_makes_a_word_surer() -> None:
    again = [(f"el muro {place}", "the wall") for place in range(12)]
    once = [(f"el muro {place}", f"the w{chr(97 + place)}llx") for place in range(12)]
    forms = {target.split()[1] for _, target in once}
    row_of_many = entry("muro", "NN", ["wall", *sorted(forms)])._replace(translator="google")
    sure = into_english(row_of_many, pairs=again)
    assert sure > into_english(row_of_many, pairs=once)
    lines = [(source, "a wall") for source, _ in again]
    missed = [(source, "a fence") for source, _ in again]
    told = row("muro", "wall")
    by_people = into_english(told, pairs=again, people=lines)
    assert by_people > into_english(told, pairs=again, people=missed)
