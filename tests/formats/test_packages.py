"""What is not changed in a package is copied as it is packed, and nothing else is."""

from __future__ import annotations

import zipfile
import zlib
from pathlib import Path

import docx
import pytest

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats import read_input_document
from prism_core.formats.packages import open_package

TEXT = b"a picture of a quiet river " * 40
HIDDEN = b"words that no reader shows"


def write_package(path: Path, packed: bytes, checksum: int, compression: int) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("word/document.xml", "<w/>")
        archive.writestr("picture.bin", packed, zipfile.ZIP_STORED)
    data = bytearray(path.read_bytes())
    for place, at in ((data.find(b"PK\x03\x04", 1), 6), (data.rfind(b"PK\x01\x02"), 8)):
        data[place + at + 2 : place + at + 4] = compression.to_bytes(2, "little")
        data[place + at + 8 : place + at + 12] = checksum.to_bytes(4, "little")
        data[place + at + 16 : place + at + 20] = len(TEXT).to_bytes(4, "little")
    path.write_bytes(data)
    return path


def packed_text() -> bytes:
    packer = zlib.compressobj(1, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(TEXT) + packer.flush()


@pytest.mark.parametrize("compression", [zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED])
@pytest.mark.parametrize("hidden", [b"", HIDDEN])
@pytest.mark.parametrize("checksum", [zlib.crc32(TEXT), 7])
def test_a_member_stays_without_what_is_hidden_and_with_a_right_checksum(
    tmp_path, compression, hidden, checksum
):
    if compression == zipfile.ZIP_STORED:
        packed, hidden = TEXT, b""
    else:
        packed = packed_text() + hidden
    source = write_package(tmp_path / "a.docx", packed, checksum, compression)
    with open_package(source) as package:
        package.save(tmp_path / "b.docx", {"word/document.xml": b"<v/>"})
    with zipfile.ZipFile(tmp_path / "b.docx") as written:
        assert written.testzip() is None
        assert written.read("picture.bin") == TEXT
        assert written.read("word/document.xml") == b"<v/>"
    data = (tmp_path / "b.docx").read_bytes()
    assert HIDDEN not in data
    assert (packed in data) is ((not hidden and checksum != 7) or compression == zipfile.ZIP_STORED)


def test_what_could_not_be_written_is_refused_when_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "letter.docx"
    written = docx.Document()
    written.add_paragraph("A letter of three words and more.")
    written.save(str(path))
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/media/picture.bin", bytes(range(256)) * 20)
    assert read_input_document(tmp_path, path.name).segments
    with zipfile.ZipFile(path) as archive:
        info = archive.getinfo("word/media/picture.bin")
    content = bytearray(path.read_bytes())
    start = info.header_offset + 30 + len(info.filename)
    content[start : start + 8] = b"\xff" * 8  # no stream begins so
    path.write_bytes(content)
    with pytest.raises(DocumentError) as raised:
        read_input_document(tmp_path, path.name)
    assert raised.value.failure is DocumentFailure.CORRUPT
