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
