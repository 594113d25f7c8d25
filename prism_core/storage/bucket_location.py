"""A part of a bucket as a storage location, with its private folder and its owner's marker.

Entry: ``BucketLocation``, a ``StorageLocation``: ``list``, then ``open`` (a copy in a private
folder, ``Scratch``) to read; ``put`` and ``remove`` to write. The calls to the object store are in
``objects``. ``claim_marker`` names the owner of an output, in a state folder or below ``.prism`` in
a bucket; if several programs try at the same time, exactly one succeeds.
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import tempfile
import threading
import weakref
from collections.abc import Callable, Iterator
from collections.abc import Set as AbstractSet
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from prism_core.errors import DocumentError, DocumentFailure, OutputError, StateError
from prism_core.file_names import LONGEST
from prism_core.files import CHANGED, create_if_absent
from prism_core.storage.address import ObjectAddress
from prism_core.storage.base import FoundFile, OpenDocument, StorageLocation, hash_of
from prism_core.storage.objects import ObjectStore, Version

if TYPE_CHECKING:
    from prism_core.cipher import Cipher


_PREFIX: Final = "prism-private-"
_LOCK: Final = "lock"
_ATTEMPTS: Final = 3
_LONGEST_KEY: Final = 1024
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")
_NO_OBJECT_NAME: Final = "No object can have its name; shorten or rename it."
_NO_FILE_NAME: Final = "Its name cannot be a file's: a part is empty or too long; rename it."


class BucketLocation:
    """Storage location in a bucket; names are those of objects, relative to the address.

    Nothing outside the address is read or written. With ``receives``, documents are written there,
    so the address is never itself a document.
    """

    at_once = 8
    longest = LONGEST
    folds = False

    def __init__(self, address: ObjectAddress, scratch: Scratch, *, receives: bool) -> None:
        self.address = address
        self._scratch = scratch
        self._receives = receives

    @cached_property
    def is_archive(self) -> bool:
        """True if objects lie below the address; an object of exactly its name is then ignored."""
        whole = self._receives or not self.address.prefix
        return whole or ObjectStore(self.address).holds_any()

    @property
    def exists(self) -> bool:
        """True if there is any object; an object store has no empty folders."""
        return self.is_archive or self._store.head(self.address.name) is not None

    @cached_property
    def _store(self) -> ObjectStore:
        return ObjectStore(self.address if self.is_archive else self.address.parent)

    def list(self) -> Iterator[FoundFile]:
        """List the objects; one object and one page of names at a time are in memory."""
        if not self.is_archive:
            found = self._store.head(self.address.name)
            if found is not None:
                yield _found(self.address.name, found)
            return
        for name, version in self._store.list():
            yield _found(name, version)

    @contextmanager
    def open(self, name: str) -> Iterator[OpenDocument]:
        """Open a private copy of the document, which is removed at the end of the block."""
        with self._scratch.file(name.rpartition("/")[2]) as path, path.open("w+b") as file:
            version = self._store.get_into(name, file)
            if version is None:
                raise DocumentError(DocumentFailure.UNREBUILDABLE, CHANGED)
            file.flush()
            modified = int(version.modified.timestamp() * 1e9)
            os.utime(file.fileno(), ns=(modified, modified))
            yield OpenDocument(file.fileno(), path.parent, path.name, str(version))

    def reopen(
        self,
        name: str,  # noqa: ARG002 (nobody else has the copy)
        opened: OpenDocument,
    ) -> AbstractContextManager[OpenDocument]:
        """Return ``opened`` itself: its private copy cannot have changed."""
        return nullcontext(opened)

    def is_as_opened(self, name: str, opened: OpenDocument, content: str, cipher: Cipher) -> bool:
        """Compare the version, or the content where the store gives no version."""
        if opened.version:
            return str(self._store.head(name) or "") == opened.version
        return self.is_one_of(name, {content}, cipher)

    def is_gone(self, name: str) -> bool:
        """Ask for the object itself, because a listing may lag behind."""
        return self._store.head(name) is None

    def has_folder(self, name: str) -> bool:
        """Return True if objects lie below ``name``."""
        return self._store.holds_any(name)

    def holds(self, name: str) -> bool:
        """Return True if an object has this name or lies below it, as it would in a folder."""
        return _is_possible(name) and (self.holds_document(name) or self.has_folder(name))

    def holds_document(self, name: str) -> bool:
        """Return True if an object has this name."""
        return self._store.head(name) is not None

    def is_one_of(self, name: str, contents: AbstractSet[str], cipher: Cipher) -> bool:
        """Return True if the object has one of the keyed hashes ``contents``."""
        found = self._store.get(name)
        return found is not None and hash_of(found[0], cipher) in contents

    def is_same(self, name: str, other: str) -> bool:
        """Return True if the names are equal: object names have one spelling."""
        return name == other

    def put(
        self,
        made: Path,
        name: str,
        source: OpenDocument,  # noqa: ARG002 (an object has neither mode nor times of its own)
        archive: StorageLocation,  # noqa: ARG002
        ours: AbstractSet[str],
        cipher: Cipher,
    ) -> None:
        """Store ``made`` as the object ``name``, in one conditional request.

        The provider refuses to overwrite anything but the version seen to be ours. After a lost
        answer, the content of the object is compared.
        """
        if not _is_possible(f"{self.address.prefix}/{name}"):
            raise DocumentError(DocumentFailure.UNREBUILDABLE, _NO_OBJECT_NAME)
        content = made.read_bytes()
        wanted = hash_of(content, cipher)
        for _ in range(_ATTEMPTS):
            if self._store.put_if_absent(name, content):
                return
            found = self._store.get(name)
            if found is None:
                continue
            current = hash_of(found[0], cipher)
            if current == wanted:
                return
            if current not in ours:
                raise FileExistsError
            if self._store.put_if_same(name, content, found[1]):
                return
        raise OutputError(f"another program keeps changing an object in {self.address}")

    def remove(self, name: str, contents: AbstractSet[str], cipher: Cipher) -> bool:
        """Delete the object if its keyed hash is in ``contents``; return False if it stays."""
        if not self.is_one_of(name, contents, cipher):
            return False
        self._store.delete(name)
        return True

    def remove_empty_folders(self, name: str) -> None:
        """Do nothing: an object store has no folders."""

    def folder_status(self, name: str) -> os.stat_result | None:  # noqa: ARG002
        """Return None: an object store has no folders."""
        return None


def _found(name: str, version: Version) -> FoundFile:
    """Describe the object as a document; set ``error`` if its name cannot be that of a file."""
    fits = all(0 < len(part.encode("utf-8", "replace")) <= LONGEST for part in name.split("/"))
    error = None if fits else DocumentError(DocumentFailure.UNREBUILDABLE, _NO_FILE_NAME)
    return FoundFile(name, error, bytes=version.bytes, version=str(version))


def _is_possible(name: str) -> bool:
    """Return True if an object can have the name of a file."""
    try:
        return len(name.encode()) <= _LONGEST_KEY and not _CONTROL.search(name)
    except UnicodeEncodeError:
        return False


def has_marker(location: Path | ObjectAddress, name: str) -> bool:
    """Return True if the marker ``name`` exists."""
    if isinstance(location, ObjectAddress):
        return ObjectStore(location).head(name) is not None
    return (location / name).exists()


def read_marker(location: Path | ObjectAddress, name: str) -> str | None:
    """Return the content of the marker, or None if there is none. Raises ``StateError``."""
    if isinstance(location, ObjectAddress):
        found = ObjectStore(location).get(name)
        return found and found[0].decode("ascii", "replace").strip()
    try:
        return (location / name).read_text(encoding="ascii", errors="replace").strip()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StateError(f"{location / name} cannot be read: {error.strerror}") from None


def claim_marker(location: Path | ObjectAddress, name: str, owner: str) -> bool:
    """Create a marker with the content ``owner`` if none exists, on disk or in the bucket.

    Returns False, and changes nothing, if another owner's marker is there. Raises ``StateError``.
    """
    content = f"{owner}\n".encode("ascii")
    if isinstance(location, ObjectAddress):
        return (
            ObjectStore(location).put_if_absent(name, content)
            or read_marker(location, name) == owner
        )
    try:
        location.mkdir(mode=0o700, parents=True, exist_ok=True)
        location.chmod(0o700)
        return create_if_absent(location / name, content) or read_marker(location, name) == owner
    except OSError as error:
        raise StateError(
            f"the state folder {location} cannot be made: {error.strerror}; check the permissions "
            "and the free space of the output folder"
        ) from None


def remove_marker(location: Path | ObjectAddress, name: str) -> None:
    """Remove the marker if it exists."""
    if isinstance(location, ObjectAddress):
        ObjectStore(location).delete(name)
    else:
        with suppress(FileNotFoundError):
            (location / name).unlink()


class Scratch:
    """A private folder within the folder for temporary files, made when first needed; thread-safe.

    The folder belongs to its process: the holder of its lock is alive. It is removed when it is
    closed or garbage-collected, and when the process ends. With ``TMPDIR`` on a file system in
    memory, no disk ever holds a document.
    """

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._folder: Path | None = None
        self._remove: Callable[[], object] = lambda: None

    @contextmanager
    def file(self, name: str) -> Iterator[Path]:
        """Give a path that ends in ``name`` in an empty folder, removed with its content.

        Raises ``StateError`` when no folder can be made.
        """
        folder = self.make_folder()
        try:
            yield folder / name
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def make_folder(self) -> Path:
        """Make an empty folder that is removed with this object. Raises as ``file``."""
        try:
            return Path(tempfile.mkdtemp(dir=self._open()))
        except OSError as error:
            raise StateError(
                f"no temporary folder can be made: {error.strerror}; make room, or set TMPDIR"
            ) from None

    def close(self) -> None:
        """Remove the folder; a later ``file`` makes another."""
        with self._guard:
            self._remove()
            self._folder = None

    def _open(self) -> Path:
        with self._guard:
            if self._folder is None:
                remove_leftovers()
                made = Path(tempfile.mkdtemp(prefix=".prism-"))
                lock = os.open(made / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
                fcntl.flock(lock, fcntl.LOCK_EX)
                # only now by its name: one that is not locked is a leftover
                self._folder = made.with_name(_PREFIX + made.name.removeprefix(".prism-"))
                made.rename(self._folder)
                self._remove = weakref.finalize(self, _remove, self._folder, lock, os.getpid())
            return self._folder


def _remove(folder: Path, lock: int, process: int) -> None:
    """Remove ``folder``, but not in a fork of its ``process``."""
    if os.getpid() == process:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


def remove_leftovers() -> None:
    """Remove the folders of this user's processes that have ended."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with suppress(OSError):
            if folder.is_symlink() or folder.stat().st_uid != os.getuid():
                continue
            # made anew where a process was killed while it removed the folder, the lock first
            flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
            lock = os.open(folder / _LOCK, flags, 0o600)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder, ignore_errors=True)
            finally:
                os.close(lock)
