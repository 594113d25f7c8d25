"""Presentations: all text of slides is read and can be replaced; all else stays as it was."""

import re
import zipfile

import pptx
import pytest
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from prism_core.errors import DocumentFailure
from prism_core.formats.pptx import PptxFormat
from tests.formats.docx_files import member
from tests.formats.office_files import add_runs, add_slide, declare, edit, presentation
from tests.formats.rewriting import failure_of, found, texts, translated

FORMAT = PptxFormat()
SLIDE = "ppt/slides/slide1.xml"
A = "http://schemas.openxmlformats.org/drawingml/2006/main"
P = "http://schemas.openxmlformats.org/presentationml/2006/main"


def saved(tmp_path, made):
    path = tmp_path / "source.pptx"
    made.save(str(path))
    return path


def one(tmp_path, *runs):
    """A presentation of one slide with one paragraph."""
    made = presentation()
    add_slide(made, "", *runs)
    return saved(tmp_path, made)


def with_paragraph(tmp_path, xml):
    """The same, whose paragraph is ``xml``."""
    source = one(tmp_path, "X")
    return edit(source, (SLIDE, lambda old: re.sub(r"<a:p><a:r>.*?</a:p>", xml, old)))


def body(path):
    """The paragraphs of the first slide that hold anything."""
    return "".join(re.findall(r"<a:p>.+?</a:p>", member(path, SLIDE)))


def full(tmp_path):
    made = presentation()
    slide = add_slide(made, "The title", "The body.")
    box = slide.shapes.add_textbox(0, 0, Inches(1), Inches(1))
    box.text_frame.text = "In a box."
    group = slide.shapes.add_group_shape()
    group.shapes.add_textbox(0, 0, 9, 9).text_frame.text = "In a group."
    table = slide.shapes.add_table(1, 2, 0, 0, Inches(2), Inches(1)).table
    table.cell(0, 0).text, table.cell(0, 1).text = "A cell", "12.5"
    data = CategoryChartData()
    data.categories = ["East", "West"]
    data.add_series("Sales", (1, 2))
    data.add_series("Costs", (3, 4))
    chart = slide.shapes.add_chart(XL_CHART_TYPE.BAR_CLUSTERED, 0, 0, 9, 9, data).chart
    chart.has_title = True
    chart.chart_title.text_frame.text = "Sales by region"
    slide.notes_slide.notes_text_frame.text = "Say hello."
    add_slide(made, "The second")
    made.core_properties.title = "About sales"
    return saved(tmp_path, made)


EVERYTHING = [
    ("heading", "The title"),
    ("paragraph", "The body."),
    ("textbox", "In a box."),
    ("textbox", "In a group."),
    ("cell", "A cell"),
    ("heading", "The second"),
    ("paragraph", "Say hello."),
    ("textbox", "Sales by region"),
    ("caption", "Sales"),
    ("caption", "East"),
    ("caption", "West"),
    ("caption", "Costs"),
    ("property", "About sales"),
]


def test_everything_that_is_shown_is_read_once_with_its_kind(tmp_path):
    source = full(tmp_path)
    assert found(source) == EVERYTHING
    assert FORMAT.read(source).notices == ("embedded-files-untranslated:1",)


def test_translations_are_seen_by_another_reader_and_nothing_else_is_changed(tmp_path):
    target, _ = translated(tmp_path, full(tmp_path), str.upper)
    slides = pptx.Presentation(str(target)).slides
    shapes = list(slides[0].shapes)
    assert [s.text_frame.text for s in shapes if s.has_text_frame] == [
        *["THE TITLE", "THE BODY.", "IN A BOX."]
    ]
    assert shapes[3].shapes[0].text_frame.text == "IN A GROUP."
    assert [c.text for c in shapes[4].table.iter_cells()] == ["A CELL", "12.5"]
    plot = shapes[5].chart.plots[0]
    assert list(plot.categories) == ["EAST", "WEST"]
    assert [(s.name, list(s.values)) for s in plot.series] == [("SALES", [1, 2]), ("COSTS", [3, 4])]
    assert slides[0].notes_slide.notes_text_frame.text == "SAY HELLO."


