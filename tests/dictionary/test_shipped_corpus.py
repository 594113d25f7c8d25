"""The dictionaries read off parallel text: large, right, small on disk, and free to pass on."""

import pytest

from prism_core.dictionary import BEFORE, Dictionary, load_dictionary, read_dictionary
from prism_core.dictionary.entry import target_tokens
from prism_core.resources import shipped_dictionary

THRESHOLD = 0.7
LEAST_CONFIDENT = {"fr": 6_000, "de": 4_500}
KNOWN = {
    "fr": {
        ("house", "NN"): "maison", ("court", "NN"): "tribunal", ("children", "NNS"): "enfants",
        ("blood", "NN"): "sang", ("water", "NN"): "eau", ("red", "JJ"): "rouge",
        ("quickly", "RB"): "rapidement", ("said", "VBD"): "déclaré", ("weekend", "NN"): "week-end",
        ("june", "MONTH"): "juin", ("friday", "WEEKDAY"): "vendredi", ("seven", "CD"): "sept",
        ("the", "FUNCTION"): "le",
    },
    "de": {
        ("house", "NN"): "Haus", ("children", "NNS"): "Kinder", ("blood", "NN"): "Blut",
        ("water", "NN"): "Wasser", ("red", "JJ"): "rote", ("quickly", "RB"): "schnell",
        ("said", "VBD"): "sagte", ("weekend", "NN"): "Wochenende", ("june", "MONTH"): "Juni",
        ("friday", "WEEKDAY"): "Freitag", ("seven", "CD"): "sieben", ("the", "FUNCTION"): "der",
    },
}  # fmt: skip
SAME_CLASS = {
    "fr": [("house", "door"), ("book", "bread"), ("school", "church")],
    "de": [("house", "book"), ("street", "school"), ("dog", "table")],
}
OTHER_CLASS = {"fr": [("house", "book"), ("church", "bread")], "de": [("house", "street")]}


@pytest.fixture(scope="module", params=sorted(KNOWN))
def target(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def shipped(target: str) -> Dictionary:
    return load_dictionary(shipped_dictionary("en", target), "google")


def test_it_has_the_promised_number_of_confident_words(shipped, target) -> None:
    confident = {entry.word for entry in shipped if entry.confidence >= THRESHOLD}
    assert len(confident) >= LEAST_CONFIDENT[target]


def test_it_is_small(target) -> None:
    assert shipped_dictionary("en", target).stat().st_size < 3_250_000


def test_common_words_have_their_translation(shipped, target) -> None:
    for (word, tag), text in KNOWN[target].items():
        entry = shipped.find(word, tag)
        assert entry is not None
        assert text in {form.text for form in entry.forms}


def test_nouns_of_one_gender_are_interchangeable_and_others_are_not(shipped, target) -> None:
    def class_of(word: str) -> str:
        entry = shipped.find(word, "NN")
        assert entry is not None
        return entry.agreement_parts[0]

    assert all(class_of(one) == class_of(other) for one, other in SAME_CLASS[target])
    assert all(class_of(one) != class_of(other) for one, other in OTHER_CLASS[target])


def test_words_before_which_the_translator_elides_are_a_class_of_their_own() -> None:
    french = load_dictionary(shipped_dictionary("en", "fr"), "google")
    marks = {
        word: entry.agreement_parts[-1]
        for word in ("water", "island", "house", "door")
        if (entry := french.find(word, "NN"))
    }
    assert marks == {"water": "'", "island": "'", "house": "-", "door": "-"}


def test_every_row_says_whose_words_these_are_and_that_no_call_was_made(target) -> None:
    stored = read_dictionary(shipped_dictionary("en", target))
    assert {entry.translator for entry in stored.entries} == {"google", "microsoft", "text"}
    assert {entry.method for entry in stored.entries} == {
        "corpus",
        "names",
        "association",
        "companions",
    }
    assert not [name for name in ("flores-test", "wmt13") if name in str(stored.provenance)]
    assert all(entry.calls == 0 and entry.built for entry in stored.entries)
    assert "GPL" not in stored.provenance["licence"]


def test_forms_are_words_as_the_decoder_reads_them(target) -> None:
    for entry in read_dictionary(shipped_dictionary("en", target)).entries:
        scores = [form.score for form in entry.forms]
        assert entry.tag == BEFORE or scores == sorted(scores, reverse=True)
        assert 0 <= entry.confidence <= 1
        assert all(target_tokens(form.text) for form in entry.forms)
