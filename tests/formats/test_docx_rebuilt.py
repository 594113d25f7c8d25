"""Word files come back with the translation in place and all else as it was."""

import re
import zipfile

import pytest

from tests.formats.aligned import aligned
from tests.formats.docx_files import (
    BOLD,
    BREAK,
    NAMESPACES,
    NOTE,
    TAB,
    body,
    document,
    field,
    member,
    one,
    paragraph,
    run,
    word_file,
)
from tests.formats.rewriting import texts, translated


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
