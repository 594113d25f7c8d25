"""The search itself: a check that cannot fail would be worthless."""

from __future__ import annotations

import base64
import bz2
import gzip
import html
import io
import json
import lzma
import os
import quopri
import random
import sqlite3
import urllib.parse
import zipfile
import zlib
from collections.abc import Callable
from contextlib import closing
from email.message import EmailMessage
from pathlib import Path

import pyarrow
import pyarrow.parquet
import pytest

from tests.end_to_end.canary import Searcher

NAMES = ["Zorbanquist", "Tessa Müller-Bräkling", "O'Shaughravan", "山本健太郎", "Вишневецкая"]
NUMBERS = ["+44 7700 900873", "1,284,556.17", "GB29 NWBK 6016 1331 9268 19"]
PHRASE = "the purple elephant bought a wooden piano"
ALL = [*NAMES, *NUMBERS, PHRASE]


def _zipped(content: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("inner", content)
    return packed.getvalue()


def _zstd(content: bytes) -> bytes:
    packed = io.BytesIO()
    with pyarrow.CompressedOutputStream(packed, "zstd") as stream:
        stream.write(content)
        stream.flush()
        return packed.getvalue() + b"\0"


def _mailed(content: bytes) -> bytes:
    message = EmailMessage()
    message.set_content("attached")
    message.add_attachment(content, "application", "octet-stream", filename="x")
    return message.as_bytes()


def _database(content: bytes) -> bytes:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE TABLE t (id INTEGER, value)")
        filler = random.Random(1).randbytes(9000)
        connection.execute("INSERT INTO t VALUES (1, ?)", (filler + content,))
        connection.commit()
        return connection.serialize()


def _table(content: bytes) -> bytes:
    packed = io.BytesIO()
    column = [content.decode("utf-8", "replace")] * 3
    pyarrow.parquet.write_table(pyarrow.table({"reason": column}), packed, compression="zstd")
    return packed.getvalue()


def _escaped(content: bytes) -> bytes:
    return json.dumps({"text": content.decode("utf-8", "replace")}).encode()


def _with_entities(content: bytes) -> bytes:
    text = html.escape(content.decode("utf-8", "replace"))
    return text.encode("ascii", "xmlcharrefreplace")


PACKED: dict[str, Callable[[bytes], bytes]] = {
    "raw": bytes,
    "in base64": base64.b64encode,
    "in base64 of lines": base64.encodebytes,
    "in base64 for addresses": base64.urlsafe_b64encode,
    "in hexadecimal": lambda content: content.hex().encode(),
    "in capital hexadecimal": lambda content: b"0" + content.hex().upper().encode(),
    "quoted-printable": lambda content: quopri.encodestring(content),
    "percent-escaped": lambda content: urllib.parse.quote_plus(content).encode(),
    "as JSON": _escaped,
    "as HTML": _with_entities,
    "as repr": lambda content: repr(content).encode(),
    "gzip": gzip.compress,
    "zlib": zlib.compress,
    "bzip2": bz2.compress,
    "xz": lzma.compress,
    "zstd": _zstd,
    "zip": _zipped,
    "an attachment": _mailed,
    "a database": _database,
    "a table": _table,
}


@pytest.mark.parametrize("packing", PACKED)
@pytest.mark.parametrize("before", ["", "x", "xy "], ids=len)
def test_a_canary_is_found_however_it_is_packed(packing: str, before: str) -> None:
    searcher = Searcher(ALL)
    for canary in ALL:
        content = PACKED[packing](f"{before}{canary} and more".encode())
        found = searcher.in_bytes(content, "here")
        assert {finding.canary for finding in found} == {canary}


@pytest.mark.parametrize(
    "nested",
    [
        ("gzip", "in base64"),
        ("as JSON", "in base64 of lines"),
        ("a table", "zip", "in hexadecimal"),
        ("in base64", "as JSON", "a database"),
        ("an attachment", "gzip", "in base64", "as JSON"),
    ],
    ids="/".join,
)
def test_a_canary_is_found_below_several_layers(nested: tuple[str, ...]) -> None:
    content = f"Dear {NAMES[1]}, ".encode()
    for packing in nested:
        content = PACKED[packing](content)
    assert {one.canary for one in Searcher(ALL).in_bytes(content, "")} == {NAMES[1]}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-be", "utf-32", "latin-1"])
@pytest.mark.parametrize("change", [str.upper, str.lower, str.swapcase, str.title])
def test_a_canary_is_found_in_any_encoding_and_case(encoding: str, change) -> None:
    for canary in ("Zorbanquist", "Tessa Müller-Bräkling"):
        content = change(f"for {canary}.").encode(encoding)
        assert Searcher([canary]).in_bytes(content, "")
        assert Searcher([canary]).in_bytes(base64.b64encode(b"?" + content), "")


@pytest.mark.parametrize(
    "written",
    [
        "Zor<b>ban</b>quist",
        "Zorban-\r\nquist",
        "Z o r b a n q u i s t",
        "0044-7700-900.873",
        "the purple\n> elephant bought a  wooden piano",
        "Tessa Muller Brakling",
    ],
)
def test_other_spacing_and_marks_hide_nothing(written: str) -> None:
    assert Searcher(ALL).in_bytes(written.encode(), "")


def test_what_is_not_there_is_not_found() -> None:
    content = random.Random(5).randbytes(300_000) + b"Zorba Quist; a wooden piano; 7700 900874"
    assert Searcher(ALL).in_bytes(content + base64.b64encode(content), "") == set()


def test_names_of_files_are_searched_and_what_is_left_out_is_not(tmp_path: Path) -> None:
    (tmp_path / "a" / "for-Zorbanquist").mkdir(parents=True)
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "letter.txt").write_text(PHRASE)
    searcher = Searcher(ALL)
    assert {one.canary for one in searcher.in_folder(tmp_path)} == {"Zorbanquist", PHRASE}
    left = searcher.in_folder(tmp_path, leave_out=[tmp_path / "b"])
    assert {one.canary for one in left} == {"Zorbanquist"}


def test_what_stands_only_in_the_log_of_a_database_is_found(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE t (value)")
        value = os.urandom(3000) + gzip.compress(os.urandom(4000) + PHRASE.encode())
        connection.execute("INSERT INTO t VALUES (?)", (value,))
        connection.commit()
        assert {one.canary for one in Searcher(ALL).in_file(path)} == {PHRASE}


def test_a_text_too_short_to_be_told_from_chance_is_refused() -> None:
    with pytest.raises(AssertionError, match="too short"):
        Searcher(["4711"])
