"""Tags and placeholders of a text: all are back, or the translation is refused."""

from __future__ import annotations

import pytest

from prism_core.cat.serving.tagged_text import TaggedText

TEXTS = (
    ("", "Plain, with 3 < 4 & an X71 of its own."),
    ("", "  Lines\n\n\twith spaces  "),
    ("", "<f0>A pair <g1>within</g1> another</f0>, one alone <f2> and one empty <x3/>."),
    ("", "%s of %(total)d in {name}, {{count}} and ${price}: 100% done"),
    ("xml", 'A <b class="x">bold <i>and</i></b> word<br/>, <x id="1"></x> &amp; &lt;more&gt;'),
    ("xml", "Tangled <b>one <i>two</b> three</i>, closed </u> and <!-- a remark -->"),
    ("html", "<ul><li>One <b>red</b> apple &amp; more<li>Two</ul>"),
)


@pytest.mark.parametrize(("markup", "text"), TEXTS)
def test_a_page_that_is_not_changed_gives_the_text_back(markup: str, text: str) -> None:
    tagged = TaggedText.read(text, markup)
    assert tagged.restore(f"<meta name='x'>{tagged.page}") == text


def test_nothing_of_an_opaque_element_is_in_the_page() -> None:
    tagged = TaggedText.read("Keep <code>secret words</code> here", "xml", ["code"])
    assert "secret" not in tagged.page
    assert tagged.restore(tagged.page.replace("here", "aqui")) == (
        "Keep <code>secret words</code> aqui"
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("X71", "X72"),
        ("X71", ""),
        ("X71", "X71 X71"),
        ('<img id="p74">', ""),
        ("</span>", ""),
        ('<span id="p72">word</span>', '</span>word<span id="p72">'),
        ("<p>", ""),
    ],
)
def test_a_tag_that_is_lost_or_doubled_is_noticed(before: str, after: str) -> None:
    tagged = TaggedText.read("%s <g1>word</g1> <x2/>")
    assert before in tagged.page
    assert tagged.restore(tagged.page.replace(before, after)) is None
