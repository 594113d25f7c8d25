"""The head of a column gives a bare number its class, and nothing else one."""

import pytest

from prism_core.identifiers.columns import column_of
from prism_core.identifiers.detection import SpanFinder
from prism_core.language import Sentence, Token

SPANS = SpanFinder()


@pytest.mark.parametrize(
    ("head", "text", "label"),
    [
        ("Record no.", "H582.027", "RECORD"),
        ("Hospital number", "K 916 227", "RECORD"),
        ("Plate", "3UBC360", "VEHICLE"),
        ("Licence of the surgeon", "R10\u2011110\u2011460", "LICENCE"),
        ("Colour", "3UBC360", ""),
        ("Record no.", "see page 4711", ""),
        ("Record no.", "none", ""),
        ("Phone", "X12 Pro 44", ""),
        ("", "H582.027", ""),
        ("x" * 500, "H582.027", ""),
    ],
)
def test_a_head_names_a_number_that_stands_alone(head: str, text: str, label: str) -> None:
    assert column_of((head,), text) == label


def test_the_head_of_the_column_comes_before_the_cell_to_the_left() -> None:
    assert column_of(("Plate", "Policy no."), "AB 12 34") == "VEHICLE"


def test_all_of_the_cell_is_one_identifier_unless_it_is_known_for_another() -> None:
    assert [(s.start, s.end, s.label) for s in SPANS.find("AB 12 34", "PLAN")] == [(0, 8, "PLAN")]
    assert [s.label for s in SPANS.find("DE89 3704 0044 0532 0130 00", "PLAN")] == ["IBAN"]
    assert [s.label for s in SPANS.find("jo@example.org", "PLAN")] == ["EMAIL"]


def test_one_text_under_two_heads_is_two_sentences_and_without_a_head_its_text() -> None:
    tokens = (Token("H-4711", "", "NN"),)
    keys = {Sentence(tokens).key, Sentence(tokens, "PLAN").key, Sentence(tokens, "RECORD").key}
    assert len(keys) == 3
    assert Sentence(tokens).key == "H-4711"
