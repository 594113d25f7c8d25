"""HTML bodies: text nodes, alt and title; nothing else moves, and no text is lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prism_core.formats.hypertext import split_html
from prism_core.formats.inline import distribute


def texts(source):
    return [segment.text for segment in split_html(source).segments]


def upper(source):
    layout = split_html(source)
    return layout.join([segment.text.upper() for segment in layout.segments])


def test_blocks_part_segments_and_inline_markup_does_not():
    source = (
        "<div>One <b>two</b> three<p>Four</p>five<br>six</div><table><tr><td>7 a</td></tr></table>"
    )
    assert texts(source) == ["One two three", "Four", "five", "six", "7 a"]


def test_kinds_tell_headings_cells_and_titles():
    source = "<title>A</title><h2>B</h2><p>C</p><table><th>D</th><td>E</td></table><img alt='F g'>"
    assert [segment.kind for segment in split_html(source).segments] == [
        "property",
        "heading",
        "paragraph",
        "cell",
        "cell",
        "caption",
    ]


@pytest.mark.parametrize(
    "kept",
    [
        "<style>p { color: red }</style>",
        "<script>var a = '<p>text</p>';</script>",
        "<!-- a <b>comment</b> -->",
        "<!--[if mso]><p>Outlook only</p><![endif]-->",
        "<pre><code>int main()</code></pre>",
        "<textarea>...</textarea>",
        '<a href="http://example.org/?a=1&b=2"></a>',
        "<![CDATA[ ]]>",
        "<br/>&nbsp;&#160;<hr>",
        '<img alt="image001.png" src=cid:1>',
    ],
)
def test_what_is_no_text_stays(kept):
    source = f"<p>One</p>{kept}<p>Two</p>"
    assert texts(source) == ["One", "Two"]
    assert upper(source) == f"<p>ONE</p>{kept}<p>TWO</p>"


def test_entities_are_characters_to_the_reader_and_markup_again_when_written():
    source = "<p>Smith &amp; S&ouml;hne &lt;5&nbsp;kg&gt;</p>"
    layout = split_html(source)
    assert texts(source) == ["Smith & Söhne <5 kg>"]
    assert layout.join(["A & <B>"]) == "<p>A &amp; &lt;B&gt;</p>"
    assert layout.join(texts(source)) == source


def test_white_space_around_and_source_lines_are_kept():
    assert texts("<p>\n  One\n  two </p>") == ["One two"]
    assert upper("<p>\n  One\n  two </p>") == "<p>\n  ONE TWO </p>"
    assert upper("<p>&nbsp; One &nbsp;</p>") == "<p>&nbsp; ONE &nbsp;</p>"


def test_invisible_characters_do_not_split_a_name():
    assert texts("<p>Mar&shy;ga&#8203;ret</p>") == ["Margaret"]


def test_names_keep_their_format_in_place():
    layout = split_html("<p>Dear <b>Margaret Ellison</b>, call <a href=x>(614) 555-0136</a>.</p>")
    assert (
        layout.join(["Querida Margaret Ellison, llame al (614) 555-0136."])
        == "<p>Querida <b>Margaret Ellison</b>, llame al <a href=x>(614) 555-0136</a>.</p>"
    )


def test_an_address_whose_letters_changed_case_keeps_its_link():
    layout = split_html("<p>See our new page <a href=x>http://example.org/aB</a></p>")
    assert layout.join(["Vea http://example.org/ab"]) == (
        "<p>Vea <a href=x>http://example.org/ab</a></p>"
    )


def test_every_link_keeps_a_word():
    layout = split_html("<p><a href=1>Yes</a> or <a href=2>no</a></p>")
    assert layout.join(["Sí o no"]) == "<p><a href=1>Sí</a> o <a href=2>no</a></p>"


def test_alt_and_title_are_read_and_stay_within_their_quotes():
    source = '<p title=\'The "ward"\'>Hi <img data-x="alt=\'no\'" alt="The door"></p>'
    assert texts(source) == ["Hi", 'The "ward"', "The door"]
    layout = split_html(source)
    changed = layout.join(["Hi", "a \"b\" 'c'", "Tür"])
    assert changed == (
        "<p title='a &quot;b&quot; &#x27;c&#x27;'>Hi <img data-x=\"alt='no'\" alt=\"Tür\"></p>"
    )


def test_preformatted_text_keeps_its_lines():
    source = "<pre>One line\nAnother &amp; more</pre>"
    assert texts(source) == ["One line", "Another & more"]
    assert upper(source) == "<pre>ONE LINE\nANOTHER &amp; MORE</pre>"


@given(st.text(alphabet="<>/=!-&;\"' abp\n", max_size=60))
def test_any_source_stays_as_it_is_when_nothing_changes(source):
    layout = split_html(source)
    assert layout.join([segment.text for segment in layout.segments]) == source


@given(st.text(alphabet="<>/=!-&;\"' abp\n", max_size=60))
def test_a_translation_is_read_back_word_for_word(source):
    layout = split_html(source)
    given_texts = [f"w{index} x y z" for index, _ in enumerate(layout.segments)]
    again = split_html(layout.join(given_texts))
    assert [segment.text for segment in again.segments] == given_texts


@given(
    st.lists(st.text(alphabet="ab, ", max_size=12), min_size=1, max_size=6),
    st.text("ab, ñ", max_size=40),
)
def test_pieces_of_a_translation_join_to_it(nodes, translation):
    pieces = distribute(nodes, translation)
    assert len(pieces) == len(nodes)
    assert "".join(pieces) == translation
