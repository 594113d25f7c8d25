"""Hostile files of every kind through the child process: one class each, bounded, nothing fetched.

``HOSTILE_MUTATIONS`` sets how many damaged samples of each format are tried; a wide search is
``HOSTILE_MUTATIONS=400 pytest tests/formats/test_hostile.py -k damaged``.
"""

from __future__ import annotations

import os
import socket
import threading
import time
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats import read_document, write_document
from prism_core.formats.sandbox import Sandbox, SandboxLimits
from tests.formats.aligned import wrap
from tests.formats.damage import mutated, mutated_member
from tests.formats.hostile_files import CRAFTED
from tests.formats.hostile_packages import ZIPPED
from tests.formats.samples import SAMPLES

run = Sandbox(SandboxLimits(seconds=20, memory_mb=512)).call
MUTATIONS = int(os.environ.get("HOSTILE_MUTATIONS", "10"))
REFUSED = {
    "empty": DocumentFailure.EMPTY,
    "blanks": DocumentFailure.EMPTY,
    "zeros": DocumentFailure.UNSUPPORTED,
    "zip of zips": DocumentFailure.UNSUPPORTED,
    "flat: laughs": DocumentFailure.UNSUPPORTED,
    "docx: deep tables": DocumentFailure.CORRUPT,
    "odt: spans": DocumentFailure.CORRUPT,
    "rtf: depth": DocumentFailure.TOO_LARGE,
    "rtf: open": DocumentFailure.TOO_LARGE,
    "eml: deep parts": DocumentFailure.TOO_LARGE,
    "pdf: pages in pages": DocumentFailure.CORRUPT,
    "pdf: many pages": DocumentFailure.TOO_LARGE,
    "pdf: bomb": DocumentFailure.BOMB,
    "pdf: text bomb": DocumentFailure.TOO_LARGE,
    "docx: bombs beside": DocumentFailure.BOMB,
    **{f"{kind}: bomb": DocumentFailure.BOMB for kind in ZIPPED},
    **{
        f"{kind}: {dtd}": DocumentFailure.CORRUPT
        for kind in ZIPPED
        for dtd in ("laughs", "file", "network", "parameter", "public", "quadratic")
    },
}
"""The class of those that have to be refused; the others may be read too."""
NEVER = {DocumentFailure.CRASHED, DocumentFailure.OUT_OF_MEMORY, DocumentFailure.TIMED_OUT}
"""What no reader may need to be stopped for."""


@pytest.fixture(scope="module")
def listener() -> Iterator[tuple[str, list[bytes]]]:
    """An address of this machine, and what was asked of it."""
    asked: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=_listen, args=(server, asked), daemon=True).start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}", asked


def _listen(server: socket.socket, asked: list[bytes]) -> None:
    while True:
        try:
            connection, _ = server.accept()
        except OSError:
            return
        with connection:
            asked.append(connection.recv(100))


def outcome(path: Path, output: Path) -> DocumentFailure | None:
    """Read and write ``path`` in children; the class when it is refused. Nothing else is raised."""
    try:
        document = run(read_document, path)
        translations = [f"{segment.text} ñ" for segment in document.segments]
        run(write_document, document, wrap(translations), output)
    except DocumentError as error:
        return error.failure
    assert output.is_file()
    return None


@pytest.mark.parametrize("name", CRAFTED)
def test_an_attack_is_one_class_within_the_limits_and_fetches_nothing(
    name: str, tmp_path: Path, listener: tuple[str, list[bytes]]
) -> None:
    address, asked = listener
    path, output = tmp_path / "file", tmp_path / "out"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # names that occur twice are the attack
        CRAFTED[name](path, address)
    content = path.read_bytes()
    started = time.monotonic()
    failure = outcome(path, output)
    assert time.monotonic() - started < 60
    if name in REFUSED:
        assert failure is REFUSED[name]
    else:
        assert failure not in NEVER
    assert asked == []
    assert path.read_bytes() == content
    assert {entry.name for entry in tmp_path.iterdir()} <= {"file", "out"}


def test_what_must_be_refused_is_tried() -> None:
    assert set(REFUSED) <= set(CRAFTED)


def test_a_wrong_suffix_changes_nothing_of_what_a_file_is(tmp_path: Path) -> None:
    for kind, make in SAMPLES.items():
        path = tmp_path / f"sample.{'pdf' if kind != 'pdf' else 'docx'}"
        make(path)
        if kind not in ("csv", "html", "md", "txt"):  # there the name decides as well
            assert run(read_document, path).format == kind


@pytest.mark.parametrize("kind", sorted(SAMPLES))
def test_damaged_files_are_read_or_refused_and_never_stop_the_others(
    kind: str, tmp_path: Path
) -> None:
    SAMPLES[kind](tmp_path / "sample")
    content = (tmp_path / "sample").read_bytes()
    path, output = tmp_path / "damaged", tmp_path / "out"
    stopped: dict[int, DocumentFailure] = {}
    for number in range(MUTATIONS):
        path.write_bytes(mutated(content, number))
        if kind in ZIPPED and number % 2:
            path.write_bytes(content)
            mutated_member(path, number)
        failure = outcome(path, output)
        if failure in NEVER:
            stopped[number] = failure
        output.unlink(missing_ok=True)
    assert stopped == {}


def test_no_reader_can_open_a_connection(listener: tuple[str, list[bytes]]) -> None:
    address, asked = listener
    port = int(address.rpartition(":")[2])
    with pytest.raises(DocumentError):
        run(socket.create_connection, ("127.0.0.1", port))
    assert asked == []
