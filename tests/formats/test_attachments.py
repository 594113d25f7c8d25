"""What hangs on a message: names of files, Outlook messages, packets that only Outlook opens."""

import base64

import pytest

from prism_core.errors import DocumentFailure
from prism_core.formats import detect, format_for, output_type, read_document, write_document
from prism_core.formats.base import FormatOptions, Formats
from prism_core.formats.mail import MailFormat
from tests.formats.aligned import wrap
from tests.formats.mails import message, mixed, outline, parsed, refusal, saved, texts, translated
from tests.formats.outlook_files import BODY, SUBJECT, Message, outlook_file

PLAIN = b"Content-Type: text/plain; charset=us-ascii"
TEXT = PLAIN + b"\r\n\r\nSee below."
PACKET = b"\x78\x9f\x3e\x22\x00\x00"
TRANSLATE = FormatOptions(source="en", target="es", attachment_names="translate")


def file(content=b"%binary\x00", name=b'filename="x.bin"', kind=b"application/octet-stream"):
    head = b"Content-Type: %s\r\nContent-Disposition: attachment; %s\r\n" % (kind, name)
    return head + b"Content-Transfer-Encoding: base64\r\n\r\n" + base64.encodebytes(content)


def carrying(tmp_path, *files):
    body, header = mixed(TEXT, *files)
    return saved(tmp_path, message(body, header))


def renamed(path, translate):
    """The message written with the names of its files translated too, parsed."""
    document = read_document(path, TRANSLATE)
    given = [translate(s.text) if s.kind == "filename" else s.text for s in document.segments]
    target = path.with_name("target")
    write_document(document, wrap(given), target, TRANSLATE)
    return parsed(target.read_bytes())


def names(mail):
    return [part.get_filename() for part in mail.iter_attachments()]


def test_names_of_files_stay_unless_the_user_wants_them_translated(tmp_path):
    path = carrying(tmp_path, file(name=b'filename="final_report.bin"'))
    assert "final report" not in texts(path)
    kinds = [(s.kind, s.text) for s in read_document(path, TRANSLATE).segments]
    assert kinds[-1] == ("filename", "final report")


@pytest.mark.parametrize(
    ("header", "name"),
    [
        (b'filename="final_report.bin"', "INFORME_AÑO.bin"),
        (b"filename=final-report.bin", "INFORME-AÑO.bin"),
        (b"filename*=utf-8''final%20report.bin", "INFORME AÑO.bin"),
        (b'filename="=?utf-8?q?final_report=2Ebin?="', "INFORME AÑO.bin"),
        (b"filename*0=final_re;\r\n\tfilename*1=port.bin", "INFORME_AÑO.bin"),
        (b'x=1; filename="2024-05 final_report (2).bin"; y=2', "2024-05 INFORME_AÑO (2).bin"),
    ],
)
def test_names_are_translated_in_the_form_they_have(tmp_path, header, name):
    mail = renamed(carrying(tmp_path, file(name=header)), lambda _: "INFORME AÑO")
    assert names(mail) == [name]
    assert mail.get_body().get_content().strip() == "See below."


def test_both_headers_name_the_file_alike(tmp_path):
    part = file(name=b'filename="the roof.bin"', kind=b'image/png; name="the roof.bin"; x=y')
    mail = renamed(carrying(tmp_path, part), lambda _: "el tejado de la señora")
    (attached,) = mail.iter_attachments()
    assert attached.get_filename() == "el tejado de la señora.bin"
    assert attached.get_param("x") == "y"
    words = str(attached["content-type"])
    assert "el tejado de la señora.bin" in words


@pytest.mark.parametrize(
    "translation",
    [
        "../../etc/passwd",
        "C:\\x\\..\\y",
        ".hidden\r\nBcc: a@b",
        "a\x00b\u202ecod",
        "../",
        "x" * 900,
    ],
)
def test_no_translation_makes_a_name_that_is_not_safe(tmp_path, translation):
    path = carrying(tmp_path, file(name=b'filename="the roof.bin"'))
    mail = renamed(path, lambda _: translation)
    (name,) = names(mail)
    assert name.endswith(".bin")
    assert not name.startswith(".")
    assert not set(name) & set('/\\:*?"<>|\r\n\x00\u202e')
    assert len(name.encode()) <= 255
    assert mail["bcc"] is None


@pytest.mark.parametrize("name", [b"IMG_1234.bin", b"2024-05-03.bin", b"image001.bin"])
def test_names_without_words_stay(tmp_path, name):
    path = carrying(tmp_path, file(name=b"filename=" + name))
    assert not [s for s in read_document(path, TRANSLATE).segments if s.kind == "filename"]


def test_two_files_never_get_the_same_name(tmp_path):
    files = [file(name=b'filename="%s.bin"' % each) for each in (b"house", b"home", b"casa")]
    mail = renamed(
        carrying(tmp_path, *files), {"house": "Casa", "home": "hogar", "casa": "casa"}.get
    )
    assert names(mail) == ["house.bin", "hogar.bin", "casa.bin"]
    mail = renamed(carrying(tmp_path, *files[:2]), lambda _: "hogar")
    assert names(mail) == ["hogar.bin", "home.bin"]


