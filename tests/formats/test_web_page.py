"""HTML files: what a reader meets is read once, and everything else stays byte for byte."""

import codecs
import contextlib

import pytest

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats import detect, format_for
from prism_core.formats.base import FormatOptions
from prism_core.formats.hypertext import decode_page
from tests.formats.aligned import wrap
from tests.timing import processor_limit

FORMAT = format_for("html")

PAGE = """\
<?xml version="1.0" encoding="{0}"?>
<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "xhtml1-strict.dtd">
<html lang="en"><head><meta charset={0} />
<title>Caf\u00e9 hours</title>
<meta name="description" content="When we open">
<meta name="viewport" content="width=device width">
<meta property='og:title' content='The hours'>
<link rel="alternate" title="Feed of news" href="feed">
<style>p {{ color: red }}</style><script>say("Hello there");</script></head>
<body><!-- a remark -->
<p>We open at <b>nine</b> &amp; close&nbsp;at <a href="x?a=1&amp;b=2">six</a>.</p>
<p translate="no">Keep <i>this</i> name</p><p>but not this</p>
<ul><li>Type <code>make all</code> to build.<li class="notranslate">ACME Corp</ul>
<pre>
One line
Another line
</pre>
<pre>int main() {{
  f();
  return 0;
}}</pre>
<form><input type=submit value=Send><input type="text" value="typed" placeholder="Your name">
<textarea>Write here</textarea><button aria-label="Close it">x</button>
<select><optgroup label="Days"><option>Monday</optgroup></select></form>
</body></html>
"""

SAID = [
    ("Café hours", "property"),
    ("When we open", "property"),
    ("The hours", "property"),
    ("We open at nine & close at six.", "paragraph"),
    ("but not this", "paragraph"),
    ("Type to build.", "paragraph"),
    ("One line", "paragraph"),
    ("Another line", "paragraph"),
    ("Send", "caption"),
    ("Your name", "caption"),
    ("Write here", "paragraph"),
    ("x", "paragraph"),
    ("Close it", "caption"),
    ("Days", "caption"),
    ("Monday", "paragraph"),
]


def saved(tmp_path, content):
    path = tmp_path / "page.html"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def rewritten(tmp_path, content, translate):
    read = FORMAT.read(saved(tmp_path, content))
    target = tmp_path / "target.html"
    assert (
        FORMAT.write(read, wrap([translate(segment.text) for segment in read.segments]), target)
        == ()
    )
    return target.read_bytes()


def test_everything_that_a_reader_meets_is_a_segment_once(tmp_path):
    document = FORMAT.read(saved(tmp_path, PAGE.format("utf-8")))
    assert [(segment.text, segment.kind) for segment in document.segments] == SAID


def test_only_texts_change(tmp_path):
    content = rewritten(tmp_path, PAGE.format("utf-8"), str.upper).decode()
    expected = PAGE.format("utf-8")
    changes = {
        "Caf\u00e9 hours": "CAF\u00c9 HOURS",
        "When we open": "WHEN WE OPEN",
        "The hours": "THE HOURS",
        "We open at <b>nine</b> &amp; close&nbsp;at": "WE OPEN AT <b>NINE</b> &amp; CLOSE AT",
        ">six<": ">SIX<",
        "but not this": "BUT NOT THIS",
        "Type <code>make all</code> to build.": "TYPE <code>make all</code> TO BUILD.",
        "One line\nAnother line": "ONE LINE\nANOTHER LINE",
        "value=Send": 'value="SEND"',
        "Your name": "YOUR NAME",
        "Write here": "WRITE HERE",
        "Close it": "CLOSE IT",
        ">x<": ">X<",
        "Days": "DAYS",
        "Monday": "MONDAY",
    }
    for before, after in changes.items():
        expected = expected.replace(before, after)
    assert content == expected


ENCODED = {
    "declared UTF-8": PAGE.format("utf-8").encode(),
    "declared Latin-1": PAGE.format("iso-8859-1").encode("cp1252"),
    "declared Greek, its own name": "<meta charset='ISO-8859-7'><p>\u039a\u03b1\u03bb\u03b7".encode(
        "iso-8859-7"
    ),
    "Shift JIS": "<meta content='text/html; charset=Shift_JIS'><p>\u5eadの".encode("shift_jis"),
    "a mark": codecs.BOM_UTF8 + PAGE.format("utf-8").encode(),
    "UTF-16": codecs.BOM_UTF16_LE + PAGE.format("utf-16").encode("utf-16-le"),
    "declared wrongly": PAGE.format("utf-8").encode("cp1252"),
    "declared as no encoding of text": b"<meta charset=utf-7><p>Hi +AGE-",
    "declared as nothing known": b"<meta charset=x-none><p>Hi",
    "Windows line endings": PAGE.format("utf-8").replace("\n", "\r\n").encode(),
}


