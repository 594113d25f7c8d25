"""Bold, italic and links of Markdown go where their words go."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prism_core.alignment import Match, Translation
from prism_core.formats.markdown import read_page
from prism_core.formats.markdown.inline_items import ItemKind
from tests.formats.aligned import aligned, in_order, labelled, wrap


def rewritten(source, translation):
    """The first block of ``source``, and how many looks it lost."""
    blocks = read_page(source)
    block = blocks.parts[0]
    others = [segment.text for segment in block.inline.segments[1:]]
    return blocks.reader.write(block.inline, wrap([translation, *others]))


def said(source):
    return read_page(source).parts[0].inline.segments[0].text


CASES = r"""
**Red** house | Casa roja | Red=roja house=Casa | Casa **roja**
The _red_ house | La casa roja | red=roja house=casa | La casa _roja_
The [big door](x) is open | La puerta grande abre | big=grande door=puerta open=abre | La [puerta grande](x) abre
***Red** big* house | Casa roja grande | Red=roja house=Casa big=grande | Casa ***roja** grande*
**Red [big house](x)** door | Puerta roja casa grande | Red=roja house=casa big=grande door=Puerta | Puerta **roja [casa grande](x)**
[Yes](1) [no](2) | Sí no | Yes=Sí no=no | [Sí](1) [no](2)
Open `x`, the *red* house[^1] now. | Abra, la casa roja ya. | Open=Abra red=roja house=casa now=ya | Abra `x`, la casa *roja*[^1] ya.
~~Red~~ a*b house | Casa a*b roja | Red=roja house=Casa | Casa a*b ~~roja~~
"""  # noqa: E501 (a table)


@pytest.mark.parametrize(
    "case", [[cell.strip() for cell in row.split(" | ")] for row in CASES.strip().splitlines()]
)
def test_marks_and_links_go_where_their_words_go(case):
    source, translation, pairs, expected = case
    assert rewritten(source, aligned(said(source), translation, pairs)) == (expected, 0)


def test_marks_that_go_on_behind_a_line_break_stay_open():
    content, _ = rewritten(
        "**Red big\\\nhouse** there", Translation("a b", [Match((0, 3), (2, 3))])
    )
    assert content == "**a b\\\nhouse** there"


def test_a_look_without_words_is_given_up_and_counted():
    assert rewritten("**The** house is *red*", aligned("The house is red", "Rojo", "red=Rojo")) == (
        "*Rojo*",
        2,
    )


WORD = st.text("abcé1.(*_", min_size=1, max_size=4)
LINE = st.lists(WORD, min_size=1, max_size=4).map(" ".join)
MARKED = st.recursive(
    st.lists(st.text("abcé1", min_size=1, max_size=4), min_size=1, max_size=3).map(" ".join),
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3).map(" ".join),
        inner.map("**{}**".format),
        inner.map("*{}*".format),
        inner.map(lambda text: re.sub(r"\[(.*)\]\(x\)", r"\1", text)).map("[{}](x)".format),
        st.sampled_from(["`x`", "[^1]", "![](y)"]),
    ),
    max_leaves=8,
)


@settings(deadline=None)
@given(st.data(), MARKED)
def test_a_translation_is_read_again_and_links_and_code_are_there_once(data, source):
    blocks = read_page(source)
    if len(blocks.parts) != 1 or len(blocks.parts[0].inline.segments) != 1:
        return
    inline = blocks.parts[0].inline
    text = inline.segments[0].text
    translation = data.draw(LINE.filter(lambda line: any(map(str.isalnum, line))))
    sizes = (len(text), len(text), len(translation), len(translation))
    matches = data.draw(
        st.lists(
            st.builds(
                lambda a, b, c, d: Match((min(a, b), max(a, b)), (min(c, d), max(c, d))),
                *(st.integers(0, size) for size in sizes),
            ),
            max_size=5,
        )
    )
    content, lost = rewritten(source, Translation(translation, matches))
    again = blocks.reader.read(content, "paragraph", True)
    if lost is not None:
        (segment,) = again.segments
        assert segment.text.replace(" ", "") == translation.replace(" ", "")
    kept = [item for item in again.items if item.link or item.kind is ItemKind.ANCHOR]
    expected = [item for item in inline.items if item.link or item.kind is ItemKind.ANCHOR]
    assert [item.kind for item in kept] == [item.kind for item in expected]


WORDS = "ab cd éf gh ij kl mn op".split()


def looks(inline):
    """Every text of ``inline`` with the marks around it."""
    found, opened = [], []
    for item in inline.items:
        if item.kind is ItemKind.OPEN:
            opened.append(inline.content[item.start : item.end])
        elif item.kind is ItemKind.CLOSE:
            opened.pop()
        else:
            found.append((item.text, "".join(opened)))
    return labelled(found)


@settings(deadline=None)
@given(
    st.lists(st.sampled_from(["{}", "**{}**", "*{}*", "~~{}~~"]), min_size=8, max_size=8),
    st.permutations(WORDS),
)
def test_every_word_keeps_its_look_wherever_it_goes(marks, order):
    source = " ".join(mark.format(word) for word, mark in zip(WORDS, marks, strict=True))
    content, lost = rewritten(source, in_order(said(source), order))
    blocks = read_page(source)
    assert lost == 0
    assert said(content) == " ".join(order).upper()
    again = blocks.reader.read(content, "paragraph", True)
    assert looks(again) == looks(blocks.parts[0].inline)
