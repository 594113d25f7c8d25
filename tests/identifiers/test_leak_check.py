import pytest

from prism_core.identifiers.leak_check import LeakCheck
from prism_core.identifiers.lists import DenyList
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
    assert LeakCheck(ENGLISH).find_leaks(text, ["48213"], DenyList(), never)


@pytest.mark.parametrize("text", ["file 4 8 2", "file four eight two", "file 48-2"])
def test_an_own_number_of_few_digits_is_seen_in_parts_and_in_words(text) -> None:
    assert LeakCheck(ENGLISH).find_leaks(text, ["482"], DenyList(), never)
    assert not LeakCheck(ENGLISH).find_leaks(text, ["483"], DenyList(), never)


def test_an_own_name_is_seen_as_a_word_not_as_a_part_of_one() -> None:
    check = LeakCheck(ENGLISH)
    assert check.find_leaks("the Ann house", ["Ann"], DenyList(), never)
    assert not check.find_leaks("the Annex house", ["Ann"], DenyList(), never)


def test_a_denied_word_leaks_unless_it_is_ordinary_and_lower_case() -> None:
    deny_list = DenyList()
    deny_list.add("Hope")
    check = LeakCheck(ENGLISH)
    assert check.find_leaks("Hope left", [], deny_list, always)
    assert not check.find_leaks("in hope", [], deny_list, always)


@pytest.mark.parametrize("text", ["four eight two one three", "four-eight two one-three"])
def test_a_denied_number_leaks_when_it_is_spelled_out(text: str) -> None:
    deny_list = DenyList()
    deny_list.add("48213")
    assert LeakCheck(ENGLISH).find_leaks(f"file {text} left", [], deny_list, always)
    assert not LeakCheck(ENGLISH).find_leaks(f"file {text} left", [], DenyList(), always)


@pytest.mark.parametrize("text", ["see Acme Corp", "see A c m e C o r p", "ACME-CORP", "acmecorp"])
def test_what_the_user_lists_as_never_to_leave_is_seen_in_any_spelling(text) -> None:
    assert LeakCheck(ENGLISH, ["Acme Corp"]).shows_never_sent(text)


def test_a_surrogate_address_is_no_leak_though_the_archive_names_the_reserved_domain() -> None:
    deny_list = DenyList()
    for form in ("Example", "org"):
        deny_list.add(form)
    check = LeakCheck(ENGLISH)
    assert not check.find_leaks("to abcdefgh@example.org now", [], deny_list, never)
    assert not check.find_leaks("at https://example.org/abcdefgh now", [], deny_list, never)
    assert check.find_leaks("the Example now", [], deny_list, never)


def test_a_contraction_is_not_taken_for_a_denied_word() -> None:
    deny_list = DenyList()
    for form in ("RE", "Don"):
        deny_list.add(form)
    check = LeakCheck(ENGLISH)
    assert not check.find_leaks("we're sure they don’t", [], deny_list, never)
    assert check.find_leaks("Don’s house", [], deny_list, never)


@pytest.mark.parametrize(
    ("text", "drawn", "leaks"),
    [
        ("Baker left", "Baker", False),
        ("Baker left Baker", "Baker", True),
        ("Ba-ker left", "ker", False),
        ("B a k e r left", "k", False),
        ("Ba left ker", "left", False),
        ("call 48 21 3 now", "21", False),
        ("call 48 213 Baxter", "Baxter", True),
        ("Baker12 left", "12", True),
    ],
)
def test_what_the_archive_denies_is_looked_for_beside_what_was_drawn_alone(
    text, drawn, leaks
) -> None:
    deny_list = DenyList()
    for form in ("Baker", "48213"):
        deny_list.add(form)
    spans = [(text.index(drawn), text.index(drawn) + len(drawn))]
    assert bool(LeakCheck(ENGLISH).find_leaks(text, [], deny_list, never, spans)) is leaks
    assert bool(LeakCheck(ENGLISH).find_leaks(text, [], deny_list, never)) is (drawn != "left")


def test_what_is_the_sentences_own_or_never_sent_is_seen_in_what_was_drawn_too() -> None:
    check = LeakCheck(ENGLISH, ["Acme"])
    assert check.find_leaks("Baker left", ["Baker"], DenyList(), never, [(0, 5)])
    assert check.find_leaks("Acme left", [], DenyList(), never, [(0, 4)])
