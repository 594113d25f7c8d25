"""What a place of documents can do, whatever it is made of; names are relative, ``/`` between.

Entry: ``StorageLocation``: ``list`` -> a ``FoundFile`` each -> ``open`` -> an ``OpenDocument``; ``put`` and
``remove`` for what is written. ``content_hash`` tells whether a file is the one that was read.
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
    """A name in a place; ``error`` is set for what is not to be opened.

    ``version`` changes with the content, and ``bytes`` is its size, where that is known without
    opening it; else they are empty and 0. ``is_folder``: it may not be looked into.
    """

    path: str
    error: DocumentError | None = None
    is_folder: bool = False
    bytes: int = 0
    version: str = ""


@dataclass(frozen=True, slots=True)
class OpenDocument:
    """A document that is open for reading by ``descriptor``, as ``path`` in ``folder`` on this
    machine. ``version`` as in ``FoundFile``."""

    descriptor: int
    folder: Path
    path: str
    version: str = ""

    def content(self, cipher: Cipher) -> str:
        """See ``content_hash``."""
        return content_hash(self.descriptor, cipher)


class StorageLocation(Protocol):
    """Documents by their names: in a folder, or in a part of a bucket.

    ``at_once``: how many may be looked at at the same time with profit. ``longest``: bytes that a
    name may have. ``folds``: two spellings of a name are one, as letter case or Unicode forms.
    """

    @property
    def at_once(self) -> int:
        """See the class."""

    @property
    def longest(self) -> int:
        """See the class."""

    @property
    def is_archive(self) -> bool:
        """Whether it holds documents, and is none."""

    @property
    def exists(self) -> bool:
        """Whether anything is there."""

    @property
    def folds(self) -> bool:
        """See the class. Raises ``OutputError``."""

    def list(self) -> Iterator[FoundFile]:
        """Every document there, and what could be taken for one, in a fixed order."""

    def open(self, name: str) -> AbstractContextManager[OpenDocument]:
        """A document while the block lasts.

        Raises ``DocumentError``: restricted for what may not be read, unrebuildable for what is not
        there, or is no document.
        """

    def reopen(self, name: str, opened: OpenDocument) -> AbstractContextManager[OpenDocument]:
        """What somebody else found at the path of ``opened`` meanwhile. Raises as ``open``."""

    def is_as_opened(self, name: str, opened: OpenDocument, content: str, cipher: Cipher) -> bool:
        """Whether ``name`` still holds what was ``opened``, whose keyed hash is ``content``."""

    def is_gone(self, name: str) -> bool:
        """Whether the place says that it holds no such document; not where it cannot say."""

    def has_folder(self, name: str) -> bool:
        """Whether documents lie below ``name``."""

    def holds(self, name: str) -> bool:
        """Whether anything has this name."""

    def holds_document(self, name: str) -> bool:
        """Whether a document has this name."""

    def is_one_of(self, name: str, contents: AbstractSet[str], cipher: Cipher) -> bool:
        """Whether a document whose keyed hash is one of ``contents`` has this name."""

    def is_same(self, name: str, other: str) -> bool:
        """Whether both are names of one thing that is there."""

    def put(
        self,
        made: Path,
        name: str,
        source: OpenDocument,
        archive: StorageLocation,
        ours: AbstractSet[str],
        cipher: Cipher,
    ) -> None:
        """Put the file ``made`` of ``source``, a document of ``archive``, under ``name``, whole or
        not at all.

        Raises ``FileExistsError`` when something has the name that is none of ``ours``, keyed
        hashes: it stays. ``made`` may be gone then. Raises ``OutputError``, or ``DocumentError``
        for a name that cannot be.
        """

    def remove(self, name: str, contents: AbstractSet[str], cipher: Cipher) -> bool:
        """Take ``name`` away if it is one of ``contents``; False where it is not, or stays."""

    def remove_empty_folders(self, name: str) -> None:
        """Take away the folders above ``name`` that hold nothing any more."""

    def folder_status(self, name: str) -> os.stat_result | None:
        """Times and mode of the folder ``name``; None where folders have none."""

    def keep_folder_times(self, names: Iterator[str], archive: StorageLocation) -> None:
        """Give the folders above ``names`` the times that they have in ``archive``."""


def content_hash(file: int, cipher: Cipher) -> str:
    """The keyed hash of what the open ``file`` holds now; raises ``OSError``."""
    running = cipher.keyed_hash("content")
    place, size = 0, os.fstat(file).st_size
    while place < size and (block := os.pread(file, min(_BLOCK, size - place), place)):
        running.update(block)
        place += len(block)
    return running.hexdigest()


def hash_of(content: bytes, cipher: Cipher) -> str:
    """The same of a content that is in memory."""
    running = cipher.keyed_hash("content")
    running.update(content)
    return running.hexdigest()
