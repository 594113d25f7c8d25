"""Markdown files: prose is read once and put back where it stood, and the marks stay marks."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.markdown import MarkdownFormat, read_page
from tests.examples import examples
from tests.formats.aligned import wrap

FORMAT = MarkdownFormat()


def said(tmp_path, source):
    path = tmp_path / "page.md"
    path.write_bytes(source.encode())
    return [(segment.text, segment.kind) for segment in FORMAT.read(path).segments]


def texts(tmp_path, source):
    return [text for text, _ in said(tmp_path, source)]


def rewritten(tmp_path, source, *translations):
    path, target = tmp_path / "page.md", tmp_path / "target.md"
    path.write_bytes(source.encode())
    document = FORMAT.read(path)
    if callable(translations[0]):
        translations = [translations[0](segment.text) for segment in document.segments]
    notices = FORMAT.write(document, wrap(translations), target)
    return target.read_bytes().decode(), notices


def written(tmp_path, source, *translations):
    content, notices = rewritten(tmp_path, source, *translations)
    assert notices == ()
    return content


PAGE = """\
---
title: "The house"
tags: [a, b]
description: How it stands
---
# The **garden** {#top}

It is _green_ again &amp; wet, as [the plan](http://example.org/a_b "Our plan") says
and `code of it` shows.

Old
===

> Quoted words
> go on.

1. First
   thing
   - Inner *thing*
2) Other

| Part | State \\| why |
|:-----|------:|
| Roof | `leaks` badly |

![The roof is not](roof.png)
[![Build state](a.svg)](b)

- [x] Done thing

Line one\\
Line two<br>Line three

> [!TIP]
> Wear boots.

See[^1] it, $x^2$ or <http://a.org> there.

[^1]: First note.
[^2]: Second *note*.

{{< figure a >}}

[plan]: http://example.org "Kept"

    indented code

~~~python
fenced("code")
~~~

