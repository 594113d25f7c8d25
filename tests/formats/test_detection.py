"""Formats are told by content; what cannot be rebuilt is refused, never mangled as plain text."""

import contextlib
import io
import zipfile
from random import Random

import pytest

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.detection import detect
from tests.shared_data import shared
from tests.timing import processor_limit

WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
SHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"
OPEN_TEXT = "application/vnd.oasis.opendocument.text"
FLAT_TEXT = (
    b'<?xml version="1.0" encoding="UTF-8"?>\n<office:document xmlns:office="urn:x" '
    b'office:mimetype="application/vnd.oasis.opendocument.text"><office:body/></office:document>'
)
SLIDES = "application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml"
EXCEL = "application/vnd.ms-excel.sheet.{}.main+xml"
POWERPOINT = "application/vnd.ms-powerpoint.{}.macroEnabled.main+xml"
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504)


def zipped(**members):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, text in members.items():
            archive.writestr(name.replace("__", "/"), text)
    return content.getvalue()


def office(main_type):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr(
            "[Content_Types].xml", f'<Types><Override ContentType="{main_type}"/></Types>'
        )
    return content.getvalue()


MAIL = b"From: Ann <ann@example.com>\r\nSubject: Hello\r\n\r\nDear Bob,\r\n"
FROM = b"From ann@example.com Mon Jan  1 00:00:00 2024\n"
PROSE = "The garden was green. It had rained all night, and the snails were out.\n"

RECOGNISED = {
    "a Word file": (office(WORD), "docx"),
    "a Word template": (office(WORD.replace("document.main", "template.main")), "docx"),
    "a Word file with macros": (
        office("application/vnd.ms-word.document.macroEnabled.main+xml"),
        "docx",
    ),
    "an OpenDocument text": (zipped(mimetype=OPEN_TEXT), "odt"),
    "an OpenDocument template": (zipped(mimetype=OPEN_TEXT + "-template"), "odt"),
    "a flat OpenDocument text": (FLAT_TEXT, "odt"),
    "RTF": (rb"{\rtf1\ansi Hello}", "rtf"),
    "RTF after a blank line": (b"\r\n" + rb"{\rtf1\ansi Hello}", "rtf"),
    "a workbook": (office(SHEET), "xlsx"),
    "a workbook template": (office(SHEET.replace("sheet.main", "template.main")), "xlsx"),
    "a workbook with macros": (office(EXCEL.format("macroEnabled")), "xlsx"),
    "a presentation": (office(SLIDES), "pptx"),
    "a slide show": (office(SLIDES.replace("presentation.main", "slideshow.main")), "pptx"),
    "a presentation template": (
        office(SLIDES.replace("presentation.main", "template.main")),
        "pptx",
    ),
    "a presentation with macros": (office(POWERPOINT.format("presentation")), "pptx"),
    "a PDF": (b"%PDF-1.7\n1 0 obj", "pdf"),
    "a PDF after junk": (b"junk\n" * 50 + b"%PDF-1.4\n", "pdf"),
    "a PDF with a damaged first line": (b"%\xe2\xe3\xcf\xd3\n1 0 obj \n<<", "pdf"),
    "a mail": (MAIL, "eml"),
    "a mail from an mbox": (FROM + MAIL, "eml"),
    "a mailbox of many mails": (FROM + MAIL + b"\n" + FROM + MAIL, "mbox"),
    "a mailbox with a mail longer than its head": (
        FROM + MAIL + PROSE.encode() * 2000 + b"\n" + FROM + MAIL,
        "mbox",
    ),
    "a mailbox without blank lines between mails": (FROM + MAIL + FROM + MAIL, "mbox"),
    "a mail from an mbox that tells of senders": (
        FROM + MAIL + b"\nFrom Ann I heard at 10:15 that all is well.\nSo: it is done.\n",
        "eml",
    ),
    "a mail after blank lines": (b"\r\n\r\n" + MAIL, "eml"),
    "a mail of one telling header": (b"Received: from a by b; Mon, 1 Jan\n\nHi\n", "eml"),
    "an Outlook message": (OLE + "__properties_version1.0".encode("utf-16-le"), "msg"),
    "HTML": (b"<!DOCTYPE html>\n<html><body>Hi</body></html>", "html"),
    "HTML after a comment": (b"\xef\xbb\xbf<!-- saved --> <html><p>Hi", "html"),
    "XHTML": (
        b'<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x">\n'
        b'<html xmlns="http://www.w3.org/1999/xhtml"><body>Hi</body></html>',
        "html",
    ),
    "a piece of a page": (b"<h1>Hi</h1>\n<p>Ann", "html"),
    "a page with a script of templates": (
        b"<html><script>var a = '<%= b %>';</script><p>Hi</p></html>",
        "html",
    ),
    "Markdown": (b"# Title\n\nSee [the plan](http://example.org).\n", "md"),
    "Markdown with more code than prose": (
        b"# Title\n\n```c\nint a;\nint b;\nint c;\nint d;\nint e;\n```\n\nThat is all.\n",
        "md",
    ),
    "Markdown after settings": (b"---\ntitle: A\n---\n\n## B\n\nSome **words** here.\n", "md"),
    "Markdown that begins with HTML": (
        b"<p align=center>Logo</p>\n\n# Title\n\nSome **words** here.\n",
        "md",
    ),
    "prose with a list": (b"Buy:\n\n- bread\n- milk\n\n> he said\n\nTitle\n=====\n", "txt"),
    "prose with one mark of Markdown": (b"Look at **this**, he said.\n", "txt"),
    "reStructuredText": (b"Title\n=====\n\n.. note:: **Look** at `this` [a](b).\n", "txt"),
    "prose": (PROSE.encode(), "txt"),
    "prose in UTF-16": (PROSE.encode("utf-16"), "txt"),
    "prose in Windows-1252": ("The café – “open”.\n".encode("cp1252"), "txt"),
    "a note with one header-like line": (b"Note: the gate is locked.\nUse the side door.\n", "txt"),
    "prose in brackets": (b"[Applause]\n\nThank you. Thank you all, and good night.\n", "txt"),
    "prose with an opening brace": (
        b"{as amended}\nThis Agreement is made by the parties.\n",
        "txt",
    ),
    "prose of equal commas": (b"Red, green, blue.\nOne, two.\nA, b, c, d.\n", "txt"),
    "a chronology": (
        b"12 March 2024, admitted, seen by Dr Lee\n13 March 2024, fever, given fluids\n"
        b"14 March 2024, better, sent home\n",
        "txt",
    ),
    "a list of medicines": (
        b"aspirin; 5 mg; daily\niron; 20 mg; at night\nzinc; 1 g; never\n",
        "txt",
    ),
    "prose with a tag inside": (b"Press <Enter> to go on.\n", "txt"),
}

