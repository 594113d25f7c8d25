"""What was translated is named as being in the target language, and what stays is not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from prism_core.formats import FormatOptions, Translation, format_for
from prism_core.formats.ooxml import language_tag
from tests.formats.docx_files import document, member, paragraph, run, word_file
from tests.formats.office_files import add_slide, edit, presentation

OPTIONS = FormatOptions(source="en", target="es")
WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
STYLES = (
    f'<w:styles xmlns:w="{WORD}"><w:docDefaults><w:rPrDefault><w:rPr><w:lang w:val="en-GB"/>'
    '</w:rPr></w:rPrDefault></w:docDefaults><w:style w:styleId="A"><w:rPr><w:lang w:val="fr-FR"/>'
    "</w:rPr></w:style></w:styles>"
)
RELATIONS = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="rId1" Target="styles.xml" Type="http://schemas.openxmlformats.org/'
    'officeDocument/2006/relationships/styles"/></Relationships>'
)


def translate(source: Path, target: Path, options: FormatOptions = OPTIONS) -> Path:
    """Everything in capitals but what begins with *Stays*."""
    form = format_for(source.suffix[1:], options)
    read = form.read(source)
    texts = [s.text if s.text.startswith("Stays") else s.text.upper() for s in read.segments]
    form.write(read, list(map(Translation, texts)), target)
    return target


@pytest.fixture
def letter(tmp_path: Path) -> Path:
    main = document(
        paragraph(run("Named.", '<w:lang w:val="en-US"/>')),
        paragraph("Not named."),
        paragraph(run("Stays as it is.", "<w:b/>")),
        paragraph(run("Stays in German.", '<w:lang w:val="de-DE"/>')),
    )
    extra = {"word/styles.xml": STYLES, "word/_rels/document.xml.rels": RELATIONS}
    return word_file(tmp_path / "letter.docx", main, extra)


def test_a_word_file_names_the_target_where_it_was_translated(letter: Path) -> None:
    made = translate(letter, letter.with_name("made.docx"))
    styles = member(made, "word/styles.xml")
    assert re.findall(r'w:val="(\w\w-\w\w)"', styles) == ["es-ES", "fr-FR"]
    runs = re.findall(r"<w:r>.*?</w:r>", member(made, "word/document.xml"))
    named = {re.sub(r"<.*?>", "", one): re.findall(r'lang w:val="(.*?)"', one) for one in runs}
    assert named == {
        "NAMED.": ["es-ES"],
        "NOT NAMED.": [],
        "Stays as it is.": ["en-GB"],
        "Stays in German.": ["de-DE"],
    }


def test_nothing_is_named_where_nothing_was_translated(letter: Path) -> None:
    form = format_for("docx", OPTIONS)
    read = form.read(letter)
    made = letter.with_name("made.docx")
    form.write(read, [Translation(segment.text) for segment in read.segments], made)
    assert made.read_bytes() == letter.read_bytes()


def test_a_presentation_names_the_target_where_it_was_translated(tmp_path: Path) -> None:
    source = tmp_path / "slides.pptx"
    made = presentation()
    add_slide(made, "A title", "Stays.")
    made.save(str(source))
    part = "ppt/slides/slide1.xml"
    edit(source, (part, lambda xml: re.sub("<a:r>", '<a:r><a:rPr lang="en-US"/>', xml)))
    xml = member(translate(source, tmp_path / "made.pptx"), part)
    assert re.findall(r'lang="(.*?)".*?<a:t>(.*?)</a:t>', xml) == [
        ("es-ES", "A TITLE"),
        ("en-US", "Stays."),
    ]


@pytest.mark.parametrize(("code", "tag"), [("es", "es-ES"), ("en", "en-US"), ("nds", "nds")])
def test_languages_are_named_with_a_country(code: str, tag: str) -> None:
    assert language_tag(code) == tag
