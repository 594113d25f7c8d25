"""Answers without ids: what plainly is in the wrong place is not used, what is right always is."""

from __future__ import annotations

import asyncio

import pytest

from prism_core.errors import BadAnswer, Rejected
from prism_core.translators.checks import check_places, translate_in_order

TEXTS = [
    "The contract with Harrington was signed in 2019.",
    "Nobody has seen it since.",
    "Invoice 48213 is still open.",
    "We met Eleanor in the evening.",
]
ANSWERS = [
    "El contrato con Harrington se firmó en 2019.",
    "Nadie lo ha visto desde entonces.",
    "La factura 48213 sigue abierta.",
    "Nos encontramos con Eleanor por la noche.",
]


def test_right_answers_are_used() -> None:
    check_places(TEXTS, ANSWERS)


@pytest.mark.parametrize(
    "order", [[3, 2, 1, 0], [1, 0, 2, 3], [0, 1, 3, 2], [1, 2, 3, 0], [0, 3, 2, 1]]
)
def test_answers_that_changed_places_are_not_used(order: list[int]) -> None:
    with pytest.raises(BadAnswer, match="stands where"):
        check_places(TEXTS, [ANSWERS[n] for n in order])


@pytest.mark.parametrize("answers", [ANSWERS[:3], [*ANSWERS, "Y más."], []])
def test_one_answer_for_each_text_and_no_other_number(answers: list[str]) -> None:
    with pytest.raises(BadAnswer, match="answers came for 4 texts"):
        check_places(TEXTS, answers)


def test_one_answer_for_two_texts_that_have_little_in_common_is_not_used() -> None:
    with pytest.raises(BadAnswer, match="little in common"):
        check_places(["It rained.", "He paid at once."], ["Llovió.", "Llovió."])


@pytest.mark.parametrize(
    ("texts", "answers"),
    [
        (["He is here now.", "He is here."], ["Está aquí.", "Está aquí."]),
        (["The same.", "The same."], ["Lo mismo.", "Lo mismo."]),
        (["In 1,250 cases.", "In 12 cases."], ["En 1.250 casos.", "En doce casos."]),
        (["We saw London.", "We saw Paris."], ["Vimos Londres.", "Vimos París."]),
        (["The Best Man Wins", "It is said."], ["Der Beste gewinnt", "Man sagt es."]),
    ],
)
def test_answers_that_may_well_be_right_are_used(texts: list[str], answers: list[str]) -> None:
    check_places(texts, answers)


def test_a_doubt_may_be_wrong_and_costs_a_request_then() -> None:
    texts = ["It costs 20 euros.", "He was twenty."]
    with pytest.raises(BadAnswer):
        check_places(texts, ["Cuesta veinte euros.", "Tenía 20."])


def test_a_text_alone_is_never_in_the_wrong_place() -> None:
    check_places(["It costs 20 euros."], ["Nos encontramos con Eleanor en 2019."])


def test_blank_texts_stay_and_are_not_asked_for() -> None:
    asked: list[list[str]] = []

    async def ask(texts: list[str]) -> list[str]:
        asked.append(texts)
        return [text.upper() for text in texts]

    assert asyncio.run(translate_in_order(["", "a b", " "], ask)) == ["", "A B", " "]
    assert asyncio.run(translate_in_order(["  a b\t"], ask)) == ["  A B\t"]
    assert asyncio.run(translate_in_order([" "], ask)) == [" "]
    assert asked == [["a b"], ["a b"]]


def test_a_rejected_text_is_named_by_its_place_among_all() -> None:
    async def ask(texts: list[str]) -> list[str]:
        raise Rejected("Too long.", len(texts) - 1)

    with pytest.raises(Rejected) as caught:
        asyncio.run(translate_in_order(["", "a", " ", "b"], ask))
    assert caught.value.index == 3
