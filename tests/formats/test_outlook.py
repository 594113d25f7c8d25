"""Outlook messages: text in any code page, bodies in Rich Text, messages within messages."""

import struct

import pytest

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats import detect, read_document
from prism_core.formats.old_office.outlook_store import INTERNET_CODE_PAGE, LOCALE, decompress
from tests.formats.mails import message, outline, parsed, refusal, saved, texts, translated
from tests.formats.outlook_files import (
    BODY,
    CLASS,
    CODE_PAGE,
    CONTENT_ID,
    DATA,
    FILE_NAME,
    HTML,
    METHOD,
    MIME_TYPE,
    RICH_TEXT,
    SUBJECT,
    Message,
    outlook_file,
    plain_rich_text,
)

ENCLOSED = (
    rb"{\rtf1\ansi\ansicpg1252\fromhtml1 \deff0{\fonttbl{\f0\fswiss Arial;}"
    rb"{\f1\fswiss\fcharset204 Arial;}}{\colortbl\red0\green0\blue0;}"
    rb"{\*\htmltag64 <p title=\'22R\'e4um\'22>}\htmlrtf {\f0 \htmlrtf0 The {\*\htmltag84 <b>}"
    rb"\htmlrtf {\b \htmlrtf0 g\'e4rden{\*\htmltag92 </b>}\htmlrtf }\htmlrtf0  is \u8211 -green "
    rb"{\*\htmltag84 &lt;}\htmlrtf <\htmlrtf0 again{\*\mhtmltag84 x}{\f1 \'c4\'e0}.\htmlrtf }"
    rb"\htmlrtf0{\*\htmltag72 </p>}}"
)
RICH = (
    rb"{\rtf1\ansi{\fonttbl{\f0 Arial;}}{\info{\title No}}{\*\generator No;}\f0 The {\b garden} is "
    rb"green.\par{\v No}Tel. 12{\pict 00ff}\par}"
)


def msg(tmp_path, *arguments, **named):
    path = saved(tmp_path, outlook_file(Message(*arguments, **named)), "mail.msg")
    assert detect(path) == "msg"
    return path


def test_code_pages_that_are_not_declared_follow_the_locale(tmp_path):
    path = msg(tmp_path, {SUBJECT: "Добрый день", BODY: "Письмо", LOCALE: 1049}, encoding="cp1251")
    assert texts(path) == ["Добрый день", "Письмо"]


@pytest.mark.parametrize(
    ("pages", "encoding", "text"),
    [
        ({INTERNET_CODE_PAGE: 65001}, "cp1252", "Grüße aus Köln"),
        ({CODE_PAGE: 65001, LOCALE: 1031}, "cp1252", "Grüße aus Köln"),
        ({CODE_PAGE: 1252, INTERNET_CODE_PAGE: 20127}, "cp1252", "Grüße aus Köln"),
        ({INTERNET_CODE_PAGE: 950, LOCALE: 1028}, "cp950", "格式測試"),
        ({CODE_PAGE: 99999}, "utf-8", "Grüße aus Köln"),
    ],
)
def test_text_in_another_code_page_than_declared_is_read(tmp_path, pages, encoding, text):
    path = msg(tmp_path, {SUBJECT: text, BODY: text, **pages}, encoding=encoding)
    assert texts(path) == [text, text]


def test_html_enclosed_in_rich_text_is_taken_out(tmp_path):
    path = msg(tmp_path, {BODY: "The garden.", RICH_TEXT: plain_rich_text(ENCLOSED)})
    after, notices = translated(path, lambda text: text)
    plain, html = parsed(after).iter_parts()
    assert html.get_content().strip() == (
        '<p title="Räum">The <b>gärden</b> is –green &lt;againДа.</p>'
    )
    assert (plain.get_content().strip(), notices) == ("The garden.", ())


def test_a_body_in_rich_text_alone_becomes_plain_text(tmp_path):
    path = msg(tmp_path, {SUBJECT: "Hello", RICH_TEXT: plain_rich_text(RICH)})
    assert texts(path) == ["Hello", "The garden is green.", "Tel. 12"]
    assert read_document(path).notices == ("rich-text-as-plain",)


def test_compressed_rich_text_is_expanded():
    packed = bytes.fromhex(  # the examples of MS-OXRTFCP 3.1
        "2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af3"
        "2068656c090020627705b06c647d0a800fa0"
    )
    assert decompress(packed) == b"{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n"
    crossing = bytes.fromhex("1a0000001c0000004c5a4675e2d44b51410004205758595a0d6e7d010eb0")
    assert decompress(crossing) == b"{\\rtf1 WXYZWXYZWXYZWXYZWXYZ}"


@pytest.mark.parametrize(
    "content",
    [b"", b"short", struct.pack("<IIII", 9, 9, 7, 0) + b"x" * 9, plain_rich_text(b"no rtf")],
)
def test_a_body_in_damaged_rich_text_alone_is_corrupt(tmp_path, content):
    path = msg(tmp_path, {RICH_TEXT: content or b"x"})
    assert refusal(path, "msg") is DocumentFailure.CORRUPT


