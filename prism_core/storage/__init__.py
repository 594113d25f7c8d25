"""Storage locations of documents: a folder or a part of a bucket, behind one interface.

Entry: ``parse_address`` for text from a user; ``open_location`` gives the ``StorageLocation`` of a
run's input or output; ``ObjectStore`` for other objects of a bucket.
"""

from __future__ import annotations

from pathlib import Path

from prism_core.storage.address import Address, ObjectAddress, make_absolute, parse_address
from prism_core.storage.base import FoundFile, OpenDocument, StorageLocation, content_hash
from prism_core.storage.bucket_location import (
    BucketLocation,
    Scratch,
    claim_marker,
    has_marker,
    read_marker,
    remove_leftovers,
    remove_marker,
)
from prism_core.storage.folder_location import FolderLocation, unwritable
from prism_core.storage.objects import ObjectStore


def open_location(
    address: Path | ObjectAddress, scratch: Scratch, partial: str, *, receives: bool
) -> StorageLocation:
    """Open the storage location at ``address``.

    With ``receives``, documents are written there. In a folder they are first built in the
    subfolder ``partial``. Documents read from a bucket pass through ``scratch``.
    """
    if isinstance(address, ObjectAddress):
        return BucketLocation(address, scratch, receives=receives)
    return FolderLocation(address, partial, receives=receives)


__all__ = [
    "Address",
    "FolderLocation",
    "FoundFile",
    "ObjectAddress",
    "ObjectStore",
    "OpenDocument",
    "Scratch",
    "StorageLocation",
    "claim_marker",
    "content_hash",
    "has_marker",
    "make_absolute",
    "open_location",
    "parse_address",
    "read_marker",
    "remove_leftovers",
    "remove_marker",
    "unwritable",
]
