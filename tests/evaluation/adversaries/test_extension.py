"""The attack on what an extension asks for finds out what is told, and nothing where nothing is."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from prism_core.building import (
    HiddenWords,
    PublicWords,
    WordCandidate,
    group_words,
    read_words_by_meaning,
)
from prism_core.evaluation.adversaries.extension import rank_asked_words
from prism_core.evaluation.findings import Finding
from tests.words import dictionary

LISTED = [
    WordCandidate(word, "NN", 0)
    for word in read_words_by_meaning()[::16]
    if word.isalpha() and len(word) > 5
]
DICTIONARY = dictionary()
ARCHIVES, OWN, SIZE = 5, 80, 10
HIDING = PublicWords(LISTED, DICTIONARY, lambda _word: False, SIZE)


def archives(words: list[WordCandidate]) -> list[HiddenWords]:
    """What is asked for archives of words drawn from ``words`` by chance."""
    rng = Random(1)
    return [HIDING.choose_groups(rng.sample(words, OWN)) for _ in range(ARCHIVES)]


def attack(made: list[HiddenWords]) -> dict[str, Finding]:
    return {found.attack: found for found in rank_asked_words(made[0], made[1:], Random(2))}


def test_words_in_whole_groups_are_told_from_their_decoys_by_chance() -> None:
    for found in attack(archives(LISTED)).values():
        assert found.n >= 30
        assert found.value < 2 * found.chance < 0.3


def test_decoys_that_are_less_common_are_found_out() -> None:
    made = archives(LISTED)
    own = [{word.word for word in one.own} for one in made]
    told = [
        replace(
            one,
            groups=tuple(
                tuple(replace(word, count=5 * (word.word in mine)) for word in group)
                for group in one.groups
            ),
        )
        for one, mine in zip(made, own, strict=True)
    ]
    assert attack(told)["asked-alike"].value > 0.9


def test_words_that_every_archive_of_the_kind_has_are_known() -> None:
    often = [group[0] for group in group_words(LISTED, SIZE)][: OWN + 10]
    found = attack(archives(often))
    assert found["asked-known"].value > 0.8


@pytest.mark.parametrize("empty", [0, 1])
def test_archives_without_words_of_their_own_are_no_case(empty: int) -> None:
    made = archives(LISTED)
    made[empty] = HIDING.choose_groups([])
    assert {found.n for found in attack(made).values()} == {0}
