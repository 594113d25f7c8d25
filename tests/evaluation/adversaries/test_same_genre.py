"""The attacker with texts of the same genre reads formulas, and nothing off a substitute."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from prism_core.evaluation.adversaries.base import (
    CandidatePool,
    Case,
    Hidden,
    NGrams,
    Public,
    Request,
    SentRequest,
)
from prism_core.evaluation.adversaries.same_genre import attack_with_same_genre
from prism_core.evaluation.findings import Finding
from tests.words import dictionary

PUBLIC = Public(dictionary(), NGrams(()), {})
POOL = CandidatePool({})
VERBS = ("sings", "walks", "reads", "waits")


def sent(document: int, subject: str, verb: str, rng: Random) -> SentRequest:
    """*The SUBJECT VERB there*, with a noun and a verb hidden."""
    substitutes = rng.choice(["house", "tree"]), rng.choice(["opens", "turns"])
    request = Request(("The", *substitutes, "there", "."), frozenset({1, 2}))
    hidden = tuple(
        Hidden(document, document, word, substitute, POOL, (), place, shown)
        for place, (word, substitute, shown) in enumerate(
            zip((subject, verb), substitutes, ("NN/0", "VBZ/0"), strict=True), 1
        )
    )
    return SentRequest(request, document, document, frozenset({1, 2}), hidden)


def attack(requests: list[SentRequest], own: tuple[SentRequest, ...] = ()) -> dict[str, Finding]:
    case = Case(tuple(requests), (), (), PUBLIC, ordered=False, own=own)
    return {found.attack: found for found in attack_with_same_genre(case, Random(1))}


def test_a_formula_is_read_by_who_has_other_texts_of_the_kind() -> None:
    rng = Random(1)
    found = attack([sent(i, "applicant", "waits", rng) for i in range(20)])
    assert found["rebuild-genre@1"].value == 1
    assert found["rebuild-genre-twins"].n == 0  # no sentence with three hidden words


def test_what_was_drawn_tells_nothing() -> None:
    """Where words differ by chance, and substitutes too, it is right as often as by the pool."""
    rng = Random(2)
    found = attack([sent(i, "applicant", rng.choice(VERBS), rng) for i in range(400)])
    right = found["rebuild-genre@1"]
    assert abs(right.value - (0.5 + 0.5 / len(VERBS))) < 0.08
    assert abs(right.value - right.chance) < 0.08


def test_texts_of_the_attackers_own_help_where_the_archive_alone_would_not() -> None:
    rng = Random(3)
    archive = [sent(0, "applicant", "waits", rng)]
    assert attack(archive)["rebuild-genre@1"].value == 0
    own = tuple(sent(i, "applicant", "waits", rng) for i in range(5))
    assert attack(archive, own)["rebuild-genre@1"].value == 1


def test_a_place_without_a_hidden_word_is_an_identifier_to_the_attacker() -> None:
    rng = Random(4)
    requests = [sent(i, "applicant", "waits", rng) for i in range(4)]
    named = [replace(one, hidden=one.hidden[1:]) for one in requests]
    assert attack(named)["rebuild-genre@1"].n == 4
