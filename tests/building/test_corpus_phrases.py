"""Phrases of a small text by hand: what is translated as one is learned, the rest word by word."""

from collections.abc import Mapping
from random import Random

import pytest

from prism_core.building.corpus_entries import build_corpus_entries
from prism_core.building.phrase_spans import find_phrases
from prism_core.dictionary import Entry
from prism_core.language import Sentence, Token
from prism_core.languages import load_language
from tests.words import ENGLISH

NOUNS = {"dog": "zon", "cat": "mar", "boat": "lin", "tree": "pof", "road": "dur", "coat": "rak"}
LINES = [
    # looks for is a word of its own, deals with is made of two
    ("the/DT {0}/NN looks/VBZ/look for/IN the/DT {1}/NN ./.", "el {0} zerka el {1} ."),
    ("the/DT {0}/NN looked/VBD/look for/IN the/DT {1}/NN ./.", "el {0} zerkat el {1} ."),
    ("the/DT {0}/NN looks/VBZ/look ./.", "el {0} mire ."),
    ("the/DT {0}/NN looked/VBD/look ./.", "el {0} miret ."),
    ("the/DT {0}/NN falls/VBZ/fall for/IN the/DT {1}/NN ./.", "el {0} kade por el {1} ."),
    ("the/DT {0}/NN deals/VBZ/deal with/IN the/DT {1}/NN ./.", "el {0} trata kon el {1} ."),
    ("the/DT {0}/NN shines/VBZ/shine with/IN the/DT {1}/NN ./.", "el {0} brile kon el {1} ."),
    # ice cream is a word of its own, red wine is made of two
    ("the/DT {0}/NN eats/VBZ/eat ice/NN cream/NN ./.", "el {0} mange helado ."),
    ("the/DT ice/NN shines/VBZ/shine ./.", "el frize brile ."),
    ("the/DT {0}/NN eats/VBZ/eat cream/NN ./.", "el {0} mange nata ."),
    ("the/DT {0}/NN eats/VBZ/eat red/JJ wine/NN ./.", "el {0} mange vino rod ."),
    ("the/DT red/JJ {0}/NN falls/VBZ/fall ./.", "el {0} rod kade ."),
    ("the/DT wine/NN falls/VBZ/fall ./.", "el vino kade ."),
    # of an adverb with its preposition only the whole tells
    ("at/IN stake/NN the/DT {0}/NN falls/VBZ/fall ./.", "ludo el {0} kade ."),
    ("the/DT stake/NN falls/VBZ/fall ./.", "el estaka kade ."),
    ("the/DT {0}/NN falls/VBZ/fall at/IN the/DT {1}/NN ./.", "el {0} kade en el {1} ."),
]
PLAIN = ("the/DT {0}/NN stays/VBZ/stay for/IN the/DT {1}/NN ./.", "el {0} reste por el {1} .")


def _token(written: str) -> Token:
    text, tag, *lemma = written.split("/")
    return Token(text, " ", tag, lemma=lemma[0] if lemma else text)


def _sentence(written: str) -> Sentence:
    return Sentence(tuple(map(_token, written.split())))


def _text(count: int) -> tuple[list[Sentence], list[str]]:
    rng = Random(4)
    sentences, lines = [], []
    for number in range(count):
        source, target = LINES[number // 4 % len(LINES)] if number % 4 == 0 else PLAIN
        words = rng.sample(sorted(NOUNS), 2)
        sentences.append(_sentence(source.format(*words)))
        lines.append(target.format(*(NOUNS[word] for word in words)))
    return sentences, lines


@pytest.fixture(scope="module")
def entries() -> Mapping[tuple[str, str], Entry]:
    sentences, lines = _text(1200)
    made = build_corpus_entries(sentences, {"one": lines, "two": lines}, ENGLISH)
    return {(entry.word, entry.tag): entry for entry in made if entry.translator == "one"}


@pytest.mark.parametrize(
    ("word", "tag", "form"),
    [
        ("looks for", "VBZ", "zerka"),
        ("looked for", "VBD", "zerkat"),
        ("ice cream", "NN", "helado"),
        ("at stake", "RB", "ludo"),
    ],
)
def test_what_is_translated_as_one_is_an_entry_with_form_and_confidence(
    entries, word: str, tag: str, form: str
) -> None:
    assert entries[word, tag].forms[0].text == form
    assert entries[word, tag].confidence > 0.8
    assert entries[word, tag].method == "corpus"


def test_what_is_made_of_the_translations_of_its_words_is_no_entry(entries) -> None:
    phrases = {word for word, _ in entries if " " in word}
    assert phrases.isdisjoint({"deals with", "red wine", "falls for", "shines with"})


def test_a_word_of_a_phrase_keeps_the_forms_it_has_elsewhere(entries) -> None:
    assert [form.text for form in entries["looks", "VBZ"].forms] == ["mire"]
    assert [form.text for form in entries["ice", "NN"].forms] == ["frize"]


def test_words_that_meet_by_chance_are_no_candidates() -> None:
    words = [f"w{a}{b}" for a in "abcdefgh" for b in "abcdefgh"]
    rng = Random(1)
    sentences = [
        _sentence(" ".join(f"{rng.choice(words).replace('w', 'x')}/NN" for _ in range(6)))
        for _ in range(200)
    ]
    assert not find_phrases(sentences, ENGLISH)


def test_a_noun_of_several_words_has_the_tag_of_its_first_noun_where_that_is_its_head() -> None:
    plain = [
        _sentence(f"la/DT {noun}/NN-F de/IN {other}/NN-M cae/VBP-3S ./.")
        for noun, other in zip(
            "casa mesa silla calle".split() * 9, ["pan", "sol"] * 18, strict=True
        )
    ]
    said = "las/DT ruedas/NNS-F/rueda de/IN prensa/NN-F rusas/JJ-FP ./."
    found = find_phrases([*plain, *[_sentence(said)] * 3], load_language("es"))
    (place, *_) = found["N rueda de prensa"]
    assert (place.first, place.length, place.tag) == (1, 3, "NNS-F")
    assert not any(key.startswith("R de") for key in found)


def test_the_same_text_gives_the_same_phrases() -> None:
    sentences, lines = _text(400)
    once = build_corpus_entries(sentences, {"one": lines}, ENGLISH)
    assert once == build_corpus_entries(sentences, {"one": lines}, ENGLISH)
