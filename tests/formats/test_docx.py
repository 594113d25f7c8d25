"""Word files: all text that readers see is read and can be replaced; all else stays as it was."""

import re
import zipfile

import docx
import pytest

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.docx import DocxFormat
from tests.formats.aligned import aligned
from tests.formats.docx_files import (
    NAMESPACES,
    STRICT,
    document,
    member,
    paragraph,
    run,
    word_file,
)
from tests.shared_data import shared

FORMAT = DocxFormat()
BOLD = "<w:b/>"
NOTE = '<w:r><w:footnoteReference w:id="2"/></w:r>'
TAB = "<w:r><w:tab/></w:r>"
BREAK = "<w:r><w:br/></w:r>"


def field(instruction, result):
    def mark(kind):
        return f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>'

    instruction = f"<w:r><w:instrText>{instruction}</w:instrText></w:r>"
    return mark("begin") + instruction + mark("separate") + run(result) + mark("end")


def texts(path):
    return [segment.text for segment in FORMAT.read(path).segments]


def translated(tmp_path, source, translate):
    """The written file, and the notices; ``translate`` maps a text to its translation."""
    read = FORMAT.read(source)
    target = tmp_path / "translated.docx"
    notices = FORMAT.write(read, [translate(segment.text) for segment in read.segments], target)
    return target, notices


def body(path):
    """The main part, less what says nothing: empty texts, empty properties, xml:space."""
    xml = re.sub(r"^.*<w:body>|</w:body>.*$", "", member(path, "word/document.xml"), flags=re.S)
    xml = re.sub(r' xml:space="preserve"|<w:rPr/>|<w:rPr></w:rPr>', "", xml)
    return re.sub(r"<w:r>(<w:rPr>(?:(?!</w:rPr>).)*</w:rPr>)?(<w:t/>|<w:t></w:t>)</w:r>", "", xml)


def one(tmp_path, *runs):
    return word_file(tmp_path / "source.docx", document(paragraph(*runs)))


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