def test_a_new_name_and_a_new_charset_share_a_header(tmp_path):
    kind = b'text/plain; charset=us-ascii; name="the roof.txt"'
    path = carrying(tmp_path, file(b"We met.", b'filename="the roof.txt"', kind))
    document = read_document(path, TRANSLATE)
    given = {"We met.": "Ñandú", "the roof": "el tejado"}
    target = tmp_path / "target"
    write_document(
        document,
        wrap([given.get(s.text, s.text) for s in document.segments]),
        target,
        TRANSLATE,
    )
    (attached,) = parsed(target.read_bytes()).iter_attachments()
    assert attached.get_content() == "Ñandú"
    assert attached.get_filename() == "el tejado.txt"


@pytest.mark.parametrize("newline", [b"\r\n", b"\n"])
def test_an_outlook_message_attached_becomes_a_message_within(tmp_path, newline):
    inner = outlook_file(Message({SUBJECT: "Inner subject", BODY: "Inner text."}))
    part = file(inner, b'filename="Old letter.msg"', b"application/vnd.ms-outlook")
    path = carrying(tmp_path, part)
    path.write_bytes(path.read_bytes().replace(b"\r\n", b"\n").replace(b"\n", newline))
    assert texts(path) == ["The hearing", "See below.", "Inner subject", "Inner text."]
    assert translated(path, lambda text: text)[0] == path.read_bytes()
    after, notices = translated(path, lambda text: f"{text} ñ")
    assert outline(after) == ["multipart/mixed", "text/plain", "message/rfc822", "text/plain"]
    (within,) = parsed(after).iter_attachments()
    assert within.get_filename() == "Old letter.eml"
    assert within.get_content()["subject"] == "Inner subject ñ"
    assert within.get_content().get_content().strip() == "Inner text. ñ"
    assert (b"\r\n" in after, notices) == (newline == b"\r\n", ())
    assert names(renamed(path, str.upper)) == ["OLD LETTER.msg"]
    document = read_document(path, TRANSLATE)
    target = path.with_name("target")
    write_document(document, wrap([s.text.upper() for s in document.segments]), target, TRANSLATE)
    assert names(parsed(target.read_bytes())) == ["OLD LETTER.eml"]


def test_an_outlook_message_that_is_damaged_stays_and_is_noticed(tmp_path):
    part = file(outlook_file(Message({BODY: "Hi."}))[:1500], b"filename=a.msg")
    path = carrying(tmp_path, part)
    assert read_document(path).notices[0].startswith("attachment:")
    assert part in translated(path, str.upper)[0]


@pytest.mark.parametrize(
    ("kind", "content"),
    [(b"application/ms-tnef", b"x"), (b"application/octet-stream", PACKET)],
)
def test_a_packet_that_only_outlook_opens_is_named_in_the_notices(tmp_path, kind, content):
    part = file(content, b'filename="winmail.dat"', kind)
    path = carrying(tmp_path, part)
    assert read_document(path).notices == ("winmail-dat",)
    assert part in translated(path, str.upper)[0]


def test_a_message_that_is_a_packet_alone_is_unsupported(tmp_path):
    body, header = mixed(PLAIN + b"\r\n\r\n", file(PACKET, kind=b"application/ms-tnef"))
    path = saved(tmp_path, message(body, header, b""))
    assert refusal(path) is DocumentFailure.UNSUPPORTED


@pytest.mark.parametrize(("named", "told"), [(b"en-US", "es"), (b"de", "de")])
def test_the_language_that_headers_name_becomes_the_target(tmp_path, named, told):
    path = saved(tmp_path, message(b"We met.", PLAIN + b"\r\nContent-Language: " + named))
    options = FormatOptions(source="en", target="es")
    document = read_document(path, options)
    same = tmp_path / "same"
    write_document(document, wrap([s.text for s in document.segments]), same, options)
    assert same.read_bytes() == path.read_bytes()
    write_document(document, wrap(["La vista", "Nos vimos."]), tmp_path / "target", options)
    assert parsed((tmp_path / "target").read_bytes())["content-language"] == told


def test_an_attachment_that_becomes_another_type_says_so_in_its_headers(tmp_path):
    formats = Formats(detect, format_for, output_type=lambda _name: output_type("doc"))
    note = rb"{\rtf1\ansi The roof.\par}"
    part = file(note, b'filename="note.doc"', b'application/msword; name="note.doc"')
    path = carrying(tmp_path, part)
    mail, target = MailFormat(formats), tmp_path / "target"
    document = mail.read(path)
    mail.write(document, wrap([segment.text.upper() for segment in document.segments]), target)
    (attached,) = parsed(target.read_bytes()).iter_attachments()
    assert attached.get_filename() == "note.docx"
    assert attached.get_content_type().endswith("wordprocessingml.document")
    assert b"THE ROOF." in attached.get_content()
    mail.write(document, wrap([segment.text for segment in document.segments]), target)
    assert target.read_bytes() == path.read_bytes()
