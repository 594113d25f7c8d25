"""Translation memories that only the state key opens: a small container around AES-256-GCM.

A sealed file is, in bytes::

    PRISMTM1                             8    what it is, and its version
    salt                                16    random; with the state key it gives the file's keys
    length, nonce, ciphertext, tag    4+n    a frame, as often as needed; length big-endian

Each frame holds up to 1 MiB of a TMX file, sealed by ``Cipher`` at the place ``memory:NUMBER`` from
0 on; the last frame, which may be empty, at ``memory:NUMBER:last``. So frames that were moved, cut
off or added do not open.
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
    """Whether the content of ``path`` says that it is a sealed memory.

    Raises ``ConfigurationError`` when it cannot be read.
    """
    try:
        with path.open("rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be read: {error.strerror}") from None


class SealedWriter:
    """Seals what is written to it into ``file``; what was not closed does not open."""

    def __init__(self, file: BinaryIO, key: bytes) -> None:
        salt = secrets.token_bytes(SALT_BYTES)
        self._file, self._cipher = file, Cipher(key, salt)
        self._waiting, self._frames = bytearray(), 0
        file.write(_MAGIC + salt)

    def write(self, plain: bytes) -> None:
        """Take in ``plain``; a frame is written whenever one is full."""
        self._waiting += plain
        while len(self._waiting) > _FRAME_BYTES:
            self._frame(_place(self._frames), _FRAME_BYTES)

    def close(self) -> None:
        """Write the last frame; the file itself stays open."""
        self._frame(_place(self._frames, last=True), len(self._waiting))

    def _frame(self, place: str, size: int) -> None:
        sealed = self._cipher.seal(place, bytes(self._waiting[:size]))
        del self._waiting[:size]
        self._file.write(_LENGTH.pack(len(sealed)) + sealed)
        self._frames += 1


class SealedReader(io.RawIOBase):
    """What was sealed in ``file``, as a stream. Raises ``WrongKey`` for another key or content."""

    def __init__(self, file: BinaryIO, key: bytes, path: Path) -> None:
        header = file.read(len(_MAGIC) + SALT_BYTES)
        self._file, self._path = file, path
        self._cipher = Cipher(key, header[len(_MAGIC) :])
        self._frames = self._frames_of_file()
        self._rest = b""

    def readable(self) -> bool:
        """Always."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override] # what io passes
        """Fill ``buffer`` with what comes next; 0 at the end."""
        while not self._rest:
            frame = next(self._frames, None)
            if frame is None:
                return 0
            self._rest = frame
        size = min(len(buffer), len(self._rest))
        buffer[:size], self._rest = self._rest[:size], self._rest[size:]
        return size

    def _frames_of_file(self) -> Iterator[bytes]:
        """The frames; that there is no more is known only when the last one has opened as such."""
        number, sealed = 0, self._next()
        while sealed is not None:
            following = self._next()
            yield self._open(_place(number, last=following is None), sealed)
            number, sealed = number + 1, following
        if not number:
            raise self._unusable()

    def _next(self) -> bytes | None:
        prefix = self._file.read(_LENGTH.size)
        if not prefix:
            return None
        size = _LENGTH.unpack(prefix)[0] if len(prefix) == _LENGTH.size else 0
        sealed = self._file.read(size) if size <= _LARGEST_FRAME else b""
        if not size or len(sealed) != size:
            raise self._unusable()
        return sealed

    def _open(self, place: str, sealed: bytes) -> bytes:
        try:
            return self._cipher.open(place, sealed)
        except WrongKey:
            raise self._unusable() from None

    def _unusable(self) -> WrongKey:
        return WrongKey(
            f"{self._path} was sealed with another key, or was altered. Give the key it was made "
            "with ([key] in the settings), or export the memory again."
        )


def opener(key: Callable[[], bytes]) -> Callable[[Path], AbstractContextManager[io.BufferedReader]]:
    """Opens sealed files with ``key()``, which is asked only when a file is opened."""

    @contextmanager
    def opened(path: Path) -> Iterator[io.BufferedReader]:
        with path.open("rb") as file:
            yield io.BufferedReader(SealedReader(file, key(), path), _FRAME_BYTES)

    return opened


def _place(number: int, *, last: bool = False) -> str:
    return f"memory:{number}:last" if last else f"memory:{number}"
