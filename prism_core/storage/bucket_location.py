"""A part of a bucket as a storage location. Documents that are read pass through a private folder.

Entry: ``BucketLocation``, a ``StorageLocation``: ``list``, then ``open`` (a copy in the private
folder) to read; ``put`` and ``remove`` to write. The calls to the object store are in ``objects``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from prism_core.errors import DocumentError, DocumentFailure, OutputError
from prism_core.file_names import LONGEST
from prism_core.files import CHANGED
from prism_core.storage.address import ObjectAddress
from prism_core.storage.base import FoundFile, OpenDocument, StorageLocation, hash_of
from prism_core.storage.objects import ObjectStore, Version
from prism_core.storage.scratch import Scratch

if TYPE_CHECKING:  # settings know addresses, and load no cryptography for them
    from prism_core.cipher import Cipher

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

    def keep_folder_times(self, names: Iterator[str], archive: StorageLocation) -> None:
        """Do nothing: an object store has no folders."""


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
