"""Word files: all text that readers see is read, and can be replaced."""

import re
import zipfile

import docx
import pytest

from prism_core.formats import read_document
from tests.formats.docx_files import (
    BOLD,
    NAMESPACES,
    STRICT,
    document,
    field,
    member,
    one,
    paragraph,
    run,
    word_file,
)
from tests.formats.rewriting import found, texts, translated

CONTAINERS = {
    "a hyperlink": "<w:hyperlink r:id='rId9'>{}</w:hyperlink>",
    "a tracked insertion": "<w:ins w:id='1' w:author='Ann'>{}</w:ins>",
    "moved text": "<w:moveTo w:id='1' w:author='Ann'>{}</w:moveTo>",
    "a smart tag": "<w:smartTag w:element='place'>{}</w:smartTag>",
    "a simple field": "<w:fldSimple w:instr='REF a'>{}</w:fldSimple>",
    "a content control": "<w:sdt><w:sdtPr/><w:sdtContent>{}</w:sdtContent></w:sdt>",
    "nested containers": "<w:ins w:id='1'><w:hyperlink r:id='x'>{}</w:hyperlink></w:ins>",
}


@pytest.mark.parametrize("what", CONTAINERS)
def test_text_inside_a_paragraph_is_reached(tmp_path, what):
    source = one(tmp_path, "Before ", CONTAINERS[what].format(run("inside")), " after.")
    assert texts(source) == ["Before inside after."]
    target, _ = translated(tmp_path, source, str.upper)
    assert texts(target) == ["BEFORE INSIDE AFTER."]


BOX = "<w:txbxContent>" + paragraph("In the box.") + "</w:txbxContent>"
BLOCKS = {
    "a nested table": (
        "<w:tbl><w:tr><w:tc><w:tbl><w:tr><w:tc>{}</w:tc></w:tr></w:tbl></w:tc></w:tr></w:tbl>"
    ),
    "a content control": "<w:sdt><w:sdtPr/><w:sdtContent>{}</w:sdtContent></w:sdt>",
    "custom XML": "<w:customXml w:element='a'>{}</w:customXml>",
    "a text box": "<w:p><w:r><w:pict><v:textbox><w:txbxContent>{}</w:txbxContent></v:textbox>"
    "</w:pict></w:r></w:p>",
}


@pytest.mark.parametrize("what", BLOCKS)
def test_paragraphs_are_found_wherever_they_stand(tmp_path, what):
    main = document("First.", BLOCKS[what].format(paragraph("Deep down.")), "Last.")
    source = word_file(tmp_path / "source.docx", main)
    assert texts(source) == ["First.", "Deep down.", "Last."]
    target, _ = translated(tmp_path, source, str.upper)
    assert texts(target) == ["FIRST.", "DEEP DOWN.", "LAST."]


def alternatives(choice, fallback):
    return (
        "<w:r><mc:AlternateContent><mc:Choice Requires='wps'><w:drawing>"
        f"<w:txbxContent>{choice}</w:txbxContent></w:drawing></mc:Choice><mc:Fallback><w:pict>"
        f"<w:txbxContent>{fallback}</w:txbxContent></w:pict></mc:Fallback></mc:AlternateContent>"
        "</w:r>"
    )


def test_the_copy_of_a_text_box_for_older_programs_is_the_same_text(tmp_path):
    box = alternatives(paragraph("In ", run("the", BOLD), " box."), paragraph("In the box."))
    source = one(tmp_path, "Around. ", box)
    assert texts(source) == ["Around.", "In the box."]
    target, _ = translated(tmp_path, source, lambda text: f"{len(texts(source))}: {text.upper()}")
    assert texts(target) == ["2: AROUND.", "2: IN THE BOX."]
    assert "the box" not in member(target, "word/document.xml")


def test_a_copy_that_says_something_else_is_a_text_of_its_own(tmp_path):
    source = one(tmp_path, alternatives(paragraph("The box."), paragraph("Get a newer program.")))
    assert texts(source) == ["The box.", "Get a newer program."]


def test_equal_texts_of_two_boxes_are_two_texts(tmp_path):
    box = alternatives(paragraph("The box."), paragraph("The box."))
    assert texts(one(tmp_path, box, box)) == ["The box.", "The box."]


def test_what_a_chart_says_for_every_series_is_one_text(tmp_path):
    points = "<c:pt><c:v>North</c:v></c:pt><c:pt><c:v>South</c:v></c:pt>"
    cache = f"<c:cat><c:strRef><c:strCache>{points}</c:strCache></c:strRef></c:cat>"
    chart = f"<c:chart {NAMESPACES}><c:ser>{cache}</c:ser><c:ser>{cache}</c:ser></c:chart>"
    source = word_file(
        tmp_path / "source.docx", document("Main."), {"word/charts/chart1.xml": chart}
    )
    assert texts(source) == ["Main.", "North", "South"]
    target, _ = translated(tmp_path, source, str.upper)
    assert member(target, "word/charts/chart1.xml").count("NORTH") == 2


