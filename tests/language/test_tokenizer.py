"""The tokenizer cuts as the treebanks do where spaCy's own rules do not."""

import pytest
import spacy
from spacy.language import Language

from prism_core.language.model import LanguageModel
from scripts.training.tokenizer import adjust_tokenizer


@pytest.fixture(scope="module")
def nlp() -> Language:
    return adjust_tokenizer(spacy.blank("en"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("an e-mail, please", ["an", "e-mail", ",", "please"]),
        ("a search-engine", ["a", "search", "-", "engine"]),
        ("a non-profit and/or", ["a", "non-profit", "and", "/", "or"]),
        ("call 713-853-3989.", ["call", "713-853-3989", "."]),
        ("great!!! ______", ["great", "!!!", "______"]),
        ("my id was", ["my", "id", "was"]),
        ("in Ft. Worth", ["in", "Ft.", "Worth"]),
        ("at 7:30PM", ["at", "7:30", "PM"]),
        ("date(s)", ["date", "(", "s", ")"]),
        ("I don't", ["I", "do", "n't"]),
    ],
)
def test_words_are_cut_as_in_the_treebanks(nlp: Language, text: str, expected: list[str]) -> None:
    assert [token.text for token in nlp.make_doc(text)] == expected


def test_the_shipped_model_carries_the_rules(model: LanguageModel) -> None:
    (sentence,) = model.sentences("an e-mail to 713-853-3989")
    assert [token.text for token in sentence.tokens] == ["an", "e-mail", "to", "713-853-3989"]
