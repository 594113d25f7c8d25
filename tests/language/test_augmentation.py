"""Variants for training keep the annotation and change only what they say."""

from random import Random

import spacy
from spacy.tokens import Doc

from scripts.training.augmentation import TaggedText, invented_name, vary, with_invented_names


def text() -> TaggedText:
    return TaggedText(
        words=["Ada", "Blarnov", "left", "Peru", "with", "Ada", "’s", "cat"],
        spaces=[True, True, True, True, True, False, True, False],
        tags=["NNP", "NNP", "VBD", "NNP", "IN", "NNP", "POS", "NN"],
        pos=["PROPN", "PROPN", "VERB", "PROPN", "ADP", "PROPN", "PART", "NOUN"],
        morphs=[""] * 8,
        lemmas=["Ada", "Blarnov", "leave", "Peru", "with", "Ada", "'s", "cat"],
        starts=[True, *[False] * 7],
        entities=["B-PER", "I-PER", "O", "B-LOC", "O", "B-PER", "O", "O"],
    )


def test_a_document_and_its_columns_are_the_same_text() -> None:
    doc = text().doc(spacy.blank("en").vocab)
    assert isinstance(doc, Doc)
    assert [(entity.text, entity.label_) for entity in doc.ents] == [
        ("Ada Blarnov", "PER"),
        ("Peru", "LOC"),
        ("Ada", "PER"),
    ]
    assert TaggedText.of(doc).words[6] == "'s"  # as the tagger is shown it


def test_an_invented_name_is_one_and_the_same_in_a_text() -> None:
    varied = with_invented_names(text(), Random(1))
    assert varied.words[0] == varied.words[5] != "Ada"
    assert varied.lemmas[0] == varied.words[0]
    assert varied.words[2] == "left"
    assert varied.entities == text().entities


def test_invented_names_are_capitalised_words() -> None:
    rng = Random(2)
    names = {invented_name(rng) for _ in range(200)}
    assert all(name.istitle() and name.isalpha() for name in names)
    assert len(names) > 150


def test_every_kind_of_variant_occurs() -> None:
    rng = Random(3)
    words = [tuple(vary(text(), rng).words) for _ in range(200)]
    assert tuple(text().words) in words
    assert any(all(word.islower() for word in one if word.isalpha()) for one in words)
    assert any(all(word.isupper() for word in one if word.isalpha()) for one in words)
    assert any(one[0] != "Ada" and one[2] == "left" for one in words)
