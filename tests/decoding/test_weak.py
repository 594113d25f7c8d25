"""Lost substitutes that came back as another word of their family."""

from __future__ import annotations

import pytest

from prism_core.decoding import Decoded, SearchStrategy, decode
from prism_core.record import Encoded, Kind, Replacement
from tests.words import dictionary, entry

WORDS = [
    entry("budget", forms=["presupuesto"]),
    entry("hospital", forms=["hospital"]),
    entry("budgetary", "JJ", forms=["presupuestarios"]),
    entry("taxes", "NNS", forms=["Steuern"]),
]


def undo(x_pub: str, answer: str, position: int) -> Decoded:
    """``answer`` to ``x_pub``, whose word at ``position`` stands for *hospital*."""
    substitute = x_pub.split()[position]
    record = (Replacement(position, 1, "hospital", substitute, Kind.WORD, "NN"),)
    return decode(Encoded(x_pub, record, ()), answer, dictionary(*WORDS))


def test_a_noun_that_came_back_as_its_adjective_is_found_and_unsure() -> None:
    result = undo("we saw the budget deficit today", "hoy vimos el déficit presupuestario", 3)
    assert result.text == "hoy vimos el déficit hospital"
    assert (result.strategies, result.is_unsure) == ({3: SearchStrategy.ASSOCIATION}, True)


@pytest.mark.parametrize(
    ("x_pub", "answer", "position"),
    [
        ("we saw the budget cuts", "vimos presupuestarios y presupuestados recortes", 3),
        ("the budget had budgetary ends", "el plan tenía fines presupuestarios", 1),
        ("we pay taxes", "wir tragen die Steuerlast", 2),
    ],
    ids=("two that begin alike", "another word explains it", "a German compound"),
)
def test_a_word_that_begins_alike_is_left_where_something_else_may_be_meant(
    x_pub: str, answer: str, position: int
) -> None:
    assert undo(x_pub, answer, position).unrestored == 1
