"""Sealed translation memories, which only the state key opens: a container around AES-256-GCM.

A sealed file is, in bytes::

    PRISMTM1                             8    format and version
    salt                                16    random; with the state key it gives the file's keys
    length, nonce, ciphertext, tag    4+n    a frame, repeated; length big-endian

Each frame holds up to 1 MiB of a TMX file, sealed by ``Cipher`` under the name ``memory:NUMBER``
from 0; the last frame, which may be empty, under ``memory:NUMBER:last``. So frames that were moved,
removed or added do not open.
"""

from __future__ import annotations

import io
import secrets
import struct
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import BinaryIO

from prism_core.cipher import SALT_BYTES, Cipher
from prism_core.errors import ConfigurationError, WrongKey

SUFFIX = ".sealed"
_MAGIC = b"PRISMTM1"
_FRAME_BYTES = 1 << 20
_LARGEST_FRAME = _FRAME_BYTES + 64
_LENGTH = struct.Struct(">I")


def is_sealed(path: Path) -> bool:
    """Return True if ``path`` begins like a sealed memory. Raises ``ConfigurationError``."""
    try:
        with path.open("rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be read: {error.strerror}") from None


class SealedWriter:
    """Writer that seals into ``file``; a file that was not closed does not open."""

    def __init__(self, file: BinaryIO, key: bytes) -> None:
        salt = secrets.token_bytes(SALT_BYTES)
        self._file, self._cipher = file, Cipher(key, salt)
        self._waiting, self._frames = bytearray(), 0
        file.write(_MAGIC + salt)

    def write(self, plain: bytes) -> None:
        """Add ``plain``; a frame is written whenever one is full."""
        self._waiting += plain
        while len(self._waiting) > _FRAME_BYTES:
            self._write_frame(_frame_name(self._frames), _FRAME_BYTES)

    def close(self) -> None:
        """Write the last frame; the file itself stays open."""
        self._write_frame(_frame_name(self._frames, last=True), len(self._waiting))

    def _write_frame(self, place: str, size: int) -> None:
        sealed = self._cipher.seal(place, bytes(self._waiting[:size]))
        del self._waiting[:size]
        self._file.write(_LENGTH.pack(len(sealed)) + sealed)
        self._frames += 1


class SealedReader(io.RawIOBase):
    """Stream of the content sealed in ``file``. Raises ``WrongKey`` for another key or content."""

    def __init__(self, file: BinaryIO, key: bytes, path: Path) -> None:
        header = file.read(len(_MAGIC) + SALT_BYTES)
        self._file, self._path = file, path
        self._cipher = Cipher(key, header[len(_MAGIC) :])
        self._frames = self._read_frames()
        self._unread = b""

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override] # what io passes
        """Fill ``buffer`` with the next bytes; return 0 at the end."""
        while not self._unread:
            frame = next(self._frames, None)
            if frame is None:
                return 0
            self._unread = frame
        size = min(len(buffer), len(self._unread))
        buffer[:size], self._unread = self._unread[:size], self._unread[size:]
        return size

    def _read_frames(self) -> Iterator[bytes]:
        """Yield the frames; the end is certain only when the last frame has opened as such."""
        number, sealed = 0, self._read_sealed()
        while sealed is not None:
            following = self._read_sealed()
            try:
                plain = self._cipher.open(_frame_name(number, last=following is None), sealed)
            except WrongKey:
                raise self._wrong_key_error() from None
            yield plain
            number, sealed = number + 1, following
        if not number:
            raise self._wrong_key_error()

    def _read_sealed(self) -> bytes | None:
        prefix = self._file.read(_LENGTH.size)
        if not prefix:
            return None
        size = _LENGTH.unpack(prefix)[0] if len(prefix) == _LENGTH.size else 0
        sealed = self._file.read(size) if size <= _LARGEST_FRAME else b""
        if not size or len(sealed) != size:
            raise self._wrong_key_error()
        return sealed

    def _wrong_key_error(self) -> WrongKey:
        return WrongKey(
            f"{self._path} was sealed with another key, or was altered. Give the key it was made "
            "with ([key] in the settings), or export the memory again."
        )


def opener(key: Callable[[], bytes]) -> Callable[[Path], AbstractContextManager[io.BufferedReader]]:
    """Make a function that opens sealed files with ``key()``, called only when a file is opened."""

    @contextmanager
    def opened(path: Path) -> Iterator[io.BufferedReader]:
        with path.open("rb") as file:
            yield io.BufferedReader(SealedReader(file, key(), path), _FRAME_BYTES)

    return opened


def _frame_name(number: int, *, last: bool = False) -> str:
    return f"memory:{number}:last" if last else f"memory:{number}"
