import pickle

import pytest

from prism_core.identifiers.lists import DenyList
from prism_core.languages import load_language


def denying(*forms: str) -> DenyList:
    deny_list = DenyList()
    for form in forms:
        deny_list.add(form)
    return deny_list


def test_a_form_is_denied_in_every_spelling_a_reader_takes_for_the_same() -> None:
    deny_list = denying("Kovács")
    for spelling in ("KOVACS", "kova\u0301cs", "Ｋｏｖａｃｓ", "Ko\u00advacs", "Ko\u200bvács"):
        assert spelling in deny_list


def test_an_ordinary_word_counts_only_with_the_capital_it_was_seen_with() -> None:
    deny_list = denying("Hope")
    words = ["Our", "Hope", "is", "hope"]
    language = load_language("en")
    assert deny_list.find(words, {"Hope", "hope"}.__contains__, language) == [1]
    assert deny_list.find(words, frozenset().__contains__, language) == [1, 3]


def test_thousands_of_forms_are_denied_and_no_other_word() -> None:
    forms = [f"Name{number}" for number in range(5_000)]
    deny_list = denying(*forms, *forms)
    language = load_language("en")
    words = [f"Name{number}" for number in range(10_000)]
    assert deny_list.find(words, frozenset().__contains__, language) == list(range(5_000))
    assert len(deny_list) == len(forms)


def test_a_deny_list_is_not_sent_to_another_process_where_it_would_deny_nothing() -> None:
    with pytest.raises(TypeError, match="made anew in each process"):
        pickle.dumps(denying("Kovács"))
