"""Marker files beside an output that name its owner.

They lie in a state folder, or below ``.prism`` in a bucket. If several programs try to make one at
the same time, exactly one succeeds.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from prism_core.errors import StateError
from prism_core.files import create_if_absent
from prism_core.storage.address import ObjectAddress
from prism_core.storage.objects import ObjectStore


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