def test_strict_presentations_are_read_and_stay_strict(tmp_path):
    def strict(xml):
        for name in ("drawingml", "presentationml", "officeDocument"):
            official = f"http://schemas.openxmlformats.org/{name}/2006/"
            xml = xml.replace(official, f"http://purl.oclc.org/ooxml/{name}/")
        return xml

    source = one(tmp_path, "A strict text.")
    with zipfile.ZipFile(source) as archive:
        names = [name for name in archive.namelist() if name.endswith((".xml", ".rels"))]
    edit(source, *[(n, strict) for n in names if n.startswith(("ppt/slides/", "ppt/pres"))])
    target, _ = translated(tmp_path, source, str.upper)
    assert texts(target) == ["A STRICT TEXT."]
    assert "purl.oclc.org" in member(target, SLIDE)


def test_slides_are_read_in_the_order_they_are_shown(tmp_path):
    made = presentation()
    for title in ("First", "Second", "Third"):
        add_slide(made, title)
    slides = made.slides._sldIdLst
    slides.insert(0, slides[2])
    assert texts(saved(tmp_path, made)) == ["Third", "First", "Second"]


def test_unchanged_translations_give_the_same_bytes(tmp_path):
    source = full(tmp_path)
    target, notices = translated(tmp_path, source, lambda text: text)
    assert target.read_bytes() == source.read_bytes()
    assert notices == ()


def test_members_without_changes_keep_their_bytes(tmp_path):
    source = full(tmp_path)
    target, _ = translated(
        tmp_path, source, lambda text: "El título" if text == "The title" else text
    )
    with zipfile.ZipFile(source) as before, zipfile.ZipFile(target) as after:
        assert before.namelist() == after.namelist()
        changed = [name for name in before.namelist() if before.read(name) != after.read(name)]
    assert changed == [SLIDE]


def test_formatting_inside_a_paragraph_stays_on_its_words(tmp_path):
    source = one(tmp_path, ("Name:", True), " the patient of ", ("Dr Jones", True))
    target, notices = translated(tmp_path, source, lambda _: "Nombre: el paciente de Dr Jones")
    runs = pptx.Presentation(str(target)).slides[0].placeholders[1].text_frame.paragraphs[0].runs
    assert [(run.text, run.font.bold) for run in runs] == [
        ("Nombre:", True),
        (" el paciente de ", None),
        ("Dr Jones", True),
    ]
    assert notices == ()


def test_line_breaks_and_tabs_are_breaks_that_come_back_in_place(tmp_path):
    made = presentation()
    slide = add_slide(made, "", "One\ttwo")
    paragraph = slide.placeholders[1].text_frame.paragraphs[0]
    paragraph.add_line_break()
    add_runs(paragraph, "three\vfour")
    source = saved(tmp_path, made)
    assert texts(source) == ["One\ttwo\nthree\nfour"]
    target, notices = translated(tmp_path, source, lambda _: "Uno\tdos\ntres\ncuatro")
    order = re.findall(r"<a:(br)/>|<a:t>([^<]*)<", body(target))
    assert [mark or text for mark, text in order] == [
        *["Uno", "\t", "dos", "br", "tres", "_x000B_", "cuatro"],
    ]
    assert notices == ()


def test_fields_are_anchors_and_their_text_stays(tmp_path):
    source = with_paragraph(
        tmp_path,
        "<a:p><a:r><a:t>Slide </a:t></a:r><a:fld id='{1}' type='slidenum'><a:t>May 7</a:t></a:fld>"
        "<a:r><a:t> of the talk</a:t></a:r></a:p>",
    )
    assert texts(source) == ["Slide  of the talk"]
    target, _ = translated(tmp_path, source, lambda _: "Lámina de la charla")
    order = re.findall(r"<a:t>([^<]*)<", body(target))
    assert order[1] == "May 7"
    assert (order[0] + order[2]).split() == "Lámina de la charla".split()
    assert order[0].strip()


