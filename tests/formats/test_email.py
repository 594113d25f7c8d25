"""Mail: what people wrote is read and replaced, and every other byte stays."""

import base64
import io

import docx
import pytest

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats import read_document, write_document
from tests.formats.aligned import wrap
from tests.formats.mails import (
    HEADERS,
    message,
    mixed,
    outline,
    parsed,
    refusal,
    saved,
    texts,
    translated,
)

PLAIN = b"Content-Type: text/plain; charset=us-ascii"
PATIENT = b"The patient was discharged on Monday."


def accented(text):
    return f"¡{text} Año!"


def docx_bytes(text):
    document = docx.Document()
    document.core_properties.comments = ""
    document.add_paragraph(text)
    target = io.BytesIO()
    document.save(target)
    return target.getvalue()


def attachment(content, kind=b"application/octet-stream", name=b"note.docx"):
    head = b'Content-Type: %s\r\nContent-Disposition: attachment; filename="%s"\r\n' % (kind, name)
    encoded = base64.encodebytes(content).replace(b"\n", b"\r\n")
    return head + b"Content-Transfer-Encoding: base64\r\n\r\n" + encoded


def test_only_subject_and_body_change(tmp_path):
    before = message(b"We met at noon.\r\n", PLAIN)
    after, _ = translated(saved(tmp_path, before), str.upper)
    expected = before.replace(b"The hearing", b"THE HEARING")
    assert after == expected.replace(b"We met at noon.", b"WE MET AT NOON.")


def test_preamble_epilogue_and_boundaries_stay(tmp_path):
    body, header = mixed(PLAIN + b"\r\n\r\nWe met.", b"\r\nThey left.")
    before = message(body, header)
    after, _ = translated(saved(tmp_path, before), str.upper)
    assert after == before.replace(b"The hearing", b"THE HEARING").replace(
        b"We met.", b"WE MET."
    ).replace(b"They left.", b"THEY LEFT.")


def test_unchanged_texts_give_the_same_bytes(tmp_path):
    body, header = mixed(
        PLAIN + b"\r\n\r\nWe  met.\r\n-- \r\nAna", attachment(docx_bytes("Hello."))
    )
    before = message(body, header, b"Subject: =?iso-8859-1?q?caf=E9?=\r\n =?utf-8?b?IG5vaXI=?=")
    after, _ = translated(saved(tmp_path, before), lambda text: text)
    assert after == before


def test_new_letters_change_charset_and_transfer_encoding(tmp_path):
    after, _ = translated(saved(tmp_path, message(PATIENT, PLAIN)), accented)
    read = parsed(after)
    assert read.get_content().rstrip("\n") == accented(PATIENT.decode())
    assert (read.get_content_charset(), read["Content-Transfer-Encoding"]) == (
        "utf-8",
        "quoted-printable",
    )
    assert after.startswith(HEADERS)


def test_a_new_charset_leaves_all_other_parameters_as_they_are(tmp_path):
    odd = b'; name==?koi8-r?B?89DJ?=;\r\n\tX-Note="a;charset=b"'
    header = b"Content-Type: text/plain; CharSet=us-ascii" + odd
    after, _ = translated(saved(tmp_path, message(PATIENT, header)), accented)
    assert b"Content-Type: text/plain; charset=utf-8" + odd + b"\r\n" in after


def test_a_message_without_mime_headers_gets_them(tmp_path):
    after, _ = translated(saved(tmp_path, message(PATIENT)), accented)
    assert parsed(after).get_content().rstrip("\n") == accented(PATIENT.decode())


@pytest.mark.parametrize("charset", ["iso-8859-1", "windows-1252", "utf-8"])
@pytest.mark.parametrize("transfer", ["8bit", "base64", "quoted-printable"])
def test_charset_and_transfer_encoding_stay_where_they_can(tmp_path, charset, transfer):
    header = f"Content-Type: text/plain; charset={charset}\r\nContent-Transfer-Encoding: {transfer}"
    raw = "Señor Núñez called.".encode(charset)
    body = {"base64": base64.encodebytes(raw), "8bit": raw}.get(transfer)
    body = body or raw.replace(b"\xf1", b"=F1").replace(b"\xfa", b"=FA")
    path = saved(tmp_path, message(body, header.encode()))
    assert texts(path)[1] == "Señor Núñez called."
    after, _ = translated(path, str.upper)
    read = parsed(after)
    assert read.get_content().rstrip("\n") == "SEÑOR NÚÑEZ CALLED."
    assert header.encode() in after


