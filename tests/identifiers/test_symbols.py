"""Signs that may say anything are replaced and come back; marks of ordinary text are kept."""

from __future__ import annotations

from random import Random

import pytest

from prism_core.encoding import Encoder, make_encoder
from prism_core.identifiers import DenyList
from prism_core.identifiers.detectors.symbols import MARKS
from prism_core.language import LanguageModel, Sentence
from prism_core.mechanisms import make_mechanism
from prism_core.record import Encoded
from prism_core.settings import MechanismSettings
from tests.words import calendar_words

SAYING = {
    "private use": "\uf04b\uf06f\uf076",
    "emoji": "😀🤰🏽",
    "family": "👨\u200d👩\u200d👧",
    "flag": "🇫🇷",
    "flag of a part": "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    "squared letters": "🄺🄾🅅🄰🄲🅂",
    "letters in circles": "ⓀⓄⓋⒶⒸⓈ",
    "Braille": "⠅⠕⠧⠁⠉⠎",
    "tally marks": "𝍸𝍶",
    "boxes of tables": "╔═╦═╗",
    "dingbats": "✂✈☎",
    "chess": "♔♘♟",
    "notes": "𝄞♩♫",
    "I Ching": "䷀䷁䷿",
    "ticks": "☑☐☒",
    "numbers in circles": "①②③",
    "Roman numbers of their own": "Ⅷ",
    "bullets in a row": "●■■●",
    "a control": "\x01",
}


@pytest.fixture(scope="module")
def model() -> LanguageModel:
    return LanguageModel.load("en", lemmas=False)


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    words = calendar_words()
    return make_encoder(words, make_mechanism(MechanismSettings.choose(minimum_pool=5), words))


def sent(model: LanguageModel, encoder: Encoder, text: str, seed: int = 1) -> Encoded:
    sentence = Sentence(tuple(token for part in model.sentences(text) for token in part.tokens))
    return encoder.encode(sentence, DenyList(), Random(seed))


@pytest.mark.parametrize("name", SAYING)
def test_a_sign_that_may_say_anything_is_replaced_and_comes_back(model, encoder, name) -> None:
    sign = SAYING[name]
    for text in (f"It was of {sign} or of it.", f"It was{sign}, of it ({sign})."):
        encoded = sent(model, encoder, text)
        assert not encoded.withheld
        assert not set(sign) - {"\u200d"} & set(encoded.text)
        assert encoded.record[0].substitute in "★☆▲△▼▽◆◇○□♦♣♠♥►◄"
        assert encoder.decode(encoded, encoded.text).text == text
        assert not encoder.remaining(encoded, DenyList())


def test_equal_signs_are_equal_and_others_are_not(model, encoder) -> None:
    for seed in range(40):
        first, second, third = sent(model, encoder, "It was ☎ or ✈ or ☎ of it.", seed).record
        assert first.substitute == third.substitute != second.substitute


def test_what_stands_for_a_sign_hangs_on_none(model, encoder) -> None:
    first, second = (
        [sent(model, encoder, f"It was of {sign}.", seed).text for seed in range(60)]
        for sign in ("☎", "♔♘♟")
    )
    assert first == second


@pytest.mark.parametrize("text", ["It was of him: café, cafe\u0301, हिन्दी.", f"It {MARKS} was."])
def test_accents_and_ordinary_marks_are_no_signs(model, encoder, text) -> None:
    assert "SYMBOL" not in sent(model, encoder, text).labels


def test_a_bullet_is_kept_at_the_beginning_of_a_line_alone(model, encoder) -> None:
    assert sent(model, encoder, "● It was of it.").text.startswith("● It")
    assert "SYMBOL" in sent(model, encoder, "It was ● of it.").labels
