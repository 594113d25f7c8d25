"""OpenDocument texts: every text that is seen comes out once and goes back where it was."""

import re
import time
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from prism_core.alignment import AlignedText, Match
from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats import detect, format_for, read_document, write_document
from prism_core.formats.odt.content import Paragraph
from prism_core.formats.odt.looks import Looks
from prism_core.formats.odt.slots import read_slots
from prism_core.formats.pieces import Loss
from tests.formats.aligned import aligned, in_order, labelled
from tests.formats.odt_files import (
    MIMETYPE,
    NAMESPACES,
    document,
    flat,
    member,
    paragraph,
    span,
    text_file,
)

NOTE = (
    '<text:note text:note-class="{kind}"><text:note-citation>1</text:note-citation>'
    "<text:note-body><text:p>{text}</text:p></text:note-body></text:note>"
)
COMMENT = (
    '<office:annotation office:name="1"><dc:creator>Ann Bell</dc:creator>'
    "<dc:date>2026-07-01</dc:date><text:p>{}</text:p></office:annotation>"
)
FRAME = (
    '<draw:frame draw:name="Frame 7"><draw:text-box><text:p>{text}</text:p></draw:text-box>'
    "<svg:title>{title}</svg:title><svg:desc>{desc}</svg:desc></draw:frame>"
)


@pytest.fixture
def made(tmp_path):
    """Makes a document of paragraphs."""
    return lambda *inner, **extra: text_file(tmp_path / "made.odt", document(*inner), **extra)


def found(path):
    return [(segment.text, segment.kind) for segment in read_document(path).segments]


def texts(path):
    return [text for text, _ in found(path)]


def written(path, **translations):
    """Write with ``translations`` by the first word of each text; the body, and the notices."""
    source = read_document(path)
    target = path.with_name("target.odt")
    given = [translations.get(re.split(r"\W", s.text)[0], s.text) for s in source.segments]
    notices = write_document(source, given, target)
    content = target.read_text() if source.path.suffix == ".fodt" else member(target, "content.xml")
    return content, notices


def body(content):
    return re.search("<office:text>(.*)</office:text>", content, re.DOTALL)[1]


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
        ("Heading", "heading"),
        ("One two", "paragraph"),
        ("Foot", "footnote"),
        ("Three", "paragraph"),
        ("End", "endnote"),
        ("Remark", "comment"),
        ("Box", "textbox"),
        ("A red garden gate", "caption"),
        ("Left", "cell"),
        ("Up", "cell"),
        ("Item", "paragraph"),
        ("Within", "paragraph"),
        ("header text", "header"),
        ("header-first text", "header"),
        ("footer text", "footer"),
        ("footer-left text", "footer"),
        ("Rain by month", "caption"),
        ("A title", "property"),
        ("A subject", "property"),
        ("A comment", "property"),
        ("roof", "property"),
    ]


def test_a_content_control_of_libreoffice_keeps_its_words(made):
    control = "the <text:span>lawyer</text:span>"
    path = made(f"Name: <loext:content-control>{control}</loext:content-control> here")
    assert texts(path) == ["Name: the lawyer here"]
    content, _ = written(path, Name="Nombre: el abogado aquí")
    assert re.search(r"<loext:content-control>.*abogado.*</loext:content-control>", content)


@pytest.mark.parametrize("answer", ["Página  de", "Página de"])
def test_a_field_between_blanks_stays_between_blanks(made, answer):
    numbers = "<text:page-number>7</text:page-number> of <text:page-count>9</text:page-count>"
    path = made(paragraph("Page ", numbers))
    assert texts(path) == ["Page  of"]
    content, _ = written(path, Page=answer)
    assert (
        body(content).replace("<text:s/>", " ")
        == f"<text:p>Página {numbers.replace('of', 'de')}</text:p>"
    )


def test_unchanged_texts_give_the_file_back_byte_for_byte(made, tmp_path):
    path = made(paragraph("One  \n <text:s text:c='3'/>two", span("three", "B")), "Four")
    source = read_document(path)
    write_document(source, [s.text for s in source.segments], tmp_path / "target")
    assert (tmp_path / "target").read_bytes() == path.read_bytes()


def test_the_mimetype_stays_first_and_stored_and_other_members_keep_their_bytes(made):
    path = made("The garden", extra={"Pictures/1.png": bytes(5000), "layout-cache": b"\1\2"})
    written(path, The="El jardín")
    with zipfile.ZipFile(path) as before, zipfile.ZipFile(path.with_name("target.odt")) as after:
        first = after.infolist()[0]
        assert (first.filename, first.compress_type) == ("mimetype", zipfile.ZIP_STORED)
        assert first.header_offset == 0
        assert before.namelist() == after.namelist()
        for name in set(before.namelist()) - {"content.xml"}:
            assert before.read(name) == after.read(name)
    assert path.with_name("target.odt").read_bytes()[30:77] == b"mimetype" + MIMETYPE.encode()


