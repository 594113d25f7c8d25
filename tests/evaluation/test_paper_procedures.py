"""The paper's procedure, on a dictionary small enough to follow by hand."""

from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from prism_core.evaluation.paper_procedures import (
    DictionaryPlan,
    WordDictionary,
    build,
    decode,
    encode,
    encode_at_random,
    load_or_build,
)
from prism_core.language import Sentence, Token

DICTIONARY = WordDictionary(
    {
        ("dog", "NN"): [("perro", 90.0), ("can", 5.0)],
        ("cat", "NN"): [("gato", 80.0)],
        ("sun", "NN"): [("sol", 70.0)],
        ("ran", "VBD"): [("corrió", 60.0)],
    }
)


def sentence(*pairs: tuple[str, str]) -> Sentence:
    return Sentence(tuple(Token(text, " ", tag) for text, tag in pairs))


DOCUMENT = [
    sentence(("The", "DT"), ("sun", "NN"), ("rose", "VBD")),
    sentence(("A", "DT"), ("cat", "NN"), ("ran", "VBD")),
]


def test_the_most_confident_tokens_get_the_most_confident_unused_words_of_their_tag() -> None:
    sent, history = encode(DOCUMENT, DICTIONARY, ratio=0.5)
    assert [(one.word, one.substitute) for one in history] == [
        ("cat", "dog"),
        ("sun", "cat"),
        ("ran", "ran"),
    ]
    assert sent == ["The cat rose", "A dog ran"]


@pytest.mark.parametrize(("ratio", "replaced"), [(0.0, 0), (0.1, 1), (0.2, 2), (1.0, 3)])
def test_no_more_tokens_are_replaced_than_the_ratio_asks_or_the_dictionary_has(
    ratio: float, replaced: int
) -> None:
    assert len(encode(DOCUMENT, DICTIONARY, ratio)[1]) == replaced


def test_decoding_replaces_the_first_match_in_the_document_even_inside_a_word() -> None:
    _, history = encode(DOCUMENT, DICTIONARY, ratio=0.2)
    texts, found = decode(["El gatopardo salió", "Un can corrió"], history, DICTIONARY)
    assert texts == ["El solpardo salió", "Un gato corrió"]
    assert found == set(history)


def test_a_substitute_that_did_not_come_back_is_not_found() -> None:
    _, history = encode(DOCUMENT, DICTIONARY, ratio=0.1)
    texts, found = decode(["El sol salió", "Un animal corrió"], history, DICTIONARY)
    assert (texts, found) == (["El sol salió", "Un animal corrió"], set())


def word_by_word(texts: Sequence[str]) -> list[str]:
    """A translator that only adds a letter to each word."""
    return [" ".join(word + "o" for word in text.split()) for text in texts]


def test_the_dictionary_is_the_ratio_of_presence_with_and_without_the_word(tmp_path: Path) -> None:
    d = [sentence(("the", "DT"), (noun, "NN"), ("ran", "VBD")) for noun in ("cat", "sun", "fox")]
    plan = DictionaryPlan(calls=4)
    dictionary = build(d, [("cat", "NN"), ("dog", "NN"), ("up", "RP")], word_by_word, plan)
    assert set(dictionary.forms) == {("cat", "NN"), ("dog", "NN")}
    assert dictionary.forms["cat", "NN"] == [
        ("cato", pytest.approx(3.0)),
        ("rano", 1.0),
        ("theo", 1.0),
    ]
    assert dictionary.forms["dog", "NN"][0] == ("dogo", pytest.approx(3.0))
    assert load_or_build(tmp_path, ["a text"], plan, lambda: dictionary) == dictionary
    assert (
        load_or_build(tmp_path, ["a text"], plan, lambda: pytest.fail("made again")) == dictionary
    )


UNTAGGED = WordDictionary({("dog", ""): [("perro", 9.0)], ("sun", ""): [("sol", 7.0)]})


def test_prism_r_replaces_marks_and_unknown_words_too_and_puts_them_back_as_they_are() -> None:
    document = [sentence(("The", "DT"), ("dog", "NN"), (".", "."))]
    sent, history = encode_at_random(document, UNTAGGED, 1.0, Random(1))
    assert [one.word for one in history] == ["The", "dog", "."]
    assert set(sent[0].split()) <= {"dog", "sun"}
    answer = sent[0].replace("dog", "perro").replace("sun", "sol")
    texts, found = decode([answer], history, UNTAGGED)
    assert sorted(texts[0].split()) == [".", "The", "perro"]
    assert found == set(history)
    assert encode_at_random(document, UNTAGGED, 0.0, Random(1)) == (["The dog ."], [])


def test_without_tags_a_word_stands_in_any_place_of_a_word() -> None:
    d = [sentence(("cats", "NNS"), ("ran", "VBD"), ("!", "."))]
    asked: list[str] = []

    def translate(texts: Sequence[str]) -> list[str]:
        asked.extend(texts)
        return word_by_word(texts)

    build(d, [("dog", "")], translate, DictionaryPlan(calls=20, tagged=False))
    assert set(asked[1:]) == {"dog ran !", "cats dog !"}