def test_rich_text_that_never_ends_is_refused():
    bomb = b"\x00aaaaaaaa" + b"\xff" + b"\x0d\xff" * 8
    with pytest.raises(DocumentError) as raised:
        decompress(struct.pack("<IIII", 0, 2**31, 0x75465A4C, 0) + bomb * 200_000)
    assert raised.value.failure is DocumentFailure.TOO_LARGE


def test_html_keeps_its_own_code_page(tmp_path):
    page = '<meta charset="windows-1251"><p>Письмо</p>'.encode("cp1251")
    path = msg(tmp_path, {HTML: page, INTERNET_CODE_PAGE: 20127})
    assert texts(path) == ["Письмо"]


@pytest.mark.parametrize("embedded", [True, False])
def test_messages_within_become_messages_within(tmp_path, embedded):
    inner = Message({SUBJECT: "Inner subject", BODY: "Inner text."})
    if embedded:
        attachment = {METHOD: 5, DATA: inner}
    else:
        attachment = {METHOD: 1, FILE_NAME: "Old mail.msg", DATA: outlook_file(inner)}
    path = msg(tmp_path, {SUBJECT: "Outer subject", BODY: "Outer text."}, [attachment])
    assert texts(path) == ["Outer subject", "Outer text.", "Inner subject", "Inner text."]
    after, notices = translated(path, str.upper)
    assert outline(after) == ["multipart/mixed", "text/plain", "message/rfc822", "text/plain"]
    (within,) = parsed(after).iter_attachments()
    assert within.get_content()["subject"] == "INNER SUBJECT"
    assert within.get_filename() == (None if embedded else "Old mail.eml")
    assert notices == ()


def test_a_sealed_message_within_stays_as_it_travelled(tmp_path):
    sealed = message(b"--b\r\n\r\nSigned.\r\n--b--\r\n", b"X: y").partition(b"X: y\r\n\r\n")[2]
    sealed = b"Content-Type: multipart/signed; boundary=b\r\n\r\n" + sealed
    inner = Message(
        {CLASS: "IPM.Note.SMIME.MultipartSigned", SUBJECT: "Inner"}, [{METHOD: 1, DATA: sealed}]
    )
    outer = {SUBJECT: "Outer subject", BODY: "Outer text."}
    path = msg(tmp_path, outer, [{METHOD: 5, DATA: inner}])
    assert read_document(path).notices == ("attachment:signed",)
    after, _ = translated(path, str.upper)
    assert b"Content-Type: multipart/signed; boundary=b" in after
    assert b"--b\r\n\r\nSigned.\r\n--b--\r\n" in after
    assert b"Subject: Inner\r\n" in after


@pytest.mark.parametrize(
    ("name", "kind", "failure"),
    [
        ("IPM.Note.SMIME", "application/pkcs7-mime", DocumentFailure.ENCRYPTED),
        ("IPM.Note.SMIME", "application/pkcs7-mime;smime-type=signed-data", DocumentFailure.SIGNED),
        ("IPM.Note.SMIME.MultipartSigned", "multipart/signed", DocumentFailure.SIGNED),
        ("IPM.Note.Secure", "", DocumentFailure.ENCRYPTED),
        ("IPM.Note.Secure.Sign", "", DocumentFailure.SIGNED),
    ],
)
def test_sealed_messages_are_refused(tmp_path, name, kind, failure):
    attachment = {METHOD: 1, MIME_TYPE: kind, DATA: b"MIIC"}
    path = msg(tmp_path, {CLASS: name, BODY: "Sealed."}, [attachment])
    assert refusal(path, "msg") is failure


def test_pictures_of_the_text_stay_pictures_of_the_text(tmp_path):
    picture = {
        METHOD: 1, DATA: b"PNG", FILE_NAME: "Straße.png", CONTENT_ID: "logo@1",
        MIME_TYPE: "image/png",
    }  # fmt: skip
    file = {METHOD: 1, DATA: b"%binary", FILE_NAME: "x.bin"}
    page = b"<p>Hello <img src='cid:logo@1'></p>"
    path = msg(tmp_path, {HTML: page, BODY: "Hello"}, [file, picture])
    after, _ = translated(path, str.upper)
    assert outline(after) == [
        "multipart/mixed",
        "multipart/alternative",
        "text/plain",
        "multipart/related",
        "text/html",
        "image/png",
        "application/octet-stream",
    ]
    image = list(parsed(after).walk())[5]
    assert (image["content-id"], image.get_filename()) == ("<logo@1>", "Straße.png")
    assert image.get_content_disposition() == "inline"


def test_an_appointment_says_that_it_became_a_message(tmp_path):
    path = msg(tmp_path, {CLASS: "IPM.Appointment", SUBJECT: "The hearing"})
    assert read_document(path).notices == ("outlook-item-as-message",)