def test_only_the_changed_paragraph_is_written_anew(made):
    odd = paragraph("Odd  blanks\n and ", span("more", "T1"))
    content, _ = written(made(odd, "The garden", odd), The="El jardín")
    assert body(content) == odd + paragraph("El jardín") + odd


def test_white_space_is_read_as_it_is_shown(made):
    path = made(
        paragraph("\n  A <text:s text:c='2'/>b\n\tc", span(" d ", "B"), " e<text:tab/>f"),
        paragraph("g<text:line-break/>h<text:soft-page-break/>i"),
    )
    assert texts(path) == ["A   b c d e\tf", "g\nhi"]


def test_blanks_tabs_and_breaks_of_a_translation_are_shown(made):
    path = made(paragraph("Name<text:s text:c='3'/>Ann<text:tab/>roof<text:line-break/>end"))
    content, notices = written(path, Name="Nombre  Ana\ttecho\nfin")
    assert body(content) == paragraph("Nombre <text:s/>Ana<text:tab/>techo<text:line-break/>fin")
    assert notices == ()
    assert texts(path.with_name("target.odt")) == ["Nombre  Ana\ttecho\nfin"]


def test_breaks_that_a_translation_loses_are_counted_and_stay(made):
    content, notices = written(made(paragraph("One<text:tab/>two")), One="Uno dos")
    assert body(content) == paragraph("Uno <text:tab/>dos")
    assert notices == ("breaks-moved:1",)


def test_formatting_stays_on_the_words_it_belongs_to(made):
    path = made(paragraph("Born on ", span("12 May 1990", "B"), " in Bath."))
    content, notices = written(path, Born="Nacido el 12 de mayo de 1990 en Bath.")
    assert re.search(r'<text:span text:style-name="B">12 de mayo de 1990</text:span>', content)
    assert notices == ()


def test_styles_that_look_alike_do_not_divide_a_text(made):
    path = made(paragraph("The ", span("garden", "T1"), span(" is", "T2"), " green."))
    content, notices = written(path, The="El jardín es verde.")
    assert re.sub("<[^>]*>", "", body(content)) == "El jardín es verde."
    assert "The" not in body(content)
    assert notices == ()


def test_formatting_that_cannot_be_placed_is_counted(made):
    path = made(paragraph("The old and very ", span("green", "B"), " garden of my aunt"))
    content, notices = written(path, The="El jardín verde y muy viejo de mi tía")
    assert re.sub("<[^>]*>", "", body(content)) == "El jardín verde y muy viejo de mi tía"
    assert notices == ("formatting-simplified:2",)


def test_notes_comments_and_frames_stay_once_where_their_neighbours_are(made):
    note = NOTE.format(kind="footnote", text="Foot")
    path = made(paragraph("In 1990, ", note, "the roof was ", COMMENT.format("Why"), "green."))
    content, _ = written(path, In="En 1990, el tejado era verde.", Foot="Pie", Why="¿Por qué?")
    assert body(content).index("1990, <text:note ") < body(content).index("el tejado")
    assert (content.count("<text:note "), content.count("<office:annotation ")) == (1, 1)
    assert ">Pie<" in content
    assert ">¿Por qué?<" in content
    assert ">Ann Bell<" in content


def test_fields_keep_what_they_show_and_links_keep_words(made):
    path = made(
        paragraph("Page <text:page-number>7</text:page-number> of the report"),
        paragraph('See <text:a xlink:href="http://x">the 2nd annex</text:a> for more'),
    )
    assert texts(path) == ["Page  of the report", "See the 2nd annex for more"]
    content, _ = written(path, Page="Página  del informe", See="Véase el 2nd anexo para más")
    assert "<text:page-number>7</text:page-number>" in content
    assert re.search('<text:a xlink:href="http://x">[^<]*2nd[^<]*</text:a>', content)


