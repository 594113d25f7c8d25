"""A sealed memory opens whole and with its own key, or not at all."""

from __future__ import annotations

import io
import random
from pathlib import Path

import pytest

from prism_core.errors import WrongKey
from prism_core.translation_memory.sealing import SealedReader, SealedWriter, is_sealed

KEY = bytes(range(32))
HEADER = 24
FRAME = 4 + 12 + (1 << 20) + 16


def sealed(plain: bytes, key: bytes = KEY) -> bytes:
    file = io.BytesIO()
    writer = SealedWriter(file, key)
    for start in range(0, len(plain), 70_001):
        writer.write(plain[start : start + 70_001])
    writer.close()
    return file.getvalue()


def opened(content: bytes, key: bytes = KEY) -> bytes:
    return io.BufferedReader(SealedReader(io.BytesIO(content), key, Path("a.tmx.sealed"))).read()


def plain(size: int) -> bytes:
    return random.Random(size).randbytes(size)


@pytest.mark.parametrize("size", [0, 1, 1 << 20, (1 << 20) + 1, 3_000_000])
def test_what_is_sealed_opens_to_the_same_bytes(size: int) -> None:
    assert opened(sealed(plain(size))) == plain(size)


def test_the_same_content_is_sealed_differently_each_time() -> None:
    assert sealed(b"content") != sealed(b"content")


def test_another_key_does_not_open_it() -> None:
    with pytest.raises(WrongKey, match=r"a\.tmx\.sealed"):
        opened(sealed(b"content"), bytes(32))


@pytest.mark.parametrize(
    "alter",
    [
        lambda c: c[:HEADER],
        lambda c: c[: HEADER + 2],
        lambda c: c[:-1],
        lambda c: c + b"x",
        lambda c: c[: HEADER + FRAME],
        lambda c: c[:HEADER] + c[HEADER + FRAME :],
        lambda c: c[:HEADER] + c[HEADER + FRAME : HEADER + 2 * FRAME] + c[HEADER:],
        lambda c: c[: HEADER + FRAME] * 2 + c[HEADER + FRAME :],
        lambda c: c[:HEADER] + b"\xff\xff\xff\xff" + c[HEADER + 4 :],
        lambda c: c[:10] + bytes([c[10] ^ 1]) + c[11:],
        lambda c: c[:5000] + bytes([c[5000] ^ 1]) + c[5001:],
    ],
)
def test_what_was_cut_added_moved_or_changed_does_not_open(alter) -> None:
    content = sealed(plain(2_500_000))
    with pytest.raises(WrongKey):
        opened(alter(content))


def test_a_sealed_file_is_known_by_its_content(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(sealed(b"content"))
    (tmp_path / "b").write_bytes(b"<tmx>")
    assert is_sealed(tmp_path / "a")
    assert not is_sealed(tmp_path / "b")
