"""Forms of a composed dictionary: those stay that lines show or that come back."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from prism_core.dictionary import Entry, Form
from prism_core.languages import load_language
from scripts.proving import prove_entries

GERMAN = load_language("de")
ELSEWHERE = [(f"línea {number}", f"Zeile {number}") for number in range(40)]
"""Without other lines a form stands everywhere."""


def entry(word: str, *forms: Form, tag: str = "NN-F", method: str = "composed") -> Entry:
    return Entry(word, tag, forms, "0 | -", 0.5, 0.0, "google", method)


PLOT = entry("trama", Form("Grundstück", 8.0), Form("Handlung", 4.0))
SHOWN = [(f"la trama {n}", f"die {form} {n}") for n, form in enumerate(["Handlung"] * 4 + ["Idee"])]


def prove(
    entries: Sequence[Entry], lines: Sequence[tuple[str, str]], back: Sequence[Entry] = ()
) -> list[Entry]:
    return prove_entries(entries, back, [*ELSEWHERE, *lines], GERMAN)


def test_a_form_that_stands_in_no_line_of_its_word_goes_though_it_comes_back() -> None:
    (found,) = prove([PLOT], SHOWN, [entry("Grundstück", Form("trama", 1.0))])
    assert found.forms.texts == ("Handlung",)


def test_the_confidence_is_drawn_to_the_share_of_lines_that_show_a_form() -> None:
    (found,) = prove([PLOT], SHOWN)
    assert found.confidence == pytest.approx((4 + 2 * 0.5) / (5 + 2))


def test_a_word_in_no_line_has_the_forms_that_come_back() -> None:
    (found,) = prove([PLOT], [], [entry("handlungen", Form("tramas", 1.0), Form("actos", 1.0))])
    assert (found.forms.texts, found.confidence) == (("Handlung",), 0.5)
    assert prove([PLOT], []) == []


def test_a_form_that_stands_everywhere_shows_nothing() -> None:
    common = entry("trama", Form("Zeile", 9.0))
    assert prove([common], [(text, f"{line} Zeile") for text, line in SHOWN]) == []


def test_function_words_are_forms_of_function_words_alone() -> None:
    lines = [(f"trama desde {n}", f"seit {n}") for n in range(5)]
    seit = Form("seit", 3.0)
    (found,) = prove([entry("trama", seit), entry("desde", seit, tag="FUNCTION")], lines)
    assert found.word == "desde"


def test_what_is_not_composed_stays_as_it_is() -> None:
    name = entry("ruiz", Form("ruiz", 1.0), tag="SURNAME", method="names")
    assert prove([name], []) == [name]
