"""E-mail and Outlook messages through the whole job, parsed by the standard library."""

from __future__ import annotations

import email
import io
from email import policy
from email.message import EmailMessage
from pathlib import Path

import docx
import pytest

from prism_core.formats import read_document
from tests.end_to_end.conftest import assert_kept, assert_spanish
from tests.end_to_end.job import Workplace

pytestmark = pytest.mark.slow

NAME = "hospital/records-request.eml"


def _message(path: Path) -> EmailMessage:
    parsed = email.message_from_bytes(path.read_bytes(), policy=policy.default)
    assert isinstance(parsed, EmailMessage)
    return parsed


@pytest.fixture(scope="module")
def source(translated: Workplace) -> EmailMessage:
    return _message(translated.input / NAME)


@pytest.fixture(scope="module")
def output(translated: Workplace) -> EmailMessage:
    return _message(translated.output / NAME)


def _body(message: EmailMessage, kind: str) -> str:
    part = message.get_body((kind,))
    assert part is not None
    return str(part.get_content())


def _attached(message: EmailMessage) -> list[EmailMessage]:
    return [part for part in message.iter_attachments() if isinstance(part, EmailMessage)]


def test_both_bodies_are_in_spanish(source: EmailMessage, output: EmailMessage) -> None:
    for kind in ("plain", "html"):
        assert_spanish(_body(output, kind))
        names = ("Margaret Ellison", "4471-0926", "Lindqvist", "(614) 555-0136", "Kovacs")
        assert_kept(names, _body(source, kind), _body(output, kind))


def test_parts_headers_and_names_of_attachments_stay(source, output: EmailMessage) -> None:
    def outline(message: EmailMessage) -> list[tuple[str, str | None]]:
        return [(part.get_content_type(), part.get_filename()) for part in message.walk()]

    assert outline(output) == outline(source)
    for header in ("From", "To", "Date", "Message-ID"):
        assert output[header] == source[header]
    assert output["Subject"] != source["Subject"]
    assert "Ellison" in output["Subject"]


def test_an_attached_word_file_is_translated(source: EmailMessage, output: EmailMessage) -> None:
    texts = []
    for message in (source, output):
        (attached,) = (p for p in _attached(message) if (p.get_filename() or "").endswith("docx"))
        document = docx.Document(io.BytesIO(attached.get_content()))
        cells = [c.text for table in document.tables for row in table.rows for c in row.cells]
        texts.append("\n".join([p.text for p in document.paragraphs] + cells))
    assert_kept(("Ellison",), *texts)
    assert_spanish(texts[1])


def test_quoted_text_and_signature_stay_in_their_form(translated: Workplace) -> None:
    name = "litigation/settlement-offer.eml"
    before, after = (_message(folder / name) for folder in (translated.input, translated.output))
    texts = [_body(message, "plain") for message in (before, after)]
    assert [line[:1] == ">" for line in texts[1].splitlines()].count(True) > 2
    assert_kept(("Holloway", "j.holloway@example.org"), *texts)
    assert all(amount in texts[1] for amount in ("$120.000", "$140.000")), "not as Spanish has them"


def test_an_outlook_message_becomes_a_message_anyone_can_open(translated: Workplace) -> None:
    path = translated.output / "note.msg.eml"
    message = _message(path)
    assert "Aftergood" in _body(message, "plain")
    assert "663-1149" in _body(message, "plain")
    assert_spanish(_body(message, "plain"))
    before = read_document(translated.input / "note.msg").segments
    after = read_document(path).segments
    assert len(after) == len(before)
    assert not (translated.output / "note.msg").exists()


def test_the_report_has_their_rows(translated: Workplace) -> None:
    rows = translated.rows_by_path()
    assert {rows[NAME]["format"], rows["note.msg"]["format"]} == {"eml", "msg"}
    assert rows[NAME]["outcome"] in ("translated", "partly-translated")