PICTURES = {
    "PNG": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
    "JPEG": b"\xff\xd8\xff\xe0\0\x10JFIF\0",
    "GIF": b"GIF89a\1\0\1\0",
    "TIFF": b"II*\0\x08\0\0\0",
    "BMP": b"BM\x3a\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\1\0\0\0",
    "WebP": b"RIFF\x24\0\0\0WEBPVP8 ",
    "HEIC": b"\0\0\0\x18ftypheic\0\0\0\0",
    "icon": b"\0\0\1\0\1\0\x10\x10",
}
REFUSED = {
    "nothing": (b"", DocumentFailure.EMPTY),
    "white space": (b" \r\n\t\n", DocumentFailure.EMPTY),
    "an encrypted Office file": (
        OLE + "EncryptedPackage".encode("utf-16-le"),
        DocumentFailure.ENCRYPTED,
    ),
    "what is left of a Word of 1997": (
        OLE + "WordDocument".encode("utf-16-le"),
        DocumentFailure.CORRUPT,
    ),
    "an OpenDocument database": (
        zipped(mimetype=OPEN_TEXT.replace("text", "database")),
        DocumentFailure.UNSUPPORTED,
    ),
    "a flat OpenDocument database": (
        FLAT_TEXT.replace(b"document.text", b"document.database"),
        DocumentFailure.UNSUPPORTED,
    ),
    "a zip of something": (zipped(mimetype="x", content="y"), DocumentFailure.UNSUPPORTED),
    "a binary workbook": (
        office("application/vnd.ms-excel.sheet.binary.macroEnabled.main"),
        DocumentFailure.UNSUPPORTED,
    ),
    "an Excel add-in": (
        office("application/vnd.ms-excel.addin.macroEnabled.main+xml"),
        DocumentFailure.UNSUPPORTED,
    ),
    "a Visio drawing": (
        office("application/vnd.ms-visio.drawing.main+xml"),
        DocumentFailure.UNSUPPORTED,
    ),
    "a damaged zip": (office(WORD)[:80], DocumentFailure.CORRUPT),
    "a page made by a program": (
        b"<html><body><p><?php echo $greeting; ?></p></body></html>",
        DocumentFailure.UNSUPPORTED,
    ),
    "a drawing": (b'<svg xmlns="x"><text>Hi</text></svg>', DocumentFailure.UNSUPPORTED),
    "XML": (b'<?xml version="1.0"?><a>Hi</a>', DocumentFailure.UNSUPPORTED),
    "JSON": (b'{"name": "Ann", "age": 7}', DocumentFailure.UNSUPPORTED),
    "lines of JSON": (b'{"name": "Ann"}\n{"name": "Bob"}\n', DocumentFailure.UNSUPPORTED),
    "long JSON": (b'[{"name": "Ann"},' * 9000, DocumentFailure.UNSUPPORTED),
    "Python": (
        b"import os\n\n\ndef f(x):\n    return x\n\nclass A:\n",
        DocumentFailure.UNSUPPORTED,
    ),
    "C": (b"#include <a.h>\nint main() {\n  f();\n  return 0;\n}\n", DocumentFailure.UNSUPPORTED),
    "a shell script": (b"#!/bin/sh\necho hello\n", DocumentFailure.UNSUPPORTED),
    **{f"a picture, {name}": (head, DocumentFailure.PICTURE) for name, head in PICTURES.items()},
    "random bytes": (bytes(range(256)), DocumentFailure.UNSUPPORTED),
}


