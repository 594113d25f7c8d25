"""A text in a language that is written from the right, or in other letters, is set as such."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from lxml import etree
from openpyxl import Workbook

from prism_core.formats import FormatOptions, Translation, format_for
from prism_core.formats.odt.text_slots import FO, STYLE
from tests.formats.docx_files import document, member, paragraph, run, word_file
from tests.formats.odt_files import document as open_document
from tests.formats.odt_files import paragraph as open_paragraph
from tests.formats.odt_files import text_file
from tests.formats.office_files import add_slide, edit, presentation
from tests.formats.test_language_names import RELATIONS, STYLES

SAID = {"ar": "قرار المحكمة رقم 12", "he": "בית משפט", "ja": "裁判所の決定", "es": "Una frase"}
SETTINGS = (
    '<w:settings xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">'
    '<w:themeFontLang w:val="en-US"/></w:settings>'
)


def translate(source: Path, target: str) -> Path:
    """Everything in the words of ``target``, but what begins with *Stays*."""
    form = format_for(source.suffix[1:], FormatOptions(source="en", target=target))
    read = form.read(source)
    texts = [s.text if s.text.startswith("Stays") else SAID[target] for s in read.segments]
    made = source.with_name(f"made{source.suffix}")
    form.write(read, list(map(Translation, texts)), made)
    return made


def word(tmp_path: Path, target: str) -> Path:
    table = (
        '<w:tbl><w:tblPr><w:tblW w:w="0" w:type="auto"/></w:tblPr><w:tr><w:tc>'
        f"{paragraph('One.')}</w:tc></w:tr></w:tbl>"
    )
    look = '<w:b/><w:sz w:val="28"/><w:lang w:val="en-US"/>'
    aligned = '<w:p><w:pPr><w:jc w:val="right"/></w:pPr>'
    main = document(
        paragraph(run("Named.", look)).replace("<w:p>", aligned),
        table,
        paragraph("Stays as it is."),
    )
    settings = RELATIONS.replace(
        "</Relationships>",
        '<Relationship Id="rId2" Target="settings.xml" Type="http://schemas.openxmlformats.org/'
        'officeDocument/2006/relationships/settings"/></Relationships>',
    )
    parts = {
        "word/styles.xml": STYLES,
        "word/settings.xml": SETTINGS,
        "word/_rels/document.xml.rels": settings,
    }
    return translate(word_file(tmp_path / "letter.docx", main, parts), target)


@pytest.mark.parametrize("target", ["ar", "he"])
def test_a_word_file_runs_from_the_right(tmp_path: Path, target: str) -> None:
    made = word(tmp_path, target)
    first, cell, stays = re.findall(r"<w:p>.*?</w:p>", member(made, "word/document.xml"))
    tag = {"ar": "ar-SA", "he": "he-IL"}[target]
    assert re.findall(r"<w:pPr>.*?</w:pPr>", first) == [
        '<w:pPr><w:bidi/><w:jc w:val="right"/></w:pPr>'
    ]
    assert (
        f'<w:b/><w:bCs/><w:sz w:val="28"/><w:szCs w:val="28"/><w:rtl/><w:lang w:val="{tag}"/>'
    ) in first
    assert "<w:bidi/>" in cell
    assert "<w:rtl/>" in cell
    assert "<w:bidi" not in stays
    assert "<w:rtl" not in stays
    assert "<w:tblPr><w:bidiVisual/><w:tblW" in member(made, "word/document.xml")
    assert f'<w:lang w:val="{tag}" w:bidi="{tag}"/>' in member(made, "word/styles.xml")
    assert f'w:bidi="{tag}"' in member(made, "word/settings.xml")


def test_a_word_file_names_an_east_asian_language_and_keeps_its_direction(tmp_path: Path) -> None:
    made = word(tmp_path, "ja")
    assert 'w:eastAsia="ja-JP"' in member(made, "word/styles.xml")
    assert 'w:eastAsia="ja-JP"' in member(made, "word/settings.xml")
    assert "bidi" not in member(made, "word/document.xml")


def test_other_targets_leave_direction_and_letters_alone(tmp_path: Path) -> None:
    made = word(tmp_path, "es")
    for part in ("document", "styles", "settings"):
        assert not re.search("bidi|rtl|Cs/|eastAsia", member(made, f"word/{part}.xml"))


def test_a_presentation_runs_from_the_right(tmp_path: Path) -> None:
    source = tmp_path / "slides.pptx"
    made = presentation()
    add_slide(made, "A title", "A box")
    made.save(str(source))
    edit(
        source,
        ("ppt/slides/slide1.xml", lambda xml: xml.replace("<a:p>", '<a:p><a:pPr algn="l"/>', 1)),
    )
    written = translate(source, "ar")
    slide = member(written, "ppt/slides/slide1.xml")
    assert re.findall(r"<a:pPr (.*?)/>", slide) == ['algn="r" rtl="1"', 'rtl="1"']
    master = member(written, "ppt/slideMasters/slideMaster1.xml")
    levels = re.findall(r"<a:lvl\dpPr ([^>]*)>", master[master.index("<p:bodyStyle>") :])
    assert levels
    assert all('algn="r"' in level and 'rtl="1"' in level for level in levels), levels


def test_a_workbook_begins_on_the_right(tmp_path: Path) -> None:
    source = tmp_path / "book.xlsx"
    book = Workbook()
    assert book.active is not None
    book.active.append(["The name of the patient", 12])
    book.save(source)
    made = translate(source, "ar")
    assert 'rightToLeft="1"' in member(made, "xl/worksheets/sheet1.xml")
    assert 'readingOrder="2"' in member(made, "xl/styles.xml")


OPEN_STYLES = (
    '<style:default-style style:family="paragraph"><style:paragraph-properties '
    'fo:text-align="start"/><style:text-properties fo:font-weight="bold" fo:language="en" '
    'fo:country="US"/></style:default-style>'
)


def test_an_open_document_runs_from_the_right_but_for_what_stays(tmp_path: Path) -> None:
    content = open_document(open_paragraph("One."), open_paragraph("Stays."), styles=OPEN_STYLES)
    made = translate(text_file(tmp_path / "letter.odt", content), "ar")
    root = etree.fromstring(member(made, "content.xml").encode())
    (default,) = root.iterfind(".//{*}default-style")
    sides, letters = default
    assert (sides.get(f"{STYLE}writing-mode"), sides.get(f"{FO}text-align")) == ("rl-tb", "right")
    assert letters.get(f"{STYLE}language-complex") == "ar"
    assert letters.get(f"{STYLE}font-weight-complex") == "bold"
    first, second = root.iterfind(".//{*}p")
    kept = {one.get(f"{STYLE}name"): one for one in root.iterfind(".//{*}style")}
    name = str(second.get("{urn:oasis:names:tc:opendocument:xmlns:text:1.0}style-name"))
    assert kept[name][0].get(f"{STYLE}writing-mode") == "lr-tb"
    assert "_In_source_language" not in str(first.attrib)


def test_rich_text_runs_from_the_right(tmp_path: Path) -> None:
    source = tmp_path / "letter.rtf"
    source.write_text(
        r"{\rtf1\ansi\deff0{\fonttbl{\f0 Arial;}}\pard\qr\b One\b0  word."
        r"\par\pard\ltrpar\ql Two.\par}"
    )
    made = translate(source, "ar").read_text()
    assert re.findall(r"\\\w*(?:par|pard|ql|qr)(?!\w)", made) == [
        *(r"\pard", r"\rtlpar", r"\qr", r"\ql", r"\par"),
        *(r"\pard", r"\rtlpar", r"\qr", r"\rtlpar", r"\qr", r"\par"),
    ]
    assert r"\b\ab " in made
