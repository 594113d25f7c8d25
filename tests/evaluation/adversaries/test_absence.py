"""Names that never come are found out where they are left out, and nobody is suspected else."""

from __future__ import annotations

from random import Random

import pytest

from prism_core.dictionary import Dictionary
from prism_core.evaluation.adversaries import Case, attack_case
from prism_core.evaluation.adversaries.base import (
    CandidatePool,
    Hidden,
    Original,
    Request,
    SentRequest,
)
from prism_core.evaluation.adversaries.cases import public_knowledge
from prism_core.evaluation.adversaries.identifiers import rank_silent, silence_of_names
from prism_core.evaluation.findings import Finding
from tests.words import entry, nouns

SURNAMES = [f"Q{a}{b}son" for a in "aeiouy" for b in "bcdfghklmnprstvwxz"]
WORDS = [one.word for one in nouns(40)]
POOL = CandidatePool(dict.fromkeys(WORDS, 0.9))
HELD = frozenset([*SURNAMES[::9], *(word.capitalize() for word in WORDS[::8])])
NAMED = [entry(name, "SURNAME", [name]) for name in SURNAMES]
PUBLIC = public_knowledge(Dictionary([*nouns(40), *NAMED], {}, "test"), [])


def archive(left_out: frozenset[str], since: int = 0, requests: int = 3000) -> Case:
    """A name and a word are drawn for each request; what is ``left_out`` no more ``since`` one."""
    rng, sent = Random(5), list[SentRequest]()
    kept = [name for name in SURNAMES if name not in left_out]
    words = [word for word in WORDS if word.capitalize() not in left_out]
    for number in range(requests):
        names, pool = (kept, words) if number >= since else (SURNAMES, WORDS)
        tokens = (rng.choice(names), "saw", "the", rng.choice(pool))
        hidden = Hidden(0, number, WORDS[0], tokens[3], POOL, (), 3)
        request = Request(tokens, frozenset({0, 3}))
        sent.append(SentRequest(request, 0, number, hidden=(hidden,)))
    whole = tuple(Original(0, one.request.tokens) for one in sent)
    return Case(tuple(sent), whole, (), PUBLIC, ordered=False, named=HELD)


def found(case: Case) -> dict[str, Finding]:
    return {one.attack: one for one in attack_case(case, Random(3), {"absence"}) if one.n}


@pytest.mark.parametrize("since", [0, 1500], ids=["from the first", "from some night on"])
def test_names_and_words_that_are_left_out_are_named_with_certainty(since) -> None:
    broken = found(archive(HELD, since))
    assert broken["absent-surname"].value > 0.9
    assert broken["absent-word"].value == 1.0
    assert broken["absent-surname"].chance == len(SURNAMES[::9]) / len(SURNAMES)


def test_names_that_are_drawn_like_others_are_named_by_chance() -> None:
    for one in found(archive(frozenset())).values():
        assert not one.differs_from_chance(0.999), one
        assert one.value <= one.chance + 0.1


def test_a_name_is_silent_for_as_long_as_it_was_to_be_expected() -> None:
    tokens = ["ann", "bob", "the", "bob", "cid", "bob"]
    silence = silence_of_names(tokens, frozenset(["ann", "bob"]))
    assert silence == {"ann": 1.5, "bob": 0.0}


def test_equals_are_guessed_in_an_order_by_chance() -> None:
    one = rank_silent("absent-given", dict.fromkeys("abcdefgh", 1.0), frozenset("abzz"))
    assert (one.value, one.chance, one.n) == (0.25, 0.25, 8)
    assert rank_silent("absent-given", {"a": 1.0}, frozenset()).n == 0
