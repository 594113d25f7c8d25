"""*A* and *an* before what is replaced fit what is sent: they tell nothing of the original."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from prism_core.encoding import make_encoder
from prism_core.identifiers import DenyList
from prism_core.language import Sentence
from prism_core.mechanisms import make_mechanism
from prism_core.settings import MechanismSettings
from tests.languages.miniature import XX
from tests.words import ENGLISH, calendar_words, dictionary, entry, nouns, sentence

AN = """
8 80 8,000 8.5 88th 8B 11 11,000 11th 18 18,500 1845 1100 F-16 F FBI MRI X-ray x-ray HTTP SMS HIV
hour Hour hourly honest honour heir heiress apple Austrian old urgent umbrella uninvited unimpressed
uncle unidentified "apple (old £80 E. élan only onerous EIGHTY
""".split()
A = """
1 2 7 10 12 19 110 111 118 180 1,100 1,800 13,000 1950 2011 U-turn US U.S. UK UN UFO CT BBC B12 T7
historic house Hungarian German one once one-off European euro eulogy ewe unit union unique uniform
university unanimous usual used utility uranium urine Ukrainian year woman "book (new £70 J. NATO-
""".split()


@pytest.mark.parametrize(("article", "texts"), [("an", AN), ("a", A)])
def test_the_article_goes_by_the_sound_of_words_numbers_letters_and_acronyms(
    article, texts
) -> None:
    assert [text for text in texts if ENGLISH.fitting_article(text) != article] == []


def test_a_language_without_two_articles_has_none_that_fits() -> None:
    assert XX.fitting_article("apple") == ""
    assert not XX.is_indefinite_article("an")


VOWELS = [entry(f"a{c}t") for c in "bcdfghjklm"]
WORDS = dictionary(*nouns(10), *VOWELS)
CALENDAR = calendar_words()


def texts_of(sent: Sentence, count: int = 80, words=WORDS) -> list[str]:
    mechanism = make_mechanism(
        MechanismSettings.choose(minimum_pool=5, threshold=0.5, draws="uniform"), words
    )
    encoder = make_encoder(words, mechanism)
    made = [encoder.encode(sent, DenyList(), Random(seed)) for seed in range(count)]
    assert not any(one.withheld for one in made)
    return [one.text for one in made]


@pytest.mark.parametrize(
    "hidden", ["abt/NN", "Austrian/NNP", "47/CD", "8/CD", "MRI/NNP", "F7/NN", "zorgle/NN", "J./NNP"]
)
def test_what_is_sent_is_the_same_whichever_article_stood_there(hidden) -> None:
    first, second = (texts_of(sentence(f"{article}/DT", hidden)) for article in ("a", "an"))
    assert first == second
    for text in first:
        article, _, substitute = text.partition(" ")
        assert article == ENGLISH.fitting_article(substitute)


def test_both_articles_come_and_the_pool_is_whole() -> None:
    texts = texts_of(sentence("an/DT", "abt/NN"), 400)
    assert Counter(text.split()[0] for text in texts).keys() == {"a", "an"}
    assert len(set(texts)) == 20


@pytest.mark.parametrize(
    ("written", "forms"),
    [
        ("An/DT abt/NN", {"A", "An"}),
        ("A/DT abt/NN", {"A", "An"}),
        ("AN/DT ABT/NN", {"A", "AN"}),
        ("A/DT ABT/NN", {"A", "AN"}),
    ],
)
def test_it_is_written_in_the_case_of_its_place(written, forms) -> None:
    assert {text.split()[0] for text in texts_of(sentence(*written.split()))} == forms


def test_marks_between_are_passed_over_and_kept_words_are_left_alone() -> None:
    quoted = texts_of(sentence("an/DT", "(/-LRB-", "abt/NN", ")/-RRB-"))
    assert {text.split()[0] for text in quoted} == {"a", "an"}
    kept = texts_of(sentence("an/DT", "other/JJ", "baak/NN", "a/DT", "such/JJ", "abt/NN"))
    assert all(" such " in text and text.startswith("an other ") for text in kept)
    assert all(text.split()[3] == "a" for text in kept)


def test_a_letter_is_no_article() -> None:
    texts = texts_of(sentence("of/IN", "A/NN", "Abt/NN"))
    assert all(text.startswith("of A ") for text in texts)


def test_an_article_that_was_fitted_changes_nothing_for_decoding() -> None:
    mechanism = make_mechanism(MechanismSettings.choose(minimum_pool=5, threshold=0.5), WORDS)
    encoder = make_encoder(WORDS, mechanism)
    sent = sentence("an/DT", "abt/NN", "of/IN", "a/DT", "baak/NN")
    for seed in range(40):
        encoded = encoder.encode(sent, DenyList(), Random(seed))
        one, other = encoded.record
        answer = f"un {one.substitute}o de un {other.substitute}o"
        assert encoder.decode(encoded, answer).text == "un abto de un baako"
        exchanged = encoder.redraw(sent, encoded, {1}, DenyList(), Random(seed + 1))
        assert exchanged is not None, "an article that was fitted is no other sentence"
        assert exchanged.text.startswith(ENGLISH.fitting_article(exchanged.record[0].substitute))
