"""The layout of plain text: paragraphs are joined and wrapped again, everything else stays."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prism_core.formats.plain import split_plain
from tests.formats.aligned import wrap

WRAPPED = """\
The committee met on Tuesday and agreed that the work should go on, and that
a report of it should be sent to every member before the end of the month.

  * An item of a list which is long enough to have been wrapped at the width
    of the text.
  * A short one.
12. A numbered one.

> A quoted text that is quite long and was wrapped by the mail program at the
> usual width.
>> Deeper.
"""


def upper(text, **how):
    layout = split_plain(text, **how)
    return layout.join(wrap([part.upper() for part in layout.texts]))


def test_wrapped_lines_are_one_text_without_bullets_and_quote_marks():
    assert split_plain(WRAPPED).texts == (
        "The committee met on Tuesday and agreed that the work should go on, and that a report of"
        " it should be sent to every member before the end of the month.",
        "An item of a list which is long enough to have been wrapped at the width of the text.",
        "A short one.",
        "A numbered one.",
        "A quoted text that is quite long and was wrapped by the mail program at the usual width.",
        "Deeper.",
    )


def test_texts_of_equal_length_are_laid_out_as_they_were():
    assert upper(WRAPPED) == WRAPPED.upper()


def test_longer_texts_are_wrapped_at_the_width_and_under_the_margin_they_had():
    layout = split_plain(WRAPPED)
    lines = layout.join(wrap([text + " and some more words here" for text in layout.texts])).split(
        "\n"
    )
    assert max(map(len, lines)) <= 77
    assert "    of the text. and some more words here" in lines
    assert "> usual width. and some more words here" in lines


LINES = {
    "an address": "Ann Smith\n12 Mill Lane\nBath\n",
    "a heading": "CHAPTER ONE\nIn which the reader meets the garden and those who live in it.\n",
    "a verse": "The sun came up upon the left,\nOut of the sea came he!\nAnd he shone bright\n",
    "long lines": ("One paragraph on one long line. " * 8 + "\n") * 2,
    "short sentences": "The door was shut.\nNobody came.\nIt was a long, quiet afternoon there.\n",
    "a list of sentences": (
        "The door was shut and locked from the inside.\n"
        "Nobody came to open it, although we knocked for long.\n"
        "It was raining.\nWe went home.\n"
    ),
    "a greeting": "Dear Ann,\nthank you for your letter, which reached me on the Tuesday.\n",
}


@pytest.mark.parametrize("what", [what for what in LINES if what != "a greeting"])
def test_lines_that_are_not_wrapped_stay_lines(what):
    assert list(split_plain(LINES[what]).texts) == [
        line.strip() for line in LINES[what].splitlines()
    ]


def test_a_word_broken_at_its_own_hyphen_is_put_together():
    text = "It was agreed by all who had come to the meeting that the plan was well-\nmade.\n"
    assert split_plain(text).texts[0].endswith(" the plan was well-made.")


def test_a_greeting_stays_on_its_line():
    assert split_plain(LINES["a greeting"]).texts[0] == "Dear Ann,"


def test_a_table_is_read_by_cells_and_keeps_its_columns():
    table = "Name        Pieces   Price\nApples          10    3.50\n------------------------\n"
    layout = split_plain(table)
    assert layout.texts == ("Name", "Pieces", "Price", "Apples", "10", "3.50")
    assert layout.join(wrap(["Nombre", "Trozos", "Precio", "Manzanas", "10", "3,50"])) == (
        "Nombre      Trozos   Precio\nManzanas        10    3,50\n------------------------\n"
    )


def test_bars_between_cells_stay():
    text = "| Patient | Record no. |\n|---|---|\n| Anna | H-4711 |\n"
    layout = split_plain(text)
    assert layout.join(wrap(["Paciente largo", *layout.texts[1:]])).count("|") == text.count("|")


def test_tabs_between_cells_stay():
    assert upper("one\ttwo\t\tthree\n") == "ONE\tTWO\t\tTHREE\n"


def test_flowed_text_follows_its_own_marks():
    text = "A soft break \nin the text.\nA hard break\nhere.\n-- \nAnn\n"
    layout = split_plain(text, flowed=True)
    assert layout.texts == (
        "A soft break in the text.", "A hard break", "here.", "Ann",
    )  # fmt: skip
    long = layout.join(wrap(["Now " + "very " * 30 + "long.", *layout.texts[1:]]))
    assert split_plain(long, flowed=True).texts[0] == "Now " + "very " * 30 + "long."


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_line_endings_are_understood_and_kept(newline):
    text = WRAPPED.replace("\n", newline)
    assert split_plain(text).texts == split_plain(WRAPPED).texts
    assert upper(text) == text.upper()


def test_a_translation_with_a_line_break_stays_one_paragraph():
    layout = split_plain("A line.\n")
    assert layout.join(wrap(["Una\nlínea."])) == "Una línea.\n"


def test_each_text_needs_one_translation():
    with pytest.raises(ValueError, match="one translation"):
        split_plain("A line.").join([])


LAYOUT = st.text(st.sampled_from("ab A.,:>*-1)\t\r\n\f é"), max_size=200)


@given(st.one_of(st.text(max_size=100), LAYOUT), st.booleans())
def test_unchanged_texts_give_the_source_back(text, flowed):
    layout = split_plain(text, flowed)
    assert layout.join(wrap(layout.texts)) == text


@given(LAYOUT, st.booleans())
def test_texts_hold_words_and_no_line_breaks_and_nothing_else_does(text, flowed):
    layout = split_plain(text, flowed)
    assert all(any(map(str.isalnum, part)) for part in layout.texts)
    assert not any(set(part) & set("\r\n\t") for part in layout.texts)
    rest = re.sub(r"[abé]\)", "", layout.join(wrap(["" for _ in layout.texts])))  # bullets stay
    assert not any(character.isalpha() and character != "A" for character in rest)


UUENCODED = "begin 644 cat.txt\n#0V%T\n`\nend"
KEY = "-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nmQENBF\n=abcd\n-----END PGP PUBLIC KEY BLOCK-----"


@pytest.mark.parametrize("file", [UUENCODED, KEY])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_file_in_the_text_holds_no_words(file, newline):
    source = f"Here it is:\n\n{file}\n\nBest,\n".replace("\n", newline)
    layout = split_plain(source)
    assert layout.texts == ("Here it is:", "Best,")
    assert layout.join(wrap(layout.texts)) == source


def test_a_line_that_only_looks_like_a_file_is_text():
    source = "begin 644 things\nand end them\nbegin again"
    assert len(split_plain(source).texts) == 3


KEPT_LINES = {
    "one sentence a line": (
        'The name refers to the water. "Aquaticus" means the same. The plants grow slowly.\n'
        "See Smith v. Jones, No. 12-345, at p. 7; the court agreed (cf. art. 6 para. 1).\n"
        "The meeting is at 5 p.m. on Friday. It ends at 7 p.m.\n"
        "I am tired, I have a headache and I have problems with my eyes.\n"
    ),
    "two sentences": (
        "The parties met on Monday in the large room of the old court.\n"
        "They agreed on the sum that the tenant pays.\n"
    ),
    "labels": (
        "Present: Ann Smith, Bob Jones, Carl Lewis and the clerk of the court\n"
        "Apologies: Dr Grey and two members of the committee for buildings\n"
        "In the chair: Ann Smith\n"
    ),
    "quoted labels": (
        "> Present: Ann Smith, Bob Jones, Carl Lewis and the clerk of the court\n"
        "> Apologies: Dr Grey\n"
    ),
}


@pytest.mark.parametrize("what", KEPT_LINES)
def test_lines_that_are_sentences_or_labelled_stay_lines(what):
    text = KEPT_LINES[what]
    layout = split_plain(text)
    assert list(layout.texts) == [line.removeprefix("> ") for line in text.splitlines()]
    assert layout.join(wrap([text.upper() for text in layout.texts])) == text.upper()


JOINED = {
    "a sentence that ends with its line": (
        "The parties met on Monday in the large room of the old court that\n"
        "the city had lent them, because their own was being painted again.\n"
        "They agreed on the sum that the tenant pays, and on the day when he\n"
        "pays it, but not on who has to pay for the lawyers and the clerks.\n"
    ),
    "a title at the end": "On the next morning we were told that we should meet Dr.\nGrey there.\n",
    "a label and a name": (
        "Note: the parties met on Monday in the large room of the old court of\n"
        "Coimbra, which the city had lent them for the day.\n"
    ),
}


@pytest.mark.parametrize("what", JOINED)
def test_wrapped_prose_is_joined(what):
    assert split_plain(JOINED[what]).texts == (" ".join(JOINED[what].split()),)
