"""What was translated is named as being in the target language, and what stays is not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from lxml import etree

from prism_core.formats import FormatOptions, Translation, format_for
from prism_core.formats.base import language_tag
from prism_core.formats.odt.text_slots import FO, STYLE
from prism_core.formats.old_office.rich_text import language_of, locale_of
from prism_core.formats.ooxml.language import edit_styles, name_styles
from prism_core.formats.packages import parse_xml
from tests.formats.docx_files import document, member, paragraph, run, word_file
from tests.formats.odt_files import document as open_document
from tests.formats.odt_files import paragraph as open_paragraph
from tests.formats.odt_files import span as open_span
from tests.formats.odt_files import text_file, text_style
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


@pytest.mark.parametrize(
    "lang",
    [
        '<w:lang w:val="en-GB"/>',
        "<w:lang w:val = 'en-US' ></w:lang>",
        '<w:lang w:eastAsia="en-US" w:val="EN" w:bidi="ar-SA"/>',
        '<w:lang w:eastAsia="en-US"/>',
        '<w:lang\n w:val="fr-FR"/>',
        '<w:lang val="en-GB"/>',
        '<w:language w:val="en-GB"/>',
        '<w:x w:lang="en-GB" w:val="en-GB"/>',
    ],
)
@pytest.mark.parametrize("start", ["", '<?xml version="1.0" encoding="UTF-8"?>\n', "\ufeff"])
def test_styles_are_the_same_edited_and_parsed(start: str, lang: str) -> None:
    content = (start + STYLES.replace('<w:lang w:val="en-GB"/>', lang)).encode()
    parsed = parse_xml(content).getroot()
    first = name_styles(parsed, OPTIONS)
    edited = edit_styles(content, OPTIONS)
    assert edited is not None
    assert parse_xml(edited[0]).getroot().xpath("//@*") == parsed.xpath("//@*")
    assert (edited[1] is None) == (first is None)
    if edited[1] is not None and first is not None:
        assert dict(edited[1].attrib) == dict(first.attrib)
        assert edited[1].tag == first.tag


@pytest.mark.parametrize("hidden", ["<!-- {} -->", "<w:name><![CDATA[{}]]></w:name>", "<?x {}?>"])
def test_styles_are_parsed_where_something_may_look_like_a_language(hidden: str) -> None:
    within = hidden.format('<w:lang w:val="en-GB"/>')
    styles = STYLES.replace("</w:styles>", f"{within}</w:styles>")
    assert edit_styles(styles.encode(), OPTIONS) is None
    assert edit_styles(STYLES.encode("utf-16"), OPTIONS) is None
    declared = '<?xml version="1.0" encoding="iso-8859-1"?>'
    assert edit_styles((declared + STYLES).encode(), OPTIONS) is None


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


OPEN_STYLES = (
    text_style("E", 'fo:language="en" fo:country="GB" fo:font-weight="bold"')
    + text_style("F", 'fo:language="fr" fo:country="FR"')
    + '<style:default-style style:family="paragraph"><style:text-properties fo:language="en" '
    'fo:country="US" style:rfc-language-tag="en-US"/></style:default-style>'
)


def test_an_open_document_names_the_target_where_it_was_translated(tmp_path: Path) -> None:
    content = open_document(
        open_paragraph("One ", open_span("bold", "E"), " word."),
        open_paragraph("Stays ", open_span("here", "E"), "."),
        open_paragraph(open_span("Un mot.", "F")),
        styles=OPEN_STYLES,
    )
    made = translate(text_file(tmp_path / "letter.odt", content), tmp_path / "made.odt")
    root = etree.fromstring(member(made, "content.xml").encode())
    (default,) = root.iterfind(".//{*}default-style/{*}text-properties")
    assert {key.rpartition("}")[2]: value for key, value in default.items()} == {
        "language": "es",
        "country": "ES",
    }
    named = {
        style.get(f"{STYLE}name"): style[0].get(f"{FO}language")
        for style in root.iterfind(".//{*}style")
    }
    said = {
        "".join(span.itertext()): named[str(next(iter(span.values())))]
        for span in root.iterfind(".//{*}span")
    }
    assert said == {"BOLD": "es", "Stays here.": "en", "here": "en", "UN MOT.": "fr"}


def test_rich_text_names_the_target_where_it_was_translated(tmp_path: Path) -> None:
    source = tmp_path / "letter.rtf"
    source.write_text(
        r"{\rtf1\ansi\deff0\deflang1033{\fonttbl{\f0 Arial;}}{\stylesheet{\lang2057 Normal;}}"
        r"\pard\lang1033 One word.\par Stays \b here\b0 .\par\lang1031 Ein Wort.\par}"
    )
    made = translate(source, tmp_path / "made.rtf").read_text()
    assert made == (
        r"{\rtf1\ansi\deff0\deflang3082{\fonttbl{\f0 Arial;}}{\stylesheet{\lang3082 Normal;}}"
        r"\pard\lang3082 ONE WORD.\par {\lang1033 Stays }\b {\lang1033 here}\b0 {\lang1033 .}"
        r"\par\lang1031 EIN WORT.\par}"
    )


@pytest.mark.parametrize(("language", "number"), [("es", 3082), ("fr", 1036), ("de", 1031)])
def test_windows_has_numbers_for_languages(language: str, number: int) -> None:
    assert locale_of(language_tag(language)) == number
    assert language_of(number) == language
