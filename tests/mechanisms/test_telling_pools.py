"""Words that tell something of a person show no class, and hardly a part of speech."""

from __future__ import annotations

from random import Random

import pytest

from benchmarks.telling import classes, read_lists
from prism_core.encoding import load_encoder
from prism_core.encoding.pool_encoder import PoolEncoder
from prism_core.identifiers import DenyList
from prism_core.language import LanguageModel
from prism_core.languages import load_language, read_telling
from prism_core.mechanisms import Pools
from prism_core.record import Kind
from prism_core.settings import load_settings
from tests.words import dictionary, entry, nouns

TELLING = [entry("wife", agreement="la | n"), entry("insulin", agreement="la | n v")]
ORDINARY = [word._replace(agreement="la | n") for word in nouns(8)]
LARGEST = [word._replace(agreement="el | n") for word in nouns(20)[8:]]
LISTS = [(name, frame, words) for name, frame, words in read_lists() if name != "body"]


def make_pools() -> Pools:
    return Pools(dictionary(*TELLING, *ORDINARY, *LARGEST), 0.5, 5)


def test_telling_words_of_all_classes_hide_in_the_largest_pool_of_their_tag() -> None:
    pools = make_pools()
    for word in TELLING:
        pool = pools.for_entry(word)
        assert {one.word for one in pool.drawn} == {one.word for one in LARGEST}
        assert word in pool.behind
    assert pools.for_unknown("NN", "heroin") == pools.for_entry(LARGEST[0]).drawn


def test_a_phrase_hides_as_the_noun_that_it_ends_in() -> None:
    phrase = entry("breast cancer", agreement="la | n")
    pools = Pools(dictionary(phrase, *ORDINARY, *LARGEST), 0.5, 5)
    assert {one.word for one in pools.for_entry(phrase).drawn} == {one.word for one in LARGEST}


def test_a_telling_word_of_another_class_is_never_drawn() -> None:
    drawn = {one.word for one in make_pools().list_drawn("NN")}
    assert drawn == {one.word for one in (*ORDINARY, *LARGEST)}


def test_an_ordinary_word_keeps_its_class() -> None:
    pool = make_pools().for_entry(ORDINARY[0])
    assert {one.word for one in pool.drawn} == {one.word for one in ORDINARY}
    assert not set(TELLING) & set(pool.behind)


@pytest.fixture(scope="module")
def shipped() -> tuple[PoolEncoder, LanguageModel]:
    encoder = load_encoder(load_settings(flags={"target": "es"}))
    assert isinstance(encoder, PoolEncoder)
    return encoder, LanguageModel.load("en")


@pytest.mark.parametrize(("name", "frame", "words"), LISTS, ids=[name for name, *_ in LISTS])
def test_who_knows_the_list_names_the_word_hardly_more_often_than_blindly(
    shipped: tuple[PoolEncoder, LanguageModel], name: str, frame: str, words: list[str]
) -> None:
    groups = classes(*shipped, frame, words)
    assert sum(map(len, groups.values())) == len(words)
    assert len(groups) / len(words) <= 1 / len(words) + 0.05, name
    assert len(groups) == 1 or name not in ("kin", "persons", "sexuality", "nationality", "faith")


@pytest.mark.parametrize(
    "text",
    [
        "He violently denied it.",
        "The foreigner left.",
        "Prices are lower here.",
        "She said that he was gay then.",
        "The patient was sexually abused there.",
    ],
)
def test_what_hides_as_another_part_of_speech_is_put_back_as_what_it_is(
    shipped: tuple[PoolEncoder, LanguageModel], text: str
) -> None:
    encoder, model = shipped
    (sentence,) = model.sentences(text)
    words = encoder.encode(sentence, DenyList(), Random(1)).record
    assert words
    for one in words:
        assert one.kind is Kind.WORD
        assert encoder.dictionary.find_original(one.word, one.tag) is not None


@pytest.mark.parametrize("word", ["Polish", "POLISH", "Estonian", "Catholics", "Czech", "Islam"])
def test_a_people_a_faith_or_a_language_is_a_name(
    shipped: tuple[PoolEncoder, LanguageModel], word: str
) -> None:
    encoder, model = shipped
    for text in (f"It was {word} then.", f"{word} and others were there."):
        (sentence,) = model.sentences(text)
        encoded = encoder.encode(sentence, DenyList(), Random(1))
        kinds = {one.word: one.kind for one in encoded.record}
        assert kinds[word] is Kind.NAME


def test_the_class_of_an_ordinary_word_is_counted_in_bits(
    shipped: tuple[PoolEncoder, LanguageModel],
) -> None:
    encoder, model = shipped
    mechanism = encoder.mechanism
    (sentence,) = model.sentences("The small house was near the old tree.")
    encoded = encoder.encode(sentence, DenyList(), Random(1))
    for one in encoded.record:
        assert 0 <= mechanism.class_bits(one) < 12
        assert "/" in mechanism.shown_class(one)
    assert max(encoder.class_bits(encoded)) > 0


@pytest.mark.parametrize("source", ["en", "es", "fr", "de"])
def test_every_language_has_its_telling_words_and_none_is_grammar(source: str) -> None:
    language = load_language(source)
    telling = {word for word, _ in read_telling(language.telling)}
    assert len(telling) > 1_000
    assert not telling & language.words.function_words
