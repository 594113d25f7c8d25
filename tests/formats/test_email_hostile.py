"""Messages made to harm: each ends soon, with an error of ours or as ordinary text."""

import time

import pytest

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats import format_for
from tests.formats.mails import message, refusal, saved

SECONDS = 20  # an honest message of this size takes well under one


def nested_multiparts(depth):
    body = b"text"
    for level in range(depth):
        head = b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n" % level
        body = head + b"--b%d\r\n" % level + body + b"\r\n--b%d--\r\n" % level
    return body


@pytest.mark.parametrize(
    "content",
    [
        message(b"", nested_multiparts(500).split(b"\r\n")[0]) + nested_multiparts(500),
        message(b"Content-Type: message/rfc822\r\n\r\n" * 3000, b"Content-Type: message/rfc822"),
        message(b"--b\r\n\r\nhi\r\n" * 20_000, b"Content-Type: multipart/mixed; boundary=b"),
        message(b"hi", subject=b"Subject: " + b"=?utf-8?q?a?= " * 30_000),
    ],
    ids=["deep-parts", "deep-messages", "many-parts", "long-subject"],
)
def test_excess_is_refused(tmp_path, content):
    assert refusal(saved(tmp_path, content)) is DocumentFailure.TOO_LARGE


@pytest.mark.parametrize(
    "content",
    [
        message(b"hi", b"To: " + b", ".join(b"x%d@example.org" % i for i in range(15_000))),
        message(b"hi", b"X-A: b\r\n" * 40_000 + b"X-End: b"),
        message(
            b"hi", b"Content-Type: text/plain" + b"".join(b";a*%d*=b" % i for i in range(4000))
        ),
        message(b"<" * 200_000 + b"text", b"Content-Type: text/html"),
        message(b'<a "' * 50_000 + b"text", b"Content-Type: text/html"),
        message(b"<!--" * 50_000 + b"text", b"Content-Type: text/html"),
        message(b"<b>x</b> " * 20_000, b"Content-Type: text/html"),
        message(b"<p " + b"a " * 100_000 + b">text", b"Content-Type: text/html"),
    ],
    ids=["to", "headers", "parameters", "angles", "quotes", "comments", "nodes", "attributes"],
)
def test_size_alone_costs_no_more_than_seconds(tmp_path, content):
    path = saved(tmp_path, content)
    eml = format_for("eml")
    began = time.monotonic()
    document = eml.read(path)
    eml.write(document, [f"{segment.text} ñ" for segment in document.segments], tmp_path / "out")
    assert time.monotonic() - began < SECONDS


def test_messages_attached_to_messages_end(tmp_path):
    content = b"Subject: innermost\r\n\r\nbody"
    for _ in range(40):
        content = message(content, b"Content-Type: application/octet-stream")
    document = format_for("eml").read(saved(tmp_path, content))
    assert document.notices == ("attachment:too-large",)


@pytest.mark.parametrize(
    "header",
    [
        b"Content-Type: text/plain; charset*=x''%ff",
        b"Content-Type: text/plain; charset*0*=zz'%E2",
        b"Content-Type: ;;;=",
        b"Content-Type: multipart/mixed; boundary*=bad'en'%ff",
        b"Content-Type: text/plain; charset=\xff\xfe",
        b"Content-Disposition: attachment; filename*=u'x'%%%",
        b"Content-Transfer-Encoding: x-uuencode",
        b"Content-Transfer-Encoding: base64",
    ],
)
def test_damaged_headers_raise_nothing_foreign(tmp_path, header):
    path = saved(tmp_path, message(b"\xff\x00 text = =zz", header))
    eml = format_for("eml")
    document = eml.read(path)
    eml.write(document, [f"{segment.text} ñ" for segment in document.segments], tmp_path / "out")


def test_errors_quote_nothing(tmp_path):
    path = saved(tmp_path, message(b"", b"Content-Type: multipart/signed; boundary=secret"))
    with pytest.raises(DocumentError) as raised:
        format_for("eml").read(path)
    assert "secret" not in str(raised.value)
    assert raised.value.__cause__ is None