@pytest.mark.parametrize(
    "declared", [b"; charset=x-unknown", b"; charset=us-ascii", b"", b"; charset=zlib"]
)
@pytest.mark.parametrize("used", ["utf-8", "cp1252"])
def test_a_wrong_charset_falls_back(tmp_path, declared, used):
    header = b"Content-Type: text/plain" + declared + b"\r\nContent-Transfer-Encoding: 8bit"
    path = saved(tmp_path, message("Señor Núñez’s café.".encode(used), header))
    assert texts(path)[1] == "Señor Núñez’s café."
    after, _ = translated(path, lambda text: text.replace("café", "Ø"))
    assert parsed(after).get_content().rstrip("\n") == "Señor Núñez’s Ø."


@pytest.mark.parametrize("kind", [b"text/plain", b"text/html"])
def test_half_a_character_pair_in_a_translation_is_no_error(tmp_path, kind):
    path = saved(tmp_path, message(b"We met.", b"Content-Type: " + kind))
    after, _ = translated(path, lambda text: text + " \ud83d fin")
    assert parsed(after).get_content().startswith("We met.")
    assert parsed(after).get_content().rstrip().endswith("fin")


def test_reply_marks_stay(tmp_path):
    path = saved(tmp_path, message(b"Yes.", PLAIN, b"SUBJECT: Re: Fwd: Your offer"))
    assert texts(path)[0] == "Your offer"
    after, _ = translated(path, lambda text: "Ñu" if text == "Your offer" else text)
    assert parsed(after)["subject"] == "Re: Fwd: Ñu"
    assert b"\r\nSUBJECT: =?utf-8?" in after


def test_invisible_letters_in_a_subject_do_not_hide_a_name(tmp_path):
    path = saved(tmp_path, message(b"Yes.", PLAIN, b"Subject: =?utf-8?q?Mar=C2=ADgaret=E2=80=8B?="))
    assert texts(path)[0] == "Margaret"


def test_a_translation_cannot_add_a_header(tmp_path):
    path = saved(tmp_path, message(b"Yes.", PLAIN))
    after, _ = translated(path, lambda _: "Hi\r\nBcc: thief@example.org\r\n\r\nbody")
    assert parsed(after)["bcc"] is None
    assert "thief" in parsed(after)["subject"]


def test_a_translation_cannot_add_a_part(tmp_path):
    body, header = mixed(PLAIN + b"\r\n\r\nWe met.", b"\r\nThey left.")
    path = saved(tmp_path, message(body, header))
    document = read_document(path)
    with pytest.raises(DocumentError, match="unrebuildable"):
        write_document(document, wrap(["The hearing", "--edge", "They left."]), tmp_path / "out")


def test_long_subjects_are_folded(tmp_path):
    after, _ = translated(saved(tmp_path, message(b"Yes.", PLAIN)), lambda _: "año nuevo " * 30)
    assert all(len(line) <= 78 for line in after.split(b"\r\n")[:20])
    assert parsed(after)["subject"].split() == ["año", "nuevo"] * 30


def test_quotes_and_signature_keep_their_marks(tmp_path):
    body = (
        b"I agree with you in this matter, and I will write to the court before the end of\r\n"
        b"the week.\r\n\r\n-- \r\nAna Bell\r\nAttorney\r\n\r\n"
        b"> Could you write to the court about the telephone records before the end of\r\n"
        b"> the week?\r\n>> Not yet.\r\n"
    )
    path = saved(tmp_path, message(body, PLAIN))
    assert texts(path)[1:] == [
        "I agree with you in this matter, and I will write to the court before the end of"
        " the week.",
        "Ana Bell",
        "Attorney",
        "Could you write to the court about the telephone records before the end of the week?",
        "Not yet.",
    ]
    after, _ = translated(path, str.upper)
    assert b"\r\n-- \r\nANA BELL\r\nATTORNEY\r\n" in after
    assert b"\r\n> THE WEEK?\r\n>> NOT YET.\r\n" in after


