"""Small files beside an output that say whose it is: in a state folder, or below a bucket's
``.prism``. They are made once, by one program of several that try at the same time."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from prism_core.errors import StateError
from prism_core.files import create_if_absent
from prism_core.storage.address import ObjectAddress
from prism_core.storage.objects import ObjectStore


def has_marker(place: Path | ObjectAddress, name: str) -> bool:
    """Whether there is one called ``name``."""
    if isinstance(place, ObjectAddress):
        return ObjectStore(place).head(name) is not None
    return (place / name).exists()


def read_marker(place: Path | ObjectAddress, name: str) -> str | None:
    """What it says, None where there is none. Raises ``StateError``."""
    if isinstance(place, ObjectAddress):
        found = ObjectStore(place).get(name)
        return found and found[0].decode("ascii", "replace").strip()
    try:
        return (place / name).read_text(encoding="ascii", errors="replace").strip()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StateError(f"{place / name} cannot be read: {error.strerror}") from None


def claim_marker(place: Path | ObjectAddress, name: str, said: str) -> bool:
    """Make one that says ``said``, on disk or in the bucket; False when there is one that says
    otherwise: it stays. Raises ``StateError``."""
    content = f"{said}\n".encode("ascii")
    if isinstance(place, ObjectAddress):
        return ObjectStore(place).put_if_absent(name, content) or read_marker(place, name) == said
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        place.chmod(0o700)
        return create_if_absent(place / name, content) or read_marker(place, name) == said
    except OSError as error:
        raise StateError(
            f"the state folder {place} cannot be made: {error.strerror}; check the permissions "
            "and the free space of the output folder"
        ) from None


def remove_marker(place: Path | ObjectAddress, name: str) -> None:
    """Take it away, if there is one."""
    if isinstance(place, ObjectAddress):
        ObjectStore(place).delete(name)
    else:
        with suppress(FileNotFoundError):
            (place / name).unlink()
