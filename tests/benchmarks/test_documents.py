"""What compares documents before and after sees text that is gone, hidden, doubled or cut off."""

from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.documents import pdf
from benchmarks.documents.findings import Finding
from benchmarks.documents.job import Translated, lost_files
from tests.formats.pdf_samples import PROSE, drawn_pdf, lines, together


def row(source: Path, written: Path | None, *notices: str, failure: str = "") -> Translated:
    outcome = "failed" if failure else "translated"
    return Translated(source.name, source, written, "pdf", outcome, failure, notices)


def found(findings) -> dict[str, Finding]:
    return {one.check: one for one in findings if one.count}


@pytest.fixture
def source(tmp_path):
    return drawn_pdf(tmp_path / "before.pdf", lines(*PROSE))


def checked(tmp_path, source, *pages):
    return found(pdf.check(row(source, drawn_pdf(tmp_path / "after.pdf", *pages))))


def test_nothing_is_found_where_all_is_well(tmp_path, source):
    translated = [line.swapcase() for line in PROSE]
    assert checked(tmp_path, source, lines(*translated)) == {}


def test_white_tiny_and_missing_text_is_lost(tmp_path, source):
    def white(canvas):
        canvas.setFillColorRGB(1, 1, 1)
        lines(*PROSE)(canvas)

    for page in (white, lines(*PROSE, size=1), lines("Hello")):
        assert checked(tmp_path, source, page)["pages lost"].count == 1


def test_words_over_each_other_and_over_the_edge_are_found(tmp_path, source):
    page = together(lines(*PROSE), lines("somewhere else", top=763), lines("far_away", x=575))
    findings = checked(tmp_path, source, page)
    assert findings["overlapping words"].count >= 2
    assert findings["words over the edge"].count == 1


def test_a_lost_page_and_an_unchanged_page_are_found(tmp_path, source):
    before = drawn_pdf(tmp_path / "two.pdf", lines(*PROSE), lines(*PROSE))
    findings = found(pdf.check(row(before, source)))
    assert findings["page count"].count == 1
    assert findings["pages unchanged"].pages == (1,)


def test_a_sentence_cut_into_blocks_is_found(tmp_path):
    path = drawn_pdf(tmp_path / "a.pdf", lines("The committee met"), lines("on monday."))
    document = [one for one in pdf.check(row(path, path)) if one.check == "blocks in mid-sentence"]
    assert document[0].of in (1, 2)
    assert document[0].count == document[0].of - 1


def test_a_refused_file_with_text_is_found(source):
    assert found(pdf.check(row(source, None, failure="empty"))).keys() == {
        "refused (empty) with text"
    }
    assert not found(pdf.check(row(source, None, failure="restricted")))


def test_files_without_a_row_are_found(tmp_path, source):
    findings = lost_files(tmp_path, [row(source, None)])
    assert [one.check for one in findings] == ["not written"]
    empty = replace(row(source, None), outcome="nothing-to-translate")
    assert not lost_files(tmp_path / "none", [empty])
    assert [one.check for one in lost_files(tmp_path, [])] == ["without a row"]
