"""The tokenizer cuts as the treebanks do where spaCy's own rules do not."""

from typing import cast

import pytest
import spacy
from spacy.language import Language
from spacy.tokenizer import Tokenizer

from prism_core.language.language_model import LanguageModel
from prism_core.languages import load_language, read_words, source_languages
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


@pytest.mark.parametrize("source", source_languages())
def test_no_shipped_rule_cuts_a_word_of_ascii_letters(source: str) -> None:
    """As the language model takes for granted, which therefore does not look for any."""
    language = load_language(source)
    pipes = spacy.util.load_config(language.model / "config.cfg")["nlp"]["pipeline"]
    tokenizer = cast(Tokenizer, spacy.load(language.model, exclude=pipes).tokenizer)
    words = [word for word in read_words(language.plain) if word.isalpha() and word.isascii()]
    for word in sorted(words)[::20]:
        for text in (word, word.capitalize(), word.upper()):
            assert tokenizer.prefix_search(text) is None
            assert tokenizer.suffix_search(text) is None
            assert tokenizer.url_match(text) is None
            assert list(tokenizer.infix_finditer(text)) == []


def test_the_shipped_model_carries_the_rules(model: LanguageModel) -> None:
    (sentence,) = model.sentences("an e-mail to 713-853-3989")
    assert [token.text for token in sentence.tokens] == ["an", "e-mail", "to", "713-853-3989"]
