"""Where documents come from and go to: a folder, or a part of a bucket, behind one interface.

Entry: ``address_of`` what a person says; ``Places`` opens input and output of a run, each a
``Place``; ``ObjectStore`` for what else lies in a bucket.
"""

from __future__ import annotations

from pathlib import Path

from prism_core.places.address import Address, ObjectAddress, absolute, address_of
from prism_core.places.base import FoundFile, OpenDocument, Place, content_hash
from prism_core.places.bucket import BucketPlace
from prism_core.places.folder import FolderPlace, put_in_place, unwritable
from prism_core.places.marks import has_mark, keep_mark, read_mark, remove_mark
from prism_core.places.objects import ObjectStore
from prism_core.places.scratch import Scratch, remove_leftovers


def open_place(
    address: Path | ObjectAddress, scratch: Scratch, partial: str, *, receives: bool
) -> Place:
    """The place at ``address``. ``receives``: documents are put there; in a folder they are made in
    ``partial`` first, from a bucket they pass through ``scratch``."""
    if isinstance(address, ObjectAddress):
        return BucketPlace(address, scratch, receives=receives)
    return FolderPlace(address, partial, receives=receives)


__all__ = [
    "Address",
    "FolderPlace",
    "FoundFile",
    "ObjectAddress",
    "ObjectStore",
    "OpenDocument",
    "Place",
    "Scratch",
    "absolute",
    "address_of",
    "content_hash",
    "has_mark",
    "keep_mark",
    "open_place",
    "put_in_place",
    "read_mark",
    "remove_leftovers",
    "remove_mark",
    "unwritable",
]
