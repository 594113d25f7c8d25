"""Word files that cannot be handled are refused with their class; real ones are not."""

import pytest

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.docx import DocxFormat
from tests.formats.docx_files import (
    document,
    one,
    word_file,
)
from tests.formats.rewriting import failure_of, texts, translated
from tests.shared_data import shared

FORMAT = DocxFormat()


DTD = '<!DOCTYPE w:document [<!ENTITY a "b">]>'
REFUSED = {
    "an empty document": (document(), {}, DocumentFailure.EMPTY),
    "punctuation only": (document("—", "* * *"), {}, DocumentFailure.EMPTY),
    "broken XML": ("<w:document", {}, DocumentFailure.CORRUPT),
    "a document type": (DTD + document("A"), {}, DocumentFailure.CORRUPT),
    "a bomb of XML": (document("A") + " " * 30_000_000, {}, DocumentFailure.BOMB),
    "a bomb beside": (document("A"), {"word/a.bin": bytes(201_000_000)}, DocumentFailure.BOMB),
    "a signature": (document("A"), {"_xmlsignatures/sig1.xml": "<a/>"}, DocumentFailure.SIGNED),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_must_not_be_opened_is_refused(tmp_path, what):
    main, extra, expected = REFUSED[what]
    source = word_file(tmp_path / "source.docx", main, extra)
    assert failure_of(FORMAT.read, source) is expected


def test_external_entities_are_not_read(tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("the secret")
    dtd = f'<!DOCTYPE w:document [<!ENTITY a SYSTEM "{secret.as_uri()}">]>'
    source = word_file(tmp_path / "source.docx", dtd + document("A &a;"))
    assert failure_of(FORMAT.read, source) is DocumentFailure.CORRUPT


def test_a_zip_with_a_password_is_encrypted(tmp_path):
    source = one(tmp_path, "A text.")
    content = bytearray(source.read_bytes())
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        start = content.find(mark)
        while start >= 0:
            content[start + offset] |= 1
            start = content.find(mark, start + 1)
    source.write_bytes(content)
    assert failure_of(FORMAT.read, source) is DocumentFailure.ENCRYPTED


def test_a_file_that_changed_since_it_was_read_is_not_rebuilt(tmp_path):
    source = one(tmp_path, "A text.")
    read = FORMAT.read(source)
    one(tmp_path, "Another text.")
    failure = failure_of(FORMAT.write, read, ["Un texto."], tmp_path / "target.docx")
    assert failure is DocumentFailure.UNREBUILDABLE


REAL_FAILURES = {
    "corrupt": 11,
    "empty": 16,
    "encrypted": 3,
    "signed": 4,
    "unsupported": 1,
}
"""Of 211 real files; every one was looked at and is what it is called."""


def test_real_files_come_back_with_the_given_texts(tmp_path):
    from prism_core.formats import detect

    read = 0
    failures = dict.fromkeys(REAL_FAILURES, 0)
    for path in sorted(shared("documents/docx").iterdir()):
        if path.stat().st_size > 40_000:  # the larger ones take most of the time
            continue
        try:
            detect(path)
            target, _ = translated(tmp_path, path, str.upper)
        except DocumentError as error:
            failures[error.failure.value] += 1
            continue
        assert texts(target) == [text.upper() for text in texts(path)], path.name
        read += 1
    assert all(failures[name] <= most for name, most in REAL_FAILURES.items()), failures
    assert read > 100
