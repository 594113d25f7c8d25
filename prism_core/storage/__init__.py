"""Where documents come from and go to: a folder, or a part of a bucket, behind one interface.

Entry: ``parse_address`` what a person says; ``Places`` opens input and output of a run, each a
``StorageLocation``; ``ObjectStore`` for what else lies in a bucket.
"""

from __future__ import annotations

from pathlib import Path

from prism_core.storage.address import Address, ObjectAddress, absolute, parse_address
from prism_core.storage.base import FoundFile, OpenDocument, StorageLocation, content_hash
from prism_core.storage.bucket_location import BucketLocation
from prism_core.storage.folder_location import FolderLocation, put_in_place, unwritable
from prism_core.storage.objects import ObjectStore
from prism_core.storage.ownership import claim_marker, has_marker, read_marker, remove_marker
from prism_core.storage.scratch import Scratch, remove_leftovers


def open_location(
    address: Path | ObjectAddress, scratch: Scratch, partial: str, *, receives: bool
) -> StorageLocation:
    """The place at ``address``. ``receives``: documents are put there; in a folder they are made in
    ``partial`` first, from a bucket they pass through ``scratch``."""
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
    "absolute",
    "claim_marker",
    "content_hash",
    "has_marker",
    "open_location",
    "parse_address",
    "put_in_place",
    "read_marker",
    "remove_leftovers",
    "remove_marker",
    "unwritable",
]
