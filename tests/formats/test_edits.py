"""Edits of a file's bytes: what they do not name stays, whatever order they are given in."""

from itertools import permutations

from prism_core.formats.base import Edit, apply_edits


def test_every_byte_outside_the_edits_stays_whatever_their_order():
    edits = [Edit(1, 3, b"X"), Edit(3, 3, b"+"), Edit(6, 6, b"end"), Edit(4, 5, b"")]
    assert {apply_edits(b"abcdef", given) for given in permutations(edits)} == {b"aX+dfend"}


def test_at_one_place_insertions_keep_their_order_and_come_before_a_replacement():
    replaced, first, second = Edit(2, 4, b"R"), Edit(2, 2, b"1"), Edit(2, 2, b"2")
    assert apply_edits(b"abcdef", [replaced, first, second]) == b"ab12Ref"
    assert apply_edits(b"abcdef", [second, first, replaced]) == b"ab21Ref"
