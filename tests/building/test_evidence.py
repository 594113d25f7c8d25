import pytest

from prism_core.building.carrier_sentences import Probe, Swap
from prism_core.building.evidence import (
    BaseRate,
    Evidence,
    is_settled,
    record_answer,
)
from tests.words import entry

HOUSE, BOOK = entry("house", forms=["casa"]), entry("book", forms=["libro"])
DIRECT = "ella vio la casa roja allí ayer noche .".split()


def gather(*answers: str, originals: int = 0) -> Evidence:
    """The evidence of a book that was put in for a house, and of sentences with a book."""
    evidence = {(BOOK.word, BOOK.tag): Evidence()}
    for text in answers:
        probe = Probe(0, "", (Swap(HOUSE, BOOK),))
        record_answer(probe, text, DIRECT, evidence, 0.5)
    found = evidence[BOOK.word, BOOK.tag]
    for _ in range(originals):
        found.record_original("un tomo rojo .".split())
    return found


def test_a_word_is_as_sure_as_its_form_is_found_whatever_else_the_translator_changed() -> None:
    rewritten = gather("anoche estuvo el libro .", "¡el libro!", "allá vio ella un libro rojo .")
    assert rewritten.find_confidence(["libro"]) == pytest.approx(3.5 / 4)
    assert is_settled(rewritten, 3)
    lost = gather("vio el libro .", "vio un texto .", "vio un texto .")
    assert lost.find_confidence(["libro"]) == pytest.approx(1.5 / 4)
    assert not is_settled(lost, 3)


def test_a_word_that_is_translated_otherwise_in_its_own_sentences_is_less_sure() -> None:
    answers = ["el libro ."] * 3
    assert gather(*answers, originals=2).find_confidence(["libro"]) == pytest.approx(3.5 / 4)
    assert gather(*answers, originals=4).find_confidence(["libro"]) == pytest.approx(0.5 / 5)


def test_a_form_learned_from_the_answers_counts_from_its_second_sighting_on() -> None:
    evidence = gather("los tomos rojos .", "unos tomos .", "tomos .")
    made = evidence.make_entry(BOOK, BaseRate([DIRECT] * 300))
    assert {form.text for form in made.forms} == {"libro", "tomos"}
    assert made.confidence == pytest.approx(2.5 / 4)


def test_a_part_of_a_form_is_no_form() -> None:
    weekend = entry("weekend", forms=["fin de semana"])
    evidence = Evidence(answers=[["fin", "de", "semana"]] * 3)
    evidence.new.update({"fin": 3, "semana": 3})
    made = evidence.make_entry(weekend, BaseRate([DIRECT] * 300))
    assert [form.text for form in made.forms] == ["fin de semana"]
    assert made.confidence == pytest.approx(3.5 / 4)


def test_a_word_that_comes_beside_a_form_is_no_form() -> None:
    evidence = gather("unos cuantos libro .", "cuantos libro .", "cuantos libro .")
    made = evidence.make_entry(BOOK, BaseRate([DIRECT] * 300))
    assert [form.text for form in made.forms] == ["libro"]
