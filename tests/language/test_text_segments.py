"""Cutting a text for the tagger loses no character and bounds what the tagger is given."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prism_core.language.boundaries import (
    lowercase_headline,
    split_segments,
    use_plain_characters,
)
from tests.words import ENGLISH

BREAKS = "\t\n\v\f\r\x1c\x1d\x1e\x1f\x85\u2028\u2029"


@given(st.text(alphabet=st.sampled_from("ab.!? \u00a0\t\n\u2028’“\x00\ud800é"), max_size=200))
def test_pieces_tile_the_text(text: str) -> None:
    ends = [0]
    for segment in split_segments(text):
        assert segment.start == ends[-1]
        assert segment.end > segment.start
        ends.append(segment.end)
    assert ends[-1] == len(text)


@given(st.text(alphabet=st.sampled_from("abc.!?  \u00a0\n’“\x00\ud800é"), max_size=200))
def test_every_word_character_of_a_view_stands_for_one_of_the_text(text: str) -> None:
    for segment in split_segments(text):
        offsets = [segment.offset(i) for i, char in enumerate(segment.view) if char != " "]
        body = range(segment.start, segment.end)
        assert offsets == [offset for offset in body if not text[offset].isspace()]
        for i, char in enumerate(segment.view):
            assert char == " " or use_plain_characters(text[segment.offset(i)]) == char


def test_every_control_that_ends_a_line_ends_a_piece() -> None:
    for control in BREAKS:
        assert len(list(split_segments(f"one{control}two"))) == 2, repr(control)
    assert len(list(split_segments("one two\u00a0three"))) == 1


def test_blanks_after_a_break_belong_to_the_piece_that_follows() -> None:
    segments = [(segment.start, segment.end) for segment in split_segments("one \n\n  two")]
    assert segments == [(0, 6), (6, 11)]


def test_views_have_single_blanks_and_straight_quotes() -> None:
    (segment,) = split_segments("  He   said\u00a0“it’s”  ")
    assert segment.view == 'He said "it\'s"'


def test_a_long_paragraph_is_cut_after_a_sentence() -> None:
    sentence = "It goes on and on. "
    segments = list(split_segments(sentence * 2_000))
    assert len(segments) > 1
    assert all(segment.view.endswith(".") for segment in segments)


def test_a_long_line_without_sentences_is_cut_between_words() -> None:
    segments = list(split_segments("word " * 10_000))
    assert len(segments) > 1
    assert all(re.fullmatch(r"word( word)*", segment.view) for segment in segments)


def test_a_million_characters_without_a_blank_are_cut_small() -> None:
    segments = list(split_segments("see " + "x" * 1_000_000 + " there"))
    words = [word for segment in segments for word in segment.view.split()]
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
    assert lowercase_headline(text, ENGLISH) == shown


@given(st.text(alphabet=st.sampled_from("ABTHEİßﬁ .:-éÉ"), max_size=40))
def test_a_headline_in_small_letters_is_as_long(text: str) -> None:
    assert len(lowercase_headline(text, ENGLISH)) == len(text)
