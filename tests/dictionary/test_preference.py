from itertools import permutations, product

import pytest

from prism_core.dictionary import GLOSSARY
from prism_core.dictionary.preference import (
    DISAGREED,
    clean_calendar,
    for_translator,
    plural_weekdays,
    preferred,
)
from tests.words import entry


def seen(translator: str, *forms: str, confidence: float = 0.9):
    return entry("bank", forms=forms, confidence=confidence)._replace(translator=translator)


ALL = [
    seen("apertium", "ribera", "banco", confidence=0.99),
    seen("google", "banco", "entidad"),
    seen("microsoft", "banco"),
]


def texts(chosen) -> list[str]:
    return [form.text for entry in (chosen, *chosen.others) for form in entry.forms]


def test_the_translator_in_use_comes_first_and_the_others_are_kept_apart() -> None:
    chosen = preferred(ALL, "apertium")
    assert [form.text for form in chosen.forms] == ["ribera", "banco"]
    assert {other.translator for other in chosen.others} == {"google", "microsoft"}
    assert preferred(ALL, "apertium").confidence == 0.99
    assert texts(preferred(ALL, "google"))[:2] == ["banco", "entidad"]


def test_a_translator_without_entries_gets_what_most_agree_on() -> None:
    chosen = preferred(ALL, "openai")
    assert texts(chosen)[0] == "banco"
    assert chosen.confidence == 0.9


def test_the_glossary_wins_over_everything() -> None:
    assert texts(preferred([*ALL, seen(GLOSSARY, "ente")], "apertium"))[0] == "ente"


def test_the_order_of_the_entries_does_not_matter() -> None:
    assert preferred(ALL, "openai") == preferred(ALL[::-1], "openai")


def test_every_word_and_tag_has_one_entry_in_the_end() -> None:
    found = for_translator([*ALL, entry("house"), entry("bank", "VB")], "openai")
    kinds = sorted((one.word, one.tag) for one in found)
    assert kinds == [("bank", "NN"), ("bank", "VB"), ("house", "NN")]


def test_a_translator_with_entries_of_its_own_knows_no_other_words() -> None:
    others = [entry("podcast")._replace(translator="google")]
    own = [entry("lease")._replace(translator=GLOSSARY), *ALL]
    found = for_translator([*others, *own], "apertium")
    assert {one.word for one in found} == {"bank", "lease"}
    assert {one.word for one in for_translator([*others, *own], "openai")} >= {"podcast"}


def test_a_translator_whose_words_were_read_off_texts_knows_those_of_others_too() -> None:
    others = [entry("podcast")._replace(translator="apertium")]
    corpus = [one._replace(method="corpus") for one in ALL if one.translator != "apertium"]
    found = for_translator([*others, *corpus, ALL[0]], "google")
    assert {one.word for one in found} == {"bank", "podcast"}
    assert texts(next(one for one in found if one.word == "bank"))[:2] == ["banco", "entidad"]


def test_azure_is_whom_the_corpora_call_microsoft() -> None:
    corpus = [one._replace(method="corpus") for one in ALL]
    for name in ("azure", "microsoft"):
        (bank,) = for_translator(corpus, name)
        assert bank.translator == "microsoft"


def test_words_added_for_another_translator_leave_the_dictionary_as_it_was() -> None:
    added = entry("invoice")._replace(translator="openai", method="extend")
    found = for_translator([added, *ALL], "openai")
    assert {one.word for one in found} == {"bank", "invoice"}


@pytest.mark.parametrize("translator", ["apertium", "google", "openai", ""])
def test_words_come_in_the_order_they_are_given_each_as_it_is_preferred(translator) -> None:
    lease = [entry("lease")._replace(translator=one) for one in ("google", "microsoft")]
    added = entry("lease", forms=["arriendo"])._replace(translator="openai", method="extend")
    given = [[*lease, added], ALL, [entry("house")]]
    for words in permutations(given):
        for groups in product(*map(permutations, words)):
            together = [one for group in groups for one in group]
            asked = {one.translator for one in together if one.method != "extend"}
            known = {translator} if translator in asked else {translator, *asked}
            assert for_translator(together, translator) == [
                preferred(group, translator)
                for group in groups
                if known & {one.translator for one in group}
            ]


def rows(word: str, *translators: str, confidence: float = 0.9, forms=("banco",), **fields):
    made = entry(word, forms=forms, confidence=confidence)._replace(method="corpus", **fields)
    return [made._replace(translator=name) for name in translators]


def sureness_of(entries, translator: str) -> float:
    (found,) = for_translator(entries, translator)
    return found.sureness


def test_a_word_is_as_sure_as_the_least_sure_of_the_translators_that_agree() -> None:
    words = [*rows("bank", "google", confidence=0.95), *rows("bank", "microsoft", confidence=0.8)]
    assert sureness_of(words, "openai") == sureness_of(words, "google") == 0.8
    assert sureness_of(words[:1], "google") == 0.95, "its own evidence is enough"
    assert sureness_of(words[:1], "openai") == 0.0, "one translator says nothing of another"


