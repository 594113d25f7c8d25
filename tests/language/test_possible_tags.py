"""What a word list says a word can be is shown to the tagger."""

from pathlib import Path

import pytest
import spacy
from spacy.language import Language as Pipeline

from prism_core.language.language_model import LanguageModel
from prism_core.language.possible_tags import (
    FILE,
    PossibleTags,
    show_possible_tags,
    use_possible_tags,
)
from prism_core.languages import load_language

FOLDER = load_language("es").model


@pytest.fixture(scope="module")
def readings() -> PossibleTags:
    return PossibleTags.read(FOLDER / FILE)


def pipeline(folder: Path = FOLDER) -> Pipeline:
    return spacy.load(folder, exclude=["trainable_lemmatizer", "senter", "ner"])


@pytest.mark.parametrize(
    ("word", "tags"),
    [
        ("entrene", {"VBP-S1S", "VBP-S3S"}),
        ("interroga", {"VBP-3S"}),
        ("magníficas", {"JJ-FP", "JJ-P"}),
        ("envases", {"NNS", "NNS-F", "NNS-M"}),
        ("firmado", {"VBN-MS", "JJ-MS"}),
        ("firmar", {"VB"}),
    ],
)
def test_a_form_has_the_tags_of_its_lemma_and_its_ending(
    readings: PossibleTags, word: str, tags: set[str]
) -> None:
    assert tags <= readings.tags_of(word)


def test_a_form_of_verbs_alone_is_nothing_else(readings: PossibleTags) -> None:
    assert {tag[:3] for tag in readings.tags_of("hablaron")} == {"VBD"}


def test_what_the_list_lacks_may_be_anything(readings: PossibleTags) -> None:
    assert readings.tags_of("stanitsa") == frozenset()


def test_the_articles_before_a_noun_tell_its_gender(readings: PossibleTags) -> None:
    assert {"NN", "NN-F"} == {one for one in readings.tags_of("agua") if one.startswith("NN")}
    assert "NN-F" not in readings.tags_of("problema")


def test_words_that_can_be_the_same_are_described_alike(readings: PossibleTags) -> None:
    assert readings.describe("hablaron") == readings.describe("firmaron")
    assert readings.describe("Hablaron") == readings.describe("FIRMARON")
    assert len({readings.describe(one) for one in ("hablaron", "Hablaron", "hablará")}) == 3
    assert readings.describe("stanitsas") == "?tsas"
    assert readings.describe("Stanitsa") == "S"


def test_every_word_of_a_vocabulary_is_described_that_was_there_before_too(
    readings: PossibleTags,
) -> None:
    nlp = pipeline()
    before = nlp.make_doc("hablaron")[0]
    show_possible_tags(nlp.vocab, readings)
    assert before.prefix_ == nlp.make_doc("hablaron")[0].prefix_ == readings.describe("hablaron")


def test_the_tagger_reads_words_as_the_list_has_them() -> None:
    sentence = "Compró una magnífica piscina veraniega."
    tags = {one.text: one.tag for one in LanguageModel.load("es").sentences(sentence)[0].tokens}
    assert tags["magnífica"] == tags["veraniega"] == "JJ-FS"
    assert tags["piscina"] == "NN-F"


def test_a_pipeline_without_a_list_is_left_alone() -> None:
    nlp = pipeline(load_language("fr").model)
    use_possible_tags(nlp)
    assert nlp.make_doc("firmaron")[0].prefix_ == "f"