@pytest.mark.parametrize("what", RECOGNISED)
@pytest.mark.parametrize("name", ["letter", "letter.txt", "letter.pdf", "letter.docx"])
def test_content_decides_and_the_name_does_not(tmp_path, what, name):
    content, expected = RECOGNISED[what]
    path = tmp_path / name
    path.write_bytes(content)
    assert detect(path) == expected


@pytest.mark.parametrize("what", REFUSED)
@pytest.mark.parametrize("name", ["letter", "letter.txt", "letter.docx"])
def test_what_cannot_be_rebuilt_is_refused(tmp_path, what, name):
    content, expected = REFUSED[what]
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(DocumentError) as caught:
        detect(path)
    assert caught.value.failure is expected


@pytest.mark.parametrize("name", ["settings.YAML", "run.py"])
def test_text_that_calls_itself_markup_data_or_code_is_refused(tmp_path, name):
    path = tmp_path / name
    path.write_text(PROSE)
    with pytest.raises(DocumentError) as caught:
        detect(path)
    assert caught.value.failure is DocumentFailure.UNSUPPORTED


@pytest.mark.parametrize(("name", "expected"), [("a.md", "md"), ("a.txt", "txt"), ("a", "txt")])
def test_one_mark_of_markdown_is_enough_in_a_file_named_so(tmp_path, name, expected):
    path = tmp_path / name
    path.write_text("# Title\n\n" + PROSE)
    assert detect(path) == expected
    path.write_text(PROSE)
    assert detect(path) == "txt"


@pytest.mark.parametrize(
    "content",
    [
        b"[" * 65_000,
        b"[a](" * 16_000,
        b"<html>" + b"<pre>" * 13_000,
        b"<!--" * 16_000,
        b"<p>" * 9_000,
        b"<a " * 20_000,
        b"**a " * 16_000,
        b"`a " * 20_000,
        b"|-" * 30_000,
        b"```\n" * 16_000,
    ],
)
def test_hostile_text_is_told_in_no_time(tmp_path, content):
    path = tmp_path / "a.md"
    path.write_bytes(content)
    with processor_limit(4), contextlib.suppress(DocumentError):
        detect(path)


def test_a_file_that_is_not_there_is_a_document_error(tmp_path):
    with pytest.raises(DocumentError) as caught:
        detect(tmp_path / "gone.txt")
    assert caught.value.__cause__ is None


