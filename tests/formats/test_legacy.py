"""DOC, XLS and PPT, converted by a real LibreOffice: the promises of formats, and of the child."""

from __future__ import annotations

import email
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from email import policy
from email.message import EmailMessage
from pathlib import Path

import pytest

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats import (
    detect,
    format_for,
    output_suffix,
    read_document,
    write_document,
)
from prism_core.formats.sandbox import Sandbox, SandboxLimits
from tests.formats.aligned import wrap
from tests.formats.legacy_files import MODERN, as_legacy, lock_word, sample
from tests.formats.rewriting import texts
from tests.formats.test_sandbox import ROOT, wait_until

SANDBOX = Sandbox()
run = SANDBOX.call

TEMPORARY = Path("/tmp")  # noqa: S108 (where LibreOffice makes its sockets)
SOCKETS = "OSL_PIPE_*"


@pytest.fixture(scope="module")
def doc(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return sample(tmp_path_factory.mktemp("doc"), "doc")


@pytest.fixture
def _nothing_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No file, no socket and no process stays behind; other tests may be at work meanwhile."""
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setenv("TMPDIR", str(place))
    SANDBOX.close()  # the next one heeds the variable
    before = _dead_sockets()
    yield
    assert wait_until(lambda: not _offices(place))
    assert wait_until(lambda: not any(place.iterdir()))
    assert wait_until(lambda: _dead_sockets() <= before)
    SANDBOX.close()


def _offices(place: Path) -> list[str]:
    """The LibreOffice processes at work below ``place``."""
    lines = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = path.read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
        except OSError:
            continue
        if str(place) in line:
            lines.append(line)
    return lines


def _dead_sockets() -> set[Path]:
    """What a LibreOffice that was killed has left."""
    dead = set()
    for path in TEMPORARY.glob(SOCKETS):
        with socket.socket(socket.AF_UNIX) as probe:
            try:
                probe.connect(str(path))
            except ConnectionRefusedError:
                dead.add(path)
            except OSError:
                continue
    return dead


@pytest.mark.usefixtures("_nothing_left")
@pytest.mark.parametrize("kind", sorted(MODERN))
def test_it_is_read_and_written_as_what_libreoffice_makes_of_it(
    kind: str, doc: Path, tmp_path: Path
) -> None:
    path = Path(shutil.copy(doc, tmp_path)) if kind == "doc" else sample(tmp_path, kind)
    before, status = path.read_bytes(), path.stat()
    assert detect(path) == kind
    assert output_suffix(kind) == f".{MODERN[kind]}"
    document = run(read_document, path)
    assert (document.path, document.format) == (path, kind)
    assert document.notices == ("converted-by-libreoffice",)
    assert {"The garden is green again.", "The roof is not."} <= {s.text for s in document.segments}
    translations = [segment.text.upper() for segment in document.segments]
    output, again = tmp_path / "first", tmp_path / "second"
    run(write_document, document, wrap(translations), output)
    if kind == "ppt":  # where LibreOffice draws ids by chance
        run(write_document, document, wrap(translations), again)
        assert output.read_bytes() == again.read_bytes()
    assert detect(output) == MODERN[kind]
    assert texts(output) == translations
    assert path.read_bytes() == before
    assert path.stat().st_mtime_ns == status.st_mtime_ns
    assert sorted(p.name for p in tmp_path.glob(".~lock*")) == []


def test_documents_embedded_in_one_do_not_say_what_it_is(doc: Path, tmp_path: Path) -> None:
    content = doc.read_bytes()
    path = tmp_path / "copy.doc"
    path.write_bytes(content + bytes(64) + "Workbook\0".encode("utf-16-le").ljust(64, b"\0"))
    assert detect(path) == "doc"


@pytest.mark.usefixtures("_nothing_left")
def test_several_are_converted_at_the_same_time(doc: Path) -> None:
    with ThreadPoolExecutor(3) as pool:
        documents = list(pool.map(lambda _: run(read_document, doc), range(3)))
    assert all(document == documents[0] for document in documents)


def test_without_libreoffice_it_is_unsupported_and_the_advice_says_so(
    doc: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(DocumentError, match="Install LibreOffice") as raised:
        format_for("doc").read(doc)
    assert raised.value.failure is DocumentFailure.UNSUPPORTED


def test_a_password_is_seen_before_anything_is_converted(
    doc: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    locked = tmp_path / "locked.doc"
    locked.write_bytes(doc.read_bytes())
    lock_word(locked)
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(DocumentError) as raised:
        format_for("doc").read(locked)
    assert raised.value.failure is DocumentFailure.ENCRYPTED


@pytest.mark.usefixtures("_nothing_left")
def test_a_conversion_that_takes_too_long_is_ended(doc: Path) -> None:
    started = time.monotonic()
    with pytest.raises(DocumentError) as raised:
        replace(SANDBOX, limits=SandboxLimits(seconds=0.15)).call(read_document, doc)
    assert raised.value.failure is DocumentFailure.TIMED_OUT
    assert time.monotonic() - started < 20


@pytest.mark.usefixtures("_nothing_left")
def test_a_conversion_ends_with_whoever_asked_for_it(doc: Path, tmp_path: Path) -> None:
    program = (
        "import sys, pathlib; from prism_core.formats import Sandbox, read_document; "
        "call = Sandbox().call; [call(read_document, pathlib.Path(sys.argv[1])) for _ in range(9)]"
    )
    caller = subprocess.Popen([sys.executable, "-c", program, doc], cwd=ROOT)
    place = tmp_path / "temporary"
    assert wait_until(lambda: _offices(place))
    time.sleep(0.3)
    caller.send_signal(signal.SIGKILL)
    caller.wait(timeout=20)
    assert wait_until(lambda: not _offices(place))


@pytest.mark.usefixtures("_nothing_left")
@pytest.mark.parametrize("damage", ["cut", "zeros", "directory"])
def test_a_damaged_file_is_one_class(doc: Path, tmp_path: Path, damage: str) -> None:
    content = bytearray(doc.read_bytes())
    if damage == "cut":
        del content[len(content) // 3 :]
    elif damage == "zeros":
        content[512:4096] = bytes(3584)
    else:
        content[48:52] = b"\xff\xff\xff\x7f"
    path = tmp_path / "damaged.doc"
    path.write_bytes(content)
    try:
        run(read_document, path)
    except DocumentError as error:
        assert error.failure in (DocumentFailure.CORRUPT, DocumentFailure.UNSUPPORTED)  # noqa: PT017


LINKED = """<?xml version="1.0"?><office:document
 xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"
 xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"
 xmlns:xlink="http://www.w3.org/1999/xlink"
 xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"
 office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.text">
<office:body><office:text><text:p>The garden is green.</text:p>
<text:section text:name="S"><text:section-source xlink:href="{secret}" text:filter-name="Text"/>
<text:p>cached</text:p></text:section>
<text:p><draw:frame svg:width="3cm" svg:height="3cm" text:anchor-type="as-char">
<draw:image xlink:href="{address}"/></draw:frame></text:p>
</office:text></office:body></office:document>"""


@pytest.mark.usefixtures("_nothing_left")
def test_nothing_that_a_document_links_to_is_loaded(tmp_path: Path) -> None:
    seen: list[object] = []
    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=_note_connections, args=(listener, seen), daemon=True).start()
        secret = tmp_path / "secret.txt"
        secret.write_text("The key of the safe is 4711.")
        address = f"http://127.0.0.1:{listener.getsockname()[1]}/x.png"
        source = tmp_path / "linked.fodt"
        source.write_text(LINKED.format(secret=secret.as_uri(), address=address))
        path = as_legacy(source, "doc")
        assert address.encode("utf-16-le") in path.read_bytes()
        document = run(read_document, path)
        output = tmp_path / "out.docx"
        run(
            write_document,
            document,
            wrap([f"{s.text} ñ" for s in document.segments]),
            output,
        )
        assert seen == []
    assert "The garden is green." in [segment.text for segment in document.segments]
    with zipfile.ZipFile(output) as package:
        assert not [name for name in package.namelist() if b"4711" in package.read(name)]


def _note_connections(listener: socket.socket, seen: list[object]) -> None:
    while True:
        try:
            connection, place = listener.accept()
        except OSError:
            return
        seen.append(place)
        connection.close()


@pytest.mark.usefixtures("_nothing_left")
def test_one_that_is_attached_to_a_message_is_translated_and_named_as_what_it_is(
    doc: Path, tmp_path: Path
) -> None:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "a@b.c", "c@d.e", "The garden"
    message.set_content("See the file.")
    message.add_attachment(
        doc.read_bytes(), maintype="application", subtype="msword", filename="contract.doc"
    )
    path, output = tmp_path / "mail.eml", tmp_path / "out.eml"
    path.write_bytes(bytes(message))
    document = run(read_document, path)
    assert "The roof is not." in [segment.text for segment in document.segments]
    run(
        write_document,
        document,
        wrap([s.text.upper() for s in document.segments]),
        output,
    )
    [part] = email.message_from_bytes(output.read_bytes(), policy=policy.default).iter_attachments()
    assert part.get_filename() == "contract.docx"
    assert part.get_content_type().endswith("wordprocessingml.document")
    (tmp_path / "part.docx").write_bytes(part.get_content())
    assert "THE ROOF IS NOT." in texts(tmp_path / "part.docx")
