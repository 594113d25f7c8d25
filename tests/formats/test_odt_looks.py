"""OpenDocument texts: the looks of words go where the words go, and nothing else moves."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from prism_core.alignment import Match, Translation
from prism_core.formats import read_document, write_document
from prism_core.formats.odt.line import OdtParagraph
from prism_core.formats.odt.text_slots import Looks, read_line
from prism_core.formats.text import Loss
from tests.formats.aligned import aligned, in_order, labelled, wrap
from tests.formats.odt_files import NAMESPACES, NOTE, body, member, paragraph, span, written
from tests.formats.rewriting import texts


def test_formatting_stays_on_the_words_it_belongs_to(odt):
    path = odt(paragraph("Born on ", span("12 May 1990", "B"), " in Bath."))
    content, notices = written(path, Born="Nacido el 12 de mayo de 1990 en Bath.")
    assert re.search(r'<text:span text:style-name="B">12 de mayo de 1990</text:span>', content)
    assert notices == ()


def test_styles_that_look_alike_do_not_divide_a_text(odt):
    path = odt(paragraph("The ", span("garden", "T1"), span(" is", "T2"), " green."))
    content, notices = written(path, The="El jardín es verde.")
    assert re.sub("<[^>]*>", "", body(content)) == "El jardín es verde."
    assert "The" not in body(content)
    assert notices == ()


def test_formatting_that_cannot_be_placed_is_counted(odt):
    path = odt(paragraph("The old and very ", span("green", "B"), " garden of my aunt"))
    content, notices = written(path, The="El jardín verde y muy viejo de mi tía")
    assert re.sub("<[^>]*>", "", body(content)) == "El jardín verde y muy viejo de mi tía"
    assert notices == ("formatting-simplified:2",)


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
def test_looks_go_where_their_words_go(odt, case):
    inner, (translation, pairs), expected = case
    path = odt(paragraph(*inner))
    source = read_document(path)
    target = path.with_name("target.odt")
    given_text = aligned(source.segments[0].text, translation, pairs)
    others = [segment.text for segment in source.segments[1:]]
    assert write_document(source, wrap([given_text, *others]), target) == ()
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
def test_nothing_moves_where_it_must_stay(odt, inner):
    path = odt(paragraph(*inner))
    source = read_document(path)
    target = path.with_name("target.odt")
    given_text = aligned("Red house", "Casa roja", "Red=roja house=Casa")
    notices = write_document(source, wrap([given_text]), target)
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
    paragraph = OdtParagraph(root, looks)
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
    paragraph.replace(Translation(translation, matches))
    said = OdtParagraph(root, looks).text  # blanks on both sides of a mark stay two
    assert said.split() == translation.split()
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
    before = labelled([(slot.text, slot.look) for slot in read_line(root, looks)])
    translation = in_order(OdtParagraph(root, looks).text, order)
    assert OdtParagraph(root, looks).replace(translation) == Loss()
    assert OdtParagraph(root, looks).text == translation.text
    assert labelled([(slot.text, slot.look) for slot in read_line(root, looks)]) == before
