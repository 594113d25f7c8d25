"""Calendars: what events say is replaced, and every other byte stays."""

import pytest

from prism_core.errors import DocumentFailure
from prism_core.formats import detect, read_document, write_document
from prism_core.formats.base import FormatOptions
from tests.formats.aligned import wrap
from tests.formats.mails import message, mixed, parsed, refusal, saved, texts, translated

HEAD = b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Works//EN\r\nBEGIN:VEVENT\r\n"
TAIL = b"ATTENDEE;CN=Ana Bell:mailto:ana@example.org\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
PLAIN = b"Content-Type: text/plain; charset=us-ascii"


def calendar(*lines):
    return HEAD + b"".join(line + b"\r\n" for line in lines) + TAIL


def event(tmp_path, *lines):
    return saved(tmp_path, calendar(*lines), "event.ics")


def test_only_what_is_said_changes(tmp_path):
    before = (b"SUMMARY:The hearing", b"UID:hearing", b"COMMENT:Bring notes", b"LOCATION:Room two")
    path = event(tmp_path, *before)
    assert detect(path) == "ics"
    after, notices = translated(path, str.upper)
    said = (b"SUMMARY:THE HEARING", b"UID:hearing", b"COMMENT:BRING NOTES", b"LOCATION:ROOM TWO")
    assert (after, notices) == (calendar(*said), ())


def test_escapes_and_paragraphs_are_kept(tmp_path):
    path = event(tmp_path, b"DESCRIPTION:Dear Ann\\,\\n\\n- First\\; last\\nC:\\\\new is a folder")
    assert texts(path) == ["Dear Ann,", "First; last", "C:\\new is a folder"]
    after, _ = translated(path, lambda text: text.replace("Ann", "Bob; Jo"))
    assert (
        b"DESCRIPTION:Dear Bob\\; Jo\\,\\n\\n- First\\; last\\nC:\\\\new is a folder\r\n" in after
    )


def test_long_lines_are_folded_between_letters(tmp_path):
    path = event(tmp_path, b"SUMMARY:The hearing")
    after, _ = translated(path, lambda _: "ñandú " * 60)
    assert all(len(line) <= 75 for line in after.split(b"\r\n"))
    assert all(line.decode() for line in after.split(b"\r\n")[:-1])
    unfolded = after.replace(b"\r\n ", b"").decode()
    assert f"SUMMARY:{('ñandú ' * 60).strip()}" in unfolded


def test_a_letter_that_a_fold_parts_is_one_letter(tmp_path):
    path = event(tmp_path, b"SUMMARY:Se\xc3\r\n \xb1or")
    assert texts(path) == ["Señor"]
    assert translated(path, lambda text: text)[0] == path.read_bytes()


def test_lines_folded_by_tabs_keep_their_bytes_when_nothing_changes(tmp_path):
    path = event(tmp_path, b'SUMMARY;X-A="b:c;d":The\r\n\t hea\r\n\tring', b"COMMENT: ")
    assert texts(path) == ["The hearing"]
    assert translated(path, lambda text: text)[0] == path.read_bytes()


def test_html_descriptions_keep_their_tags(tmp_path):
    html = b"X-ALT-DESC;FMTTYPE=text/html:<p>Dear <b>Ann</b>\\, hello</p>"
    path = event(tmp_path, html)
    assert texts(path) == ["Dear Ann, hello"]
    after, _ = translated(path, str.upper)
    assert b"<p>DEAR <b>ANN</b>\\, HELLO</p>" in after


@pytest.mark.parametrize(("named", "told"), [("en-US", "es"), ("fr", "fr")])
def test_the_language_of_a_changed_text_is_the_target(tmp_path, named, told):
    path = event(
        tmp_path, f"SUMMARY;LANGUAGE={named}:Hearing".encode(), b"COMMENT;LANGUAGE=en:Here"
    )
    options = FormatOptions(source="en", target="es")
    target = tmp_path / "out.ics"
    write_document(read_document(path, options), wrap(["Audiencia", "Here"]), target, options)
    assert f"SUMMARY;LANGUAGE={told}:Audiencia".encode() in target.read_bytes()
    assert b"COMMENT;LANGUAGE=en:Here" in target.read_bytes()


def test_letters_that_the_encoding_lacks_make_it_utf_8(tmp_path):
    path = event(tmp_path, b"SUMMARY:Se\xf1or \x97 the hearing", b"X-NOTE:caf\xe9")
    after, notices = translated(path, lambda text: text + " Ж")
    assert notices == ("encoding-changed:utf-8",)
    assert "Señor — the hearing Ж\r\nX-NOTE:café" in after.decode()


def test_encoded_values_of_old_calendars_stay(tmp_path):
    path = event(tmp_path, b"SUMMARY;ENCODING=QUOTED-PRINTABLE:Caf=E9", b"COMMENT:Hello")
    assert texts(path) == ["Hello"]


def test_a_calendar_that_says_nothing_is_empty(tmp_path):
    assert refusal(event(tmp_path, b"UID:1"), "ics") is DocumentFailure.EMPTY


def test_invitations_in_mail_are_translated_in_their_part(tmp_path):
    content = calendar(b"SUMMARY:The hearing")
    part = b"Content-Type: text/calendar; charset=us-ascii; method=REQUEST\r\n\r\n" + content
    body, header = mixed(PLAIN + b"\r\n\r\nSee below.", part, kind=b"alternative")
    path = saved(tmp_path, message(body, header))
    assert texts(path) == ["The hearing", "See below.", "The hearing"]
    after, _ = translated(path, lambda text: f"{text} ñ")
    invitation = list(parsed(after).iter_parts())[1]
    assert invitation.get_param("method") == "REQUEST"
    assert "SUMMARY:The hearing ñ\n" in invitation.get_content().replace("\r\n", "\n")
