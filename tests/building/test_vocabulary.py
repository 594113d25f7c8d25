from prism_core.building.vocabulary import candidates
from tests.words import ENGLISH, sentence


def test_only_lower_case_open_class_words_seen_often_enough_become_candidates() -> None:
    text = [
        sentence("the/DT", "doctor/NN", "of/IN", "Kovacs/NNP", "saw/VBD", "it's/NN", "x2/NN"),
        sentence("doctor/NN", "saw/VBD", "Doctor/NNP", "once/RB", "rare/JJ"),
    ]
    found = [(one.word, one.tag) for one in candidates(text, ENGLISH) if one.count]
    assert found == [("doctor", "NN"), ("saw", "VBD")]


def test_a_tag_the_word_seldom_has_is_a_slip() -> None:
    text = [sentence("run/VB")] * 40 + [sentence("run/NN")] * 2
    assert [(one.word, one.tag) for one in candidates(text, ENGLISH) if one.count] == [
        ("run", "VB")
    ]


def test_months_weekdays_and_numerals_are_always_there() -> None:
    closed = {(one.word, one.tag): one.surface for one in candidates([], ENGLISH)}
    assert closed["june", "MONTH"] == "June"
    assert closed["friday", "WEEKDAY"] == "Friday"
    assert closed["seven", "CD"] == "seven"