def test_a_link_keeps_words_of_its_own(tmp_path):
    link = "<a:r><a:rPr><a:hlinkClick id='rId9'/></a:rPr><a:t>our report</a:t></a:r>"
    source = with_paragraph(
        tmp_path,
        f"<a:p><a:r><a:t>You should read </a:t></a:r>{link}<a:r><a:t> on this</a:t></a:r></a:p>",
    )
    target, _ = translated(tmp_path, source, lambda _: "Lea usted el informe nuestro antes")
    assert re.search(r"hlinkClick[^>]*/></a:rPr><a:t>\w", body(target))


def test_prompts_of_placeholders_and_unused_layouts_are_not_shown(tmp_path):
    source = one(tmp_path, "Shown.")
    static = (
        f"<p:sp xmlns:p='{P}' xmlns:a='{A}'><p:nvSpPr><p:cNvPr id='99' name='n'/><p:cNvSpPr/>"
        "<p:nvPr/></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/><a:p><a:r><a:t>{}</a:t></a:r></a:p>"
        "</p:txBody></p:sp></p:spTree>"
    )

    def add(name, text):
        shape = static.format(text)
        return name, lambda xml: xml.replace("</p:spTree>", shape)

    edit(
        source,
        add("ppt/slideMasters/slideMaster1.xml", "On every slide."),
        add("ppt/slideLayouts/slideLayout2.xml", "On this layout."),
        add("ppt/slideLayouts/slideLayout5.xml", "On an unused layout."),
    )
    assert texts(source) == ["Shown.", "On this layout.", "On every slide."]
    target, _ = translated(tmp_path, source, str.upper)
    assert "Click to edit Master title style" in member(target, "ppt/slideMasters/slideMaster1.xml")


COMMENTS = f'<p:cmLst xmlns:p="{P}"><p:cm authorId="0"><p:text>Too long?</p:text></p:cm></p:cmLst>'
REPLIES = (
    f'<m:cmLst xmlns:m="http://schemas.microsoft.com/office/powerpoint/2018/8/main" xmlns:a="{A}">'
    "<m:cm><m:replyLst><m:reply><m:txBody><a:p><a:r><a:t>I think so.</a:t></a:r></a:p></m:txBody>"
    "</m:reply></m:replyLst><m:txBody><a:p><a:r><a:t>Is it?</a:t></a:r></a:p></m:txBody></m:cm>"
    "</m:cmLst>"
)


def test_comments_old_and_new_are_read(tmp_path):
    source = one(tmp_path, "Shown.")
    office = "application/vnd.openxmlformats-officedocument.presentationml.comments+xml"
    edit(
        source,
        declare("ppt/comments/comment1.xml", office),
        ppt__comments__comment1=COMMENTS,
    )
    edit(
        source,
        declare("ppt/comments/comment2.xml", "application/vnd.ms-powerpoint.comments+xml"),
        ppt__comments__comment2=REPLIES,
    )
    assert found(source)[1:] == [
        *[("comment", "Too long?"), ("comment", "I think so."), ("comment", "Is it?")]
    ]
    target, _ = translated(tmp_path, source, str.upper)
    assert "TOO LONG?" in member(target, "ppt/comments/comment1.xml")


def test_a_diagram_and_its_drawing_are_one_text(tmp_path):
    source = one(tmp_path, "Shown.")
    point = "<x:pt><x:t><a:p><a:r><a:t>First step</a:t></a:r></a:p></x:t></x:pt>"
    part = f'<x:a xmlns:x="x" xmlns:a="{A}">{point}</x:a>'
    types = {
        "ppt/diagrams/data1.xml": "openxmlformats-officedocument.drawingml.diagramData",
        "ppt/diagrams/drawing1.xml": "ms-office.drawingml.diagramDrawing",
    }
    for name, content_type in types.items():
        key = name.removesuffix(".xml").replace("/", "__")
        edit(source, declare(name, f"application/vnd.{content_type}+xml"), **{key: part})
    assert texts(source) == ["Shown.", "First step"]
    target, _ = translated(tmp_path, source, str.upper)
    assert all("FIRST STEP" in member(target, name) for name in types)