def test_flowed_lines_are_one_paragraph_and_flow_again(tmp_path):
    body = b"One two three \r\nfour five six.\r\nSeven.\r\n"
    path = saved(tmp_path, message(body, b"Content-Type: text/plain; format=flowed"))
    assert texts(path)[1:] == ["One two three four five six.", "Seven."]
    after, _ = translated(path, lambda text: f"{text} " + "word " * 30)
    lines = after.split(b"\r\n\r\n", 1)[1].split(b"\r\n")
    assert lines[0].endswith(b" ")


def test_attached_documents_are_translated_by_their_format(tmp_path):
    body, header = mixed(
        PLAIN + b"\r\n\r\nSee below.",
        attachment(docx_bytes("The fall was reported.")),
        attachment(PATIENT, b"text/plain", b"note.txt"),
    )
    before = message(body, header)
    path = saved(tmp_path, before)
    assert texts(path) == [
        "The hearing",
        "See below.",
        "The fall was reported.",
        "The patient was discharged on Monday.",
    ]
    after, notices = translated(path, accented)
    word, note = list(parsed(after).iter_attachments())
    assert [p.text for p in docx.Document(io.BytesIO(word.get_content())).paragraphs] == [
        accented("The fall was reported.")
    ]
    assert note.get_content() == accented(PATIENT.decode())
    assert (outline(after), notices) == (outline(before), ())
    assert after.count(b'filename="note.docx"') == 1


def test_an_attachment_that_cannot_be_read_stays_and_is_noticed_without_its_name(tmp_path):
    broken = docx_bytes("Hello.")[:2000]
    part = attachment(broken, name=b"secret-plan.docx")
    body, header = mixed(PLAIN + b"\r\n\r\nSee below.", part)
    path = saved(tmp_path, message(body, header))
    assert read_document(path).notices == ("attachment:corrupt",)
    after, _ = translated(path, accented)
    assert part in after


def test_source_code_and_tables_attached_as_text_are_left_alone(tmp_path):
    table = b"name,age,ward\r\nAna,51,3\r\nJo,47,2\r\nLi,39,1\r\n"
    body, header = mixed(
        PLAIN + b"\r\n\r\nSee below.",
        attachment(table, b"text/plain", b"list.csv"),
        b"Content-Type: text/vcard\r\n\r\nBEGIN:VCARD\r\nFN:Ana Bell\r\nEND:VCARD",
    )
    document = read_document(saved(tmp_path, message(body, header)))
    assert [segment.text for segment in document.segments] == ["The hearing", "See below."]
    assert document.notices == ("attachment:empty", "attachment:unsupported")


def test_pictures_shown_in_the_text_are_not_noticed_and_others_are(tmp_path):
    inline = b"Content-Type: image/png\r\nContent-ID: <logo>\r\n\r\nPNG"
    body, header = mixed(PLAIN + b"\r\n\r\nHi.", inline, attachment(b"PNG", b"image/png", b"x.png"))
    assert read_document(saved(tmp_path, message(body, header))).notices == (
        "attachment:unsupported",
    )


def test_forwarded_messages_are_translated_inside(tmp_path):
    inner = message(b"Inner text.", PLAIN, b"Subject: Inner subject")
    part = b"Content-Type: message/rfc822\r\n\r\n" + inner
    body, header = mixed(PLAIN + b"\r\n\r\nOuter text.", part, attachment(inner, name=b"old.eml"))
    path = saved(tmp_path, message(body, header))
    assert texts(path) == [
        "The hearing",
        "Outer text.",
        *["Inner subject", "Inner text."] * 2,
    ]
    after, _ = translated(path, accented)
    forwarded, attached = list(parsed(after).iter_attachments())
    assert forwarded.get_content()["subject"] == accented("Inner subject")
    copy = parsed(attached.get_payload(decode=True))
    assert copy.get_content().rstrip("\n") == accented("Inner text.")
    assert HEADERS in attached.get_payload(decode=True)


