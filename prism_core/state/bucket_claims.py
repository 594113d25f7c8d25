"""Ownership of an output in a bucket: a marker in the bucket names the state it belongs to.

Two states for one output would send everything twice, in fresh encodings that can be compared. A
state in a folder of this machine is named by the object ``.prism/folder`` and by a file in the
folder; a state in a database by ``.prism/schema``, which names its schema.
"""

from __future__ import annotations

import secrets
from dataclasses import replace
from pathlib import Path
from typing import Final

from prism_core.errors import ConfigurationError
from prism_core.state.postgres import SCHEMA_FILE
from prism_core.storage import (
    ObjectAddress,
    ObjectStore,
    claim_marker,
    has_marker,
    read_marker,
    remove_marker,
)

_MARK: Final = "folder"
"""Object that names the state, and the file in its folder that names both state and output."""
_PROBE: Final = "probe"
_NO_VERSION: Final = '"00000000000000000000000000000000"'
_OVERWRITES: Final = (
    "the provider of {place} overwrites objects although it is asked not to (it does not support "
    "If-None-Match or If-Match), so that files which are not PRISM's could be lost; use a provider "
    "that supports them, or write to a folder"
)


def check_claim(bucket: ObjectAddress, folder: Path, url: str | None) -> None:
    """Raise ``ConfigurationError`` unless the settings name a state that ``bucket`` may have."""
    marks = bucket / ".prism"
    if url is not None:
        if has_marker(marks, _MARK):
            raise ConfigurationError(
                f"the state of {bucket} is in a folder, and state.url names a database: give "
                "state.folder, or another output"
            )
        return
    if has_marker(marks, SCHEMA_FILE):
        raise ConfigurationError(
            f"the state of {bucket} is in a PostgreSQL database; give the settings that name it: "
            "--settings prism.toml, or PRISM_STATE__URL"
        )
    own_name, stored_name = _read_own_name(bucket, folder), read_marker(marks, _MARK)
    if stored_name is not None and stored_name != own_name:
        raise ConfigurationError(
            f"the state of {bucket} is in another folder than {folder}; name that folder as "
            "state.folder, restore it from a backup, or choose another output"
        )


def claim(bucket: ObjectAddress, folder: Path, url: str | None) -> None:
    """Record in ``bucket`` which state it belongs to; call it while the state is held.

    Raises ``ConfigurationError``, also for a provider that would overwrite what it should not.
    """
    check_claim(bucket, folder, url)
    marks = bucket / ".prism"
    _check_provider(ObjectStore(marks))
    if url is not None:
        return
    if _read_own_name(bucket, folder) is None:
        claim_marker(folder, _MARK, f"{secrets.token_hex(16)} {bucket}")
    if not claim_marker(marks, _MARK, _read_own_name(bucket, folder) or ""):
        check_claim(bucket, folder, url)


def release(bucket: ObjectAddress, folder: Path) -> None:
    """Remove the record of a state from ``bucket``."""
    remove_marker(bucket / ".prism", _MARK)
    remove_marker(folder, _MARK)


def _read_own_name(bucket: ObjectAddress, folder: Path) -> str | None:
    """Return the name of the state in ``folder``; None before it has one."""
    content = read_marker(folder, _MARK)
    if content is None:
        return None
    name, _, output = content.partition(" ")
    if output != str(bucket):
        raise ConfigurationError(
            f"state.folder {folder} holds the state of {output}; give each output one of its own"
        )
    return name


def _check_provider(marks: ObjectStore) -> None:
    """Check with a test object that the provider does not overwrite objects.

    This is repeated in each run, since a gateway may have come between.
    """
    content = b"PRISM tries here whether objects are overwritten.\n"
    marks.put_if_absent(_PROBE, content)
    stored = marks.head(_PROBE)
    if stored is None:
        return  # deleted a moment ago; the next run tries again
    other = replace(stored, tag=_NO_VERSION, generation="1" if stored.generation else "")
    if marks.put_if_absent(_PROBE, content) or marks.put_if_same(_PROBE, content, other):
        raise ConfigurationError(_OVERWRITES.format(place=marks.address.parent))