def test_deleted_and_hidden_text_stays_and_inserted_text_is_translated(made):
    changes = (
        '<text:tracked-changes><text:changed-region text:id="c1"><text:deletion>'
        "<text:p>Deleted words</text:p></text:deletion></text:changed-region>"
        '<text:changed-region text:id="c2"><text:insertion/></text:changed-region>'
        "</text:tracked-changes>"
    )
    path = made(
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


def test_a_translation_keeps_no_character_that_xml_forbids(made):
    content, _ = written(made("The garden"), The="El\x00 <jardín>\x0b & \ud800más")
    assert body(content) == paragraph("El &lt;jardín&gt; &amp; más")


def test_a_document_in_one_xml_file_is_read_and_written(tmp_path):
    path = tmp_path / "made.fodt"
    path.write_text(flat("The garden", meta="<dc:title>The title</dc:title>"))
    assert detect(path) == "odt"
    assert found(path) == [("The title", "property"), ("The garden", "paragraph")]
    content, _ = written(path, The="El jardín")
    _, _, before = path.read_text().partition("?>")
    assert (
        content.partition("?>")[2].strip()
        == re.sub("The (garden|title)", "El jardín", before).strip()
    )


def test_embedded_documents_are_named_as_untranslated(made):
    sheet = f"<office:document-content {NAMESPACES}><office:body/></office:document-content>"
    path = made("The garden", extra={"Object 1/content.xml": sheet})
    assert read_document(path).notices == ("embedded-files-untranslated:1",)


def refusal(path):
    with pytest.raises(DocumentError) as caught:
        read_document(path)
    assert caught.value.__cause__ is None
    return caught.value.failure


def test_encrypted_and_signed_documents_are_refused(made):
    sealing = '<manifest:encryption-data manifest:checksum="x"/>'
    assert refusal(made("\0", sealing=sealing)) is DocumentFailure.ENCRYPTED
    path = made("Text", extra={"META-INF/documentsignatures.xml": "<x/>"})
    assert refusal(path) is DocumentFailure.SIGNED


@pytest.mark.parametrize("form", ["odt", "fodt"])
def test_entities_are_refused(tmp_path, form):
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>'
    path = tmp_path / f"made.{form}"
    if form == "odt":
        text_file(path, bomb + document("&b;"))
    else:
        path.write_text(flat("&b;").replace("<office:document ", bomb + "<office:document ", 1))
    with pytest.raises(DocumentError) as caught:
        format_for("odt").read(path)
    assert caught.value.failure is DocumentFailure.CORRUPT


def test_a_bomb_is_refused_before_it_is_unpacked(made):
    path = made("Text", extra={"styles.xml": bytes(100_000_000)})
    assert refusal(path) is DocumentFailure.BOMB


def test_deep_nesting_and_absurd_numbers_of_blanks_are_harmless(made):
    deep = "<text:span>" * 5000 + "x" + "</text:span>" * 5000
    assert refusal(made(paragraph(deep))) is DocumentFailure.CORRUPT
    deep = "<text:span>" * 200 + "word" + "</text:span>" * 200
    blanks = f"a<text:s text:c='{'9' * 5000}'/>b"
    path = made(paragraph(deep), paragraph(blanks), paragraph("a<text:s text:c='-1'/>b"))
    assert texts(path) == ["word", "a" + " " * 1000 + "b", "a b"]
    content, _ = written(path, word="palabra")
    assert ">palabra<" in content


@pytest.mark.parametrize(
    "inner",
    ["a<text:s text:c='2'/>", span("a", "B") + " b ", "a<text:tab/>", "<text:note/>b "],
    ids=["blanks", "formats", "tabs", "notes"],
)
def test_size_alone_costs_no_more_than_seconds(made, inner):
    path = made(paragraph(inner * 20_000))
    began = time.monotonic()
    document = read_document(path)
    given = [f"{segment.text}  x" for segment in document.segments]
    write_document(document, given, path.with_name("target"))
    assert time.monotonic() - began < 20


def test_a_document_without_text_is_empty(made):
    assert refusal(made(paragraph("12"), paragraph())) is DocumentFailure.EMPTY
    with_nothing = made("x")
    with zipfile.ZipFile(with_nothing, "w") as archive:
        archive.writestr("mimetype", MIMETYPE)
    assert refusal(with_nothing) is DocumentFailure.CORRUPT


LINK = '<text:a xlink:href="http://x">{}</text:a>'
MOVED = [
    (
        [span("Red", "B"), " house"],
        ("Casa roja", "Red=roja house=Casa"),
        ["Casa ", span("roja", "B")],
    ),
    (
        ["The ", span("red", "B"), " house"],
        ("La casa roja", "red=roja house=casa"),
        ["La casa ", span("roja", "B")],
    ),
    (
        [span(f"Red {span('big', 'I')} old", "B"), " house"],
        ("Casa roja vieja grande", "Red=roja big=grande old=vieja house=Casa"),
        ["Casa ", span(f"roja vieja {span('grande', 'I')}", "B")],
    ),
    (
        ["The ", LINK.format(f"{span('red', 'B')} house"), " of Ann"],
        ("La casa roja de Ann", "red=roja house=casa Ann=Ann"),
        ["La ", LINK.format(f"casa {span('roja', 'B')}"), " de Ann"],
    ),
    (
        [span("Red", "B"), " house", NOTE.format(kind="footnote", text="7"), " here"],
        ("Casa roja aquí", "Red=roja house=Casa here=aquí"),
        ["Casa ", span("roja", "B"), NOTE.format(kind="footnote", text="7"), " aquí"],
    ),
]


@pytest.mark.parametrize("case", MOVED)
def test_looks_go_where_their_words_go(made, case):
    inner, (translation, pairs), expected = case
    path = made(paragraph(*inner))
    source = read_document(path)
    target = path.with_name("target.odt")
    given_text = aligned(source.segments[0].text, translation, pairs)
    others = [segment.text for segment in source.segments[1:]]
    assert write_document(source, [given_text, *others], target) == ()
    assert body(member(target, "content.xml")) == paragraph(*expected)
    assert texts(target) == [translation, *others]


@pytest.mark.parametrize(
    "inner",
    [
        ['<text:change-start text:change-id="1"/>Red<text:change-end text:change-id="1"/> house'],
        ['<text:span text:style-name="B" xml:id="a">Red</text:span> house'],
        ['<text:meta xml:id="a">', span("Red", "B"), "</text:meta> house"],
    ],
)
def test_nothing_moves_where_it_must_stay(made, inner):
    path = made(paragraph(*inner))
    source = read_document(path)
    target = path.with_name("target.odt")
    given_text = aligned("Red house", "Casa roja", "Red=roja house=Casa")
    notices = write_document(source, [given_text], target)
    content = body(member(target, "content.xml"))
    assert re.findall("<[a-z][^ />]*", content) == re.findall("<[a-z][^ />]*", paragraph(*inner))
    assert re.sub("<[^>]*>", "", content) == "Casa roja"
    assert notices == ("formatting-simplified:1",)


WORD = st.text("abcé1.(", min_size=1, max_size=4)
LINE = st.lists(WORD, min_size=1, max_size=4).map(" ".join)
MARKED = st.recursive(
    st.one_of(
        LINE,
        st.sampled_from(
            [
                " ",
                "<text:s/>",
                "<text:bookmark text:name='x'/>",
                "<text:page-number>7</text:page-number>",
            ]
        ),
    ),
    lambda inner: st.builds(
        lambda form, parts: form.format("".join(parts)),
        st.sampled_from(
            [
                "<text:span text:style-name='B'>{}</text:span>",
                "<text:span text:style-name='I'>{}</text:span>",
                "<text:a xlink:href='x'>{}</text:a>",
            ]
        ),
        st.lists(inner, min_size=1, max_size=3),
    ),
    max_leaves=8,
)

KEPT = ("}a", "}page-number", "}bookmark")


@settings(deadline=None)
@given(st.data(), st.lists(MARKED, min_size=1, max_size=4).map("".join))
def test_a_translation_is_read_again_and_all_that_stays_is_there_once(data, inner):
    root = etree.fromstring(f"<text:p {NAMESPACES}>{inner}</text:p>")
    looks = Looks(root)
    paragraph = Paragraph(root, looks)
    source, translation = paragraph.text, data.draw(LINE)
    if not source:
        return
    sizes = (len(source), len(source), len(translation), len(translation))
    matches = data.draw(
        st.lists(
            st.builds(
                lambda a, b, c, d: Match((min(a, b), max(a, b)), (min(c, d), max(c, d))),
                *(st.integers(0, size) for size in sizes),
            ),
            max_size=5,
        )
    )
    kept = [
        e.tag for e in root.iter() if e.tag.rpartition("}")[2] in ("a", "page-number", "bookmark")
    ]
    paragraph.replace(AlignedText(translation, matches))
    assert Paragraph(root, looks).text == translation
    assert kept == [
        e.tag for e in root.iter() if e.tag.rpartition("}")[2] in ("a", "page-number", "bookmark")
    ]
    assert root.find(".//run") is None


WORDS = "ab cd éf gh ij kl mn op".split()
LOOK = "<text:span text:style-name='{}'>{}</text:span>"


@settings(deadline=None)
@given(st.data(), st.permutations(WORDS))
def test_every_word_keeps_its_look_wherever_it_goes(data, order):
    inner = ""
    for words in (WORDS[:2], WORDS[2:5], WORDS[5:]):
        looks = [data.draw(st.sampled_from(["", "B", "I"])) for _ in words]
        parts = (LOOK.format(look, w) if look else w for look, w in zip(looks, words, strict=True))
        outer = data.draw(st.sampled_from(["{} ", LOOK.format("U", "{} ")]))
        inner += outer.format(" ".join(parts))
    root = etree.fromstring(f"<text:p {NAMESPACES}>{inner}</text:p>")
    looks = Looks(root)
    before = labelled([(slot.text, slot.style) for slot in read_slots(root, looks)])
    translation = in_order(Paragraph(root, looks).text, order)
    assert Paragraph(root, looks).replace(translation) == Loss()
    assert Paragraph(root, looks).text == translation
    assert labelled([(slot.text, slot.style) for slot in read_slots(root, looks)]) == before