def test_words_in_the_numbers_of_lists_are_text_and_their_places_stay(tmp_path):
    def level(pattern):
        return f"<w:lvl><w:lvlText w:val='{pattern}'/></w:lvl>"

    levels = "".join(map(level, ("Article %1.", "%1.%2 section", "(%3)", "a %4", "•")))
    numbering = (
        f"<w:numbering {NAMESPACES}><w:abstractNum>{levels}</w:abstractNum>"
        f"<w:abstractNum>{level('Article %1.')}</w:abstractNum></w:numbering>"
    )
    source = word_file(
        tmp_path / "source.docx", document("Main."), {"word/numbering.xml": numbering}
    )
    assert texts(source) == ["Main.", "Article", "section"]
    target, notices = translated(tmp_path, source, str.upper)
    xml = member(target, "word/numbering.xml")
    assert (xml.count('"ARTICLE %1."'), xml.count('"%1.%2 SECTION"')) == (2, 1)
    assert notices == ()
    refused, notices = translated(tmp_path, source, lambda text: text + " 100%9")
    assert texts(refused) == ["Main. 100%9", "Article", "section"]
    assert notices == ("texts-too-long:3",)


def test_the_text_below_a_reading_aid_is_text_and_the_aid_stays(tmp_path):
    aid = (
        f"<w:r><w:ruby><w:rubyPr/><w:rt>{run('kanji')}</w:rt><w:rubyBase>{run('signs')}"
        "</w:rubyBase></w:ruby></w:r>"
    )
    source = one(tmp_path, "These ", aid, " are Chinese.")
    assert texts(source) == ["These signs are Chinese."]
    target, _ = translated(tmp_path, source, str.upper)
    assert texts(target) == ["THESE SIGNS ARE CHINESE."]
    assert "kanji" in member(target, "word/document.xml")


def test_a_control_that_changes_loses_the_data_that_would_refill_it(tmp_path):
    bound = (
        "<w:sdt><w:sdtPr><w:dataBinding w:xpath='/a/b' w:storeItemID='{AB}'/><w:text/></w:sdtPr>"
        f"<w:sdtContent>{paragraph('The old text')}</w:sdtContent></w:sdt>"
    )
    source = word_file(tmp_path / "source.docx", document("Before.", bound))
    target, _ = translated(tmp_path, source, str.upper)
    assert texts(target) == ["BEFORE.", "THE OLD TEXT"]
    with zipfile.ZipFile(target) as written:
        assert b"dataBinding" not in written.read("word/document.xml")


def test_hidden_text_and_building_blocks_stay_and_are_counted(tmp_path):
    def block(text):
        return f"<w:docPart><w:docPartBody>{paragraph(text)}</w:docPartBody></w:docPart>"

    blocks = "".join(map(block, ("Greetings.", "Regards.", "12")))
    source = word_file(
        tmp_path / "source.docx",
        document(paragraph("Seen. ", run("Hidden.", "<w:vanish/>"), run("7", "<w:vanish/>"))),
        {
            "word/glossary/document.xml": f"<w:glossaryDocument {NAMESPACES}><w:docParts>{blocks}"
            "</w:docParts></w:glossaryDocument>"
        },
    )
    read = read_document(source)
    assert [segment.text for segment in read.segments] == ["Seen."]
    assert read.notices == ("hidden-texts-untranslated:1", "building-blocks-untranslated:2")


def test_every_part_with_text_is_read_in_a_fixed_order_with_its_kind(tmp_path):
    def part(root, wrap="{}"):
        content = wrap.format(paragraph(f"Of {root}."))
        return f"<w:{root} {NAMESPACES}>{content}</w:{root}>"

    note = "<w:{0} w:id='2'>{{}}</w:{0}>"
    source = word_file(
        tmp_path / "source.docx",
        document("Main."),
        {
            "docProps/core.xml": '<p:coreProperties xmlns:p="p" xmlns:dc="dc"><dc:title>A title'
            "</dc:title><dc:creator>Ann Smith</dc:creator></p:coreProperties>",
            "word/charts/chart1.xml": f"<c:chart {NAMESPACES}><a:p><a:r><a:t>Of chart.</a:t></a:r>"
            "</a:p><c:strCache><c:pt><c:v>Label</c:v></c:pt></c:strCache>"
            "<c:numCache><c:pt><c:v>12</c:v></c:pt></c:numCache></c:chart>",
            "word/comments.xml": part("comments", note.format("comment")),
            "word/endnotes.xml": part("endnotes", note.format("endnote")),
            "word/footnotes.xml": part("footnotes", note.format("footnote")),
            "word/footer1.xml": part("ftr"),
            "word/header1.xml": part("hdr"),
        },
    )
    expected = [
        ("paragraph", "Main."),
        ("header", "Of hdr."),
        ("footer", "Of ftr."),
        ("footnote", "Of footnotes."),
        ("endnote", "Of endnotes."),
        ("comment", "Of comments."),
        ("textbox", "Of chart."),
        ("caption", "Label"),
        ("property", "A title"),
    ]
    assert found(source) == expected
    target, _ = translated(tmp_path, source, str.upper)
    assert texts(target) == [text.upper() for _, text in expected]
    assert "Ann Smith" in member(target, "docProps/core.xml")


