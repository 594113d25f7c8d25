"""Looks and links of web pages follow their words; nothing is lost, doubled or torn apart."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prism_core.alignment import Match, Translation
from prism_core.formats.base import FormatOptions
from prism_core.formats.hypertext import split_html
from prism_core.formats.text.nested_text import Nodes
from tests.formats.aligned import aligned, in_order, labelled, wrap


def translated(source, translation, pairs):
    layout = split_html(source)
    first, *others = [segment.text for segment in layout.segments]
    return layout.rebuild(wrap([aligned(first, translation, pairs), *others]))


CASES = """
<p><b>Red</b> house</p> | Casa roja | Red=roja house=Casa | <p>Casa <b>roja</b></p>
<p>The <em class=x>red</em> house</p> | La casa roja | red=roja house=casa | <p>La casa <em class=x>roja</em></p>
The <a href=x>big door</a> is open | La puerta grande está abierta | big=grande door=puerta open=abierta | La <a href=x>puerta grande</a> está abierta
<p><b><i>Red</i> big</b> house</p> | Casa roja grande | Red=roja house=Casa big=grande | <p>Casa <b><i>roja</i> grande</b></p>
<p><b>Red <a href=x>big house</a></b> door</p> | Puerta roja casa grande | Red=roja house=casa big=grande door=Puerta | <p>Puerta <b>roja <a href=x>casa grande</a></b></p>
<p><a href=1>Yes</a> <a href=2>no</a></p> | Sí no | Yes=Sí no=no | <p><a href=1>Sí</a> <a href=2>no</a></p>
<p>The house<img src=x> is red.</p> | La casa es roja. | house=casa red=roja | <p>La casa<img src=x> es roja.</p>
<p>John<sup><a href=#1>1</a></sup> came home.</p> | Vino John1 a casa. | John=John came=Vino home=casa | <p>Vino John<sup><a href=#1>1</a></sup> a casa.</p>
<p>Open <code>x</code>, red house.</p> | Abra, casa roja. | Open=Abra red=roja house=casa | <p>Abra <code>x</code>, casa roja.</p>
<p>  <b>Red</b>\thouse </p> | Casa roja | Red=roja house=Casa | <p>  Casa <b>roja</b> </p>
<p><b>Red</b> a&amp;b house</p> | Casa a&b roja | Red=roja house=Casa | <p>Casa a&amp;b <b>roja</b></p>
"""  # noqa: E501 (a table)


@pytest.mark.parametrize(
    "case", [[cell.strip() for cell in row.split(" | ")] for row in CASES.strip().splitlines()]
)
def test_looks_and_links_go_where_their_words_go(case):
    source, translation, pairs, expected = case
    assert translated(source, translation, pairs) == (expected, 0)


@pytest.mark.parametrize(
    "attribute", ["id=a", "name=a", "href=a", "onclick='a()'", "title='A word'", "data-a", "hidden"]
)
def test_what_may_be_there_only_once_is_never_copied_or_taken_away(attribute):
    source = f"<p><span {attribute}>Red</span> big house</p>"
    page, _ = translated(source, "Casa roja grande", "Red=roja house=Casa big=grande")
    assert page.count(f"<span {attribute}>") == page.count("</span>") == 1
    assert re.sub(r"<[^>]*>", "", page) == "Casa roja grande"


def test_a_paragraph_whose_tags_overlap_keeps_them_where_they_are():
    source = "<p><b>Red <i>big</b> house</i></p>"
    page, _ = translated(source, "Casa roja grande", "Red=roja house=Casa big=grande")
    assert re.findall("<[^>]*>", page) == re.findall("<[^>]*>", source)
    assert re.sub("<[^>]*>", "", page) == "Casa roja grande"


def test_elements_that_go_on_in_other_paragraphs_stay_open():
    source = "<p><b>Red house<br>with <i>a</i> door</b> there</p>"
    page, _ = translated(source, "Casa roja", "Red=roja house=Casa")
    assert page == "<p><b>Casa roja<br>with <i>a</i> door</b> there</p>"


def test_a_look_without_words_is_given_up_and_counted():
    page, lost = translated("<p><b>The</b> house is <i>red</i></p>", "Rojo", "red=Rojo")
    assert (page, lost) == ("<p><i>Rojo</i></p>", 2)


def test_a_long_row_of_looks_takes_no_longer_than_its_length():
    source = "<p>" + "<b>one</b> <i>two</i> " * 5_000 + "</p>"
    layout = split_html(source)
    text = layout.segments[0].text
    words = [match.span() for match in re.finditer(r"\w+", text)]
    given_text = Translation(
        text.upper(), [Match(*pair) for pair in zip(words, words[::-1], strict=True)]
    )
    assert re.sub("<[^>]*>", "", layout.rebuild(wrap([given_text]))[0]) == text.upper() + " "


WORD = st.text("abcé1.(", min_size=1, max_size=4)
LINE = st.lists(WORD, min_size=1, max_size=4).map(" ".join)
PIECE = st.builds(
    lambda a, text, b: a + text + b,
    *(st.sampled_from(["", " "]) for _ in "a"),
    LINE,
    st.sampled_from(["", " "]),
)
TAG = st.sampled_from(["b", "i", "span", "a href=x", "span id=y", "u class=z", "abbr"])
THING = st.sampled_from(["<img src=x>", "<code>x y</code>", "<i class=icon></i>", "<!-- a -->"])


def _within(children):
    return st.builds(
        lambda tag, inner: f"<{tag}>{''.join(inner)}</{tag.split()[0]}>",
        TAG,
        st.lists(children, max_size=4),
    )


MARKED = st.recursive(st.one_of(PIECE, THING), _within, max_leaves=8)


class _Outline(HTMLParser):
    """Tags that are open at every place, and what must be there once, in order."""

    def __init__(self, source):
        super().__init__()
        self.open, self.once = [], []
        self.feed(source)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        if tag != "img":
            self.open.append(tag)
        if tag in ("img", "a", "abbr", "code") or dict(attrs).keys() & {"id"}:
            self.once.append((tag, attrs))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_comment(self, data):
        self.once.append(data)


@given(st.data(), st.lists(MARKED, min_size=1, max_size=5).map("".join))
def test_a_translation_is_read_again_and_all_that_stays_is_there_once(data, source):
    layout = split_html(source)
    if not layout.segments:
        return
    (segment,) = layout.segments
    translation = data.draw(LINE.filter(lambda line: any(map(str.isalnum, line))))
    sizes = (len(segment.text), len(segment.text), len(translation), len(translation))
    matches = data.draw(
        st.lists(
            st.builds(
                lambda a, b, c, d: Match((min(a, b), max(a, b)), (min(c, d), max(c, d))),
                *(st.integers(0, size) for size in sizes),
            ),
            max_size=5,
        )
    )
    page = layout.rebuild(wrap([Translation(translation, matches)]))[0]
    again = split_html(page)
    said = "".join(segment.text for segment in again.segments)
    assert said.replace(" ", "") == translation.replace(" ", "")
    assert _Outline(page).once == _Outline(source).once


@given(
    st.lists(st.text(alphabet="ab. \u2003", max_size=6), min_size=1, max_size=6),
    st.sets(st.integers(0, 5)),
)
def test_every_node_has_its_share_of_the_text(nodes, held):
    line = Nodes(tuple(nodes), frozenset(held))
    assert len(line.shares()) == len(nodes)
    assert "".join(line.shares()) == line.text


WORDS = "ab cd éf gh ij kl mn op".split()
LOOKS = ["{}", "<b>{}</b>", "<i>{}</i>", "<b><i>{}</i></b>", "<span class=x>{}</span>"]


class _Looks(HTMLParser):
    def __init__(self, source):
        super().__init__()
        self.open, self.found = [], []
        self.feed(source)
        self.close()

    def handle_starttag(self, *_tag):
        self.open.append(self.get_starttag_text())

    def handle_endtag(self, *_tag):
        self.open.pop()

    def handle_data(self, data):
        self.found.append((data, "".join(self.open)))


@given(st.lists(st.sampled_from(LOOKS), min_size=8, max_size=8), st.permutations(WORDS))
def test_every_word_keeps_its_look_wherever_it_goes(looks, order):
    source = " ".join(look.format(word) for word, look in zip(WORDS, looks, strict=True))
    source = source.replace("</b> <b>", " ").replace("</i> <i>", " ")
    layout = split_html(f"<p>{source}</p>")
    page, lost = layout.rebuild(wrap([in_order(layout.segments[0].text, order)]))
    assert lost == 0
    assert split_html(page).segments[0].text == " ".join(order).upper()
    assert labelled(_Looks(page).found) == labelled(_Looks(f"<p>{source}</p>").found)


def test_a_copied_tag_names_the_language_of_its_words():
    layout = split_html("<p><span lang=en class=x>Red</span> <b>big</b> house</p>")
    text = aligned(layout.segments[0].text, "Casa roja grande", "Red=roja big=grande house=Casa")
    page, _ = layout.rebuild(wrap([text]), FormatOptions("en", "es"))
    assert re.sub('"', "", page) == "<p>Casa <span lang=es class=x>roja</span> <b>grande</b></p>"


def test_a_break_within_a_sentence_stays_behind_its_word():
    source = "<p>The <b>red</b> house that stood behind the old mill<br>was sold in spring.</p>"
    page, _ = translated(
        source,
        "La casa roja que estaba tras el viejo molino se vendió en primavera.",
        "red=roja house=casa stood=estaba old=viejo mill=molino sold=vendió spring=primavera",
    )
    assert page == (
        "<p>La casa <b>roja</b> que estaba tras el viejo molino<br> se vendió en primavera.</p>"
    )
