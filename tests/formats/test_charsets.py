"""Character sets: every label of the Encoding Standard, old ones, and texts that declare none."""

import re

import pytest

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats import read_document
from tests.formats.encoding_labels import STANDARD
from tests.formats.mails import message, saved, texts, translated

LABELS = {
    label: (word, bytes.fromhex(code))
    for word, code, labels in STANDARD.values()
    for label in labels.split()
}
WIDE = {label for name in ("utf-16be", "utf-16le") for label in STANDARD[name][2].split()}
OLD = {
    "x-mac-ce": ("świadek", b"\xe6wiadek"),
    "x-mac-greek": ("μάρτυρας", "μάρτυρας".encode("mac_greek")),
    "x-mac-turkish": ("tanığı", b"tan\xdd\xdb\xdd"),
    "cp-850": ("Zeugengebühr", b"Zeugengeb\x81hr"),
    "ibm850": ("Zeugengebühr", b"Zeugengeb\x81hr"),
    "ibm-00850": ("Zeugengebühr", b"Zeugengeb\x81hr"),
    "dos-862": ("שלום", b"\x99\x8c\x85\x8d"),
    "windows-936": ("证人", b"\xd6\xa4\xc8\xcb"),
    "x-windows-949": ("증인", b"\xc1\xf5\xc0\xce"),
    "eucjp": ("髙橋", b"\xfc\xe2\xb6\xb6"),
    "iso-2022-kr": ("증인", "증인".encode("iso2022_kr")),
    "utf8mb4": ("świadek", "świadek".encode()),
}


def encode(label: str, text: str, word: str, code: bytes) -> bytes:
    """``text`` with the bytes of the word in place of its mark."""
    wide = {label: "utf-16-be" if "be" in label or "fffe" in label else "utf-16-le"}
    before, after = text.split("{}")
    if label in WIDE:
        return before.encode(wide[label]) + code + after.encode(wide[label])
    return before.encode() + code + after.encode()


@pytest.mark.parametrize(("label", "found"), (LABELS | OLD).items(), ids=(LABELS | OLD).keys())
def test_mail_in_a_labelled_character_set_keeps_its_words(tmp_path, label, found):
    word, code = found
    kind = f'Content-Type: text/plain; charset="{label.upper()}"'.encode()
    body = encode(label, "The witness {} cannot come to the court.", word, code)
    subject = b"Subject: =?" + label.encode() + b"?Q?" + re.sub(
        b"[^a-z]", lambda m: b"=%02X" % m[0][0], encode(label, "About {}", word, code)
    ) + b"?="  # fmt: skip
    path = saved(tmp_path, message(body, kind + b"\r\nContent-Transfer-Encoding: 8bit", subject))
    assert texts(path) == [f"About {word}", f"The witness {word} cannot come to the court."]
    content, notices = translated(path, lambda text: text.replace("witness", "testigo"))
    assert b"testigo" in content.replace(b"\0", b"")
    assert texts(saved(tmp_path, content, "again.eml"))[1].split()[2] == word
    assert read_document(path).notices == notices == ()


@pytest.mark.parametrize("label", sorted(set(LABELS) - WIDE - {"x-user-defined"}))
def test_page_in_a_labelled_character_set_keeps_its_words(tmp_path, label):
    word, code = LABELS[label]
    page = f"<html><head><meta charset='{label}'></head><p>The witness {{}} is ill.</p></html>"
    path = saved(tmp_path, encode(label, page, word, code), "page.html")
    assert texts(path) == [f"The witness {word} is ill."]
    assert read_document(path).notices == ()


@pytest.mark.parametrize("label", ["iso-2022-cn", "iso-2022-cn-ext", "replacement", "euc-tw"])
def test_what_no_codec_reads_is_not_sent(tmp_path, label):
    body = b"The witness \x1b$)A\x0e>$VP\x0f cannot come."
    path = saved(tmp_path, message(body, f"Content-Type: text/plain; charset={label}".encode()))
    assert texts(path) == ["The hearing"]
    assert read_document(path).notices == ("attachment:corrupt",)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("text", [
    "The contract ends in March.\r\nThe tenant returns the keys.\r\n",
    "Договор истекает в марте.\nАрендатор возвращает ключи.\n",
    "合同三月到期。\n承租人归还钥匙。\n",
])  # fmt: skip
def test_wide_text_without_a_mark_is_read_and_written(tmp_path, encoding, text):
    path = saved(tmp_path, text.encode(encoding), "note.txt")
    assert texts(path) == text.splitlines()
    content, notices = translated(path, lambda text: text + " É.")
    assert content.decode(encoding).splitlines() == [line + " É." for line in text.splitlines()]
    assert notices == ()


@pytest.mark.parametrize("content", [bytes(range(256)) * 40, b"\0\1\0\2" * 500, b"MZ\x90\0\3" * 99])
def test_binary_is_no_wide_text(tmp_path, content):
    with pytest.raises(DocumentError) as raised:
        texts(saved(tmp_path, content, "note.txt"))
    assert raised.value.failure is DocumentFailure.UNSUPPORTED


GUESSED = {
    "note.txt": "The café is open.".encode("cp1252"),
    "page.html": "<html><p>The café is open.</p></html>".encode("cp1252"),
    "wrong.html": "<meta charset=utf-8><p>The café is open.</p>".encode("cp1252"),
    "note.md": "# The café\n\nIt is **open**.".encode("cp1252"),
    "mail.eml": message("The café is open.".encode("cp1252")),
    "unknown.eml": message("Le café".encode("cp1252"), b"Content-Type: text/plain; charset=x-no"),
}


@pytest.mark.parametrize("name", GUESSED)
def test_a_guessed_character_set_is_said(tmp_path, name):
    document = read_document(saved(tmp_path, GUESSED[name], name))
    assert document.notices == ("charset-guessed:windows-1252",)


RICH = rb"""{\rtf1\ansi\ansicpg1251\deff5{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset161 Greek;}
{\f2\fcharset177 David;}{\f3\fcharset88 Geneva CE;}{\f4\fcharset128 MS Mincho;}{\f5 Arial;}
{\f6\fcharset89 Geneva Cyr;}{\f7\cpg862 Old;}}
\f0 caf\'e9\par \f1 \'ec\'dc\'f1\par \f2 \'f9\'ec\'e5\'ed\par \f3 \'e6wiadek\par
\f4 \'8b\'b4\par \f5 \'d1\'e2\'e8\par \f6 \'91\'e2\'e8\par \f7 \'99\'8c\'85\'8d\par}"""


def test_each_font_of_rich_text_has_its_own_code_page(tmp_path):
    expected = ["café", "μάρ", "שלום", "świadek", "橋", "Сви", "Сви", "שלום"]
    assert texts(saved(tmp_path, RICH, "note.rtf")) == expected


@pytest.mark.parametrize(
    ("head", "code"),
    [("\\mac", "8e"), ("\\pc", "82"), ("\\pca", "82"), ("\\ansi", "e9"),
     ("\\ansi\\ansicpg850", "82"), ("\\mac\\ansicpg10029", "8e"),
     ("\\ansi\\ansicpg65001", "c3\\'a9")],
)  # fmt: skip
def test_rich_text_has_the_character_set_of_its_head(tmp_path, head, code):
    path = saved(tmp_path, f"{{\\rtf1{head} The caf\\'{code} is open.}}".encode(), "note.rtf")
    assert texts(path) == ["The café is open."]