def test_alternative_text_and_watermarks_are_text_but_file_names_are_not(tmp_path):
    picture = "<w:r><w:drawing><wp:docPr id='1' name='P' descr='{}'/></w:drawing></w:r>"
    watermark = "<w:r><w:pict><v:textpath string='DRAFT'/></w:pict></w:r>"
    source = one(
        tmp_path, picture.format("A dog in the rain"), picture.format("C:/a/dog.png"), watermark
    )
    assert texts(source) == ["A dog in the rain", "DRAFT"]
    target, _ = translated(tmp_path, source, lambda text: text + "!")
    assert texts(target) == ["A dog in the rain!", "DRAFT!"]


def test_tips_of_links_and_descriptions_of_tables_are_text_but_addresses_are_not(tmp_path):
    def link(tip):
        return f"<w:hyperlink w:tooltip='{tip}'>{run('here')}</w:hyperlink>"

    table = (
        "<w:tbl><w:tblPr><w:tblCaption w:val='The rain by month'/></w:tblPr><w:tr><w:tc>"
        f"{paragraph('June')}</w:tc></w:tr></w:tbl>"
    )
    linked = paragraph("See ", link("Follow the link"), " and ", link("http://example.org/a"))
    source = word_file(tmp_path / "source.docx", document(linked, table))
    expected = ["See here and here", "Follow the link", "The rain by month", "June"]
    assert texts(source) == expected
    target, _ = translated(tmp_path, source, str.upper)
    assert texts(target) == [text.upper() for text in expected]
    long, notices = translated(tmp_path, source, lambda text: text + "!" * 250)
    assert 'w:tooltip="Follow the link"' in member(long, "word/document.xml")
    assert notices == ("texts-too-long:2",)


def test_deleted_hidden_and_instruction_text_stays_as_it_is(tmp_path):
    source = one(
        tmp_path,
        "Seen. ",
        "<w:del w:id='1'><w:r><w:delText>Deleted. </w:delText></w:r></w:del>",
        "<w:moveFrom w:id='2'>" + run("Moved away. ") + "</w:moveFrom>",
        run("Hidden. ", "<w:vanish/>"),
        run("Shown. ", "<w:vanish w:val='0'/>"),
        field("PAGE", "3"),
    )
    assert texts(source) == ["Seen. Shown. 3"]
    target, _ = translated(tmp_path, source, str.upper)
    xml = member(target, "word/document.xml")
    assert all(text in xml for text in ("Deleted. ", "Moved away. ", "Hidden. ", ">PAGE<"))


def test_a_field_inside_the_instruction_of_a_field_is_no_text(tmp_path):
    start = "<w:r><w:instrText>IF"
    nested = field("IF", "seen").replace(start, field("REF a", "unseen") + start)
    source = one(tmp_path, "It is ", nested, ".")
    assert texts(source) == ["It is seen."]


def test_blanks_at_the_edges_of_a_run_are_preserved(tmp_path):
    source = one(tmp_path, "<w:r><w:t>One: </w:t></w:r>", run("two", BOLD))
    target, _ = translated(tmp_path, source, lambda _: "Uno: dos")
    assert '<w:t xml:space="preserve">Uno: </w:t>' in member(target, "word/document.xml")


def test_strict_documents_are_read_and_stay_strict(tmp_path):
    main = re.sub(r'(xmlns:w=")[^"]*', rf"\g<1>{STRICT}", document("A strict text."))
    source = word_file(tmp_path / "source.docx", main)
    target, _ = translated(tmp_path, source, str.upper)
    assert texts(target) == ["A STRICT TEXT."]
    assert STRICT in member(target, "word/document.xml")


def test_a_document_of_python_docx_opens_there_again(tmp_path):
    made = docx.Document()
    made.add_heading("A heading", 1)
    made.add_paragraph("A paragraph.")
    made.add_table(1, 1).cell(0, 0).text = "A cell"
    made.sections[0].header.paragraphs[0].text = "A header"
    made.core_properties.title = "A title"
    source = tmp_path / "source.docx"
    made.save(str(source))
    kinds = [kind for kind, _ in found(source)]
    assert kinds[:4] == ["heading", "paragraph", "cell", "header"]
    target, _ = translated(tmp_path, source, str.upper)
    again = docx.Document(str(target))
    assert [p.text for p in again.paragraphs] == ["A HEADING", "A PARAGRAPH."]
    assert again.tables[0].cell(0, 0).text == "A CELL"
    assert again.sections[0].header.paragraphs[0].text == "A HEADER"
    assert again.core_properties.title == "A TITLE"
