"""A dictionary by way of the language between: forms, tags and confidence of both ways."""

from __future__ import annotations

import pytest

from prism_core.dictionary import Entry, Form
from scripts.composing import compose_entries


def entry(
    word: str, tag: str, *forms: Form, translator: str = "google", method: str = "corpus"
) -> Entry:
    return Entry(word, tag, forms, "1 | -", 0.8, 0.0, translator, method)


HOUSE = entry("casa", "NN-F", Form("house", 30.0), Form("home", 10.0))
IN_FRENCH = [
    entry("house", "NN", Form("maison", 20.0, ("noun", "Number=Sing"))),
    entry("house", "VB", Form("loger", 20.0)),
    entry("home", "NN", Form("foyer", 9.0), Form("foyers", 1.0, ("Number=Plur",))),
    entry("house", "NN", Form("bâtiment", 20.0), translator="microsoft"),
]


def test_forms_come_by_every_way_of_the_same_translator_and_kind() -> None:
    (found,) = compose_entries([HOUSE], IN_FRENCH, "2026-01-01")
    assert [form.text for form in found.forms] == ["maison", "foyer"]
    assert (found.word, found.tag, found.method, found.built) == (
        "casa", "NN-F", "composed", "2026-01-01"
    )  # fmt: skip


def test_a_word_is_as_sure_as_both_ways_together() -> None:
    (found,) = compose_entries([HOUSE], IN_FRENCH[:1])
    assert found.confidence == pytest.approx(0.8 * 0.75 * 0.8)


def test_a_verb_comes_in_the_person_that_its_tag_tells() -> None:
    pays = entry("paga", "VBP-3S", Form("pays", 10.0))
    ways = [
        entry("pays", "VBP", Form("paient", 10.0, ("Number=Plur",))),
        entry(
            "pays",
            "VBZ",
            Form("paie", 9.0, ("Person=3", "Number=Sing")),
            Form("payons", 5.0, ("Person=1", "Number=Plur")),
        ),
    ]
    (found,) = compose_entries([pays], ways)
    assert found.forms.texts == ("paie",)


def test_what_was_asked_word_by_word_or_has_no_way_is_left_out() -> None:
    asked = entry("casa", "NN-F", Form("house", 1.0), method="packed")
    unknown = entry("perro", "NN-M", Form("dog", 1.0))
    assert compose_entries([asked, unknown], IN_FRENCH) == []


def test_names_stay_that_both_leave_as_they_are() -> None:
    names = [entry(one, "SURNAME", Form(one, 1.0), method="names") for one in ("Ruiz", "Blanco")]
    assert [one.word for one in compose_entries(names, names[:1])] == ["Ruiz"]
