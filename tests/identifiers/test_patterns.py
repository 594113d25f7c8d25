from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prism_core.identifiers.spans import find_spans
from tests.words import ENGLISH


def found(text: str) -> list[tuple[str, str]]:
    return [
        (text[span.start : span.end], span.label)
        for span in find_spans(text, ENGLISH.numbers.ordinal)
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("paid $1,234.50 to", [("1,234.50", "NUMBER")]),
        ("at 10:30 on 14 March", [("10:30", "NUMBER"), ("14", "NUMBER")]),
        ("file MRN-48213-B here", [("MRN-48213-B", "CODE")]),
        ("case 23-CV-0417.", [("23-CV-0417", "CODE")]),
        ("code J45.909;", [("J45.909", "CODE")]),
        ("a 94-year-old woman", [("94", "NUMBER")]),
        ("the 21st day", [("21st", "NUMBER")]),
        ("mail a.b@example.org now", [("a.b@example.org", "EMAIL")]),
        ("of {jo,al.b}@example.org now", [("{jo,al.b}@example.org", "EMAIL")]),
        ("of {jo, al.b, x9}@example.org now", [("{jo, al.b, x9}@example.org", "EMAIL")]),
        ("see https://example.org/a?b=1.", [("https://example.org/a?b=1", "URL")]),
        ("on example.com today", [("example.com", "URL")]),
        ("in C:\\Users\\jo\\x.txt", [("C:\\Users\\jo\\x.txt", "PATH")]),
        ("(555) 013-2297", [("555", "NUMBER"), ("013-2297", "NUMBER")]),
        ("since 12/03/2020.", [("12/03/2020", "NUMBER")]),
        ("write mailto:jo now", [("mailto:jo", "URL")]),
        ("at www.intranet, please", [("www.intranet", "URL")]),
        ("open ftp://host/a b", [("ftp://host/a", "URL")]),
        ("from /home/jo/x on", [("/home/jo/x", "PATH")]),
        ("ask @jo or #help", [("@jo", "HANDLE"), ("#help", "HANDLE")]),
        ("sample vp_7a802-11.", [("vp_7a802-11", "CODE")]),
        ("ask jane_roe, not _her_ or ____", [("jane_roe", "LOGIN")]),
        ("in _notes_v2.pdf_ and __all__", [("notes_v2.pdf", "CODE")]),
        ("he/she and/or", []),
        ("no digits here, none.", []),
    ],
)
def test_shapes_are_found_whole(text, expected) -> None:
    assert found(text) == expected


@given(st.text(max_size=60))
def test_no_digit_is_ever_outside_a_span(text) -> None:
    covered = {
        i for span in find_spans(text, ENGLISH.numbers.ordinal) for i in range(span.start, span.end)
    }
    assert all(i in covered for i, c in enumerate(text) if c.isdecimal())


@given(st.text(max_size=60))
def test_spans_are_in_order_and_never_overlap(text) -> None:
    spans = find_spans(text, ENGLISH.numbers.ordinal)
    assert all(one.end <= other.start for one, other in pairwise(spans))
