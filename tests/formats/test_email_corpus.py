"""Real messages: unchanged ones keep every byte, translated ones their parts and all words."""

import re

import pytest

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats import format_for, output_suffix
from prism_core.formats.detection import detect
from tests.formats.aligned import wrap
from tests.formats.mails import outline, parsed, refusal
from tests.shared_data import shared

REFUSED = {
    "eml": {DocumentFailure.SIGNED, DocumentFailure.EMPTY, DocumentFailure.CORRUPT},
    "msg": {DocumentFailure.SIGNED, DocumentFailure.EMPTY},
}
"""Some of the messages are sealed, say nothing, or promise parts that are not there."""


ALTERNATIVE = ["multipart/alternative", "text/plain", "text/html"]


def documents(kind):
    """The documents of a corpus that can be read; fails on a refusal for any other reason."""
    for path in sorted(shared(f"documents/{kind}").iterdir()):
        try:
            document = format_for(kind).read(path) if detect(path) == kind else None
        except DocumentError as error:
            if error.failure not in REFUSED[kind]:
                raise
        else:
            yield from [document] if document else []


def words(texts):
    """The words, less hyphens, at which plain text may break a line and join it again."""
    return " ".join(texts).replace("-", "").split()


def spelled(text):
    """A fake translation: longer, in capitals, with letters that ASCII lacks."""
    return f"Ñandú {text.upper()} fin"


def plain(texts):
    """The words in capitals, without those that ``spelled`` adds."""
    return [word.upper() for word in words(texts) if word not in ("Ñandú", "fin")]


def test_real_messages_keep_bytes_parts_and_words(tmp_path):
    eml, target, count, differing = format_for("eml"), tmp_path / "out.eml", 0, []
    for document in documents("eml"):
        before = document.path.read_bytes()
        eml.write(document, wrap([segment.text for segment in document.segments]), target)
        assert target.read_bytes() == before, document.path.name
        given = [spelled(segment.text) for segment in document.segments]
        eml.write(document, wrap(given), target)
        assert outline(target.read_bytes()) == outline(before), document.path.name
        again = [segment.text for segment in eml.read(target).segments]
        if words(again) != words(given):
            differing.append(document.path.name)
        count += 1
    assert count >= 170
    assert differing == []


def test_real_outlook_messages_become_internet_messages(tmp_path):
    msg, target, count = format_for("msg"), tmp_path / "out.eml", 0
    for document in documents("msg"):
        given = [spelled(segment.text) for segment in document.segments]
        notices = msg.write(document, wrap(given), target)
        again = [segment.text for segment in format_for("eml").read(target).segments]
        # An attached PDF is laid out anew for longer text: its lines may read in another order,
        # and what has no room stays as it was, with a notice.
        read = plain if any("blocks-unchanged" in notice for notice in notices) else words
        assert sorted(read(again)) == sorted(read(given)), document.path.name
        count += 1
    assert count >= 22
    assert output_suffix("msg") == ".eml"


def test_outlook_headers_bodies_and_attachments_survive(tmp_path):
    msg = format_for("msg")
    document = msg.read(shared("documents/msg/poi__attachment_msg_pdf.msg"))
    msg.write(
        document,
        wrap([segment.text for segment in document.segments]),
        tmp_path / "out.eml",
    )
    written = parsed((tmp_path / "out.eml").read_bytes())
    assert outline((tmp_path / "out.eml").read_bytes()) == [
        "multipart/mixed",
        *ALTERNATIVE,
        "message/rfc822",
        *ALTERNATIVE,
        "application/octet-stream",
    ]
    assert all(written[name] for name in ("From", "To", "Date", "Subject", "Message-ID"))
    assert list(written.iter_attachments())[-1].get_filename().endswith(".pdf")


@pytest.mark.parametrize(
    ("name", "failure"),
    [
        ("poi__logsat.com_signatures_valid.msg", DocumentFailure.SIGNED),
        ("poi__blank.msg", DocumentFailure.EMPTY),
    ],
)
def test_outlook_messages_that_cannot_be_translated_say_why(name, failure):
    assert refusal(shared(f"documents/msg/{name}"), "msg") is failure


def test_a_damaged_outlook_message_is_corrupt(tmp_path):
    whole = shared("documents/msg/tika__testMSG.msg").read_bytes()
    path = tmp_path / "cut.msg"
    path.write_bytes(whole[:4096])
    assert refusal(path, "msg") is DocumentFailure.CORRUPT


def test_a_mailbox_of_real_messages_keeps_bytes_and_says_what_each_message_says(tmp_path):
    """Those that the corpus itself took from mailboxes, or that end otherwise, come as they are."""
    line = b"From ana@example.org Wed Jul  1 16:42:07 2026\n"
    contents = [path.read_bytes() for path in sorted(shared("documents/eml").iterdir())]
    letters = [c for c in contents if re.match(rb"[!-9;-~]+:", c) and c.endswith(b"\n")][:120]
    mailbox, target = tmp_path / "mailbox", tmp_path / "target"
    mailbox.write_bytes(b"".join(line + one + b"\n" for one in letters))
    assert detect(mailbox) == "mbox"
    mbox = format_for("mbox")
    document = mbox.read(mailbox)
    mbox.write(document, wrap([segment.text for segment in document.segments]), target)
    assert target.read_bytes() == mailbox.read_bytes()
    given = [spelled(segment.text) for segment in document.segments]
    mbox.write(document, wrap(given), target)
    again = [segment.text for segment in mbox.read(target).segments]
    assert len(words(again)) == len(words(given))