def test_alternatives_for_older_programs_are_one_text(tmp_path):
    mc = "http://schemas.openxmlformats.org/markup-compatibility/2006"
    shape = "<p:sp><p:txBody><a:p><a:r><a:t>Twice said.</a:t></a:r></a:p></p:txBody></p:sp>"
    both = (
        f"<mc:AlternateContent xmlns:mc='{mc}'><mc:Choice Requires='a'>{shape}</mc:Choice>"
        f"<mc:Fallback>{shape}</mc:Fallback></mc:AlternateContent></p:spTree>"
    )
    source = one(tmp_path, "Shown.")
    edit(source, (SLIDE, lambda xml: xml.replace("</p:spTree>", both)))
    assert texts(source) == ["Shown.", "Twice said."]
    target, _ = translated(tmp_path, source, str.upper)
    assert member(target, SLIDE).count("TWICE SAID.") == 2


def test_alternative_text_in_words_is_text_but_file_names_are_not(tmp_path):
    made = presentation()
    slide = add_slide(made, "", "Shown.")
    for words in ("A dog in the rain", "IMG_0815.png"):
        box = slide.shapes.add_textbox(0, 0, 9, 9)
        box._element.nvSpPr.cNvPr.set("descr", words)
    source = saved(tmp_path, made)
    assert found(source)[1:] == [("caption", "A dog in the rain")]


def test_tips_of_links_are_text(tmp_path):
    link = "<a:p><a:r><a:rPr><a:hlinkClick id='rId9' tooltip='Read more'/></a:rPr><a:t>Here</a:t>"
    source = with_paragraph(tmp_path, link + "</a:r></a:p>")
    assert sorted(texts(source)) == ["Here", "Read more"]
    target, _ = translated(tmp_path, source, str.upper)
    assert 'tooltip="READ MORE"' in member(target, SLIDE)


def test_cells_that_a_neighbour_was_merged_over_are_not_shown(tmp_path):
    made = presentation()
    table = add_slide(made, "").shapes.add_table(1, 2, 0, 0, 9, 9).table
    table.cell(0, 0).text, table.cell(0, 1).text = "Seen", "Covered"
    table.cell(0, 0)._tc.set("gridSpan", "2")
    table.cell(0, 1)._tc.set("hMerge", "1")
    assert texts(saved(tmp_path, made)) == ["Seen"]


DTD = '<!DOCTYPE p [<!ENTITY a "b">]>'
REFUSED = {
    "no text": (lambda xml: re.sub(r"<a:t>.*?</a:t>", "", xml), DocumentFailure.EMPTY),
    "broken XML": (lambda xml: xml[:-9], DocumentFailure.CORRUPT),
    "a document type": (
        lambda xml: re.sub(r"(<p:sld )", DTD + r"\1", xml),
        DocumentFailure.CORRUPT,
    ),
    "a bomb": (lambda xml: xml + " " * 30_000_000, DocumentFailure.BOMB),
    "deep nesting": (
        lambda xml: xml.replace("<a:r>", "<a:r>" * 999).replace("</a:r>", "</a:r>" * 999),
        DocumentFailure.CORRUPT,
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_must_not_be_opened_is_refused(tmp_path, what):
    change, expected = REFUSED[what]
    source = edit(one(tmp_path, "A text."), (SLIDE, change))
    assert failure_of(FORMAT.read, source) is expected


def test_a_signed_presentation_is_refused(tmp_path):
    source = edit(one(tmp_path, "A text."), _xmlsignatures__sig1="<a/>")
    assert failure_of(FORMAT.read, source) is DocumentFailure.SIGNED
