"""OpenDocument texts: every text that is seen comes out once and goes back where it was."""

import re
import zipfile

import pytest

from prism_core.formats import detect, read_document, write_document
from tests.formats.aligned import wrap
from tests.formats.odt_files import (
    MIMETYPE,
    NAMESPACES,
    NOTE,
    body,
    document,
    flat,
    paragraph,
    span,
    text_file,
    written,
)
from tests.formats.rewriting import found, texts

COMMENT = (
    '<office:annotation office:name="1"><dc:creator>Ann Bell</dc:creator>'
    "<dc:date>2026-07-01</dc:date><text:p>{}</text:p></office:annotation>"
)

FRAME = (
    '<draw:frame draw:name="Frame 7"><draw:text-box><text:p>{text}</text:p></draw:text-box>'
    "<svg:title>{title}</svg:title><svg:desc>{desc}</svg:desc></draw:frame>"
)


def test_every_text_that_is_seen_is_read_once_with_its_kind(tmp_path):
    cells = "".join(f"<table:table-cell>{paragraph(t)}</table:table-cell>" for t in ("Left", "Up"))
    content = document(
        '<text:h text:outline-level="1">Heading</text:h>',
        paragraph("One", NOTE.format(kind="footnote", text="Foot"), " two"),
        paragraph("Three", NOTE.format(kind="endnote", text="End"), COMMENT.format("Remark")),
        paragraph(FRAME.format(text="Box", title="A red garden gate", desc="gate.png")),
        f"<table:table><table:table-row>{cells}</table:table-row></table:table>",
        f"<text:list><text:list-item>{paragraph('Item')}</text:list-item></text:list>",
        '<text:section text:name="s"><text:p>Within</text:p></text:section>',
        paragraph("12.5"),
    )
    master = "".join(
        f"<style:{name}><text:p>{name} text</text:p></style:{name}>"
        for name in ("header", "header-first", "footer", "footer-left")
    )
    styles = (
        f"<office:document-styles {NAMESPACES}><office:master-styles><style:master-page>{master}"
        "</style:master-page></office:master-styles></office:document-styles>"
    )
    meta = (
        f"<office:document-meta {NAMESPACES}><office:meta><meta:generator>Gen</meta:generator>"
        "<dc:title>A title</dc:title><dc:subject>A subject</dc:subject>"
        "<dc:description>A comment</dc:description><meta:keyword>roof</meta:keyword>"
        "<dc:creator>Ann Bell</dc:creator></office:meta></office:document-meta>"
    )
    chart = (
        f"<office:document-content {NAMESPACES}><office:body><office:chart><chart:title>"
        "<text:p>Rain by month</text:p></chart:title></office:chart></office:body>"
        "</office:document-content>"
    )
    extra = {"styles.xml": styles, "meta.xml": meta, "Object 1/content.xml": chart}
    assert found(text_file(tmp_path / "all.odt", content, extra)) == [
        ("heading", "Heading"),
        ("paragraph", "One two"),
        ("footnote", "Foot"),
        ("paragraph", "Three"),
        ("endnote", "End"),
        ("comment", "Remark"),
        ("textbox", "Box"),
        ("caption", "A red garden gate"),
        ("cell", "Left"),
        ("cell", "Up"),
        ("paragraph", "Item"),
        ("paragraph", "Within"),
        ("header", "header text"),
        ("header", "header-first text"),
        ("footer", "footer text"),
        ("footer", "footer-left text"),
        ("caption", "Rain by month"),
        ("property", "A title"),
        ("property", "A subject"),
        ("property", "A comment"),
        ("property", "roof"),
    ]


def test_a_content_control_of_libreoffice_keeps_its_words(odt):
    control = "the <text:span>lawyer</text:span>"
    path = odt(f"Name: <loext:content-control>{control}</loext:content-control> here")
    assert texts(path) == ["Name: the lawyer here"]
    content, _ = written(path, Name="Nombre: el abogado aquí")
    assert re.search(r"<loext:content-control>.*abogado.*</loext:content-control>", content)


@pytest.mark.parametrize("answer", ["Página  de", "Página de"])
def test_a_field_between_blanks_stays_between_blanks(odt, answer):
    numbers = "<text:page-number>7</text:page-number> of <text:page-count>9</text:page-count>"
    path = odt(paragraph("Page ", numbers))
    assert texts(path) == ["Page  of"]
    content, _ = written(path, Page=answer)
    assert (
        body(content).replace("<text:s/>", " ")
        == f"<text:p>Página {numbers.replace('of', 'de')}</text:p>"
    )


def test_unchanged_texts_give_the_file_back_byte_for_byte(odt, tmp_path):
    path = odt(paragraph("One  \n <text:s text:c='3'/>two", span("three", "B")), "Four")
    source = read_document(path)
    write_document(source, wrap([s.text for s in source.segments]), tmp_path / "target")
    assert (tmp_path / "target").read_bytes() == path.read_bytes()


