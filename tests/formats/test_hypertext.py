"""HTML bodies: text nodes, alt and title; nothing else moves, and no text is lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prism_core.formats.base import FormatOptions
from prism_core.formats.hypertext import split_html
from prism_core.formats.text.splitting import distribute
from tests.formats.aligned import wrap


def texts(source):
    return [segment.text for segment in split_html(source).segments]


def upper(source):
    layout = split_html(source)
    return layout.rebuild(wrap([segment.text.upper() for segment in layout.segments]))[0]


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
        "<!--[if gte mso 9]><xml><o:View>Normal</o:View></xml><![endif]-->",
        "<!--[if mso]><style>p {color: red}</style><table><tr><td><![endif]-->",
        "<!-- [if mso] remark <p>Outlook</p> -->",
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
    assert layout.rebuild(wrap(["A & <B>"]))[0] == "<p>A &amp; &lt;B&gt;</p>"
    assert layout.rebuild(wrap(texts(source)))[0] == source


def test_white_space_around_and_source_lines_are_kept():
    assert texts("<p>\n  One\n  two </p>") == ["One two"]
    assert upper("<p>\n  One\n  two </p>") == "<p>\n  ONE TWO </p>"
    assert upper("<p>&nbsp; One &nbsp;</p>") == "<p>&nbsp; ONE &nbsp;</p>"


def test_invisible_characters_do_not_split_a_name():
    assert texts("<p>Mar&shy;ga&#8203;ret</p>") == ["Margaret"]


def test_names_keep_their_format_in_place():
    layout = split_html("<p>Dear <b>Margaret Ellison</b>, call <a href=x>(614) 555-0136</a>.</p>")
    assert (
        layout.rebuild(wrap(["Querida Margaret Ellison, llame al (614) 555-0136."]))[0]
        == "<p>Querida <b>Margaret Ellison</b>, llame al <a href=x>(614) 555-0136</a>.</p>"
    )


def test_an_address_whose_letters_changed_case_keeps_its_link():
    layout = split_html("<p>See our new page <a href=x>http://example.org/aB</a></p>")
    assert layout.rebuild(wrap(["Vea http://example.org/ab"]))[0] == (
        "<p>Vea <a href=x>http://example.org/ab</a></p>"
    )


def test_every_link_keeps_a_word():
    layout = split_html("<p><a href=1>Yes</a> or <a href=2>no</a></p>")
    assert layout.rebuild(wrap(["Sí o no"]))[0] == "<p><a href=1>Sí</a> o <a href=2>no</a></p>"


def test_alt_and_title_are_read_and_stay_within_their_quotes():
    source = '<p title=\'The "ward"\'>Hi <img data-x="alt=\'no\'" alt="The door"></p>'
    assert texts(source) == ["Hi", 'The "ward"', "The door"]
    layout = split_html(source)
    changed = layout.rebuild(wrap(["Hi", "a \"b\" 'c'", "Tür"]))[0]
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
    assert layout.rebuild(wrap([segment.text for segment in layout.segments]))[0] == source


@given(st.text(alphabet="<>/=!-&;\"' abp\n", max_size=60))
def test_a_translation_is_read_back_word_for_word(source):
    layout = split_html(source)
    given_texts = [f"w{index} x y z" for index, _ in enumerate(layout.segments)]
    again = split_html(layout.rebuild(wrap(given_texts))[0])
    assert [segment.text for segment in again.segments] == given_texts


@given(
    st.lists(st.text(alphabet="ab, ", max_size=12), min_size=1, max_size=6),
    st.text("ab, ñ", max_size=40),
)
def test_pieces_of_a_translation_join_to_it(nodes, translation):
    pieces = distribute(nodes, translation)
    assert len(pieces) == len(nodes)
    assert "".join(pieces) == translation


SPARKS = (
    "<!--[if mso]>|<![endif]-->|<!--[if !mso]><!-->|<!--<![endif]-->|<br>|<p>|</p>|<b>|</b>|-->"
    "|<textarea>|</textarea>|<pre>|</pre>|<code>|</code>|<p translate=no>|<xml>"
    "|some words that run on and on |and end here."
)
FOR_OUTLOOK = st.lists(st.sampled_from(SPARKS.split("|")), max_size=14).map("".join)


@given(FOR_OUTLOOK)
def test_comments_for_outlook_and_breaks_give_no_text_twice(source):
    layout = split_html(source)
    assert layout.rebuild(wrap(said(source)))[0] == source
    given_texts = [f"Wörter{index} und mehr." for index, _ in enumerate(layout.segments)]
    written = layout.rebuild(wrap(given_texts), FormatOptions("en", "de"))[0]
    assert sorted(" ".join(said(written)).split()) == sorted(" ".join(given_texts).split())


def said(source):
    return [segment.text for segment in split_html(source).segments]


def test_what_only_outlook_shows_is_translated_in_its_comment():
    source = (
        "<p>Hello</p><!--[if mso]><v:rect><center>Call <b>us</b></center><![endif]--><p>You</p>"
    )
    assert said(source) == ["Hello", "Call us", "You"]
    written = split_html(source).rebuild(wrap(["Hola", "Lláma--><b>nos", "Tú"]))[0]
    assert (
        written
        == (
            "<p>Hola</p><!--[if mso]><v:rect><center>Lláma--&gt;&lt;b&gt;<b>nos</b></center>"
            "<![endif]--><p>Tú</p>"
        )
        or "-->" not in written.split("<![endif]")[0]
    )


@pytest.mark.parametrize("tag", ["textarea", "pre", "p translate=no", "script", "code"])
def test_what_a_comment_for_outlook_leaves_open_ends_with_it(tag):
    source = f"<p>Hello</p><!--[if mso]><{tag}>Call <![endif]--><p>You</p></{tag.split()[0]}>"
    assert said(source)[0] == "Hello"
    assert said(source)[-1] == "You"
    assert said(upper(source)) == [text.upper() for text in said(source)]


def test_a_comment_for_outlook_does_not_part_the_sentence_around_it():
    kept = "<!--[if mso]>&nbsp;<![endif]-->", "<!--[if !mso]><!--> today<!--<![endif]-->"
    source = "<p>We met {}at noon{}.</p>".format(*kept)
    assert said(source) == ["We met at noon today."]


@pytest.mark.parametrize(
    "source",
    [
        "The court asks you to send all of your papers<br>before the end of the week.",
        "The court asks you to send all of <b>your papers<br/></b> before the end of the week.",
        "The court asks you to send all of your papers<br>\n<i>before</i> the end of the week.",
    ],
)
def test_a_sentence_that_a_break_parts_is_one_text(source):
    assert said(source) == [
        "The court asks you to send all of your papers before the end of the week."
    ]
    written = split_html(source).rebuild(
        wrap(["El tribunal le pide sus papeles antes del fin de semana."])
    )[0]
    assert written.count("<br") == 1
    assert said(written.replace("<br>", " ").replace("<br/>", " ")) == [
        "El tribunal le pide sus papeles antes del fin de semana."
    ]


@pytest.mark.parametrize(
    "source",
    [
        "The court asks you to send all of your papers.<br>before the end of the week",
        "The court asks you to send all of your papers<br>Before the end of the week",
        "The court asks you to send all of your papers<br><br>before the end of the week",
        "The court asks you to send all of your papers<br></p><p>before the end of the week",
        "apples and pears<br>plums",
        "The court asks you to send all of your papers<br>&gt; before the end of the week",
    ],
)
def test_a_break_between_lines_parts_texts(source):
    assert len(said(source)) == 2


ENGLISH_TO = {"es": FormatOptions("en", "es"), "ar": FormatOptions("en", "ar")}


@pytest.mark.parametrize(
    ("target", "before", "after"),
    [
        ("es", "<html lang=en><p>A</p>", '<html lang="es"><p>B</p>'),
        ("es", "<html xml:lang='en-GB' lang='en-GB'><p>A", "<html xml:lang='es' lang='es'><p>B"),
        ("es", '<p lang="EN-us">A</p><p lang="fr">-</p>', '<p lang="es">B</p><p lang="fr">-</p>'),
        ("es", '<html lang="fr"><p>A</p>', '<html lang="fr"><p>B</p>'),
        ("es", '<body dir="ltr"><p>A</p>', '<body dir="ltr"><p>B</p>'),
        ("ar", '<html lang="en"><p>A</p>', '<html dir="rtl" lang="ar"><p>B</p>'),
        ("ar", '<body dir="ltr"><p>A</p>', '<body dir="rtl"><p>B</p>'),
        ("ar", '<body dir="rtl"><p>A</p>', '<body dir="rtl"><p>B</p>'),
        (
            "es",
            '<meta http-equiv="Content-Language" content="en"><p>A',
            '<meta http-equiv="Content-Language" content="es"><p>B',
        ),
        ("es", '<p translate="no" lang="en">x</p><p>A', '<p translate="no" lang="en">x</p><p>B'),
    ],
)
def test_a_page_that_changes_names_the_target_as_its_language(target, before, after):
    page = split_html(before)
    texts = [segment.text for segment in page.segments]
    assert page.rebuild(wrap(texts), ENGLISH_TO[target])[0] == before
    given = ["B" if text == "A" else text for text in texts]
    assert page.rebuild(wrap(given), ENGLISH_TO[target])[0] == after
    assert page.rebuild(wrap(given))[0] == before.replace("A", "B")


def test_a_page_in_a_language_written_from_the_right_turns_round():
    page = split_html('<html lang="he" dir="rtl"><p>A</p>')
    assert (
        page.rebuild(wrap(["B"]), FormatOptions("he", "en"))[0]
        == '<html lang="en" dir="ltr"><p>B</p>'
    )
