"""What other programs open is opened: ids twice, checksums that are wrong, documents in documents.

And what cannot be written is refused when it is read.
"""

from __future__ import annotations

import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats import Translation, format_for, read_input_document
from tests.formats import docx_files, odt_files
from tests.formats.docx_files import document, word_file
from tests.formats.hostile_packages import ZIPPED
from tests.formats.samples import SAMPLES

WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
PICTURE = bytes(range(256)) * 40


def change_entry(path: Path, member: str, change: Callable[[bytearray, int, int], None]) -> None:
    """Let ``change`` alter the file, given where the two entries of ``member`` begin."""
    content = bytearray(path.read_bytes())
    with zipfile.ZipFile(path) as package:
        local = package.getinfo(member).header_offset
    central = content.rindex(b"PK\x01\x02", 0, content.rindex(member.encode()))
    change(content, local, central)
    path.write_bytes(bytes(content))


def spoil_checksum(content: bytearray, local: int, central: int) -> None:
    for place in (local + 14, central + 16):
        content[place : place + 4] = b"\1\2\3\4"


def spoil_data(content: bytearray, local: int, _central: int) -> None:
    name, extra = struct.unpack_from("<HH", content, local + 26)
    start = local + 30 + name + extra
    content[start : start + 20] = b"\xff" * 20


def rebuilt(path: Path, kind: str) -> Path:
    """``path`` read and written with every text in capitals."""
    form = format_for(kind)
    read = form.read(path)
    made = path.with_name("made")
    form.write(read, [Translation(segment.text.upper()) for segment in read.segments], made)
    return made


@pytest.mark.parametrize("kind", ZIPPED)
def test_a_part_with_a_wrong_checksum_is_read_and_written_with_the_right_one(
    kind: str, tmp_path: Path
) -> None:
    source = tmp_path / "source"
    SAMPLES[kind](source)
    plain = [segment.text for segment in format_for(kind).read(source).segments]
    with zipfile.ZipFile(source) as package:
        members = [info.filename for info in package.infolist() if info.file_size]
    for member in members:
        change_entry(source, member, spoil_checksum)
    assert [segment.text for segment in format_for(kind).read(source).segments] == plain
    with zipfile.ZipFile(rebuilt(source, kind)) as package:
        assert package.testzip() is None


def embedded(path: Path, declared: str) -> Path:
    """A Word file that holds another, which ``declared`` names in its content types."""
    inner = word_file(path.with_name("inner.docx"), document("Inside.")).read_bytes()
    word_file(path, document("Outside."), {"word/embeddings/a.docx": inner})
    with zipfile.ZipFile(path) as package:
        members = {info.filename: package.read(info) for info in package.infolist()}
    types = "[Content_Types].xml"
    members[types] = members[types].replace(b"</Types>", declared.encode() + b"</Types>")
    with zipfile.ZipFile(path, "w") as package:
        for name, content in members.items():
            package.writestr(name, content)
    return path


@pytest.mark.parametrize(
    "declared",
    [
        f'<Default Extension="docx" ContentType="{WORD}"/>',
        f'<Override PartName="/word/embeddings/a.docx" ContentType="{WORD}"/>',
        f'<Override PartName="/word/embeddings/a.docx" ContentType="{WORD}.main+xml"/>',
    ],
)
def test_a_word_file_that_embeds_one_is_translated_around_it(declared: str, tmp_path: Path) -> None:
    source = embedded(tmp_path / "source.docx", declared)
    read = format_for("docx").read(source)
    assert [segment.text for segment in read.segments] == ["Outside."]
    assert read.notices == ("embedded-files-untranslated:1",)
    with zipfile.ZipFile(source) as before, zipfile.ZipFile(rebuilt(source, "docx")) as after:
        assert before.read("word/embeddings/a.docx") == after.read("word/embeddings/a.docx")
        assert b"OUTSIDE." in after.read("word/document.xml")


def test_ids_that_occur_twice_are_no_reason_to_refuse(tmp_path: Path) -> None:
    twice = '<text:p xml:id="a">One.</text:p><text:p xml:id="a">Two.</text:p>'
    source = odt_files.text_file(tmp_path / "source.odt", odt_files.document(twice))
    assert b"TWO." in odt_files.member(rebuilt(source, "odt"), "content.xml").encode()


def test_what_cannot_be_copied_is_refused_when_it_is_read(tmp_path: Path) -> None:
    source = word_file(tmp_path / "source.docx", document("A."), {"word/media/a.bmp": PICTURE})
    assert len(read_input_document(tmp_path, "source.docx").segments) == 1
    change_entry(source, "word/media/a.bmp", spoil_data)
    with pytest.raises(DocumentError) as raised:
        read_input_document(tmp_path, "source.docx")
    assert raised.value.failure is DocumentFailure.CORRUPT
    assert docx_files.member(source, "word/document.xml")
