"""OpenDocument texts that are refused, and those that only look as if they should be."""

import zipfile

import pytest

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats import format_for, read_document, write_document
from tests.formats.aligned import wrap
from tests.formats.odt_files import MIMETYPE, document, flat, paragraph, span, text_file, written
from tests.formats.rewriting import failure_of, texts
from tests.timing import processor_limit


def test_encrypted_and_signed_documents_are_refused(odt):
    sealing = '<manifest:encryption-data manifest:checksum="x"/>'
    assert failure_of(read_document, odt("\0", sealing=sealing)) is DocumentFailure.ENCRYPTED
    path = odt("Text", extra={"META-INF/documentsignatures.xml": "<x/>"})
    assert failure_of(read_document, path) is DocumentFailure.SIGNED


@pytest.mark.parametrize("form", ["odt", "fodt"])
def test_entities_are_refused(tmp_path, form):
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>'
    path = tmp_path / f"made.{form}"
    if form == "odt":
        text_file(path, bomb + document("&b;"))
    else:
        path.write_text(flat("&b;").replace("<office:document ", bomb + "<office:document ", 1))
    with pytest.raises(DocumentError) as caught:
        format_for("odt").read(path)
    assert caught.value.failure is DocumentFailure.CORRUPT


def test_a_bomb_is_refused_before_it_is_unpacked(odt):
    path = odt("Text", extra={"styles.xml": bytes(100_000_000)})
    assert failure_of(read_document, path) is DocumentFailure.BOMB


def test_deep_nesting_and_absurd_numbers_of_blanks_are_harmless(odt):
    deep = "<text:span>" * 5000 + "x" + "</text:span>" * 5000
    assert failure_of(read_document, odt(paragraph(deep))) is DocumentFailure.CORRUPT
    deep = "<text:span>" * 200 + "word" + "</text:span>" * 200
    blanks = f"a<text:s text:c='{'9' * 5000}'/>b"
    path = odt(paragraph(deep), paragraph(blanks), paragraph("a<text:s text:c='-1'/>b"))
    assert texts(path) == ["word", "a" + " " * 1000 + "b", "a b"]
    content, _ = written(path, word="palabra")
    assert ">palabra<" in content


@pytest.mark.parametrize(
    "inner",
    ["a<text:s text:c='2'/>", span("a", "B") + " b ", "a<text:tab/>", "<text:note/>b "],
    ids=["blanks", "formats", "tabs", "notes"],
)
def test_size_alone_costs_no_more_than_seconds(odt, inner):
    path = odt(paragraph(inner * 20_000))
    with processor_limit(20):
        document = read_document(path)
        given = [f"{segment.text}  x" for segment in document.segments]
        write_document(document, wrap(given), path.with_name("target"))


def test_a_document_without_text_is_empty(odt):
    assert failure_of(read_document, odt(paragraph("12"), paragraph())) is DocumentFailure.EMPTY
    with_nothing = odt("x")
    with zipfile.ZipFile(with_nothing, "w") as archive:
        archive.writestr("mimetype", MIMETYPE)
    assert failure_of(read_document, with_nothing) is DocumentFailure.CORRUPT
