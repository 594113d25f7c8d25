"""Stored records come back as they were, whatever text they hold."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prism_core.alignment import Match, Translation
from prism_core.cipher import Cipher
from prism_core.errors import WrongKey
from prism_core.language import Sentence, Token
from prism_core.record import Encoded, Fate, Kind, Replacement
from prism_core.state.sealed_columns import (
    SegmentLayout,
    SentenceColumns,
    SentencePlace,
    layout_from_bytes,
    layout_to_bytes,
    pack,
    translation_from_json,
    translation_to_json,
    unpack,
    unpack_text,
)

any_text = st.text(max_size=20)
tokens = st.builds(Token, any_text, any_text, any_text, any_text, any_text, any_text)
replacements = st.builds(
    Replacement,
    position=st.integers(0, 99),
    length=st.integers(1, 9),
    word=any_text,
    substitute=any_text,
    kind=st.sampled_from(Kind),
    tag=any_text,
    pool=st.integers(0, 9999),
)


class Row(NamedTuple):
    """A row of the table of sentences."""

    id: str
    answer: bytes
    decoded: bytes


def test_a_sealed_value_opens_in_its_own_row_and_column_alone() -> None:
    columns = SentenceColumns(Cipher(bytes(32), bytes(16)))
    sealed = columns.seal("answer", "a", "secret")
    assert columns.open("answer", Row("a", sealed, sealed)) == b"secret"
    for column, row in (("answer", "b"), ("decoded", "a")):
        with pytest.raises(WrongKey):
            columns.open(column, Row(row, sealed, sealed))


half_pairs = st.text(st.characters(categories=["Cs", "Ll", "Cc"]), max_size=10)


@given(st.builds(Sentence, st.lists(tokens).map(tuple)))
def test_sentences(sentence: Sentence) -> None:
    packed = pack(sentence)
    assert unpack(Sentence, packed) == sentence
    assert unpack_text(packed) == sentence.text


@given(
    st.builds(
        Encoded,
        any_text,
        st.lists(replacements).map(tuple),
        st.lists(st.sampled_from(Fate)).map(tuple),
        any_text,
    )
)
def test_encodings(encoded: Encoded) -> None:
    assert unpack(Encoded, pack(encoded)) == encoded


@given(
    st.lists(
        st.builds(
            SegmentLayout,
            any_text,
            st.lists(half_pairs | st.builds(SentencePlace, any_text, any_text)).map(tuple),
        )
    ).map(tuple)
)
def test_layouts_even_with_half_surrogate_pairs(layout: tuple[SegmentLayout, ...]) -> None:
    assert tuple(layout_from_bytes(layout_to_bytes(layout))) == layout


def test_equal_matches_are_one_object() -> None:
    one = Match((0, 3), (0, 4)), Match((4, 9), (5, 9))
    packed = translation_to_json(Translation("words", one))
    first, second = (translation_from_json(packed).matches for _ in range(2))
    assert first == second == one
    assert all(a is b for a, b in zip(first, second, strict=True))