def test_translators_that_write_different_words_are_no_evidence_for_a_third() -> None:
    words = [*rows("bank", "google"), *rows("bank", "microsoft", forms=["ribera"])]
    assert sureness_of(words, "openai") == 0.0
    assert sureness_of(words, "google") == DISAGREED < 0.9


def test_what_a_translator_by_rule_writes_is_evidence_for_itself_alone() -> None:
    (asked,) = rows("bank", "apertium", confidence=0.99)
    neural = rows("bank", "google", "microsoft", confidence=0.6)
    other = rows("lease", "google", "microsoft")
    assert sureness_of([asked._replace(method="packed"), *neural], "apertium") == 0.99
    found = for_translator([asked, *neural, *other], "openai")
    assert [one.sureness for one in found] == [0.6, 0.9]
    assert sureness_of([asked], "openai") == 0.0


def test_a_calibrated_word_is_as_sure_as_that_says_whoever_knows_it() -> None:
    (asked,) = rows("bank", "apertium", confidence=0.99, calibrated=0.93)
    neural = rows("bank", "google", "microsoft", confidence=0.6, calibrated=0.93)
    other = rows("lease", "google", "microsoft")
    for words in ([asked], neural, [asked, *neural]):
        found = for_translator([*words, *other], "openai")
        assert [one.sureness for one in found] == [0.93, 0.9]
    assert sureness_of([asked._replace(method="packed"), *neural], "apertium") == 0.99


def test_calibrated_rows_that_do_not_agree_are_no_evidence_for_a_third_translator() -> None:
    words = rows("bank", "google", calibrated=0.95)
    words += rows("bank", "microsoft", forms=["ribera"], calibrated=0.95)
    assert sureness_of(words, "openai") == 0.0
    assert sureness_of(words, "google") == 0.95


def test_words_left_alone_and_spellings_of_places_are_known_to_their_own_translator_alone() -> None:
    places = [
        entry("Kenya", "PLACE", ["Kenya"])._replace(translator="apertium", method="packed"),
        entry("Peru", "PLACE", ["Perú"])._replace(translator="google", method="names"),
    ]
    left = entry("abductor", "LEFT-NN", ["abductor"])._replace(
        translator="apertium", method="packed"
    )
    found = for_translator([*places, left, *rows("bank", "google")], "openai")
    assert {one.word for one in found} == {"Peru", "bank"}
    own = for_translator([*places, left, *rows("bank", "google")], "apertium")
    assert {one.word for one in own} == {"Kenya", "abductor"}


def test_a_word_of_a_translator_by_rule_is_hidden_in_the_class_its_like_are_in() -> None:
    feminine, masculine = ("house", "table", "chair"), ("book", "tree")
    asked = [
        *[row for word in feminine for row in rows(word, "apertium", agreement="la _ | n")],
        *[row for word in masculine for row in rows(word, "apertium", agreement="el _ | n")],
    ]
    neural = [
        *[row for word in feminine[:2] for row in rows(word, "google", agreement="0 | -")],
        *rows("book", "google", agreement="1 | -"),
    ]
    found = for_translator([*asked, *neural], "google")
    assert {one.word: one.agreement for one in found} == {
        "house": "0 | -",
        "table": "0 | -",
        "chair": "0 | -",
        "book": "1 | -",
        "tree": "1 | -",
    }
    alone = for_translator(asked, "google")
    assert {one.agreement for one in alone} == {"la _ | n", "el _ | n"}


def test_several_of_a_weekday_follow_from_one() -> None:
    days = [entry("monday", "WEEKDAY", ["lunes"]), entry("saturday", "WEEKDAY", ["sábado"])]
    mondays, saturdays = plural_weekdays([*days, entry("day")], "s")
    assert (mondays.word, mondays.tag) == ("mondays", "WEEKDAYS")
    assert mondays.inflect("sábados") == "lunes"
    assert saturdays.inflect("lunes") == "sábados"
    assert plural_weekdays(days, "") == []


def test_a_weekday_has_no_form_that_is_of_others_or_holds_more_than_the_word() -> None:
    days = [
        entry("tuesday", "WEEKDAY", ["martes", "encima martes"]),
        entry("friday", "WEEKDAY", ["Freitag", "am"]),
        entry("saturday", "WEEKDAY", ["Samstag", "am"]),
        entry("may", "MONTH", ["Mai", "May"]),
        entry("day", "NN", ["día", "el día"]),
    ]
    assert [one.forms.texts for one in clean_calendar(days)] == [
        ("martes",),
        ("Freitag",),
        ("Samstag",),
        ("Mai", "May"),
        ("día", "el día"),
    ]