def test_the_mimetype_stays_first_and_stored_and_other_members_keep_their_bytes(odt):
    path = odt("The garden", extra={"Pictures/1.png": bytes(5000), "layout-cache": b"\1\2"})
    written(path, The="El jardín")
    with zipfile.ZipFile(path) as before, zipfile.ZipFile(path.with_name("target.odt")) as after:
        first = after.infolist()[0]
        assert (first.filename, first.compress_type) == ("mimetype", zipfile.ZIP_STORED)
        assert first.header_offset == 0
        assert before.namelist() == after.namelist()
        for name in set(before.namelist()) - {"content.xml"}:
            assert before.read(name) == after.read(name)
    assert path.with_name("target.odt").read_bytes()[30:77] == b"mimetype" + MIMETYPE.encode()


def test_only_the_changed_paragraph_is_written_anew(odt):
    odd = paragraph("Odd  blanks\n and ", span("more", "T1"))
    content, _ = written(odt(odd, "The garden", odd), The="El jardín")
    assert body(content) == odd + paragraph("El jardín") + odd


def test_white_space_is_read_as_it_is_shown(odt):
    path = odt(
        paragraph("\n  A <text:s text:c='2'/>b\n\tc", span(" d ", "B"), " e<text:tab/>f"),
        paragraph("g<text:line-break/>h<text:soft-page-break/>i"),
    )
    assert texts(path) == ["A   b c d e\tf", "g\nhi"]


def test_blanks_tabs_and_breaks_of_a_translation_are_shown(odt):
    path = odt(paragraph("Name<text:s text:c='3'/>Ann<text:tab/>roof<text:line-break/>end"))
    content, notices = written(path, Name="Nombre  Ana\ttecho\nfin")
    assert body(content) == paragraph("Nombre <text:s/>Ana<text:tab/>techo<text:line-break/>fin")
    assert notices == ()
    assert texts(path.with_name("target.odt")) == ["Nombre  Ana\ttecho\nfin"]


def test_breaks_that_a_translation_loses_are_counted_and_stay(odt):
    content, notices = written(odt(paragraph("One<text:tab/>two")), One="Uno dos")
    assert body(content) == paragraph("Uno <text:tab/>dos")
    assert notices == ("breaks-moved:1",)


def test_notes_comments_and_frames_stay_once_where_their_neighbours_are(odt):
    note = NOTE.format(kind="footnote", text="Foot")
    path = odt(paragraph("In 1990, ", note, "the roof was ", COMMENT.format("Why"), "green."))
    content, _ = written(path, In="En 1990, el tejado era verde.", Foot="Pie", Why="¿Por qué?")
    assert body(content).index("1990, <text:note ") < body(content).index("el tejado")
    assert (content.count("<text:note "), content.count("<office:annotation ")) == (1, 1)
    assert ">Pie<" in content
    assert ">¿Por qué?<" in content
    assert ">Ann Bell<" in content


def test_fields_keep_what_they_show_and_links_keep_words(odt):
    path = odt(
        paragraph("Page <text:page-number>7</text:page-number> of the report"),
        paragraph('See <text:a xlink:href="http://x">the 2nd annex</text:a> for more'),
    )
    assert texts(path) == ["Page  of the report", "See the 2nd annex for more"]
    content, _ = written(path, Page="Página  del informe", See="Véase el 2nd anexo para más")
    assert "<text:page-number>7</text:page-number>" in content
    assert re.search('<text:a xlink:href="http://x">[^<]*2nd[^<]*</text:a>', content)


def test_deleted_and_hidden_text_stays_and_inserted_text_is_translated(odt):
    changes = (
        '<text:tracked-changes><text:changed-region text:id="c1"><text:deletion>'
        "<text:p>Deleted words</text:p></text:deletion></text:changed-region>"
        '<text:changed-region text:id="c2"><text:insertion/></text:changed-region>'
        "</text:tracked-changes>"
    )
    path = odt(
        changes,
        paragraph(
            'Old<text:change text:change-id="c1"/> and ',
            '<text:change-start text:change-id="c2"/>new<text:change-end text:change-id="c2"/>',
            span(" secret", "H"),
            " words",
        ),
    )
    assert texts(path) == ["Old and new words"]
    content, _ = written(path, Old="Viejas y nuevas")
    assert changes in content
    assert ">Deleted words<" in content
    assert " secret" in content
    assert content.count("text:change-id") == 3


def test_a_translation_keeps_no_character_that_xml_forbids(odt):
    content, _ = written(odt("The garden"), The="El\x00 <jardín>\x0b & \ud800más")
    assert body(content) == paragraph("El &lt;jardín&gt; &amp; más")


def test_a_document_in_one_xml_file_is_read_and_written(tmp_path):
    path = tmp_path / "made.fodt"
    path.write_text(flat("The garden", meta="<dc:title>The title</dc:title>"))
    assert detect(path) == "odt"
    assert found(path) == [("property", "The title"), ("paragraph", "The garden")]
    content, _ = written(path, The="El jardín")
    _, _, before = path.read_text().partition("?>")
    assert (
        content.partition("?>")[2].strip()
        == re.sub("The (garden|title)", "El jardín", before).strip()
    )


def test_embedded_documents_are_named_as_untranslated(odt):
    sheet = f"<office:document-content {NAMESPACES}><office:body/></office:document-content>"
    path = odt("The garden", extra={"Object 1/content.xml": sheet})
    assert read_document(path).notices == ("embedded-files-untranslated:1",)