@pytest.mark.parametrize("kind", ["docx", "eml", "msg", "pdf"])
def test_real_files_are_told_apart(kind):
    """Two of the real files are not what their folder says: both hold nothing but plain text."""
    strangers = {
        (path.name, found)
        for path in sorted(shared(f"documents/{kind}").iterdir())
        if (found := outcome(path)) != kind
    }
    if kind == "docx":
        assert {found for _, found in strangers} == {"corrupt", "encrypted", "unsupported"}
        assert len(strangers) < 20
        return
    assert strangers <= {
        ("james-mime4j__malformedHeaderStartsBody-noheader.msg", "txt"),
        ("tika__file8_IOEx.pdf", "txt"),
    }


def outcome(path):
    """The format, or the class of failure."""
    try:
        return detect(path)
    except DocumentError as error:
        return error.failure.value


def test_a_message_of_apple_mail_is_not_taken_for_text(tmp_path):
    path = tmp_path / "1.emlx"
    path.write_bytes(
        b"42  \nSubject: Hello\nMessage-ID: <1@example.org>\n\nHi\n<?xml version='1.0'?>"
    )
    with pytest.raises(DocumentError) as caught:
        detect(path)
    assert caught.value.failure is DocumentFailure.UNSUPPORTED


def made_up_notes(rng: Random) -> str:
    """A chronology, list or note as people type them: each line with as many marks as the next."""
    words = "admitted seen discharged fever letter call Dr Lee hearing paid signed at home".split()
    mark, lines = rng.choice([", ", "; "]), rng.randint(3, 40)

    def entry() -> str:
        first = f"{rng.randint(1, 28)} {rng.choice(['May', 'June'])} {rng.randint(1990, 2026)}"
        rest = [" ".join(rng.choices(words, k=rng.randint(1, 5))) for _ in range(rng.randint(2, 4))]
        return mark.join([first, *rest])

    made = [entry() for _ in range(lines)]
    least = min(line.count(mark) for line in made)
    return "\n".join(mark.join(line.split(mark)[: least + 1]) for line in made) + "\n"


def test_lists_that_people_type_are_prose_and_rows_of_cells_are_not(tmp_path):
    rng = Random(5)
    for _ in range(500):
        (tmp_path / "a.txt").write_text(made_up_notes(rng))
        assert detect(tmp_path / "a.txt") == "txt", (tmp_path / "a.txt").read_text()
        (tmp_path / "a.txt").write_text(made_up_notes(rng).replace(", ", ",").replace("; ", ";"))
        assert detect(tmp_path / "a.txt") == "csv"


WHO = "Mrs Halloran|the claimant|Dr Voss|the ward sister|the driver|the buyer".split("|")
DID = "telephoned|complained|was admitted|left, without a word|paid 1,250.00".split("|")
WHERE = "at home|in Leeds, Yorkshire|in court; nobody else came|by e-mail|at 14:30".split("|")
WHEN = "3 March 2021|03.03.2021|2021-03-03|March 3, 2021|3/3/2021".split("|")
LINES = {
    "chronology": lambda pick: pick(WHEN) + pick([", ", ": ", " - ", "\t"]) + pick(WHO) + " left",
    "bullets": lambda pick: f"- {pick(WHO)} {pick(DID)} {pick(WHERE)}",
    "duties": lambda pick: f"{pick('123456789')}. {pick(WHO)} {pick(DID)} {pick(WHERE)};",
    "notes": lambda pick: f"{pick(WHO)}, {pick(DID)}, {pick(WHERE)}.",
    "names": lambda pick: f"{pick(WHO)}, {pick(WHERE)}, {pick(WHEN)}",
    "semicolons": lambda pick: f"{pick(WHO)}; {pick(DID)}; {pick(WHEN)}",
}


@pytest.mark.parametrize("kind", LINES)
def test_what_people_type_line_by_line_is_no_data(tmp_path, kind):
    draw = Random(kind)
    path = tmp_path / "list.txt"
    for length in [*range(2, 26)] * 4:
        path.write_text("\n".join(LINES[kind](draw.choice) for _ in range(length)) + "\n")
        assert detect(path) == "txt"


def test_statements_that_end_with_a_mark_are_code(tmp_path):
    path = tmp_path / "program.txt"
    path.write_text("int count;\ntotal = first + last;\nshow(total);\nlist[3] = total;\n")
    with pytest.raises(DocumentError) as caught:
        detect(path)
    assert caught.value.failure is DocumentFailure.UNSUPPORTED
