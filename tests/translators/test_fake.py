"""The fake is predictable: each word alike wherever it stands, so that decoding can be tested."""

from __future__ import annotations

import asyncio

import pytest

from prism_core.settings import TranslatorSettings
from prism_core.translators import make_translator
from prism_core.translators.adapters.fake import WORD_MARK, mark_words, reverse_words
from prism_core.translators.base import Aligner


@pytest.mark.parametrize(
    ("style", "expected"),
    [
        ("mark", f"It{WORD_MARK}'s{WORD_MARK} 1,234.5 in{WORD_MARK} Málaga{WORD_MARK}."),
        ("identity", "It's 1,234.5 in Málaga."),
        ("reverse", "tI's 1,234.5 ni agaláM."),
    ],
)
def test_each_style_does_what_it_says(style: str, expected: str) -> None:
    fake = make_translator(TranslatorSettings.choose(name="fake", style=style), "en", "es")  # type: ignore[arg-type]
    assert asyncio.run(fake.translate(["It's 1,234.5 in Málaga."], "en", "es")) == [expected]


def test_only_the_identity_may_answer_unchanged() -> None:
    allowed = {
        style: make_translator(
            TranslatorSettings.choose(name="fake", style=style), "en", "es"
        ).answers_unchanged  # type: ignore[attr-defined]
        for style in ("mark", "identity", "reverse")
    }
    assert allowed == {"mark": False, "identity": True, "reverse": False}


def test_the_change_can_be_undone() -> None:
    text = "He said: \N{LEFT DOUBLE QUOTATION MARK}no\N{RIGHT DOUBLE QUOTATION MARK}, twice."
    assert mark_words(text).replace(WORD_MARK, "") == text
    assert reverse_words(reverse_words(text)) == text


def test_it_says_where_each_word_came_back() -> None:
    fake = make_translator(TranslatorSettings.choose(name="fake", marks="always"), "en", "es")
    assert isinstance(fake, Aligner)
    (answer,) = asyncio.run(fake.align(["Two old-fashioned ships."], "en", "es"))
    assert answer is not None
    assert answer.text == mark_words("Two old-fashioned ships.")
    shown = [answer.text[slice(*match.target)] for match in answer.matches]
    assert shown == ["Two", mark_words("old-fashioned")[:-1], "ships"]
