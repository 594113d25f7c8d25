"""Cutting a text for the tagger loses no character and bounds what the tagger is given."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prism_core.language.pieces import cut, plain, small_headline
from tests.words import ENGLISH

BREAKS = "\t\n\v\f\r\x1c\x1d\x1e\x1f\x85\u2028\u2029"


@given(st.text(alphabet=st.sampled_from("ab.!? \u00a0\t\n\u2028’“\x00\ud800é"), max_size=200))
def test_pieces_tile_the_text(text: str) -> None:
    ends = [0]
    for piece in cut(text):
        assert piece.start == ends[-1]
        assert piece.end > piece.start
        ends.append(piece.end)
    assert ends[-1] == len(text)


@given(st.text(alphabet=st.sampled_from("abc.!?  \u00a0\n’“\x00\ud800é"), max_size=200))
def test_every_word_character_of_a_view_stands_for_one_of_the_text(text: str) -> None:
    for piece in cut(text):
        offsets = [piece.offset(i) for i, char in enumerate(piece.view) if char != " "]
        body = range(piece.start, piece.end)
        assert offsets == [offset for offset in body if not text[offset].isspace()]
        for i, char in enumerate(piece.view):
            assert char == " " or plain(text[piece.offset(i)]) == char


def test_every_control_that_ends_a_line_ends_a_piece() -> None:
    for control in BREAKS:
        assert len(list(cut(f"one{control}two"))) == 2, repr(control)
    assert len(list(cut("one two\u00a0three"))) == 1


def test_blanks_after_a_break_belong_to_the_piece_that_follows() -> None:
    pieces = [(piece.start, piece.end) for piece in cut("one \n\n  two")]
    assert pieces == [(0, 6), (6, 11)]


def test_views_have_single_blanks_and_straight_quotes() -> None:
    (piece,) = cut("  He   said\u00a0“it’s”  ")
    assert piece.view == 'He said "it\'s"'


def test_a_long_paragraph_is_cut_after_a_sentence() -> None:
    sentence = "It goes on and on. "
    pieces = list(cut(sentence * 2_000))
    assert len(pieces) > 1
    assert all(piece.view.endswith(".") for piece in pieces)


def test_a_long_line_without_sentences_is_cut_between_words() -> None:
    pieces = list(cut("word " * 10_000))
    assert len(pieces) > 1
    assert all(re.fullmatch(r"word( word)*", piece.view) for piece in pieces)


def test_a_million_characters_without_a_blank_are_cut_small() -> None:
    pieces = list(cut("see " + "x" * 1_000_000 + " there"))
    words = [word for piece in pieces for word in piece.view.split()]
    assert words[0] == "see"
    assert words[-1] == "there"
    assert max(map(len, words)) == 1_000
    assert sum(map(len, words[1:-1])) == 1_000_000


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("General Provisions", "General provisions"),
        ("Daily", "daily"),
        ("WEIGHT STABLE. NO PAIN.", "Weight stable. No pain."),
        ("Balance: Walking Frame", "Balance: walking frame"),
        ("Municipality of Port Zorgle", "Municipality of Port Zorgle"),
        ("Weekly Report, Ingrid Zorgle", "Weekly report, Ingrid Zorgle"),
        ("The Old Forge, Mill Lane", "The Old Forge, Mill Lane"),
        ("The Kitchen was clean", "The Kitchen was clean"),
        ("Memo From Will To Staff", "Memo From Will To Staff"),
        ("Interview Of May", "Interview Of May"),
        ("PATIENT WILL RETURN", "Patient will return"),
    ],
)
def test_a_headline_is_shown_in_small_letters_but_for_what_may_be_a_name(text, shown) -> None:
    assert small_headline(text, ENGLISH) == shown


@given(st.text(alphabet=st.sampled_from("ABTHEİßﬁ .:-éÉ"), max_size=40))
def test_a_headline_in_small_letters_is_as_long(text: str) -> None:
    assert len(small_headline(text, ENGLISH)) == len(text)
