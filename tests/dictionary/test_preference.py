from itertools import permutations, product

import pytest

from prism_core.dictionary import GLOSSARY
from prism_core.dictionary.dictionary import for_translator, preferred
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
