import pytest

from prism_core.evaluation.error_classes import count_untranslated
from prism_core.evaluation.surviving import GoldNames, surviving_identifiers

ARCHIVE = [
    "Then Hannah met Brown and Will near the Park.",
    "Hannah left.",
    "Brown bears sleep.",
    "A park is green.",
    'He said "Nobody came", and Dr. Keet agreed.',
]
GOLD = GoldNames.of(ARCHIVE, public_words={"brown", "green", "nobody"}, listed={"Brown", "Will"})


def test_rare_capitalised_words_inside_a_sentence_are_names() -> None:
    assert GOLD.rare == {"Hannah", "Keet"}


def test_ordinary_words_are_names_only_when_a_public_list_has_them() -> None:
    assert GOLD.ordinary == {"Brown", "Will"}


def test_a_name_counts_at_the_beginning_of_a_sentence_unless_it_is_a_word_too() -> None:
    assert GOLD.within("Hannah left.") == {"Hannah"}
    assert GOLD.within("Brown bears sleep.") == set()
    assert GOLD.within("We saw Brown.") == {"Brown"}


def test_a_name_is_visible_in_any_case_and_a_word_only_with_its_capital() -> None:
    assert GOLD.visible("Hannah", "near HANNAH's house")
    assert not GOLD.visible("Hannah", "near Hannahville")
    assert GOLD.visible("Will", "I saw Will")
    assert not GOLD.visible("Will", "I will see")


def test_visible_names_and_numbers_are_counted_by_sentence() -> None:
    pairs = [
        ("Hannah paid 1,250 on 3/4.", "Ann paid 1,250 on 7/2."),
        ("Hannah left.", "Hannah ran."),
    ]
    found = surviving_identifiers(pairs, GOLD)
    assert (found.names, found.numbers) == (2, 2)
    assert (found.names_visible, found.numbers_visible) == (1, 1)
    assert found.share == pytest.approx(0.5)


def test_a_digit_that_a_surrogate_happens_to_share_is_not_the_number() -> None:
    pairs = [("IL-6 and PaO2 for 3 days.", "KF-6 and XbC3 for 8 days.")]
    assert surviving_identifiers(pairs, GOLD).numbers_visible == 0


def test_what_is_sent_untouched_survives_whole() -> None:
    pairs = [(text, text) for text in [*ARCHIVE, "Room 12, on 3/4."]]
    assert surviving_identifiers(pairs, GOLD).share == 1


def test_nothing_survives_where_nothing_was_sent() -> None:
    assert surviving_identifiers([("Hannah paid 12.", "")], GOLD).share == 0


def test_source_words_that_t_translates_are_untranslated() -> None:
    sentences = [("The green house fell.", "La green casa cayó.", "La casa verde cayó.")]
    assert count_untranslated(sentences) == (3, 1)


def test_words_alike_in_both_languages_and_names_are_not_untranslated() -> None:
    sentences = [("The animal saw Hannah.", "El animal vio Hannah.", "El animal la vio.")]
    assert count_untranslated(sentences, ["Hannah"])[1] == 0


def test_a_sentence_left_in_the_source_language_counts_with_every_content_word() -> None:
    sentences = [("The green house fell.", "The green house fell.", "La casa verde cayó.")]
    content, left = count_untranslated(sentences)
    assert content == left > 0
