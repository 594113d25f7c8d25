"""Text files: encoding, byte-order mark and line endings stay; binary files are refused."""

import codecs

import pytest

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.character_sets import decode_text
from prism_core.formats.plain import TextFormat
from tests.formats.aligned import wrap

FORMAT = TextFormat()
TEXT = "The café is “open”.\r\n\r\nCome in.\r\n"


def rewritten(tmp_path, content, translate):
    source, target = tmp_path / "source.txt", tmp_path / "target.txt"
    source.write_bytes(content)
    read = FORMAT.read(source)
    notices = FORMAT.write(
        read, wrap([translate(segment.text) for segment in read.segments]), target
    )
    return target.read_bytes(), notices


ENCODED = {
    "utf-8": TEXT.encode(),
    "utf-8 with a mark": codecs.BOM_UTF8 + TEXT.encode(),
    "utf-16": codecs.BOM_UTF16_LE + TEXT.encode("utf-16-le"),
    "utf-16 big-endian": codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"),
    "utf-32": codecs.BOM_UTF32_LE + TEXT.encode("utf-32-le"),
    "cp1252": TEXT.encode("cp1252"),
    "ascii without a last newline": b"Come in.",
}


@pytest.mark.parametrize("encoding", ENCODED)
def test_unchanged_translations_give_the_same_bytes(tmp_path, encoding):
    content, notices = rewritten(tmp_path, ENCODED[encoding], lambda text: text)
    assert content == ENCODED[encoding]
    assert notices == ()


@pytest.mark.parametrize("encoding", ENCODED)
def test_encoding_and_line_endings_stay(tmp_path, encoding):
    content, notices = rewritten(tmp_path, ENCODED[encoding], lambda text: text.replace("o", "ó"))
    before, after = decode_text(ENCODED[encoding]), decode_text(content)
    assert (after.encoding, after.mark) == (before.encoding, before.mark)
    assert after.text == before.text.replace("o", "ó")
    assert notices == ()


def test_a_text_that_its_encoding_cannot_hold_becomes_utf_8_and_says_so(tmp_path):
    content, notices = rewritten(tmp_path, TEXT.encode("cp1252"), lambda text: text + " Ω")
    assert content.startswith(codecs.BOM_UTF8)
    assert "Ω" in content.decode("utf-8-sig")
    assert notices == ("encoding-changed:utf-8",)


REFUSED = {
    "binary": (b"abc\0def", DocumentFailure.UNSUPPORTED),
    "control characters": (bytes(range(1, 32)) * 10, DocumentFailure.UNSUPPORTED),
    "nothing": (b"", DocumentFailure.EMPTY),
    "no words": (b"* * *\n---\n", DocumentFailure.EMPTY),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_no_text_is_refused(tmp_path, what):
    content, expected = REFUSED[what]
    source = tmp_path / "source.txt"
    source.write_bytes(content)
    with pytest.raises(DocumentError) as caught:
        FORMAT.read(source)
    assert caught.value.failure is expected


def test_a_file_that_changed_since_it_was_read_is_not_rebuilt(tmp_path):
    source = tmp_path / "source.txt"
    source.write_text("One text.")
    read = FORMAT.read(source)
    source.write_text("Another text.")
    with pytest.raises(DocumentError) as caught:
        FORMAT.write(read, wrap(["Un texto."]), tmp_path / "target.txt")
    assert caught.value.failure is DocumentFailure.UNREBUILDABLE


RUSSIAN = (
    "Привет, как дела? Это письмо написано по-русски, и оно довольно длинное.\n\n"
    "Вчера мы ходили в парк, где гуляли дети и пели птицы. Погода была хорошая.\n\n"
    "Мы хотели бы сообщить вам, что ваш заказ отправлен и скоро будет доставлен.\n"
)


@pytest.mark.parametrize("encoding", ["cp1251", "koi8-r"])
def test_other_encodings_are_guessed_and_come_back(tmp_path, encoding):
    decoded = decode_text(RUSSIAN.encode(encoding))
    assert decoded.text == RUSSIAN
    content, _ = rewritten(tmp_path, RUSSIAN.encode(encoding), str.upper)
    assert content == RUSSIAN.upper().encode(encoding)
