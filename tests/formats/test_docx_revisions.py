"""Tracked changes as the user's policy has them: nothing that was deleted comes back."""

from __future__ import annotations

import subprocess
from pathlib import Path

import docx
import pytest

from prism_core.errors import DocumentFailure
from prism_core.formats import FormatOptions, format_for
from tests.formats.aligned import wrap
from tests.formats.docx_files import document, member, paragraph, run, word_file
from tests.formats.rewriting import failure_of

BY = "w:author='Ann' w:date='2026-01-02T00:00:00Z'"
CELLS = "<w:tr>{}<w:tc><w:tcPr><w:tcW w:w='4000' w:type='dxa'/></w:tcPr>{}</w:tc></w:tr>"
GRID = "<w:tblGrid><w:gridCol w:w='4000'/></w:tblGrid>"
REVISED = document(
    paragraph(
        run("The price is "),
        f"<w:del w:id='1' {BY}><w:r><w:delText>nine</w:delText></w:r></w:del>",
        f"<w:ins w:id='2' {BY}>{run('ten')}</w:ins>",
        run(" pounds."),
    ),
    paragraph(f"<w:moveFrom w:id='3' {BY}>{run('From above.')}</w:moveFrom>", run("It stays.")),
    paragraph(f"<w:moveTo w:id='4' {BY}>{run('From above.')}</w:moveTo>", run(" Here too.")),
    paragraph(run("Loud.", f"<w:b/><w:rPrChange w:id='5' {BY}><w:rPr/></w:rPrChange>")),
    f"<w:p><w:pPr><w:rPr><w:del w:id='6' {BY}/></w:rPr></w:pPr>{run('First half ')}</w:p>",
    paragraph(run("second half.")),
    f"<w:tbl><w:tblPr/>{GRID}{CELLS.format('', paragraph(run('Row kept.')))}"
    + CELLS.format(f"<w:trPr><w:del w:id='7' {BY}/></w:trPr>", paragraph(run("Row struck.")))
    + CELLS.format(f"<w:trPr><w:ins w:id='8' {BY}/></w:trPr>", paragraph(run("Row new.")))
    + "</w:tbl>",
    paragraph(run("The end.")),
)
FINAL = (
    "THE PRICE IS TEN POUNDS. IT STAYS. FROM ABOVE. HERE TOO. LOUD. FIRST HALF SECOND HALF. "
    "ROW KEPT. ROW NEW. THE END."
)
ORIGINAL = (
    "THE PRICE IS NINE POUNDS. FROM ABOVE.IT STAYS. HERE TOO. LOUD. FIRST HALF SECOND HALF. "
    "ROW KEPT. ROW STRUCK. THE END."
)


def translated(tmp_path: Path, policy: str, main: str = REVISED) -> Path:
    """The document in capitals."""
    source, target = word_file(tmp_path / "in.docx", main), tmp_path / f"{policy}.docx"
    handler = format_for("docx", FormatOptions("en", "es", tracked_changes=policy))
    read = handler.read(source)
    handler.write(read, wrap([segment.text.upper() for segment in read.segments]), target)
    return target


@pytest.mark.parametrize(("policy", "expected"), [("final", FINAL), ("original", ORIGINAL)])
def test_a_document_is_as_if_its_changes_were_accepted_or_rejected(
    tmp_path: Path, policy: str, expected: str
) -> None:
    target = translated(tmp_path, policy)
    xml = member(target, "word/document.xml")
    assert not [word for word in ("w:del", "w:ins", "w:move", "Change") if f"{word}" in xml]
    opened = docx.Document(str(target))
    text = [
        " ".join(cell.text for row in block.rows for cell in row.cells)
        if isinstance(block, docx.table.Table)
        else block.text
        for block in opened.iter_inner_content()
    ]
    assert " ".join(" ".join(text).split()) == expected
    assert ("FIRST HALF SECOND HALF." in text) is (policy == "final")
    (loud,) = (p.runs[0] for p in opened.paragraphs if "LOUD" in p.text)
    assert bool(loud.bold) is (policy == "final")


def test_libreoffice_reads_what_is_final(tmp_path: Path) -> None:
    target = translated(tmp_path, "final")
    subprocess.run(
        [
            *("soffice", "--headless", f"-env:UserInstallation={(tmp_path / 'lo').as_uri()}"),
            *("--convert-to", "txt:Text (encoded):UTF8", "--outdir", tmp_path, target),
        ],
        check=True,
        capture_output=True,
        timeout=120,
    )
    said = (tmp_path / "final.txt").read_text("utf-8-sig")
    assert " ".join(said.split()) == FINAL


def test_text_that_was_only_deleted_is_gone_where_nothing_else_changes(tmp_path: Path) -> None:
    struck = f"<w:del w:id='1' {BY}><w:r><w:delText>secret</w:delText></w:r></w:del>"
    target = translated(tmp_path, "final", document(paragraph(run("DONE."), struck)))
    assert "secret" not in member(target, "word/document.xml")


def test_a_document_with_changes_is_refused_on_request_and_another_is_not(tmp_path: Path) -> None:
    assert failure_of(translated, tmp_path, "refuse") == DocumentFailure.TRACKED_CHANGES
    assert translated(tmp_path, "refuse", document(paragraph(run("None.")))).exists()
