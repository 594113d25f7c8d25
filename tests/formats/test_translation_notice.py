"""The notice that a machine translated a document, as other programs read it."""

from __future__ import annotations

import email
import email.policy
import zipfile
from collections.abc import Callable
from pathlib import Path

import docx
import openpyxl
import pikepdf
import pypdf
import pytest
from lxml import etree, html

from prism_core.formats import FORMATS, read_document, write_output_document
from tests.formats.aligned import wrap
from tests.formats.odt_files import flat
from tests.formats.rewriting import texts
from tests.formats.samples import SAMPLES

NOTICE = "Machine translation (firefox, by PRISM) into pt of 2026-11-29, not reviewed"
NO_PLACE = {"csv", "mbox", "md", "txt"}


def core_status(path: Path) -> str:
    with zipfile.ZipFile(path) as package:
        parts = [package.read(name) for name in package.namelist() if name.endswith("core.xml")]
    return str(etree.fromstring(parts[0]).findtext("{*}contentStatus"))


def opendocument_field(path: Path) -> str:
    content = path.read_bytes()
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as package:
            content = package.read("meta.xml")
    (field,) = etree.fromstring(content).iterfind("{*}meta/{*}user-defined")
    return str(field.text)


def mail_header(path: Path) -> str:
    message = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
    assert message["Content-Translation-Type"] == "automated"
    return str(message["X-MachineTranslation"])


def calendar_property(path: Path) -> str:
    return path.read_text().replace("\n ", "").partition("TRANSLATION:")[2].splitlines()[0]


def page_metadata(path: Path) -> str:
    (content,) = html.parse(str(path)).xpath("//head/meta[@name='MachineTranslation']/@content")
    return str(content)


def workbook_status(path: Path) -> str:
    with path.open("rb") as file:
        return openpyxl.load_workbook(file).properties.contentStatus


READERS: dict[str, Callable[[Path], str | None]] = {
    "docx": lambda path: docx.Document(str(path)).core_properties.content_status,
    "eml": mail_header,
    "html": page_metadata,
    "ics": calendar_property,
    "msg": mail_header,
    "odt": opendocument_field,
    "pdf": lambda path: pypdf.PdfReader(path).metadata["/MachineTranslation"],
    "pptx": core_status,
    "rtf": lambda path: path.read_text().partition("{\\staticval ")[2].partition("}")[0],
    "xlsx": workbook_status,
}


@pytest.mark.parametrize("name", sorted(set(SAMPLES) - NO_PLACE))
def test_the_notice_is_read_by_other_programs_and_changes_no_text(
    name: str, tmp_path: Path
) -> None:
    SAMPLES[name](tmp_path / "sample")
    document = read_document(tmp_path / "sample")
    translations = wrap([segment.text.upper() for segment in document.segments])
    for target, notice in (("plain", ""), ("noticed", NOTICE)):
        write_output_document(tmp_path, document, translations, tmp_path / target, notice=notice)
    assert READERS[name](tmp_path / "noticed") == NOTICE
    assert texts(tmp_path / "noticed") == texts(tmp_path / "plain")


@pytest.mark.parametrize("meta", ["", "<dc:title>The title</dc:title>"])
def test_a_single_file_of_opendocument_has_the_notice(meta: str, tmp_path: Path) -> None:
    (tmp_path / "sample.fodt").write_text(flat("The garden", meta=meta))
    document = read_document(tmp_path / "sample.fodt")
    translations = wrap([segment.text.upper() for segment in document.segments])
    write_output_document(tmp_path, document, translations, tmp_path / "out", notice=NOTICE)
    assert opendocument_field(tmp_path / "out") == NOTICE
    assert texts(tmp_path / "out") == [segment.text.upper() for segment in document.segments]


@pytest.mark.parametrize("name", sorted(NO_PLACE))
def test_formats_without_a_place_for_it_stay_as_they_are(name: str, tmp_path: Path) -> None:
    SAMPLES[name](tmp_path / "sample")
    document = read_document(tmp_path / "sample")
    translations = wrap([segment.text for segment in document.segments])
    for target, notice in (("plain", ""), ("noticed", NOTICE)):
        write_output_document(tmp_path, document, translations, tmp_path / target, notice=notice)
    assert (tmp_path / "noticed").read_bytes() == (tmp_path / "plain").read_bytes()


def test_a_model_is_named_as_the_source_where_programs_for_pictures_look(tmp_path: Path) -> None:
    SAMPLES["pdf"](tmp_path / "sample")
    document = read_document(tmp_path / "sample")
    translations = wrap([segment.text for segment in document.segments])
    write_output_document(tmp_path, document, translations, tmp_path / "out", notice=NOTICE)
    with pikepdf.open(tmp_path / "out") as pdf, pdf.open_metadata() as metadata:
        assert "trainedAlgorithmicMedia" in str(metadata)


def test_every_format_has_a_reader_or_no_place() -> None:
    converted = {"doc", "ppt", "xls"}  # written as one of the others
    assert READERS.keys() | NO_PLACE | converted == FORMATS.keys()
