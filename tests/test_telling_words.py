"""What tells something of a person is not sent as it is, whatever the dictionary knows of it."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from prism_core.encoding import load_encoder
from prism_core.identifiers import DenyList
from prism_core.language import LanguageModel
from prism_core.languages import load_language, read_telling, read_words
from prism_core.settings import load_settings

WORDS = Path(__file__).parents[1] / "data" / "words"
LINES = (Path(__file__).parent / "telling_statements.txt").read_text(encoding="utf-8").splitlines()
STATEMENTS = [line for line in LINES if not line.startswith("#")]


@pytest.mark.parametrize("pair", ["es apertium", "es google", "fr google", "de google"])
def test_no_statement_is_sent_as_it_is_nor_any_word_of_it_that_tells(pair: str) -> None:
    target, translator = pair.split()
    settings = load_settings(flags={"target": target, "translator.name": translator})
    encoder, model, rng = load_encoder(settings), LanguageModel.load("en"), Random(1)
    shown = []
    for line in STATEMENTS:
        text, telling = line.replace("*", ""), re.findall(r"\*([^*]+)\*", line)
        for sentence in model.sentences(text):
            encoded = encoder.encode(sentence, DenyList(), rng)
            tokens = encoder.cut(sentence, DenyList()).tokens
            fates = dict(zip([token.text for token in tokens], encoded.fates, strict=False))
            shown += [word for word in telling if word in fates and fates[word].in_clear]
            # a word may be drawn for itself by chance, which nobody can tell from any other draw
            shown += [text] * (encoded.text == text and not encoded.record)
    assert len(STATEMENTS) == 100
    assert not shown


def test_words_that_tell_are_on_no_list_of_harmless_words() -> None:
    language = load_language("en")
    harmless = read_words(WORDS / "harmless.txt")
    telling = {word for line in STATEMENTS for word in re.findall(r"\*([^*]+)\*", line.lower())}
    assert 1_000 < len(harmless) <= 1_500
    assert not telling & harmless
    assert not telling & language.words.function_words
    assert not read_words(WORDS / "left_out.txt") & harmless
    assert not read_words(language.never_drawn) & harmless
    assert not read_words(language.role_words) & harmless


def test_hardly_any_telling_word_is_in_a_spanish_phrase_of_grammar() -> None:
    """*En general*, *sin duda*: these words say something of a person only outside the phrase."""
    language = load_language("es")
    words = {word for phrase in language.words.function_phrases for word in phrase.split()}
    telling = {word for word, _ in read_telling(language.telling)}
    assert words & telling == set("cargo caso demás duda efecto efectos general objeto".split())
