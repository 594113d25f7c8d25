"""The dictionary that ships: large enough, correct, and honest about where it comes from."""

import pytest

from prism_core.dictionary import FUNCTION_TAG, Dictionary, load_dictionary
from prism_core.dictionary.entry import target_tokens
from prism_core.resources import shipped_dictionary

KNOWN = {
    ("house", "NN"): "casa", ("doctor", "NN"): "doctor", ("court", "NN"): "corte",
    ("patients", "NNS"): "pacientes", ("window", "NN"): "ventana", ("money", "NN"): "dinero",
    ("water", "NN"): "agua", ("children", "NNS"): "niños", ("law", "NN"): "ley",
    ("hospital", "NN"): "hospital", ("contract", "NN"): "contrato", ("blood", "NN"): "sangre",
    ("red", "JJ"): "rojo", ("legal", "JJ"): "legal", ("quickly", "RB"): "deprisa",
    ("writes", "VBZ"): "escribe", ("said", "VBD"): "dijo", ("written", "VBN"): "escrito",
    ("june", "MONTH"): "junio", ("friday", "WEEKDAY"): "viernes", ("seven", "CD"): "siete",
}  # fmt: skip


@pytest.fixture(scope="module")
def shipped() -> Dictionary:
    return load_dictionary(shipped_dictionary("en", "es"), "apertium")


def test_it_is_large_enough_to_hide_words_among_many(shipped) -> None:
    confident = {entry.word for entry in shipped if entry.confidence >= 0.5}
    assert len(confident) >= 20_000
    for tag in ("NN", "NNS", "JJ", "VB", "VBD", "VBN", "RB"):
        assert len(shipped.by_tag[tag]) >= 500


@pytest.mark.parametrize(("word", "tag"), KNOWN, ids=lambda value: str(value))
def test_common_words_have_their_translation(shipped, word, tag) -> None:
    entry = shipped.find(word, tag)
    assert entry is not None
    assert KNOWN[word, tag] in {form.text for form in entry.forms}


def test_forms_are_whole_words_in_decreasing_score(shipped) -> None:
    for entry in shipped:
        texts = [form.text.lower() for form in entry.forms]
        whole = all(" ".join(target_tokens(text)) == text for text in texts)
        assert whole or entry.tag == FUNCTION_TAG
        scores = [form.score for form in entry.forms]
        assert scores == sorted(scores, reverse=True)
        assert 0 <= entry.confidence <= 1
        assert entry.calls > 0 or entry.tag == FUNCTION_TAG


def test_public_names_are_no_ordinary_words(shipped) -> None:
    assert min(len(group) for group in shipped.names.values()) >= 100
    assert not shipped.knows("Kendall")
    assert all(entry.word.islower() for entry in shipped)


def test_provenance_says_who_made_it_from_what(shipped) -> None:
    assert {"translator", "built", "text", "sentences", "calls", "licence"} <= set(
        shipped.provenance
    )
    assert shipped.provenance["licence"].startswith("GPL-2.0-only")