def test_both_copies_of_a_text_box_are_translated(tmp_path):
    box = (
        "<w:r><mc:AlternateContent><mc:Choice Requires='wps'><w:drawing>" + BOX + "</w:drawing>"
        "</mc:Choice><mc:Fallback><w:pict>" + BOX + "</w:pict></mc:Fallback></mc:AlternateContent>"
        "</w:r>"
    )
    source = one(tmp_path, "Around. ", box)
    assert texts(source) == ["Around.", "In the box.", "In the box."]
    target, _ = translated(tmp_path, source, str.upper)
    assert "the box" not in member(target, "word/document.xml")


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
    found = [(segment.kind, segment.text) for segment in FORMAT.read(source).segments]
    assert found == [
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
    target, _ = translated(tmp_path, source, str.upper)
    assert texts(target) == [text.upper() for _, text in found]
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
    kinds = [segment.kind for segment in FORMAT.read(source).segments]
    assert kinds[:4] == ["heading", "paragraph", "cell", "header"]
    target, _ = translated(tmp_path, source, str.upper)
    again = docx.Document(str(target))
    assert [p.text for p in again.paragraphs] == ["A HEADING", "A PARAGRAPH."]
    assert again.tables[0].cell(0, 0).text == "A CELL"
    assert again.sections[0].header.paragraphs[0].text == "A HEADER"
    assert again.core_properties.title == "A TITLE"


# What stays


def test_unchanged_translations_give_the_same_bytes(tmp_path):
    source = one(tmp_path, "One ", run("two", BOLD), TAB, "three")
    target, notices = translated(tmp_path, source, lambda text: text)
    assert target.read_bytes() == source.read_bytes()
    assert notices == ()


def test_members_and_paragraphs_without_changes_stay_as_they_are(tmp_path):
    kept = paragraph("Keep ", run("this", BOLD), " as it is.")
    header = f"<w:hdr {NAMESPACES}><!-- a -->{paragraph('The header.')}</w:hdr>"
    source = word_file(
        tmp_path / "source.docx",
        document("Change this.", kept),
        {"word/header1.xml": header, "word/media/image1.png": bytes(range(256)) * 9},
    )
    target, _ = translated(
        tmp_path, source, lambda text: "Cambia esto." if text == "Change this." else text
    )
    with zipfile.ZipFile(source) as before, zipfile.ZipFile(target) as after:
        assert before.namelist() == after.namelist()
        for name in before.namelist():
            if name != "word/document.xml":
                assert before.read(name) == after.read(name), name
        assert [i.date_time for i in before.infolist()] == [i.date_time for i in after.infolist()]
    assert body(target).endswith(re.sub(r"<w:rPr></w:rPr>| xml:space=.preserve.", "", kept))


def test_the_same_translations_give_the_same_bytes(tmp_path):
    source = one(tmp_path, "One ", run("two", BOLD))
    first, _ = translated(tmp_path, source, str.upper)
    content = first.read_bytes()
    second, _ = translated(tmp_path, source, str.upper)
    assert second.read_bytes() == content


def test_runs_that_look_alike_are_one_format(tmp_path):
    source = one(
        tmp_path,
        run("A cont", "<w:lang w:val='en-GB'/>"),
        "<w:proofErr w:type='spellStart'/>",
        run("inuous ", "<w:noProof/>"),
        "<w:bookmarkStart w:id='0' w:name='b'/>",
        run("sentence."),
    )
    target, notices = translated(tmp_path, source, lambda _: "Una frase seguida.")
    assert texts(target) == ["Una frase seguida."]
    assert notices == ()


def test_formatting_is_kept_where_its_place_is_known(tmp_path):
    source = one(tmp_path, run("Name:", BOLD), run(" the patient of "), run("Dr Jones", BOLD))
    target, notices = translated(tmp_path, source, lambda _: "Nombre: el paciente de Dr Jones")
    assert body(target) == (
        "<w:p><w:r><w:rPr><w:b/></w:rPr><w:t>Nombre:</w:t></w:r><w:r><w:t> el paciente de </w:t>"
        "</w:r><w:r><w:rPr><w:b/></w:rPr><w:t>Dr Jones</w:t></w:r></w:p>"
    )
    assert notices == ()


def test_formatting_of_unknown_place_gives_way_to_the_prevailing_one_and_is_counted(tmp_path):
    source = one(tmp_path, "This is ", run("very", BOLD), " important to all of us here")
    target, notices = translated(tmp_path, source, lambda _: "Esto tiene mucho valor")
    assert body(target).count("Esto tiene mucho valor") == 1
    assert "<w:b/></w:rPr><w:t>" not in body(target)
    assert notices == ("formatting-simplified:2",)


MOVED = ("The red house", "La casa roja", "red=roja house=casa")


def in_order(path):
    """The runs and marks of the body: bold text in asterisks, others by name."""
    found = re.findall(
        r"<(w:tab|w:br|w:footnoteReference|/?w:ins|/?w:hyperlink)\b"
        r"|<w:r>(?:<w:rPr>(<w:b/>)?</w:rPr>)?<w:t>([^<]*)<",
        body(path),
    )
    return [mark.replace("w:", "") or (f"*{text}*" if bold else text) for mark, bold, text in found]


def test_formatting_follows_its_words_when_they_change_their_order(tmp_path):
    source = one(tmp_path, "The ", run("red", BOLD), " house")
    target, notices = translated(tmp_path, source, lambda _: aligned(*MOVED))
    assert in_order(target) == ["La casa ", "*roja*"]
    source = one(tmp_path, run("Red", BOLD), " house", BREAK, "is here")
    words = ("Red house\nis here", "Casa roja\nestá aquí", "Red=roja house=Casa here=aquí")
    target, notices = translated(tmp_path, source, lambda _: aligned(*words))
    assert in_order(target) == ["Casa ", "*roja*", "br", "está aquí"]
    assert notices == ()


def test_a_run_that_holds_more_than_its_text_is_split_for_words_that_move(tmp_path):
    both = "<w:r><w:rPr><w:b/></w:rPr><w:t>Red</w:t><w:tab/></w:r>"
    source = one(tmp_path, both.replace("<w:tab/>", "<w:t> big</w:t>"), " house", TAB, "here")
    words = ("Red big house\there", "Casa roja grande\taquí", "Red=roja big=grande house=Casa")
    target, _ = translated(tmp_path, source, lambda _: aligned(*words))
    assert in_order(target) == ["Casa ", "*roja grande*", "tab", "aquí"]
    mixed = "<w:r><w:t>house </w:t><w:footnoteReference w:id='2'/><w:t>here</w:t></w:r>"
    source = one(tmp_path, run("Red ", BOLD), mixed)
    words = ("Red house here", "Casa roja aquí", "Red=roja house=Casa here=aquí")
    target, _ = translated(tmp_path, source, lambda _: aligned(*words))
    assert in_order(target)[:2] == ["Casa ", "*roja *"]
    assert body(target).index("footnoteReference") < body(target).index("aquí")


def test_a_mark_stays_behind_the_word_it_followed(tmp_path):
    source = one(tmp_path, "The red house", NOTE, " is big")
    words = ("The red house is big", "Grande es la casa roja", "red=roja house=casa big=Grande")
    target, _ = translated(tmp_path, source, lambda _: aligned(*words))
    assert in_order(target)[:2] == ["Grande es la casa roja", "footnoteReference"]


def test_nothing_moves_into_or_out_of_a_tracked_insertion(tmp_path):
    inserted = "<w:ins w:id='1' w:author='Ann'>" + run("red") + "</w:ins>"
    source = one(tmp_path, "The ", inserted, " house")
    target, _ = translated(tmp_path, source, lambda _: aligned(*MOVED))
    assert in_order(target) == ["La casa ", "ins", "roja", "/ins"]
    source = one(tmp_path, inserted, " house")
    words = ("red house", "casa roja", "red=roja house=casa")
    target, notices = translated(tmp_path, source, lambda _: aligned(*words))
    assert texts(target) == ["casa roja"]
    assert body(target).count("<w:ins ") == 1
    assert notices == ("formatting-simplified:1",)


def test_tabs_and_breaks_show_as_characters_and_come_back_in_place(tmp_path):
    source = one(tmp_path, TAB, "One", TAB, "two", BREAK, "three", BREAK)
    assert texts(source) == ["One\ttwo\nthree"]
    target, notices = translated(tmp_path, source, lambda _: "Uno\tdos\ntres")
    order = re.findall(r"<w:(tab|br)/>|<w:t>(\w+)<", body(target))
    assert [mark or text for mark, text in order] == [
        *["tab", "Uno", "tab", "dos"],
        *["br", "tres", "br"],
    ]
    assert notices == ()


@pytest.mark.parametrize("answer", ["Uno dos tres", "Uno\tdos\ttres\ncuatro", "Uno\n\tdos tres"])
def test_breaks_stay_exactly_once_when_the_translation_lost_them(tmp_path, answer):
    source = one(tmp_path, "One", TAB, "two", BREAK, "three")
    target, notices = translated(tmp_path, source, lambda _: answer)
    assert (body(target).count("<w:tab/>"), body(target).count("<w:br/>")) == (1, 1)
    assert re.findall(r"\w+", texts(target)[0]) == re.findall(r"\w+", answer)
    assert notices == ("breaks-moved:1",)


def test_note_marks_stay_behind_their_sentences(tmp_path):
    source = one(tmp_path, "First one.", NOTE, " Second one.", NOTE)
    target, _ = translated(tmp_path, source, lambda _: "La primera. La segunda.")
    order = re.findall(r"<w:(footnoteReference)|<w:t>([^<]*)<", body(target))
    assert [mark or text for mark, text in order] == [
        *["La primera.", "footnoteReference"],
        *[" La segunda.", "footnoteReference"],
    ]


def test_a_page_number_stays_a_field(tmp_path):
    source = one(tmp_path, "Page ", field("PAGE", "3"), " of ", field("NUMPAGES", "12"))
    assert texts(source) == ["Page 3 of 12"]
    target, _ = translated(tmp_path, source, lambda _: "Página 3 de 12")
    order = re.findall(r'fldCharType="(\w+)"|<w:t>([^<]*)<', body(target))
    assert [mark or text for mark, text in order] == [
        *["Página ", "begin", "separate", "3", "end"],
        *[" de ", "begin", "separate", "12", "end"],
    ]


def test_a_link_keeps_words_of_its_own(tmp_path):
    link = "<w:hyperlink r:id='rId9'>" + run("our report") + "</w:hyperlink>"
    source = one(tmp_path, "You should read ", link, " on this before you come")
    target, _ = translated(tmp_path, source, lambda _: "Lea usted el informe nuestro antes de ir")
    inside = re.search(r"<w:hyperlink[^>]*>(.*?)</w:hyperlink>", body(target))
    assert re.search(r"<w:t>\w", inside[1])
    assert texts(target) == ["Lea usted el informe nuestro antes de ir"]


def test_a_hyphen_element_becomes_part_of_the_text(tmp_path):
    source = one(tmp_path, "<w:r><w:t>co</w:t><w:noBreakHyphen/><w:t>operate</w:t></w:r>")
    assert texts(source) == ["co-operate"]
    target, _ = translated(tmp_path, source, lambda _: "cooperar")
    assert texts(target) == ["cooperar"]
    assert "noBreakHyphen" not in body(target)


def test_formulas_stay_where_they_are(tmp_path):
    formula = "<m:oMath><m:r><m:t>x = y</m:t></m:r></m:oMath>"
    source = one(tmp_path, "So", formula, " it follows.")
    assert texts(source) == ["So it follows."]
    target, _ = translated(tmp_path, source, str.upper)
    assert body(target).count("<m:t>x = y</m:t>") == 1


def test_content_controls_are_cut_loose_from_data_that_would_refill_them(tmp_path):
    control = (
        "<w:sdt><w:sdtPr><w:dataBinding w:xpath='/a'/><w:text/></w:sdtPr><w:sdtContent>{}"
        "</w:sdtContent></w:sdt>"
    )
    source = word_file(
        tmp_path / "source.docx", document(control.format(paragraph("Bound to data.")))
    )
    unchanged, _ = translated(tmp_path, source, lambda text: text)
    assert "dataBinding" in member(unchanged, "word/document.xml")
    target, _ = translated(tmp_path, source, str.upper)
    assert "dataBinding" not in member(target, "word/document.xml")


def test_characters_that_xml_forbids_are_dropped(tmp_path):
    picture = "<w:r><w:drawing><wp:docPr id='1' descr='A dog outside'/></w:drawing></w:r>"
    source = one(tmp_path, "A text.", picture)
    target, _ = translated(tmp_path, source, lambda _: "Un\x00 te\x0bxto & <más>.\ud800")
    assert texts(target) == ["Un texto & <más>."] * 2


# What is refused


def failure_of(call, *args):
    with pytest.raises(DocumentError) as caught:
        call(*args)
    assert caught.value.__cause__ is None
    return caught.value.failure


DTD = '<!DOCTYPE w:document [<!ENTITY a "b">]>'
REFUSED = {
    "an empty document": (document(), {}, DocumentFailure.EMPTY),
    "punctuation only": (document("—", "* * *"), {}, DocumentFailure.EMPTY),
    "broken XML": ("<w:document", {}, DocumentFailure.CORRUPT),
    "a document type": (DTD + document("A"), {}, DocumentFailure.CORRUPT),
    "a bomb of XML": (document("A") + " " * 30_000_000, {}, DocumentFailure.BOMB),
    "a bomb beside": (document("A"), {"word/a.bin": bytes(201_000_000)}, DocumentFailure.BOMB),
    "a signature": (document("A"), {"_xmlsignatures/sig1.xml": "<a/>"}, DocumentFailure.SIGNED),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_must_not_be_opened_is_refused(tmp_path, what):
    main, extra, expected = REFUSED[what]
    source = word_file(tmp_path / "source.docx", main, extra)
    assert failure_of(FORMAT.read, source) is expected


def test_external_entities_are_not_read(tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("the secret")
    dtd = f'<!DOCTYPE w:document [<!ENTITY a SYSTEM "{secret.as_uri()}">]>'
    source = word_file(tmp_path / "source.docx", dtd + document("A &a;"))
    assert failure_of(FORMAT.read, source) is DocumentFailure.CORRUPT


def test_a_zip_with_a_password_is_encrypted(tmp_path):
    source = one(tmp_path, "A text.")
    content = bytearray(source.read_bytes())
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        start = content.find(mark)
        while start >= 0:
            content[start + offset] |= 1
            start = content.find(mark, start + 1)
    source.write_bytes(content)
    assert failure_of(FORMAT.read, source) is DocumentFailure.ENCRYPTED


def test_a_file_that_changed_since_it_was_read_is_not_rebuilt(tmp_path):
    source = one(tmp_path, "A text.")
    read = FORMAT.read(source)
    one(tmp_path, "Another text.")
    failure = failure_of(FORMAT.write, read, ["Un texto."], tmp_path / "target.docx")
    assert failure is DocumentFailure.UNREBUILDABLE


# Real files

REAL_FAILURES = {
    "corrupt": 11,
    "empty": 16,
    "encrypted": 3,
    "signed": 4,
    "unsupported": 1,
}
"""Of 211 real files; every one was looked at and is what it is called."""


def test_real_files_come_back_with_the_given_texts(tmp_path):
    from prism_core.formats import detect

    read = 0
    failures = dict.fromkeys(REAL_FAILURES, 0)
    for path in sorted(shared("documents/docx").iterdir()):
        if path.stat().st_size > 40_000:  # the larger ones take most of the time
            continue
        try:
            detect(path)
            target, _ = translated(tmp_path, path, str.upper)
        except DocumentError as error:
            failures[error.failure.value] += 1
            continue
        assert texts(target) == [text.upper() for text in texts(path)], path.name
        read += 1
    assert all(failures[name] <= most for name, most in REAL_FAILURES.items()), failures
    assert read > 100
