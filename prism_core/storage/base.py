"""Interface of a storage location of documents; names are relative, with ``/`` between the parts.

Entry: ``StorageLocation``: ``list`` yields a ``FoundFile`` for each file, ``open`` gives an
``OpenDocument``; ``put`` and ``remove`` change the location. ``content_hash`` tells whether a file
is the one that was read.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from prism_core.errors import DocumentError

if TYPE_CHECKING:  # settings know addresses, and load no cryptography for them
    from prism_core.cipher import Cipher

_BLOCK: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A name in a storage location; ``error`` is set if the file must not be opened.

    ``version`` changes with the content, and ``bytes`` is the size, where these are known without
    opening the file; otherwise they are empty and 0. ``is_folder`` marks a folder that cannot be
    listed.
    """

    path: str
    error: DocumentError | None = None
    is_folder: bool = False
    bytes: int = 0
    version: str = ""


@dataclass(frozen=True, slots=True)
class OpenDocument:
    """A document open for reading by ``descriptor``, as ``path`` in ``folder`` on this machine.

    ``version`` is that of ``FoundFile``.
    """

    descriptor: int
    folder: Path
    path: str
    version: str = ""

    def content(self, cipher: Cipher) -> str:
        """Return the keyed hash of the document's content; see ``content_hash``."""
        return content_hash(self.descriptor, cipher)


class StorageLocation(Protocol):
    """Documents by their names, in a folder or in a part of a bucket."""

    @property
    def at_once(self) -> int:
        """Number of documents worth reading in parallel."""

    @property
    def longest(self) -> int:
        """Most bytes that a name may have."""

    @property
    def is_archive(self) -> bool:
        """True if the location holds documents, rather than being a single document."""

    @property
    def exists(self) -> bool:
        """True if anything is there."""

    @property
    def folds(self) -> bool:
        """True if spellings (letter case, Unicode forms) are one name. Raises ``OutputError``."""

    def list(self) -> Iterator[FoundFile]:
        """List every document, and every file that could be taken for one, in a fixed order."""

    def open(self, name: str) -> AbstractContextManager[OpenDocument]:
        """Open a document while the block lasts.

        Raises ``DocumentError``: restricted for a file that may not be read, unrebuildable for one
        that is missing or is no document.
        """

    def reopen(self, name: str, opened: OpenDocument) -> AbstractContextManager[OpenDocument]:
        """Open the document that is now at the path of ``opened``. Raises as ``open``."""

    def is_as_opened(self, name: str, opened: OpenDocument, content: str, cipher: Cipher) -> bool:
        """Return True if ``name`` still holds the ``opened`` document of hash ``content``."""

    def is_gone(self, name: str) -> bool:
        """Return True if there is certainly no such document; False if unknown."""

    def has_folder(self, name: str) -> bool:
        """Return True if documents lie below ``name``."""

    def holds(self, name: str) -> bool:
        """Return True if anything has this name."""

    def holds_document(self, name: str) -> bool:
        """Return True if a document has this name."""

    def is_one_of(self, name: str, contents: AbstractSet[str], cipher: Cipher) -> bool:
        """Return True if a document of this name has one of the keyed hashes ``contents``."""

    def is_same(self, name: str, other: str) -> bool:
        """Return True if both names denote the same existing file."""

    def put(
        self,
        made: Path,
        name: str,
        source: OpenDocument,
        archive: StorageLocation,
        ours: AbstractSet[str],
        cipher: Cipher,
    ) -> None:
        """Store ``made``, built from ``source`` in ``archive``, as ``name``, in one step.

        Raises ``FileExistsError``, and changes nothing, when the name is taken by a file whose
        keyed hash is not in ``ours``. ``made`` may be gone then. Raises ``OutputError``, or
        ``DocumentError`` for a name that the location cannot hold.
        """

    def remove(self, name: str, contents: AbstractSet[str], cipher: Cipher) -> bool:
        """Remove ``name`` if its keyed hash is in ``contents``; return False if the file stays."""

    def remove_empty_folders(self, name: str) -> None:
        """Remove the folders above ``name`` that have become empty."""

    def folder_status(self, name: str) -> os.stat_result | None:
        """Return the status of the folder ``name``; None where folders have none."""


def content_hash(file: int, cipher: Cipher) -> str:
    """Return the keyed hash of the current content of the open ``file``; raises ``OSError``."""
    running = cipher.keyed_hash("content")
    offset, size = 0, os.fstat(file).st_size
    while offset < size and (block := os.pread(file, min(_BLOCK, size - offset), offset)):
        running.update(block)
        offset += len(block)
    return running.hexdigest()


def hash_of(content: bytes, cipher: Cipher) -> str:
    """Return the keyed hash of content in memory; equal to ``content_hash`` of the same bytes."""
    running = cipher.keyed_hash("content")
    running.update(content)
    return running.hexdigest()
