"""Cuts of a translation: nothing is lost or doubled, words stay whole, known places are exact."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prism_core.formats.text.splitting import partition

WORDS = st.lists(st.text("abcé1.:", min_size=1, max_size=5), min_size=1, max_size=6).map(" ".join)


@given(st.data())
def test_slices_joined_are_the_translation_and_no_word_is_split(data):
    texts = data.draw(st.lists(WORDS.map(lambda text: text + " "), min_size=1, max_size=5))
    hard = data.draw(st.lists(st.booleans(), min_size=len(texts) - 1, max_size=len(texts) - 1))
    translation = data.draw(WORDS)
    slices, _ = partition(texts, hard, translation)
    assert len(slices) == len(texts)
    assert "".join(slices) == translation
    end = 0
    for text in slices[:-1]:
        end += len(text)
        around = translation[max(end - 1, 0) : end + 1]
        assert not re.fullmatch(r"[^\W\d]{2}", around), (slices, translation)


@pytest.mark.parametrize(
    ("texts", "hard", "translation", "expected"),
    [
        (["Note:", " look here"], [False], "Nota: mire aquí", ["Nota:", " mire aquí"]),
        (["Ask ", "Dr Jones", " now"], [False] * 2, "Pregunte a Dr Jones ya", None),
        (["See ", "www.a.com", "."], [True] * 2, "Vea www.a.com.", ["Vea ", "www.a.com", "."]),
        (["H", "2", "O"], [False] * 2, "H2O", ["H", "2", "O"]),
        (["One.", " Two."], [True], "Uno. Dos.", ["Uno.", " Dos."]),
        (["", "all of it"], [True], "todo ello", ["", "todo ello"]),
        (["all of it", " "], [True], "todo ello", ["todo ello", ""]),
        (["one two ", "three four"], [True], "uno dos tres cuatro", ["uno dos ", "tres cuatro"]),
        (["a", "b"], [True], "palabra", ["palabra", ""]),
        (["Affirms", " the need"], [False], "Afirma la necesidad", ["Afirma ", "la necesidad"]),
        (["some text"], [], "un texto", ["un texto"]),
    ],
)
def test_cuts_fall_where_they_should(texts, hard, translation, expected):
    wanted = expected or ["Pregunte a ", "Dr Jones", " ya"]
    assert partition(texts, hard, translation)[0] == wanted


def test_a_change_of_format_without_a_known_place_is_given_up_and_counted():
    result = partition(["it is ", "very", " good for us"], [False, False], "nos conviene mucho")
    assert result == (["", "", "nos conviene mucho"], 2)


def test_matches_that_cross_are_not_trusted_together():
    slices, _ = partition(["x ", "9 y ", "8 z"], [False, False], "8 a 9 b")
    assert sum(bool(text) for text in slices) < 3
    assert "".join(slices) == "8 a 9 b"
    assert slices[0] == ""
