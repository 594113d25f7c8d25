"""A plain text file through the whole job, and what becomes of a file that is damaged."""

from __future__ import annotations

import pytest

from tests.end_to_end.conftest import assert_kept, assert_spanish
from tests.end_to_end.job import Workplace

pytestmark = pytest.mark.slow

NAME = "litigation/deposition-note.txt"


@pytest.fixture(scope="module")
def texts(translated: Workplace) -> tuple[str, str]:
    """The text before and after."""
    folders = (translated.input, translated.output)
    before, after = (str((folder / NAME).read_bytes(), "utf-8") for folder in folders)
    return before, after


def test_it_is_in_spanish(texts: tuple[str, str]) -> None:
    assert_spanish(texts[1])


def test_names_and_numbers_are_those_of_the_source(texts: tuple[str, str]) -> None:
    names = ("Rebecca Stone", "Michael Farrow", "Olivia Grant", "Rachel Ellison")
    assert_kept((*names, "2026-CV-03318", "(216) 555-0188", "2019"), *texts)


def test_paragraphs_and_line_endings_stay(texts: tuple[str, str]) -> None:
    before, after = texts
    assert len(after.split("\n\n")) == len(before.split("\n\n"))
    assert after.count("\r\n") == before.count("\r\n")
    assert after.endswith("\n") == before.endswith("\n")


def test_every_file_has_its_place_or_its_class(translated: Workplace) -> None:
    rows = translated.rows_by_path()
    files = {str(p.relative_to(translated.input)) for p in translated.input.rglob("*.*")}
    assert set(rows) == files
    damaged = "hospital/damaged.docx"
    assert (rows[damaged]["outcome"], rows[damaged]["failure"]) == ("failed", "corrupt")
    expected = {path + ".eml" * path.endswith(".msg") for path in files - {damaged}}
    assert translated.documents() == expected


def test_few_sentences_are_left_in_english(translated: Workplace) -> None:
    rows = translated.rows("sentences")
    left = [row for row in rows if row["outcome"] not in ("translated", "nothing-to-translate")]
    assert len(rows) > 150
    assert len(left) <= len(rows) / 10


def test_words_and_identifiers_were_replaced_in_what_was_sent(translated: Workplace) -> None:
    rows = translated.rows("documents")
    total = {name: sum(int(row[f"tokens_{name}"]) for row in rows) for name in ("replaced", "kept")}
    assert total["replaced"] > total["kept"] / 3
    assert all(row["identifiers_replaced"] == row["identifiers_detected"] for row in rows)
