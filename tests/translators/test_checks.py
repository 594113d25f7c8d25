"""No answer is taken for a translation without a look at it."""

from __future__ import annotations

import pytest

from prism_core.translators import AnswerChecks
from prism_core.translators.checks import AnswerFault, first_unsendable

CHECKS = AnswerChecks()


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("The house is red.", "La casa es roja."),
        ("Alice Smith", "Alice Smith"),
        ("IBM 360/40", "IBM 360/40"),
        ("https://example.org/jdwbqxhd", "https://example.org/jdwbqxhd"),
        (
            "a.b@mail.example.org (c.d@mail.example.org)",
            "a.b@mail.example.org (c.d@mail.example.org)",
        ),
        ("Banana, radio, taxi.", "Banana, radio, taxi."),
        ("No.", "De ninguna manera, y que no se hable más del asunto."),
        ("", ""),
        ("   ", "   "),
        ("A tab\there and there.", "Un tab\taquí y allí."),
        ("The \u202ehouse\u202c is red.", "La \u202ecasa\u202c es roja."),
        ("The pass\u00adport is red.", "El pasa\u00adporte es rojo."),
        ("The nurse \U0001f469\u200d\u2695\ufe0f smiled.", "Sonrió \U0001f469\u200d\u2695\ufe0f."),
        ("The nurse smiled.", "Sonrió \U0001f469\U0001f3fd\u200d\u2695\ufe0f."),
        ("They do not go.", "آن\u200cها نمی\u200cروند."),
        ("The letter is here.", "क्\u200dष पत्र यहाँ है।"),
        ("The house is red.", "บ้าน\u200bสีแดง"),
        ("The street 5-10 is red.", "הרחוב 5\u200e-10 אדום."),
        ("The year 1970 was good.", "كان عام \u0601١٩٧٠ جيدا."),
    ],
)
def test_what_may_be_a_translation_is_let_through(text: str, answer: str) -> None:
    assert CHECKS.fault_of(text, answer) is None


@pytest.mark.parametrize(
    ("text", "answer", "fault"),
    [
        ("The house is red.", "", AnswerFault.EMPTY),
        ("The house is red.", " \N{NO-BREAK SPACE} ", AnswerFault.EMPTY),
        ("The house is red.", "la casa " * 20, AnswerFault.TOO_LONG),
        ("", "Something from nothing.", AnswerFault.TOO_LONG),
        ("The house is red and the door was closed.", "La", AnswerFault.TOO_SHORT),
        ("The house is red.", "La casa\nes roja.", AnswerFault.CONTROL_CHARACTERS),
        ("The house is red.", "La casa \ud83d es roja.", AnswerFault.CONTROL_CHARACTERS),
        ("The house is red.", "La casa\x1b[31m es roja.", AnswerFault.CONTROL_CHARACTERS),
        ("The house is red.", "La casa\u2028es roja.", AnswerFault.CONTROL_CHARACTERS),
        ("The house is red.", "La \u202ecasa es roja.", AnswerFault.CONTROL_CHARACTERS),
        ("The house is red.", "הבית \u2067אדום\u2069.", AnswerFault.CONTROL_CHARACTERS),
        ("The house is red.", "La ca\u200bsa es roja.", AnswerFault.CONTROL_CHARACTERS),
        ("The house is red.", "La cae\u0301\u200dsa es roja.", AnswerFault.CONTROL_CHARACTERS),
        ("They do not go.", "آن\u200cها no\u200c van.", AnswerFault.CONTROL_CHARACTERS),
        ("The house is red.", "La ca\u00adsa es roja.", AnswerFault.CONTROL_CHARACTERS),
        ("It costs 5-10 euros.", "Cuesta 5\u200f-10 euros.", AnswerFault.CONTROL_CHARACTERS),
        ("The house is red.", "La casa es \U000e0072roja.", AnswerFault.CONTROL_CHARACTERS),
        ("The house is red.", "The house is red.", AnswerFault.UNTRANSLATED),
        ("The old house is red.", "the OLD  house is red.", AnswerFault.UNTRANSLATED),
    ],
)
def test_what_cannot_be_a_translation_is_named(text: str, answer: str, fault: AnswerFault) -> None:
    assert AnswerChecks(words_to_translate=3).fault_of(text, answer) is fault


def test_how_many_words_must_change_is_a_setting() -> None:
    text = "the house is red"
    assert AnswerChecks(words_to_translate=4).fault_of(text, text) is AnswerFault.UNTRANSLATED
    assert AnswerChecks(words_to_translate=5).fault_of(text, text) is None
    assert AnswerChecks(allow_unchanged=True).fault_of(text, text) is None


def test_the_first_text_that_cannot_be_sent_is_found() -> None:
    assert first_unsendable(["fine", "fine too", "not\nfine", "not\0fine"]) == 2
    assert first_unsendable(["fine", "\N{GRINNING FACE}", "a\u2028b"]) is None


FORMS = {"old": {"vieja", "viejo"}, "house": {"casa"}, "red": {"roja"}, "dog": {"perro"}}
TEXTS = ["the old house", "the red dog and the door", "and so on"]
RIGHT = ["la casa vieja", "el perro roja y la puerta", "etcétera"]


@pytest.mark.parametrize(
    ("order", "misplaced"),
    [([0, 1, 2], []), ([1, 0, 2], [0, 1, 2]), ([1, 2, 0], [0, 1, 2]), ([0, 2, 1], [1, 2])],
)
def test_answers_that_fit_other_texts_better_are_misplaced(
    order: list[int], misplaced: list[int]
) -> None:
    checks = AnswerChecks(forms=lambda word: FORMS.get(word, ()))
    faults = checks.faults_of(TEXTS, [RIGHT[n] for n in order])
    assert [n for n, fault in enumerate(faults) if fault is AnswerFault.MISPLACED] == misplaced
    assert AnswerChecks().faults_of(TEXTS, [RIGHT[n] for n in order]) == [None] * 3
    assert checks.faults_of(TEXTS[:1], RIGHT[1:2]) == [None], "alone it cannot be misplaced"
