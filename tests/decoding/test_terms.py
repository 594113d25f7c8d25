"""Defined terms are rendered alike in all of a document."""

from __future__ import annotations

import re

import pytest

from prism_core.alignment import Match, Translation
from prism_core.decoding import unify_terms
from prism_core.dictionary import Dictionary, Form, with_terms
from prism_core.dictionary.glossary import Term
from tests.words import ENGLISH, dictionary, entry

MARK = re.compile(r"\{(.*?)\|(.*?)\}")


def text_of(marked: str) -> tuple[str, Translation]:
    """Source and translation of a text that has ``{source|translation}`` for each aligned word;
    other words stand in both."""
    source = target = ""
    matches, done = [], 0
    for mark in MARK.finditer(marked):
        between = marked[done : mark.start()]
        source, target = source + between, target + between
        spans = (len(source), len(source) + len(mark[1])), (len(target), len(target) + len(mark[2]))
        matches.append(Match(*spans))
        source, target, done = source + mark[1], target + mark[2], mark.end()
    return source + marked[done:], Translation(target + marked[done:], matches)


def unified(*marked: str, defined=("Closing Date",), words: Dictionary | None = None) -> list[str]:
    texts = {str(n): text_of(one) for n, one in enumerate(marked)}
    done = unify_terms(texts, defined, dictionary() if words is None else words)
    for source, translation in done.values():
        for match in translation.matches if translation else ():
            assert match.target[1] <= len(translation.text)
            assert match.source[1] <= len(source)
    return [translation.text for _, translation in done.values()]


USUAL = "{Closing|Fecha} {Date|Cierre}"


def test_what_most_sentences_have_is_put_where_others_have_something_else() -> None:
    odd = "now {Closing|Encierro} {Date|Cita} {ends|acaba}"
    assert unified(USUAL, odd, USUAL)[1] == "now Fecha Cierre acaba"


def test_the_alignment_of_what_was_put_in_and_of_what_follows_it_is_kept() -> None:
    texts = {"a": text_of(USUAL), "b": text_of("{Closing|E} {Date|C} {ends|acaba}")}
    done = unify_terms({**texts, "c": texts["a"]}, ["Closing Date"], dictionary())["b"][1]
    assert done is not None
    shown = {source: done.text[slice(*target)] for source, target in done.matches}
    assert shown == {(0, 12): "Fecha Cierre", (13, 17): "acaba"}


@pytest.mark.parametrize(
    "left",
    [
        "{Closing|Fechas} {Date|Cierres}",  # grammar asks for its endings
        "{Closing|E} Date",  # of one word it is not known where it is
        "{Closing|E} und so on und so {Date|C}",  # there is much between
        "{closing|E} {date|C}",
    ],
)
def test_what_may_be_right_or_is_not_known_stays(left) -> None:
    assert unified(USUAL, left, USUAL)[1] == text_of(left)[1].text


def test_the_letter_case_is_made_one_and_a_sentence_begins_with_a_capital() -> None:
    lower = "so {Closing|fecha} {Date|cierre}"
    done = unified(lower, lower, f"so {USUAL}", "{Closing|E} {Date|C}")
    assert done == ["so fecha cierre"] * 3 + ["Fecha cierre"]


def test_singular_and_plural_are_of_one_kind_each_as_it_is_written() -> None:
    plural = "two {Closing|Fechas} {Dates|Cierre}"
    odd = "two {Closing|Citas} {Dates|Fin}"
    assert unified(USUAL, USUAL, plural, odd)[3] == "two Fechas Cierre"


def test_the_longest_term_is_taken() -> None:
    plain = "{Closing|Encierro} here"
    assert unified(USUAL, plain, USUAL, plain, defined=("Closing", "Closing Date")) == [
        "Fecha Cierre",
        "Encierro here",
        "Fecha Cierre",
        "Encierro here",
    ]


def test_an_article_fits_what_was_put_in() -> None:
    gender = {"la": "Fem", "el": "Masc"}
    rules = [
        Form(text, 1.0, (f"Gender={g}", "Number=Sing", "Initial=abcdefghijklmnopqrstuvwxyz"))
        for text, g in gender.items()
    ]
    date = entry("date", forms=["fecha"]).replace_forms(
        [Form("fecha", 1.0, ("Gender=Fem", "Number=Sing"))]
    )
    words = Dictionary(
        [date, *(entry(one, "BEFORE").replace_forms(rules) for one in gender)], {}, "t", ENGLISH
    )
    odd = "in el {Date|Datado} of"
    assert unified("{Date|Fecha}", odd, "{Date|Fecha}", defined=["Date"], words=words)[1] == (
        "in la Fecha of"
    )


def test_a_term_of_the_glossary_is_as_that_says_and_what_was_not_asked_for_stays() -> None:
    words = with_terms(dictionary(), [Term(1, "Closing Date", ("Fecha de Cierre",))])
    odd = "{Closing|E} {Date|C}"
    assert unified(USUAL, odd, USUAL, words=words)[1] == "E C"
    texts = {"a": text_of(USUAL), "b": ("Closing Date", Translation("Reviewed")), "c": ("x", None)}
    assert unify_terms(texts, ["Closing Date"], dictionary()) == texts
