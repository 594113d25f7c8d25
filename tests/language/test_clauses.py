"""Sentences are cut where a part can be translated by itself, and nowhere else."""

from __future__ import annotations

import pytest

from prism_core.encoding import make_encoder
from prism_core.language import LanguageModel, split_clauses
from prism_core.languages import load_language
from prism_core.mechanisms import make_mechanism
from prism_core.settings import MechanismSettings
from tests.words import dictionary, nouns

ENGLISH = load_language("en")


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            "The dog ran home at once; the cat stayed there.",
            ["The dog ran home at once; ", "the cat stayed there."],
        ),
        (
            "When the court met again, the man was gone, and nobody knew where he was.",
            ["When the court met again, ", "the man was gone, ", "and nobody knew where he was."],
        ),
        (
            "The court said again that the man was not there.",
            ["The court said again ", "that the man was not there."],
        ),
    ],
)
def test_a_sentence_is_cut_at_its_clauses(
    model: LanguageModel, text: str, parts: list[str]
) -> None:
    (sentence,) = model.sentences(text)
    assert [part.text for part in split_clauses(sentence, ENGLISH)] == parts


@pytest.mark.parametrize(
    "text",
    [
        "The dog ran; it was late.",  # of few words
        "He said (the dog ran home; the cat stayed there at once) that.",
        "He said “the dog ran home; the cat stayed there at once”.",
        "The case was lost in the end; Brown was the man who did it.",  # may be a name
        "The case was in the hands of the court; 12 of them had been lost.",
        "They bought bread from the baker, cheese from the farm and a red table.",  # a list
        "They lived in the house of which the man spoke.",
    ],
)
def test_a_sentence_stays_whole(model: LanguageModel, text: str) -> None:
    (sentence,) = model.sentences(text)
    assert split_clauses(sentence, ENGLISH) == [sentence]


def test_what_a_cut_would_hide_from_the_detectors_stays_whole(model: LanguageModel) -> None:
    text = "They saw the house of bread; the wine of the farm was gone."
    (sentence,) = model.sentences(text)
    parts = split_clauses(sentence, ENGLISH)
    assert len(parts) == 2
    words = dictionary(*nouns(40))
    mechanism = make_mechanism(MechanismSettings.choose(minimum_pool=5), words)

    def may_cut(**lists: list[str]) -> bool:
        lists = {"names": [], "never": [], **lists}
        return make_encoder(words, mechanism, **lists).may_cut(sentence, parts)

    assert may_cut()
    assert not may_cut(names=["bread; the wine"])
    assert not may_cut(never=["bread; the wine"])
