"""What is written for review is read again as it was, in each kind of file."""

from __future__ import annotations

import stat
from dataclasses import replace
from pathlib import Path

import pytest
from lxml import etree

from prism_core.cat.review import Correction, Reason, ReviewUnit, read_review, write_review
from prism_core.errors import ConfigurationError, WrongKey
from prism_core.translation_memory import FuzzyMatch

KEY = bytes(range(32))
UNITS = [
    ReviewUnit("a1", "b.txt", "paragraph 1", "All <is> well & good.", "Todo bien.", Reason.UNSURE),
    ReviewUnit(
        *("a2", "b.txt", "paragraph 2", '=SUM(A1) "now".', "", Reason.WITHHELD, "leak", 2),
        match=FuzzyMatch(80, '=SUM(A2) "now".', "Agora.", (("A1", "A2"),)),
    ),
    ReviewUnit("a3", "a/ü.txt", "cell 3", "One two.", "Uno two.", Reason.UNTRANSLATED, "1 words"),
]
MATCH = {
    "review.tsv": "80 %: A1 ← A2\tAgora.",
    "review.xlf": '<alt-trans match-quality="80%" origin="80 %: A1 ← A2">',
}
NAMES = ("review.xlf", "review.tsv", "review.xlsx")


def write(path: Path, *, newest: bool = False, key: bytes | None = None) -> Path:
    assert write_review(path, UNITS, ("en", "es"), newest=newest, key=key) == 0
    return path


def translate_all(path: Path) -> None:
    """Every unit gets a translation, as a person would give it."""
    given = [replace(unit, translation=f"= «{unit.id}»") for unit in UNITS]
    write_review(path, given, ("en", "es"), replace=True)


@pytest.mark.parametrize("name", NAMES)
def test_what_comes_back_is_what_was_written_and_given(tmp_path: Path, name: str) -> None:
    path = write(tmp_path / name)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    found = {one.id: one for one in read_review(path, lambda: KEY)}
    expected = {unit.id: (unit.source, unit.translation) for unit in UNITS if unit.translation}
    assert {i: (one.source, one.translation) for i, one in found.items()} == expected
    assert not any(one.approved for one in found.values()), "nobody has looked at it"
    translate_all(path)
    found = {one.id: one for one in read_review(path, lambda: KEY)}
    assert {i: (one.source, one.translation) for i, one in found.items()} == {
        unit.id: (unit.source, f"= «{unit.id}»") for unit in UNITS
    }


@pytest.mark.parametrize("name", MATCH)
def test_a_suggestion_stands_beside_its_sentence_and_never_comes_back(
    tmp_path: Path, name: str
) -> None:
    path = write(tmp_path / name)
    assert path.read_text("utf-8-sig").count(MATCH[name]) == 1
    assert "a2" not in {one.id for one in read_review(path, lambda: KEY)}


@pytest.mark.parametrize("name", NAMES)
def test_what_is_sealed_needs_its_key_and_shows_no_text(tmp_path: Path, name: str) -> None:
    path = write(tmp_path / f"{name}.sealed", key=KEY)
    assert b"well" not in path.read_bytes()
    assert len(list(read_review(path, lambda: KEY))) == 2
    with pytest.raises(WrongKey):
        list(read_review(path, lambda: bytes(32)))


def test_the_worst_comes_first_in_a_table_and_the_worst_document_in_xliff(tmp_path: Path) -> None:
    rows = write(tmp_path / "r.tsv").read_text("utf-8-sig").splitlines()
    assert [row.split("\t")[0] for row in rows] == ["id", "a2", "a3", "a1"]
    tree = etree.parse(write(tmp_path / "r.xlf"))
    assert [file.get("original") for file in tree.getroot()] == ["b.txt", "a/ü.txt"]
    assert [unit.get("id") for unit in tree.iter("{*}trans-unit")] == ["a2", "a1", "a3"]


@pytest.mark.parametrize(
    ("newest", "before", "after"),
    [
        (False, 'approved="no"', 'approved="yes"'),
        (False, 'state="needs-review-translation"', 'state="signed-off"'),
        (True, 'state="initial"', 'state="reviewed"'),
    ],
)
def test_a_state_that_a_person_sets_confirms_a_translation_as_it_stands(
    tmp_path: Path, *, newest: bool, before: str, after: str
) -> None:
    path = write(tmp_path / "r.xlf", newest=newest)
    text = path.read_text()
    assert before in text
    path.write_text(text.replace(before, after))
    found = {one.id: one for one in read_review(path, lambda: KEY)}
    assert found["a1"].approved
    assert found["a3"].approved
    # A sentence that stands in the source language is one only if a person says so.
    assert ("a2" in found) == ('approved="yes"' in after)


def test_marks_that_a_tool_puts_in_and_parts_that_it_splits_into_are_read_as_text(
    tmp_path: Path,
) -> None:
    path = tmp_path / "r.xlf"
    path.write_text(
        '<xliff version="2.1" xmlns="urn:oasis:names:tc:xliff:document:2.0" srcLang="en">'
        '<file id="f1"><unit id="u"><segment><source>One <pc id="1">two</pc>. </source>'
        '<target>Uno <pc id="1">dos</pc>. </target></segment><ignorable><source/></ignorable>'
        "<segment><source>Three.</source><target>Tres.</target></segment></unit></file></xliff>"
    )
    (found,) = read_review(path, lambda: KEY)
    assert (found.source, found.translation) == ("One two. Three.", "Uno dos. Tres.")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("r.xlf", b"<a/>"),
        ("r.xlf", b"not xml"),
        ("r.xlf", b'<!DOCTYPE a [<!ENTITY e "x">]><a>&e;</a>'),
        ("r.tsv", b"one\ttwo\n"),
        ("r.tsv", b"\xff\xfe\x00"),
        ("r.xlsx", b"PK"),
        ("r.pdf", b""),
    ],
)
def test_a_file_that_is_no_review_is_refused(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ConfigurationError):
        list(read_review(tmp_path / name, lambda: KEY))


def test_columns_may_have_changed_places(tmp_path: Path) -> None:
    path = tmp_path / "r.tsv"
    path.write_text("note\tApproved\ttranslation\tid\tsource\nx\tYes\tUno.\tu\tOne.\n")
    (found,) = read_review(path, lambda: KEY)
    assert found == Correction("u", "One.", "Uno.", approved=True)
