import pytest

from prism_core.identifiers.leaks.check import LeakCheck
from prism_core.identifiers.leaks.deny_list import DenyList
from tests.words import ENGLISH


def never(word: str) -> bool:
    return False


def always(word: str) -> bool:
    return True


@pytest.mark.parametrize(
    "text",
    [
        "the 4 8 2 1 3 file",
        "file 48213.",
        "file 48-213",
        "file ４８２１３",
    ],
)
def test_an_own_code_is_seen_through_spacing_and_width(text) -> None:
    assert LeakCheck(ENGLISH).leaks(text, ["48213"], DenyList(), never)


def test_an_own_name_is_seen_as_a_word_not_as_a_part_of_one() -> None:
    check = LeakCheck(ENGLISH)
    assert check.leaks("the Ann house", ["Ann"], DenyList(), never)
    assert not check.leaks("the Annex house", ["Ann"], DenyList(), never)


def test_a_denied_word_leaks_unless_it_is_ordinary_and_lower_case() -> None:
    deny_list = DenyList()
    deny_list.add("Hope")
    check = LeakCheck(ENGLISH)
    assert check.leaks("Hope left", [], deny_list, always)
    assert not check.leaks("in hope", [], deny_list, always)


@pytest.mark.parametrize("text", ["see Acme Corp", "see A c m e C o r p", "ACME-CORP", "acmecorp"])
def test_what_the_user_lists_as_never_to_leave_is_seen_in_any_spelling(text) -> None:
    assert LeakCheck(ENGLISH, ["Acme Corp"]).shows_never_sent(text)


def test_a_surrogate_address_is_no_leak_though_the_archive_names_the_reserved_domain() -> None:
    deny_list = DenyList()
    for form in ("Example", "org"):
        deny_list.add(form)
    check = LeakCheck(ENGLISH)
    assert not check.leaks("to abcdefgh@example.org now", [], deny_list, never)
    assert not check.leaks("at https://example.org/abcdefgh now", [], deny_list, never)
    assert check.leaks("the Example now", [], deny_list, never)


def test_a_contraction_is_not_taken_for_a_denied_word() -> None:
    deny_list = DenyList()
    for form in ("RE", "Don"):
        deny_list.add(form)
    check = LeakCheck(ENGLISH)
    assert not check.leaks("we're sure they don’t", [], deny_list, never)
    assert check.leaks("Don’s house", [], deny_list, never)