<div>HTML block</div>
"""

SAID = [
    ("The house", "property"),
    ("How it stands", "property"),
    ("The garden", "heading"),
    ("It is green again & wet, as the plan says and shows.", "paragraph"),
    ("Our plan", "caption"),
    ("Old", "heading"),
    ("Quoted words go on.", "paragraph"),
    ("First thing", "paragraph"),
    ("Inner thing", "paragraph"),
    ("Other", "paragraph"),
    ("Part", "cell"),
    ("State | why", "cell"),
    ("Roof", "cell"),
    ("badly", "cell"),
    ("The roof is not", "caption"),
    ("Build state", "caption"),
    ("Done thing", "paragraph"),
    ("Line one", "paragraph"),
    ("Line two", "paragraph"),
    ("Line three", "paragraph"),
    ("Wear boots.", "paragraph"),
    ("See it, or there.", "paragraph"),
    ("First note.", "footnote"),
    ("Second note.", "footnote"),
]


def test_every_piece_of_prose_is_a_segment_once(tmp_path):
    assert said(tmp_path, PAGE) == SAID


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_unchanged_translations_give_the_same_bytes(tmp_path, newline):
    source = PAGE.replace("\n", newline)
    assert written(tmp_path, source, str) == source


def test_everything_but_prose_stays(tmp_path):
    content = written(tmp_path, PAGE, str.upper)
    for kept in (
        "tags: [a, b]",
        "{#top}",
        "](http://example.org/a_b ",
        "`code of it`",
        "`leaks` BADLY",
        "|:-----|------:|",
        "](roof.png)",
        "[![BUILD STATE](a.svg)](b)",
        "- [x] DONE",
        "LINE ONE\\\nLINE TWO<br>LINE THREE",
        "> [!TIP]\n> WEAR",
        "SEE[^1] IT, $x^2$ OR <http://a.org> THERE",
        "{{< figure a >}}",
        "[^1]: FIRST NOTE.\n[^2]: SECOND *NOTE*.",
        '[plan]: http://example.org "Kept"',
        '    indented code\n\n~~~python\nfenced("code")\n~~~\n\n<div>HTML block</div>\n',
    ):
        assert kept in content
    assert texts(tmp_path, content) == [text.upper() for text, _ in SAID]


def test_names_keep_their_marks_in_place(tmp_path):
    source = "Dear **Ann Ellison**, call [0136](x) now.\n"
    assert written(tmp_path, source, "Querida Ann Ellison, llame al 0136 ya.") == (
        "Querida **Ann Ellison**, llame al [0136](x) ya.\n"
    )


def test_code_links_and_notes_are_there_once_whatever_comes_back(tmp_path):
    source = "Run `make` with [the plan](x)[^1] and **care** now.\n"
    for translation in ("A", "a b", "uno dos tres cuatro cinco seis siete ocho", "a * _ [ ` <b>"):
        content, _ = rewritten(tmp_path, source, translation)
        for kept in ("`make`", "](x)", "[^1]"):
            assert content.count(kept) == 1


def test_marks_hold_words_without_spaces_inside(tmp_path):
    content = written(tmp_path, "It is **very green** now, _all of it_ so.\n", "a b c d e f g h")
    assert content.count("**") == content.count("_") == 2
    for mark in ("**", "_"):
        assert content.split(mark)[1] == content.split(mark)[1].strip()
    assert texts(tmp_path, content) == ["a b c d e f g h"]


def test_bold_without_words_is_given_up_and_counted(tmp_path):
    content, notices = rewritten(tmp_path, "One **two** *three*\n", "Uno")
    assert content == "*Uno*\n"
    assert notices == ("formatting-simplified:1",)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("A [b `c`][] d **e** f.\n\n[b `c`]: x\n", "A b d e f."),
        ("**A**[b](x)**c** *d***e**\n", "Abc de"),
        ("**a *b* c** ~~d~~ ***e***\n", "a b c d e"),
        ("a ** b * c _ d __ e\n", "a ** b * c _ d __ e"),
    ],
)
def test_no_word_beside_a_mark_is_missed(tmp_path, source, expected):
    assert texts(tmp_path, source) == [expected]
    content, _ = rewritten(tmp_path, source, str.upper)
    assert texts(tmp_path, content) == [expected.upper()]


def test_code_never_touches_code(tmp_path):
    source = "Use `a`, `b`, `c` or `d` as you like it.\n"
    content = written(tmp_path, source, "Usa como gustes.")
    assert [f"`{name}`" in content for name in "abcd"] == [True] * 4
    assert "``" not in content


def test_links_named_by_their_own_text_still_find_their_target(tmp_path):
    source = "See [the plan] or [the plan][] or ![the roof].\n\n[the plan]: x\n[the roof]: y\n"
    content = written(tmp_path, source, "Ve el plano o el mapa o.", "el techo")
    assert content.count("][the plan]") == 2
    assert "![el techo][the roof]" in content
    assert texts(tmp_path, content)[1] == "el techo"


@pytest.mark.parametrize(
    "translation",
    [
        "# uno",
        "- uno",
        "1. uno",
        "2024. uno",
        "> uno",
        "***",
        "uno * dos * tres",
        "uno *dos* tres",
        "_uno_ dos",
        "uno `dos` tres",
        "[uno](dos)",
        "uno <b>dos</b>",
        "uno &amp; dos",
        "<div>",
        "uno \\ dos \\* tres",
        "![uno](dos)",
        "[uno]: dos",
        "```uno",
        "uno | dos",
        "===",
        "uno #",
        "{{ uno }} $a_b$ [^1] {#uno}",
    ],
)
@pytest.mark.parametrize(
    "source", ["One\n", "# One\n", "- One\n", "|A|\n|-|\n|One|\n", "One\n===\n", "A\\\nOne\n"]
)
def test_what_a_translation_says_is_text_and_never_markup(tmp_path, source, translation):
    before = texts(tmp_path, source)
    content, notices = rewritten(tmp_path, source, *before[:-1], translation)
    if notices == ("blocks-unchanged:1",):  # no words came back
        assert not any(map(str.isalnum, translation))
        return
    assert texts(tmp_path, content) == [*before[:-1], translation]


def test_wrapped_lines_are_wrapped_again_under_their_margin(tmp_path):
    line = "> - Some words that fill a line of the page up\n>   and go on.\n"
    translation = "palabras que llenan " * 6 + "- 1. fin"
    lines = written(tmp_path, line, translation).splitlines()
    assert len(lines) > 2
    assert all(one.startswith(">   ") for one in lines[1:])
    assert max(map(len, lines)) < 60
    assert texts(tmp_path, "\n".join(lines)) == [translation]


def test_titles_of_the_settings_are_quoted_when_they_must_be(tmp_path):
    source = "---\ntitle: House\nsummary: 'It stands'\n---\nText\n"
    assert written(tmp_path, source, "Casa: hoy", "L'eau", "Texto") == (
        '---\ntitle: "Casa: hoy"\nsummary: "L\'eau"\n---\nTexto\n'
    )


def test_a_rule_above_a_paragraph_is_no_front_matter(tmp_path):
    assert texts(tmp_path, "---\nJust words\n---\n") == ["Just words"]


@pytest.mark.parametrize("source", ["```\ncode\n```\n", "    code\n", "<p>\nHi\n", "`a` [^1]\n"])
def test_a_page_without_prose_is_empty(tmp_path, source):
    with pytest.raises(DocumentError) as caught:
        texts(tmp_path, source)
    assert caught.value.failure is DocumentFailure.EMPTY


@pytest.mark.parametrize(
    "source",
    [
        ">" * 20_000 + " a",
        "[" * 5_000 + "a",
        "*a_ " * 5_000,
        "`" * 5_000 + "a",
        "{{" * 10_000 + "a",
        "$a" * 10_000,
        "- " * 5_000 + "a",
        "a <b>" * 3_000,
        "|a" * 300 + "\n" + "|-" * 300 + "\n" + "|\n" * 300,
    ],
)
def test_hostile_pages_end_well(tmp_path, source):
    path = tmp_path / "page.md"
    path.write_text(source)
    try:
        document = FORMAT.read(path)
        FORMAT.write(
            document,
            wrap([s.text.upper() for s in document.segments]),
            tmp_path / "target",
        )
    except DocumentError as error:
        assert error.__cause__ is None  # noqa: PT017 (an error is one of two good outcomes)


@given(st.text(alphabet="*_`[]()!<>#-+=|~\\&1.: ab\n", max_size=80))
@settings(max_examples=examples(300), deadline=None)
def test_any_source_has_its_prose_in_its_place(source):
    """What the parser finds is found in the lines, and every text can be written again."""
    page = read_page(source)
    assert page.unplaced == 0
    for block in page.parts:
        assert block.end > block.start
        segments = block.inline.segments
        content, _ = page.reader.write(block.inline, wrap([s.text.upper() for s in segments]))
        assert content
