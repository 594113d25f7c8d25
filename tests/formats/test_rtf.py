"""Rich Text: every text that is seen comes out once and goes back; every other byte stays."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prism_core.alignment import Match, Translation
from prism_core.errors import DocumentFailure
from prism_core.formats import read_document, write_document
from prism_core.formats.base import apply_edits
from prism_core.formats.old_office.rtf.line import read_paragraphs
from prism_core.formats.text import Loss
from tests.formats.aligned import aligned, wrap
from tests.formats.mails import message, mixed, saved, translated
from tests.formats.rewriting import failure_of, found, texts
from tests.timing import processor_limit

FONTS = (
    rb"{\fonttbl{\f0\fswiss\fcharset0 Arial;}{\f1\fcharset204 Arial Cyr;}{\f2\fcharset2 Symbol;}"
    rb"{\f3\fcharset128{\*\falt x}MS Mincho;}{\f4\froman\fcharset0 Times;}}"
)
HEAD = rb"{\rtf1\ansi\ansicpg1252\deff0" + FONTS + rb"{\colortbl;\red1;}{\*\generator Word;}\f0 "


def rtf(body):
    """A document with ``body``."""
    return HEAD + body + b"}"


@pytest.fixture
def made(tmp_path):
    """Makes a document with a body."""

    def make(body):
        path = tmp_path / "made.rtf"
        path.write_bytes(rtf(body))
        return path

    return make


def written(path, *translations):
    """The body that is written with ``translations``, and the notices."""
    target = path.with_name("target.rtf")
    notices = write_document(read_document(path), wrap(translations), target)
    content = target.read_bytes()
    assert content.startswith(HEAD)
    assert content.endswith(b"}")
    assert texts(target) == [said.text for said in wrap(translations)]
    return content[len(HEAD) : -1], notices


def test_every_text_that_is_seen_is_read_once_with_its_kind(made):
    path = made(
        rb"{\info{\title A title}{\subject A subject}{\author Ann Bell}{\creatim\yr2026}}"
        rb"{\stylesheet{\s1 heading 1;}}{\header\pard Head\par}{\footerf Foot\par}"
        rb"\pard\outlinelevel0 Heading\par\pard{\listtext 1.\tab}One{\footnote{\chftn} Note}"
        rb" two{\*\atnid AB}{\*\annotation{\*\atnref 1}Remark}{\footnote\ftnalt End}.\par"
        rb"\trowd\pard\intbl Left\cell{Up\cell}\row\pard Below\par"
        rb"{\shp{\*\shpinst{\sp{\sn fill}{\sv blue}}{\shptxt Box\par}}"
        rb"{\shprslt{\*\do{\dptxbxtext Box\par}}}}"
        rb"{\*\unknown secret}{\pict\pngblip 89504e47\n0a}{\object{\*\objdata 01ab}{\result Shown}}"
    )
    assert found(path) == [
        ("property", "A title"),
        ("property", "A subject"),
        ("header", "Head"),
        ("footer", "Foot"),
        ("heading", "Heading"),
        ("paragraph", "One two."),
        ("footnote", "Note"),
        ("comment", "Remark"),
        ("endnote", "End"),
        ("cell", "Left"),
        ("cell", "Up"),
        ("paragraph", "Below"),
        ("textbox", "Box"),
        ("textbox", "Box"),
        ("paragraph", "Shown"),
    ]


def test_unchanged_texts_give_the_file_back_byte_for_byte(made, tmp_path):
    path = made(b"caf\\'e9 \\u8217?s\r\n{\\b bold}\\par\r\n")
    source = read_document(path)
    write_document(source, wrap([s.text for s in source.segments]), tmp_path / "target")
    assert (tmp_path / "target").read_bytes() == path.read_bytes()


def test_characters_are_read_however_they_are_written(made):
    path = made(
        rb"caf\'e9 \{a\}\~b\_c\-d \u8217?s \uc0\u233 t\u233  \uc2\u12354\'82\'a0x\par"
        rb"\f1\'cf\'f0\'e8\f0  \f3\'93\'fa\'96\'7b\f0\par"
        rb"\uc1\u-10179?\u-8704? a\emdash b\ldblquote c\rdblquote\line d\tab e\par "
        + "né".encode("cp1252")
    )
    assert texts(path) == [
        "café {a}\u00a0b\u2011cd \u2019s été あx",
        "При 日本",
        "😀 a\u2014b\u201cc\u201d\nd\te",
        "né",
    ]


def test_a_translation_is_written_in_ascii_with_the_marks_that_the_group_asks_for(made):
    body, _ = written(made(rb"One\par{\uc0 Two\par}{\uc2 Three}"), "a{é}\\ 😀", "éa", "日\u00a0b")
    assert body == (rb"a\{\u233?\}\\ \u-10179?\u-8704?\par{\uc0 \u233 a\par}{\uc2 \u26085??\~b}")


def test_a_control_word_does_not_swallow_what_is_put_behind_it(made):
    body, _ = written(made(rb"\f4\'e9t\'e9\par\b\line\'31 was\b0"), "2 eta", "3 x")
    assert body == rb"\f4 2 eta\par\b\line 3 x\b0"


def test_only_the_changed_paragraph_is_written_anew(made):
    body, notices = written(made(b"{\\b\r\nOne}\\par\r\nTwo\r\n words\\par\r\nThree\\par"),
                            "One", "Dos palabras", "Three")  # fmt: skip
    assert body == b"{\\b\r\nOne}\\par\r\nDos palabras\\par\r\nThree\\par"
    assert notices == ()


def test_formatting_stays_on_the_words_it_belongs_to(made):
    body, notices = written(
        made(rb"Born on {\b 12 May 1990} in \i Bath\i0 .\par"),
        "Nacido el 12 de mayo de 1990 en Bath.",
    )
    assert body == rb"Nacido el {\b 12 de mayo de 1990} en \i Bath\i0 .\par"
    assert notices == ()


def test_words_that_no_reader_sees_do_not_divide_a_text(made):
    body, notices = written(
        made(rb"The {\lang1033\insrsid12 gar}{\lang1031 den} \f1 is\f0  green.\par"),
        "El jardín es verde.",
    )
    assert body.startswith(rb"El jard\u237?n es verde.{")
    assert notices == ()


def test_fields_keep_their_instructions_and_notes_their_place(made):
    body, _ = written(
        made(
            rb'In 1990 {\field{\*\fldinst HYPERLINK "http://x"}{\fldrslt{\ul annex 7}}}'
            rb", {\footnote Foot}the roof\par"
        ),
        "En 1990 anexo 7, el tejado",
        "Pie",
    )
    assert rb'{\field{\*\fldinst HYPERLINK "http://x"}{\fldrslt{\ul anexo 7}}}' in body
    assert rb"{\footnote Pie}el tejado\par" in body


def test_hidden_deleted_and_symbol_text_stays(made):
    body, _ = written(
        made(rb"One {\v hidden} {\deleted gone} {\revised new} {\f2 abc} two\par"),
        "Uno   nuevo  dos",
    )
    for kept in (rb"{\v hidden}", rb"{\deleted gone}", rb"{\f2 abc}"):
        assert kept in body


def test_breaks_that_a_translation_loses_are_counted_and_stay(made):
    path = made(rb"One\tab two\par")
    notices = write_document(read_document(path), wrap(["Uno dos"]), path.with_name("target"))
    assert notices == ("breaks-moved:1",)
    assert rb"\tab " in path.with_name("target").read_bytes()


def test_binary_data_is_passed_over(made):
    path = made(rb"{\pict\bin9 }}}{{{\\\x" + b"x}One\\par")
    assert texts(path) == ["One"]


@pytest.mark.parametrize(
    ("content", "failure"),
    [
        (rtf(b"One")[:-1], DocumentFailure.CORRUPT),
        (rtf(b"One \\"), DocumentFailure.CORRUPT),
        (rtf(b"{\\bin99999 x"), DocumentFailure.CORRUPT),
        (rtf(b"{" * 2000 + b"x" + b"}" * 2000), DocumentFailure.TOO_LARGE),
        (rtf(b"12 {\\v hidden}"), DocumentFailure.EMPTY),
        (b"{\\rtf1}", DocumentFailure.EMPTY),
    ],
    ids=["cut", "backslash", "binary", "deep", "hidden", "empty"],
)
def test_damaged_and_empty_files_are_refused(tmp_path, content, failure):
    path = tmp_path / "bad.rtf"
    path.write_bytes(content)
    assert failure_of(read_document, path) is failure


@pytest.mark.parametrize("kind", [b"text/rtf", b"application/rtf"])
def test_an_attached_file_is_translated_where_it_is(tmp_path, kind):
    part = b"Content-Type: " + kind + b"; name=a.rtf\r\n\r\n" + rtf(b"We met.\\par")
    body, header = mixed(b"\r\nSee below.", part)
    path = saved(tmp_path, message(body, header))
    assert texts(path)[1:] == ["See below.", "We met."]
    written, notices = translated(path, lambda text: text.replace("We met.", "Ñ"))
    assert written == path.read_bytes().replace(b"We met.", b"\\u209?")
    assert notices == ()


def test_what_follows_the_document_is_no_part_of_it(tmp_path):
    path = tmp_path / "made.rtf"
    path.write_bytes(b"\r\n" + rtf(b"One\\par") + b"\r\n\0}{junk")
    assert texts(path) == ["One"]


@pytest.mark.parametrize(
    "body",
    [b"\\u233?" * 30_000, b"{\\b x}" * 15_000, b"\\b x\\b0 y" * 12_000, b"\\'e9" * 60_000,
     b"a\\tab " * 15_000, b"\\uc999999 \\u1 ab" * 30_000, b"{\\footnote x}" * 10_000],
    ids=["unicode", "groups", "formats", "codes", "tabs", "fallbacks", "notes"],
)  # fmt: skip
def test_size_alone_costs_no_more_than_seconds(made, body):
    path = made(body + b"x\\par")
    with processor_limit(20):
        document = read_document(path)
        given = [segment.text.upper() for segment in document.segments]
        write_document(document, wrap(given), path.with_name("target"))


MOVED = [
    (rb"{\b Red} house\par", ("Casa roja", "Red=roja house=Casa"), rb"{\b }Casa {\b roja}\par"),
    (rb"\b Red\b0  house\par", ("Casa roja", "Red=roja house=Casa"), rb"\b \b0 Casa {\b roja}\par"),
    (
        rb"The {\i\fs20\cf1 red} {\b\ul house}\par",
        ("La casa roja", "red=roja house=casa"),
        rb"La {\b\ul casa}{\i\fs20\cf1  roja}{\b\ul }\par",
    ),
]


@pytest.mark.parametrize("case", MOVED)
def test_looks_go_where_their_words_go(made, case):
    body, (translation, pairs), expected = case
    path = made(body)
    source = texts(path)[0]
    content, notices = written(path, aligned(source, translation, pairs))
    assert content == expected
    assert notices == ()


@pytest.mark.parametrize("body", [rb"{\revised Red} house\par"])
def test_nothing_moves_where_it_must_stay(made, body):
    path = made(body)
    _, notices = written(path, aligned("Red house", "Casa roja", "Red=roja house=Casa"))
    assert notices == ("formatting-simplified:1",)


WORDS = "ab cd éf gh ij kl mn op".split()
LOOKS = (
    rb"\b \i \ul \ulwave \strike \striked1 \super \sub \fs20 \cf1 \f4 \b0 \ulnone \plain".split()
)


def looks_of_words(content):
    """The look of every word, by where it begins."""
    (paragraph,) = read_paragraphs(content, ())[0]
    found, text = {}, ""
    for chunk in paragraph.line:
        found.update({len(text) + offset: chunk.look for offset in range(len(chunk.text))})
        text += chunk.text
    return {word: found[text.index(word)] for word in paragraph.text.split()}


@settings(deadline=None)
@given(st.data())
def test_every_word_keeps_its_look_wherever_it_goes(data):
    body = ""
    for word in WORDS:
        looks = b"".join(data.draw(st.lists(st.sampled_from(LOOKS), max_size=2))).decode()
        grouped = data.draw(st.booleans())
        said = f"{looks} {word} " if looks else f"{word} "
        body += f"{{{said}}}" if grouped else said
    content = rtf(body.replace("é", r"\u233?").encode() + rb"\par")
    (paragraph,) = read_paragraphs(content, ())[0]
    source, order = paragraph.text, data.draw(st.permutations(WORDS))
    translation = " ".join(order).upper()
    matches = [
        Match(
            (source.index(w), source.index(w) + 2),
            (translation.index(w.upper()), translation.index(w.upper()) + 2),
        )
        for w in WORDS
    ]
    loss = paragraph.replace(Translation(translation, matches))
    again = apply_edits(content, paragraph.edits)
    assert "".join(p.text for p in read_paragraphs(again, ())[0]).split() == translation.split()
    before = {word.upper(): look for word, look in looks_of_words(content).items()}
    assert looks_of_words(again) == before
    assert loss == Loss()
