"""Phrases are entries where a translator renders them in their own way."""

import re
from random import Random

from prism_core.building.phrase_trials import find_phrase_inflections, try_phrases
from prism_core.dictionary import Entry, Form
from prism_core.language import Sentence
from tests.words import ENGLISH, sentence

SPANISH = {
    "went back": "volvió",
    "go back": "volver",
    "heart rate": "ritmo cardíaco",
    "red car": "coche rojo",
    "went": "fue",
    "go": "ir",
    "came": "vino",
    "come": "venir",
    "heart": "corazón",
    "liver": "hígado",
    "rate": "tasa",
    "date": "fecha",
    "car": "coche",
    "bus": "bus",
    "red": "rojo",
    "old": "viejo",
    "back": "atrás",
}


def translate(texts: list[str]) -> list[str]:
    """Phrases before their words, and an adjective after its noun."""
    known = re.compile("|".join(rf"\b{text}\b" for text in sorted(SPANISH, key=len, reverse=True)))
    turned = [re.sub(r"\b(red|old) (\w+)\b", r"\2 \1", text) for text in texts]
    return [known.sub(lambda found: SPANISH[found[0]], text) for text in turned]


def word(english: str, tag: str) -> Entry:
    forms = (Form(SPANISH[english], 1.0, ("only",)),)
    return Entry(english, tag, forms, "class", 0.9, 1)


WORDS = {
    (english, tag): word(english, tag)
    for english, tag in (
        ("went", "VBD"), ("came", "VBD"), ("go", "VB"), ("come", "VB"), ("heart", "NN"),
        ("liver", "NN"), ("rate", "NN"), ("date", "NN"), ("car", "NN"), ("bus", "NN"),
        ("red", "JJ"), ("old", "JJ"),
    )
}  # fmt: skip
TEXT = [
    sentence(*tokens.split())
    for start in ("she/PRP", "he/PRP", "Ann/NNP")
    for tokens in (
        f"{start} went/VBD back/RB there/RB ./.",
        f"{start} saw/VBD the/DT heart/NN rate/NN there/RB ./.",
        f"{start} saw/VBD the/DT red/JJ car/NN there/RB ./.",
    )
]


def try_all(*phrases: tuple[str, str], families=()) -> list[str]:
    entries = [word(english, tag) for english, tag in phrases]
    found = try_phrases(entries, WORDS, TEXT, translate, 1, Random(1), dict(families))
    assert all(entry.confidence > 0.5 for entry in found)
    return [entry.word for entry in found]


def test_a_phrase_is_kept_where_its_form_is_found_and_those_of_its_words_are_not() -> None:
    assert try_all(("went back", "VBD"), ("heart rate", "NN")) == ["went back", "heart rate"]


def test_a_phrase_that_is_translated_word_by_word_is_none() -> None:
    assert try_all(("red car", "NN")) == []


def test_an_inflection_that_no_sentence_has_goes_by_the_others() -> None:
    both = ("went back", "VBD"), ("go back", "VB")
    assert try_all(*both) == ["went back"]
    assert try_all(*both, families=dict.fromkeys(both, "V go back")) == ["went back", "go back"]


LEMMAS = {"went": "go", "goes": "go"}


def test_phrases_come_in_each_inflection_of_their_heads() -> None:
    def tokens(*pairs: str) -> Sentence:
        made = sentence(*pairs).tokens
        return Sentence(tuple(t._replace(lemma=LEMMAS.get(t.text, t.text)) for t in made))

    text = [tokens("she/PRP", "went/VBD", "back/RB", "./.")] * 20
    text += [tokens("she/PRP", "goes/VBZ", "there/RB", "./.")] * 20
    found = {(word.word, word.tag): word for word in find_phrase_inflections(text, ENGLISH)}
    assert found["went back", "VBD"].count == 20
    assert found["goes back", "VBZ"].count == 0
    assert len({word.family for word in found.values()}) == 1
