"""What compares office files, mail, pages and text before and after sees what a reader would."""

import re
from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from benchmarks.documents import lines, office
from benchmarks.documents.findings import Finding
from benchmarks.documents.job import Translated
from tests.formats.docx_files import BOLD, NOTE, document, member, paragraph, run, word_file

ENGLISH = '<w:lang w:val="en-US"/>'
TEXT = "This is the house of the man who was here in 1984."
SPANISH = "Esta es la casa del hombre que estaba aquí en 1984."


def row(source: Path, written: Path | None, *notices: str, failure: str = "") -> Translated:
    outcome = "failed" if failure else "translated"
    name = "" if failure else source.suffix[1:]
    return Translated(source.name, source, written, name, outcome, failure, notices)


def found(findings) -> dict[str, Finding]:
    return {one.check: one for one in findings if one.count}


@pytest.fixture
def source(tmp_path):
    body = document(paragraph(run(TEXT, ENGLISH)), paragraph("Another ", run("never", BOLD), NOTE))
    return word_file(tmp_path / "before.docx", body)


def checked(source, change):
    """What is found where ``change`` is made in a good translation of ``source``."""
    xml = member(source, "word/document.xml").replace("en-US", "es-ES")
    for before, after in ((TEXT, SPANISH), ("never", "nunca"), ("Another ", "Otro ")):
        xml = xml.replace(before, after)
    written = word_file(source.with_name("after.docx"), change(xml))
    return found(office.check(row(source, written), {}))


def test_nothing_is_found_in_a_good_translation(source):
    assert checked(source, lambda xml: xml) == {}


DEFECTS = {
    "texts lost": lambda xml: xml.replace("Otro ", "").replace("nunca", ""),
    "sentences unchanged": lambda xml: xml.replace(SPANISH, TEXT),
    "numbers lost": lambda xml: xml.replace("1984", "1948"),
    "parts lost": lambda xml: xml.replace(NOTE, ""),
    "parts added": lambda xml: xml.replace(NOTE, NOTE * 2),
    "looks lost": lambda xml: xml.replace(BOLD, ""),
    "named as English": lambda xml: xml.replace("es-ES", "en-GB"),
    "words in the source language": lambda xml: xml.replace("Otro ", "Otro yesterday "),
}


@pytest.mark.parametrize("check", DEFECTS)
def test_a_defect_is_found(source, check):
    findings = checked(source, DEFECTS[check])
    assert findings[check].count == 1
    assert not findings[check].noticed


def test_a_notice_tells_of_what_is_lost(source):
    (one,) = (
        f
        for f in office.check(row(source, source, "message:signed:1"), {})
        if f.check[:9] == "sentences"
    )
    assert (one.count, one.noticed) == (1, True)


@pytest.mark.parametrize(
    ("suffix", "before", "after", "check"),
    [
        ("txt", TEXT, TEXT, "sentences unchanged"),
        ("md", f"# {TEXT}\n\nVer `x9`.", f"# {SPANISH}\n\nVer x9.", "parts lost"),
        ("html", f"<p lang=en>{TEXT}<img src=a>", f"<p lang=es>{SPANISH}", "parts lost"),
        ("html", f"<p lang=en>{TEXT}", f"<p lang=en>{SPANISH}", "named as English"),
        ("eml", f"To: a@b.c\n\n{TEXT}", f"To: a@b.d\n\n{SPANISH}", "parts lost"),
        ("eml", f"To: a@b.c\n\n{TEXT} {TEXT}", "To: a@b.c\n\n1984, 1984.", "texts lost"),
    ],
)
def test_what_is_lost_in_other_formats_is_found(tmp_path, suffix, before, after, check):
    source, good, written = (tmp_path / f"{name}.{suffix}" for name in ("source", "good", "bad"))
    source.write_text(before)
    good.write_text(re.sub("lang=en", "lang=es", before.replace(TEXT, SPANISH)))
    written.write_text(after)
    assert found(lines.check(row(source, good))) == {}
    assert check in found(lines.check(row(source, written)))


def test_a_refused_file_with_text_is_found(tmp_path):
    source = tmp_path / "a.txt"
    source.write_text(TEXT)
    assert found(lines.check(row(source, None, failure="empty"))).keys() == {
        "refused (empty) with text"
    }
    assert not found(lines.check(row(source, None, failure="signed")))


def test_a_refused_file_that_two_programs_read_is_told_from_one_that_one_reads(source):
    refused, read = row(source, None, failure="corrupt"), office.check
    assert found(read(refused, {})).keys() == {"refused (corrupt) with text"}
    document, both = (
        Canvas(str(source.with_suffix(".pdf"))),
        "refused although two programs read it",
    )
    document.drawString(72, 700, TEXT)
    document.save()
    assert both in found(read(refused, {(source, "pdf"): source.with_suffix(".pdf")}))
