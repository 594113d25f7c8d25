"""What a word list says a word can be is counted against the tagger, and against nothing else."""

from pathlib import Path

import pytest
import spacy
from spacy.language import Language as Pipeline

from prism_core.language.model import LanguageModel
from prism_core.language.readings import FILE, Readings, use_readings
from prism_core.languages import load_language

FOLDER = load_language("es").model


@pytest.fixture(scope="module")
def readings() -> Readings:
    return Readings.read(FOLDER / FILE)


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
    readings: Readings, word: str, tags: set[str]
) -> None:
    assert tags <= readings.of(word)


def test_a_form_of_verbs_alone_is_nothing_else(readings: Readings) -> None:
    assert {tag[:3] for tag in readings.of("hablaron")} == {"VBD"}


def test_what_the_list_lacks_may_be_anything(readings: Readings) -> None:
    assert readings.of("stanitsa") == frozenset()


def test_every_slot_of_a_common_noun_adjective_or_verb_is_held_against_the_list(
    readings: Readings,
) -> None:
    labels = pipeline().get_pipe("tagger").labels  # type: ignore[attr-defined]
    told = {one for one in labels if one.startswith(("NN-", "NNS-", "JJ-", "VBP-", "VBD-", "VBN-"))}
    bare = {one for one in told if one.endswith("-CL")}
    assert told - bare - readings.tags <= {"VBP-M3S", "VBP-M3P"}  # polite requests: subjunctives


def test_words_with_a_capital_numbers_and_unknown_words_keep_their_scores() -> None:
    text = "La señora Rosa Entrene compró 3 stanitsas en Magnífica."
    plain, held = pipeline(), pipeline()
    use_readings(held)
    expected, found = (nlp(text) for nlp in (plain, held))
    for one, two in zip(expected, found, strict=True):
        if one.text[0].isupper() or not one.text.isalpha():
            assert one.tag_ == two.tag_


def test_the_tagger_reads_words_as_the_list_has_them() -> None:
    sentence = "Compró una magnífica piscina veraniega."
    tags = {one.text: one.tag for one in LanguageModel.load("es").sentences(sentence)[0].tokens}
    assert tags["magnífica"] == tags["veraniega"] == "JJ-FS"
    assert tags["piscina"] == "NN-F"


def test_a_pipeline_without_a_list_is_left_alone() -> None:
    nlp = pipeline(load_language("fr").model)
    model = nlp.get_pipe("tagger").model  # type: ignore[attr-defined]
    use_readings(nlp)
    assert nlp.get_pipe("tagger").model is model  # type: ignore[attr-defined]
