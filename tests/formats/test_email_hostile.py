"""Messages made to harm: each ends soon, with an error of ours or as ordinary text."""

from random import Random

import pytest

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats import format_for
from tests.formats.aligned import wrap
from tests.formats.mails import message, mixed, refusal, saved
from tests.timing import processor_limit

NAMED = (
    b"Content-Type: text/plain; charset*=us-ascii''utf-8; name=\"=?utf-8?q?a=2Etxt?=\"\r\n"
    b"Content-Disposition: attachment; filename*0*=utf-8''%C3%A9; filename*1=a.txt\r\n\r\nNote."
)
SPARKS = [b"\r\n", b"--edge", b"\0", b";", b'"', b"=?", b"?=", b"<!--", b"%", b"\xff", b"", b":"]

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
        message(b"--b\r\n\r\nhi\r\n" * 10_000, b"Content-Type: multipart/digest; boundary=b"),
        message(b"hi", subject=b"Subject: " + b"=?utf-8?q?a?= " * 30_000),
        message(b"hi", b"Content-Disposition: attachment; filename=" + b"x" * 70_000),
    ],
    ids=["deep-parts", "deep-messages", "many-parts", "digest", "long-subject", "long-name"],
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
        message(b"<p>x" + b"<!--[if mso]>y" * 50_000, b"Content-Type: text/html"),
        message(b"<!--[if mso]>y<![endif]-->" * 10_000, b"Content-Type: text/html"),
        message(b"some words that are no sentence<br><b>" * 20_000, b"Content-Type: text/html"),
        message(b"a" * 5_000_000, b"Content-Type: text/plain; charset=punycode"),
        message(b"hi\0" * 100_000, b"Content-Type: text/html; charset=unicode_escape"),
        message(b"hi", b'Content-Type: text/plain; name="' + b'\\"' * 30_000),
        message(b"--" + b"=" * 60_000 + b"\r\n" * 2_000, b"Content-Type: text/plain; boundary=="),
        message(b"BEGIN:VCALENDAR\r\nSUMMARY" + b";A=b" * 100_000, b"Content-Type: text/calendar"),
        message(
            b"BEGIN:VCALENDAR\r\nSUMMARY:x" + b"\r\n y" * 300_000, b"Content-Type: text/calendar"
        ),
    ],
)
def test_size_alone_costs_no_more_than_seconds(tmp_path, content):
    path = saved(tmp_path, content)
    eml = format_for("eml")
    with processor_limit(SECONDS):
        document = eml.read(path)
        given = [f"{segment.text} ñ" for segment in document.segments]
        eml.write(document, wrap(given), tmp_path / "out")


def test_parts_that_name_each_other_are_read_once_and_nothing_is_fetched(tmp_path):
    body, header = mixed(
        b"Content-Type: text/html\r\nContent-ID: <a>\r\n\r\n<p>Hello <img src='cid:a'></p>",
        b"Content-Type: message/external-body; access-type=URL; URL=http://[::1]/\r\n\r\n\r\n",
        b"Content-Type: message/partial; id=a; number=1; total=1\r\n\r\nSubject: x\r\n\r\ny",
    )
    document = format_for("eml").read(saved(tmp_path, message(body, header)))
    assert [segment.text for segment in document.segments] == ["The hearing", "Hello"]
    assert document.notices == ("attachment:unsupported",) * 2


def test_mutations_of_a_message_raise_nothing_foreign(tmp_path):
    rng, eml = Random(1), format_for("eml")
    body, header = mixed(
        b"Content-Type: text/html; charset=utf-8\r\n\r\n<p>Hi <b>Jo</b></p>", NAMED
    )
    whole = message(body, header)
    for _ in range(200):
        content = bytearray(whole)
        for _ in range(rng.randrange(1, 8)):
            at = rng.randrange(len(content))
            content[at : at + rng.randrange(4)] = rng.choice(SPARKS)
        path = saved(tmp_path, bytes(content))
        try:
            document = eml.read(path)
            same = [segment.text for segment in document.segments]
            eml.write(document, wrap(same), tmp_path / "same")
            assert (tmp_path / "same").read_bytes() == content
            eml.write(document, wrap([text.upper() for text in same]), tmp_path / "out")
        except DocumentError as error:
            assert error.__cause__ is None  # noqa: PT017 (an error is one of two good outcomes)


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
    eml.write(
        document,
        wrap([f"{segment.text} ñ" for segment in document.segments]),
        tmp_path / "out",
    )


def test_errors_quote_nothing(tmp_path):
    path = saved(tmp_path, message(b"", b"Content-Type: multipart/signed; boundary=secret"))
    with pytest.raises(DocumentError) as raised:
        format_for("eml").read(path)
    assert "secret" not in str(raised.value)
    assert raised.value.__cause__ is None