def test_a_sealed_message_within_stays_while_the_rest_is_translated(tmp_path):
    sealed, sealed_header = mixed(b"\r\nSigned.", kind=b"signed", boundary=b"inner")
    part = b"Content-Type: message/rfc822\r\n\r\n" + message(sealed, sealed_header)
    body, header = mixed(PLAIN + b"\r\n\r\nOuter text.", part)
    path = saved(tmp_path, message(body, header))
    assert read_document(path).notices == ("attachment:signed",)
    assert part in translated(path, accented)[0]


@pytest.mark.parametrize(
    ("header", "body", "failure"),
    [
        (b"Content-Type: multipart/signed; boundary=edge", b"", DocumentFailure.SIGNED),
        (b"Content-Type: multipart/encrypted; boundary=edge", b"", DocumentFailure.ENCRYPTED),
        (b"Content-Type: application/pkcs7-mime", b"MIIC", DocumentFailure.ENCRYPTED),
        (
            b"Content-Type: application/pkcs7-mime; smime-type=signed-data",
            b"MIIC",
            DocumentFailure.SIGNED,
        ),
        (PLAIN, b"-----BEGIN PGP SIGNED MESSAGE-----\r\n\r\nHi", DocumentFailure.SIGNED),
        (PLAIN, b"-----BEGIN PGP MESSAGE-----\r\n\r\nhQE", DocumentFailure.ENCRYPTED),
    ],
)
def test_sealed_messages_are_refused(tmp_path, header, body, failure):
    assert refusal(saved(tmp_path, message(body, header))) is failure


def test_a_message_without_text_is_empty(tmp_path):
    assert refusal(saved(tmp_path, message(b"\r\n", PLAIN, b""))) is DocumentFailure.EMPTY


def test_a_message_whose_only_text_is_in_an_unreadable_attachment_is_not_called_empty(tmp_path):
    body, header = mixed(b"\r\n ", attachment(docx_bytes("Hello.")[:2000]))
    path = saved(tmp_path, message(body, header, b""))
    assert refusal(path) is DocumentFailure.CORRUPT


def test_a_changed_file_is_not_rebuilt(tmp_path):
    path = saved(tmp_path, message(b"We met.", PLAIN))
    document = read_document(path)
    saved(tmp_path, message(b"We parted.", PLAIN))
    with pytest.raises(DocumentError, match="unrebuildable"):
        write_document(document, wrap(["A", "B"]), tmp_path / "out")


@pytest.mark.parametrize(
    ("declared", "used", "text"),
    [
        ("gb2312", "gbk", "朱镕基见面"),
        ("windows-874", "cp874", "สวัสดีครับ"),
        ("ks_c_5601-1987", "cp949", "똠방각하 안녕"),
        ("shift_jis", "cp932", "①髙島屋で会う"),
        ("x-sjis", "cp932", "会いましょう"),
        ("iso-8859-9", "cp1254", "“İstanbul” güzel"),
    ],
)
def test_character_sets_are_read_as_mail_programs_read_them(tmp_path, declared, used, text):
    word = base64.b64encode(text.encode(used)).decode()
    subject = f"Subject: =?{declared}?b?{word}?=".encode()
    header = f"Content-Type: text/plain; charset={declared}".encode()
    path = saved(tmp_path, message(text.encode(used), header, subject))
    assert texts(path) == [text, text]
    after, _ = translated(path, lambda text: text + " ok")
    assert texts(saved(tmp_path, after)) == [text + " ok"] * 2


@pytest.mark.parametrize("word", [b"=?utf-8?b?w?=", b"=?x-odd?q?=E9t=E9?=", b"=?utf-8?q?=E9?="])
def test_a_subject_whose_encoding_is_broken_stays(tmp_path, word):
    path = saved(tmp_path, message(b"We met.", PLAIN, b"Subject: Hello " + word))
    assert texts(path) == ["We met."]
    assert b"Subject: Hello " + word in translated(path, str.upper)[0]
