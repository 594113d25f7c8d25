"""What our own model tags in public text is written as a treebank has it."""

from __future__ import annotations

import pytest

from scripts.silver_treebank import read_tag


@pytest.mark.parametrize(
    ("tag", "word", "reading"),
    [
        ("NN-M", "tag", ("NOUN", "Case=Nom|Gender=Masc|Number=Sing", "x")),
        ("NN-G", "tages", ("NOUN", "Case=Gen|Number=Sing", "x")),
        ("NNS-D", "tagen", ("NOUN", "Case=Dat|Number=Plur", "x")),
        ("JJ-EN", "roten", ("ADJ", "Degree=Pos", "rot")),
        ("VB-Z", "anzugehen", ("VERB", "VerbForm=Inf", "x")),
        (
            "VBD-S",
            "ging",
            ("VERB", "Mood=Ind|Number=Sing|Person=3|Tense=Past|VerbForm=Fin", "x"),
        ),
        ("RP", "an", ("ADP", "_", "x")),
    ],
)
def test_a_german_tag_tells_what_the_form_shows(tag, word, reading) -> None:
    assert read_tag(tag, word, "x", has_cases=True) == reading


@pytest.mark.parametrize(
    ("tag", "features"),
    [
        ("JJ-FP", "Degree=Pos|Gender=Fem|Number=Plur"),
        ("VBN-FS", "Gender=Fem|Number=Sing|VerbForm=Part"),
        ("VBP-F3P", "Mood=Ind|Number=Plur|Person=3|Tense=Fut|VerbForm=Fin"),
        ("VBP-C3S", "Mood=Cnd|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin"),
        ("VBP-S3S", "Mood=Sub|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin"),
        ("VBD-I3S", "Mood=Ind|Number=Sing|Person=3|Tense=Imp|VerbForm=Fin"),
    ],
)
def test_a_french_tag_tells_gender_number_mood_and_tense(tag, features) -> None:
    assert read_tag(tag, "x", "y")[1] == features