@pytest.mark.parametrize("what", ENCODED)
def test_unchanged_translations_give_the_same_bytes(tmp_path, what):
    assert rewritten(tmp_path, ENCODED[what], str) == ENCODED[what]


@pytest.mark.parametrize("what", ENCODED)
def test_the_encoding_stays(tmp_path, what):
    content = rewritten(tmp_path, ENCODED[what], str.upper)
    before, after = decode_page(ENCODED[what]), decode_page(content)
    assert (after.encoding, after.mark) == (before.encoding, before.mark)


def test_a_letter_that_the_encoding_lacks_becomes_a_reference(tmp_path):
    page = b"<meta charset=iso-8859-1><p title=x>caf\xe9"
    assert rewritten(tmp_path, page, lambda _: "\u03a9\u00e9").endswith(b">&#937;\xe9")


def test_a_page_that_declares_no_encoding_stays_ascii(tmp_path):
    assert rewritten(tmp_path, b"<html><p>cafe", lambda _: "caf\u00e9") == b"<html><p>caf&#233;"


def test_code_that_is_never_closed_ends_with_its_paragraph(tmp_path):
    read = FORMAT.read(saved(tmp_path, "<p>Type <code>ls<p>Then wait<p translate=no>A<p>Go"))
    assert [segment.text for segment in read.segments] == ["Type", "Then wait", "Go"]


def test_what_is_kept_ends_with_its_own_tag(tmp_path):
    source = "<div translate=no><div>a</div>b<br></div>See <span translate=no>Bath</span>!"
    read = FORMAT.read(saved(tmp_path, source))
    assert [segment.text for segment in read.segments] == ["See!"]
    assert rewritten(tmp_path, source, lambda _: "Vea a!").endswith(
        b">Vea a <span translate=no>Bath</span>!"
    )


def test_a_page_without_text_is_empty(tmp_path):
    with pytest.raises(DocumentError) as caught:
        FORMAT.read(saved(tmp_path, "<html><frameset><frame src=a></frameset></html>"))
    assert caught.value.failure is DocumentFailure.EMPTY


def test_a_page_of_too_many_paragraphs_is_refused_before_it_is_read_to_its_end(tmp_path):
    path = tmp_path / "page.html"
    path.write_text("<p>The garden is green.</p>" * 200_000)
    with processor_limit(1), pytest.raises(DocumentError) as raised:
        format_for("html", FormatOptions(most_sentences=100)).read(path)
    assert raised.value.failure is DocumentFailure.TOO_LARGE


def test_entities_of_a_document_type_are_never_expanded(tmp_path):
    bomb = '<!DOCTYPE html [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><html><p>&b; Hi</p></html>'
    path = saved(tmp_path, bomb)
    assert detect(path) == "html"
    assert "aaaa" not in "".join(segment.text for segment in FORMAT.read(path).segments)
    assert rewritten(tmp_path, bomb, str) == bomb.encode()


@pytest.mark.parametrize("name", ["page.html", "page.HTM"])
def test_a_file_named_as_a_page_is_one_if_it_has_a_tag(tmp_path, name):
    path = tmp_path / name
    path.write_text("Hello, <b>Ann</b>!")
    assert detect(path) == "html"
    path.write_text("Hello, Ann!")
    assert detect(path) == "txt"


@pytest.mark.parametrize(
    "page",
    [
        "<b translate=no>" * 20_000,
        "<b translate=no>" + "<i>" * 30_000 + "</p>" * 30_000,
        "<li translate=no>" * 20_000,
        "<li translate=no>" + "<b>" * 20_000 + "<li>" * 20_000,
        "<code>" * 30_000 + "x",
        "<p title='" + "a " * 50_000,
        "<p " + "a = " * 30_000 + ">x",
        "<textarea>" * 20_000 + "x",
        "<pre>" * 20_000 + "a\n" * 5_000,
    ],
)
def test_hostile_pages_are_read_in_no_time(tmp_path, page):
    with processor_limit(20), contextlib.suppress(DocumentError):
        rewritten(tmp_path, page, str.upper)
