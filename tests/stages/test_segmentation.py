"""Segments come apart into sentences and copied text, and nothing is lost between them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prism_core.formats.base import Segment
from prism_core.language import LanguageModel, Sentence, split_clauses
from prism_core.languages import load_language
from prism_core.stages.segmentation import Layout, join_segment, lay_out, replace_ids
from prism_core.state.sealed_columns import SentencePlace
from tests.examples import examples

WORDS = st.sampled_from(
    "The dog ran.|Hello|Mr. Smith|3.14|--| |  |\n|\t|\r\n|\x0b|\u2028|\u00a0|\ud800|ünï|“Stop!”|"
    "\x00|12|e.g.|日本語|🙂".split("|")
)
texts = st.lists(WORDS, max_size=8).map("".join) | st.text(max_size=40)


def named(text: str) -> str:
    return f"id of {text}"


CLAUSES = st.sampled_from(
    [
        "The dog ran home; it was late, and the cat sat there.  ",
        "Anna, who saw the dog, said that the cat had gone home.\t",
        "He left (it was late; the dog ran home) when the cat came in.",
    ]
)


def by_clauses(sentence: Sentence) -> list[Sentence]:
    return split_clauses(sentence, load_language("en"))


def in_english(
    *segments: Segment, cut: Callable[[Sentence], Sequence[Sentence]] = lambda one: [one]
) -> tuple[Layout, dict[str, Sentence]]:
    layout, found = lay_out(
        segments, lambda _: "en", LanguageModel.load, cut=lambda sentence, _: cut(sentence)
    )
    return layout, found.get("en", {})


def test_each_line_is_cut_by_the_model_of_its_language() -> None:
    lines = {"El perro corrió. El gato duerme.": "es", "The dog ran.": "en", "Total": "es"}
    layout, found = lay_out(
        [Segment("The dog ran.\nEl perro corrió. El gato duerme."), Segment("Total")],
        lambda line: lines[line],
        LanguageModel.load,
    )
    assert {source: list(texts) for source, texts in found.items()} == {
        "en": ["The dog ran."],
        "es": ["El perro corrió.", "El gato duerme.", "Total"],
    }
    assert [place.sentence for place in layout[0].places()] == [*found["en"], *found["es"]][:3]


@settings(deadline=None, max_examples=examples(150))
@given(st.lists(texts | CLAUSES, max_size=4), st.sampled_from([lambda one: [one], by_clauses]))
def test_the_pieces_give_every_segment_back(sources: list[str], cut) -> None:
    layout, found = in_english(*(Segment(text, "cell") for text in sources), cut=cut)
    layout = replace_ids(layout, {text: named(text) for text in found})
    untranslated = {named(text): (sentence.text, None) for text, sentence in found.items()}
    pairs = [join_segment(segment, untranslated) for segment in layout]
    assert [(read, said.text) for read, said in pairs] == [(text, text) for text in sources]
    for text, sentence in found.items():
        assert text == sentence.text
        assert sentence.text == sentence.text.strip()
        assert any(character.isalpha() for character in sentence.text)
        assert not any(character in sentence.text for character in "\n\t\r\x0b\x00\u2028\ud800")


def pieces(text: str) -> list[str]:
    """The sentences of ``text`` in brackets, and what is copied."""
    layout, found = in_english(Segment(text))
    return [
        f"[{found[piece.sentence].text}]{piece.trailing}"
        if isinstance(piece, SentencePlace)
        else piece
        for piece in layout[0].pieces
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The dog ran.  The cat sat.", ["[The dog ran.]  ", "[The cat sat.]"]),
        ("Total\t1,234.50\n", ["[Total]", "\t1,234.50\n"]),
        ("  Name:\nAnna", ["  ", "[Name:]", "\n", "[Anna]"]),
        ("12 / 34", ["12 / 34"]),
        ("", []),
    ],
)
def test_breaks_numbers_and_outer_space_are_copied(text: str, expected: list[str]) -> None:
    assert pieces(text) == expected


def test_equal_sentences_are_one_whatever_follows_them() -> None:
    _, found = in_english(Segment("The dog ran. The cat sat."), Segment("The dog ran.\n"))
    assert len(found) == 2
