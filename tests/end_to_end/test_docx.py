"""A Word file through the whole job, opened as a user's program would."""

from __future__ import annotations

import docx
import pytest
from docx.document import Document

from tests.end_to_end.conftest import assert_kept, assert_spanish
from tests.end_to_end.job import Workplace

pytestmark = pytest.mark.slow

NAME = "contracts/services-agreement.docx"


@pytest.fixture(scope="module")
def source(translated: Workplace) -> Document:
    return docx.Document(str(translated.input / NAME))


@pytest.fixture(scope="module")
def output(translated: Workplace) -> Document:
    return docx.Document(str(translated.output / NAME))


def _cells(document: Document) -> list[list[list[str]]]:
    return [[[c.text for c in row.cells] for row in table.rows] for table in document.tables]


def _text(document: Document) -> str:
    lines = [paragraph.text for paragraph in document.paragraphs]
    lines += [cell for table in _cells(document) for row in table for cell in row]
    for section in document.sections:
        lines += [p.text for p in [*section.header.paragraphs, *section.footer.paragraphs]]
    return "\n".join(lines)


def test_sentences_are_in_spanish(output: Document) -> None:
    assert_spanish(_text(output))
    for word in ("acuerdo", "contrato", "pacientes", "confidencial", "firmado"):
        assert word in _text(output).lower(), word


def test_names_and_numbers_are_those_of_the_source(source: Document, output: Document) -> None:
    names = ("Whitaker", "Adeyemi", "Laura Bennett", "Brightwater")
    numbers = ("(614) 555-0142", "(937) 555-0117", "LM-2026-00871", "43999", "2026-0417")
    assert_kept(names + numbers, _text(source), _text(output))


def test_paragraphs_and_styles_stay_in_their_places(source: Document, output: Document) -> None:
    assert [p.style.name for p in output.paragraphs] == [p.style.name for p in source.paragraphs]
    assert [bool(p.text) for p in output.paragraphs] == [bool(p.text) for p in source.paragraphs]


def test_tables_keep_their_rows_and_columns(source: Document, output: Document) -> None:
    def shape(document: Document) -> list[list[int]]:
        return [[len(row) for row in table] for table in _cells(document)]

    assert shape(output) == shape(source)
    assert len(output.tables) > 1


def test_headers_footers_and_footnotes_are_translated(source: Document, output: Document) -> None:
    before, after = source.sections[0], output.sections[0]
    assert after.header.paragraphs[0].text not in ("", before.header.paragraphs[0].text)
    assert after.footer.paragraphs[0].text not in ("", before.footer.paragraphs[0].text)
    (note,) = (p for p in output.part.package.iter_parts() if "footnotes" in str(p.partname))
    assert b"The rate is fixed" not in note.blob
    assert b" de " in note.blob


def test_the_report_has_its_row(translated: Workplace) -> None:
    row = translated.rows_by_path()[NAME]
    assert row["outcome"] in ("translated", "partly-translated")
    assert row["format"] == "docx"
    assert row["identifiers_replaced"] == row["identifiers_detected"] > 20
    assert row["tokens_replaced"] > 50
