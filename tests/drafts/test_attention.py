"""Links of words by attention that is written here."""

from __future__ import annotations

from prism_core.drafts.aligner import link_by_attention

SOURCE = ("The nurses slept.", ["▁The", "▁nurses", "▁slept", "."])


def link(target: str, pieces: list[str], attention: list[list[float]]) -> dict[str, str]:
    source, _ = SOURCE
    links = link_by_attention(SOURCE, (target, pieces), attention, "en")
    return {source[slice(*match.source)]: target[slice(*match.target)] for match in links}


def test_punctuation_at_a_word_takes_nothing_from_it() -> None:
    attention = [[0, 0.7, 0.3, 0], [0, 0.1, 0.6, 0.3], [0, 0, 0, 1]]
    found = link("Enfermeiras dormiram.", ["▁Enfermeiras", "▁dormiram", "."], attention)
    assert found == {"nurses": "Enfermeiras", "slept": "dormiram"}


def test_a_function_word_before_its_verb_is_passed_over() -> None:
    attention = [[0, 1, 0, 0], [0, 0.1, 0.9, 0], [0, 0, 0.8, 0.2]]
    found = link("Enfermeiras se deitaram", ["▁Enfermeiras", "▁se", "▁deitaram"], attention)
    assert found == {"nurses": "Enfermeiras", "slept": "deitaram"}


def test_weak_attention_links_nothing() -> None:
    attention = [[0.3, 0.3, 0.3, 0.1], [0.1, 0.1, 0.6, 0.2]]
    assert link("Elas dormiram", ["▁Elas", "▁dormiram"], attention) == {"slept": "dormiram"}


def test_a_number_may_stand_for_a_word() -> None:
    assert link("4", ["▁4"], [[0, 0.9, 0.1, 0]]) == {"nurses": "4"}


def test_pieces_that_are_not_those_of_the_words_link_nothing() -> None:
    assert link("a b", ["▁a"], [[0, 1, 0, 0]]) == {}
    assert link("", [], []) == {}
