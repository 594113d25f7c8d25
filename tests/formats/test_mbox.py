"""Mailboxes: every message is handled as mail is, and what lies between them stays."""

import base64
import io
import tracemalloc

import pytest

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats import detect, format_for, read_document, write_document
from prism_core.formats.base import Formats
from prism_core.formats.mail import MboxFormat
from prism_core.formats.mailbox_lines import message_spans
from tests.formats.aligned import wrap
from tests.formats.mails import message, mixed, refusal, saved, texts, translated
from tests.timing import processor_limit

FROM = b"From ana@example.org Wed Jul  1 16:42:07 2026\n"
PLAIN = b"Content-Type: text/plain; charset=us-ascii"


def letter(body, headers=PLAIN, subject=b"Subject: The hearing"):
    return message(body, headers, subject).replace(b"\r\n", b"\n")


def mailbox(*letters):
    return b"".join(FROM + one + b"\n" for one in letters)


def spans(content):
    return [content[start:end] for start, end in message_spans(io.BytesIO(content))]


def test_unchanged_texts_give_the_mailbox_back_byte_for_byte(tmp_path):
    body = b"We met.\n>From there we left.\n\n\n>>From Bob: yes\nFrom now on\n"
    content = b"\n" + mailbox(letter(body), letter(b"Bye.\n")) + b"\n\n"
    path = saved(tmp_path, content)
    assert translated(path, lambda text: text) == (content, ())


def test_only_the_messages_whose_text_changes_are_written_anew(tmp_path):
    odd = b"From - Thu Jul 02 09:00:00 2026\r\nSubject: Odd  \r\n  one\r\n\r\nKept as it is\r\n\r\n"
    content = mailbox(letter(b"We met.\n")) + odd + mailbox(letter(b"We met.\n"))
    path = saved(tmp_path, content)
    written, notices = translated(path, lambda text: text.replace("We met", "Nos vimos"))
    assert written == content.replace(b"We met", b"Nos vimos")
    assert notices == ()


def test_the_mark_before_from_is_not_read_and_is_there_again(tmp_path):
    path = saved(tmp_path, mailbox(letter(b"Hi.\n\n>From Monday on, we close.\n"), letter(b"x\n")))
    assert texts(path) == ["The hearing", "Hi.", "From Monday on, we close.", "The hearing", "x"]
    written, _ = translated(path, lambda text: text.replace("we close", "we shut"))
    assert b"\n\n>From Monday on, we shut.\n" in written


def test_a_translation_that_begins_with_from_does_not_begin_a_message(tmp_path):
    path = saved(tmp_path, mailbox(letter(b"Desde hoy.\n"), letter(b"Hi.\n")))
    given = "From now 10:00 on"
    written, _ = translated(path, lambda text: given if text == "Desde hoy." else text)
    assert b"\n>From now 10:00 on\n" in written
    assert texts(saved(tmp_path, written, "again")).count(given) == 1


def test_a_message_that_cannot_be_translated_stays_with_a_notice(tmp_path):
    body, header = mixed(b"\r\nWe met.", kind=b"signed")
    signed = message(body, header).replace(b"\r\n", b"\n")
    content = mailbox(signed, letter(b"Hi.\n"), signed)
    path = saved(tmp_path, content)
    document = read_document(path)
    assert [segment.text for segment in document.segments] == ["The hearing", "Hi."]
    assert document.notices == ("message:signed:2",)
    written, _ = translated(path, lambda text: "Hola." if text == "Hi." else text)
    assert written == content.replace(b"\nHi.\n", b"\nHola.\n")


def test_a_message_that_cannot_be_rebuilt_stays_and_the_others_are_written(tmp_path):
    body, header = mixed(b"\r\nWe met.\r\n", boundary=b"edge")
    content = mailbox(message(body, header), letter(b"Hi.\n"))
    path = saved(tmp_path, content)

    def translate(text):
        return {"We met.": "--edge", "Hi.": "Hola."}.get(text, text)

    written, notices = translated(path, translate)
    assert written == content.replace(b"\nHi.\n", b"\nHola.\n")
    assert notices == ("message:unrebuildable:1",)


def test_notices_of_many_messages_are_counted(tmp_path):
    body, header = mixed(b"Content-Type: image/png\r\n\r\nx", b"\r\nHi.")
    path = saved(tmp_path, mailbox(*[message(body, header)] * 3))
    assert read_document(path).notices == ("attachment:unsupported:3",)


