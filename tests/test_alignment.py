"""A translation carries what its words stand for, and loses none of it when cut or framed."""

from __future__ import annotations

import pickle

from prism_core.alignment import Match, Translation

RED = Match((4, 7), (8, 12))
HOUSE = Match((8, 13), (3, 7))
LINE = Translation("La casa roja", [RED, HOUSE])


def test_matches_are_in_the_order_of_the_translation_however_they_are_given():
    assert LINE.matches == (HOUSE, RED)
    assert Translation("La casa roja", (HOUSE, RED)) == LINE


def test_a_part_keeps_the_matches_that_lie_in_it_moved_to_where_it_begins():
    part = LINE.part((4, 13), (3, 7))
    assert part == Translation("casa", [Match((4, 9), (0, 4))])


def test_other_white_space_around_it_moves_the_matches_along():
    framed = Translation(" La casa ", [Match((4, 9), (4, 8))]).framed("\n  ", "\t")
    assert framed == Translation("\n  La casa\t", [Match((7, 12), (6, 10))])


def test_borders_alone_are_no_alignment_of_words():
    assert LINE.is_aligned
    assert not Translation("La casa", [Match((3, 3), (2, 2))]).is_aligned


def test_it_reaches_the_process_that_writes_documents_as_it_is():
    assert pickle.loads(pickle.dumps(LINE)) == LINE  # noqa: S301 (our own bytes)
