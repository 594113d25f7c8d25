from prism_core.building.word_candidates import find_candidates, settle_genders
from prism_core.languages import load_language
from tests.words import ENGLISH, sentence


def test_only_lower_case_open_class_words_seen_often_enough_become_candidates() -> None:
    text = [
        sentence("the/DT", "doctor/NN", "of/IN", "Kovacs/NNP", "saw/VBD", "it's/NN", "x2/NN"),
        sentence("doctor/NN", "saw/VBD", "Doctor/NNP", "once/RB", "rare/JJ"),
    ]
    found = [(one.word, one.tag) for one in find_candidates(text, ENGLISH) if one.count]
    assert found == [("doctor", "NN"), ("saw", "VBD")]


def test_a_tag_the_word_seldom_has_is_a_slip() -> None:
    text = [sentence("run/VB")] * 40 + [sentence("run/NN")] * 2
    assert [(one.word, one.tag) for one in find_candidates(text, ENGLISH) if one.count] == [
        ("run", "VB")
    ]


def test_a_rare_word_has_the_ending_of_its_tag_and_a_frequent_one_any() -> None:
    text = [sentence("mujeres/NNS-F", "casas/NNS-F", "madres/NNS-F")]
    found = {count: find_candidates(text * count, load_language("es"), least=1) for count in (5, 6)}
    words = {count: {one.word for one in known if one.count} for count, known in found.items()}
    assert words == {5: {"casas"}, 6: {"casas", "mujeres", "madres"}}


def test_months_weekdays_and_numerals_are_always_there() -> None:
    closed = {(one.word, one.tag): one.surface for one in find_candidates([], ENGLISH)}
    assert closed["june", "MONTH"] == "June"
    assert closed["friday", "WEEKDAY"] == "Friday"
    assert closed["seven", "CD"] == "seven"


def test_a_noun_has_the_gender_of_its_articles_whatever_a_tagger_made_of_it() -> None:
    text = [
        sentence("la/DT", "fiebre/NN-M", "del/IN", "paciente/NN", "el/DT", "agua/NN-F"),
        sentence("una/DT", "fiebre/NN-M", "la/DT", "paciente/NN", "un/DT", "agua/NN-F"),
        sentence("fiebre/NN", "las/DT", "motos/NNS-M", "alta/JJ-FS"),
    ]
    settled = [
        token.tag for one in settle_genders(text, load_language("es")) for token in one.tokens
    ]
    assert settled[:6] == ["DT", "NN-F", "IN", "NN", "DT", "NN-F"]
    assert settled[6:] == ["DT", "NN-F", "DT", "NN", "DT", "NN-F", "NN-F", "DT", "NNS-M", "JJ-FS"]


def test_without_genders_nothing_is_settled() -> None:
    text = [sentence("the/DT", "fever/NN"), sentence("the/DT", "fever/NN")]
    assert settle_genders(text, ENGLISH) == text