def test_a_mailbox_attached_to_a_mail_is_translated(tmp_path):
    inner = mailbox(letter(b"We met.\n>From there on\n"), letter(b"Hi.\n"))
    part = b"Content-Type: application/mbox\r\nContent-Transfer-Encoding: base64\r\n\r\n"
    body, header = mixed(b"\r\nSee below.", part + base64.encodebytes(inner))
    path = saved(tmp_path, message(body, header))
    assert texts(path)[1:] == [
        *("See below.", "The hearing", "We met.", "From there on"),
        *("The hearing", "Hi."),
    ]
    written, notices = translated(path, lambda text: text.replace("Hi.", "Hola."))
    assert base64.encodebytes(inner.replace(b"Hi.", b"Hola."))[:-1] in written.replace(
        b"\r\n", b"\n"
    )
    assert notices == ()


def test_mailboxes_within_mailboxes_end(tmp_path):
    content = mailbox(letter(b"a\n"), letter(b"b\n"))
    for _ in range(15):
        encoded = base64.encodebytes(content)
        head = b"Content-Type: application/mbox\nContent-Transfer-Encoding: base64"
        content = mailbox(letter(encoded, head), letter(b"c\n"))
    document = read_document(saved(tmp_path, content))
    assert "attachment:too-large:2" in document.notices


@pytest.mark.parametrize("newline", [b"\n", b"\r\n"])
@pytest.mark.parametrize("size", [10, 1 << 20, (1 << 20) - 40, (1 << 20) - 110, 3 << 20])
def test_messages_are_told_apart_wherever_they_lie(newline, size):
    first = FROM + b"Subject: a\n\n" + b"line\n" * (size // 5) + b"\n"
    letters = [one.replace(b"\n", newline) for one in (first, FROM + b"Subject: b\n\nx\n", FROM)]
    second = letters[1] + letters[2]  # a line alone, without headers, begins nothing
    assert spans(letters[0] + second) == [letters[0], second]
    for cut in range(12):
        padding = b"y" * cut + newline
        assert spans(letters[0] + padding + newline + letters[1]) == [
            letters[0] + padding + newline,
            letters[1],
        ]


def test_prose_that_begins_with_from_begins_no_message():
    for line in (b"From here on: nothing\n", b"From Ann, at 10:15\n", b">From x 10:15 y\nTo: z\n"):
        content = mailbox(letter(b"Hi.\n\n" + line + b"It goes on\n"))
        assert spans(content) == [content]


def test_a_mailbox_without_text_is_empty(tmp_path):
    silent = letter(b"\n", PLAIN, b"")
    path = saved(tmp_path, mailbox(silent, silent))
    assert refusal(path, "mbox") is DocumentFailure.EMPTY


def test_a_mailbox_of_nothing_but_sealed_messages_is_not_called_empty(tmp_path):
    body, header = mixed(b"\r\nWe met.", kind=b"signed")
    path = saved(tmp_path, mailbox(message(body, header), message(body, header)))
    assert refusal(path, "mbox") is DocumentFailure.SIGNED


def test_a_mailbox_that_changed_is_not_rebuilt(tmp_path):
    path = saved(tmp_path, mailbox(letter(b"We met.\n"), letter(b"Hi.\n")))
    document = read_document(path)
    saved(tmp_path, mailbox(letter(b"We met.\n")))
    with pytest.raises(DocumentError, match="unrebuildable"):
        write_document(document, wrap(["A", "B", "C", "D"]), tmp_path / "out")


def test_many_messages_take_time_in_proportion_and_no_more_memory_than_their_texts(tmp_path):
    noise = base64.encodebytes(bytes(200_000))
    body, header = mixed(
        b"Content-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\n" + noise,
        b"\r\nHi.",
    )
    path = saved(tmp_path, mailbox(*[message(body, header)] * 60))
    with processor_limit(20):
        tracemalloc.start()
        document = format_for("mbox").read(path)
        given = [segment.text.upper() for segment in document.segments]
        format_for("mbox").write(document, wrap(given), tmp_path / "out")
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert path.stat().st_size > 16_000_000
    assert most < 6_000_000


def test_a_message_over_the_limit_stays_as_it_is(tmp_path):
    content = mailbox(letter(b"We met.\n" * 500), letter(b"Hi.\n"))
    path, target = saved(tmp_path, content), tmp_path / "out"
    mbox = MboxFormat(Formats(detect, format_for), most_bytes=1000)
    document = mbox.read(path)
    assert document.notices == ("message:too-large:1",)
    mbox.write(document, wrap([s.text.replace("Hi", "Hola") for s in document.segments]), target)
    assert target.read_bytes() == content.replace(b"\nHi", b"\nHola")
