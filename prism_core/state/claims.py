"""Whose state an output in a bucket has: it stands in the bucket, since two would send everything
twice, in fresh encodings that can be compared.

A state in a folder of this machine is named by the object ``.prism/folder`` and by a file beside
it; one in a database by ``.prism/schema``, which names its schema.
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
"""The object that names the state, and the file in its folder that says so, and of which output."""
_PROBE: Final = "probe"
_NO_VERSION: Final = '"00000000000000000000000000000000"'
_OVERWRITES: Final = (
    "the provider of {place} overwrites what is there although it is asked not to (it knows no "
    "If-None-Match or no If-Match), so that files which are not ours could be lost; use one that "
    "does, or write to a folder"
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
    ours, theirs = _own_mark(bucket, folder), read_marker(marks, _MARK)
    if theirs is not None and theirs != ours:
        raise ConfigurationError(
            f"the state of {bucket} is in another folder than {folder}; give that as state.folder, "
            "restore it from a backup, or choose another output"
        )


def claim(bucket: ObjectAddress, folder: Path, url: str | None) -> None:
    """Let ``bucket`` say whose state it has; for who holds that.

    Raises ``ConfigurationError``, also for a provider that would overwrite what it should not.
    """
    check_claim(bucket, folder, url)
    marks = bucket / ".prism"
    _check_provider(ObjectStore(marks))
    if url is not None:
        return
    if _own_mark(bucket, folder) is None:
        claim_marker(folder, _MARK, f"{secrets.token_hex(16)} {bucket}")
    if not claim_marker(marks, _MARK, _own_mark(bucket, folder) or ""):
        check_claim(bucket, folder, url)


def release(bucket: ObjectAddress, folder: Path) -> None:
    """Let ``bucket`` have no state any more."""
    remove_marker(bucket / ".prism", _MARK)
    remove_marker(folder, _MARK)


def _own_mark(bucket: ObjectAddress, folder: Path) -> str | None:
    """The name of the state in ``folder``; None before it has one."""
    said = read_marker(folder, _MARK)
    if said is None:
        return None
    name, _, output = said.partition(" ")
    if output != str(bucket):
        raise ConfigurationError(
            f"state.folder {folder} holds the state of {output}; give each output one of its own"
        )
    return name


def _check_provider(marks: ObjectStore) -> None:
    """Try on an object of our own whether the provider keeps what it should; each run anew, since a
    gateway may have come between."""
    said = b"PRISM tries here whether objects are overwritten.\n"
    marks.put_if_absent(_PROBE, said)
    there = marks.head(_PROBE)
    if there is None:
        return  # taken away a moment ago; the next run tries again
    other = replace(there, tag=_NO_VERSION, generation="1" if there.generation else "")
    if marks.put_if_absent(_PROBE, said) or marks.put_if_same(_PROBE, said, other):
        raise ConfigurationError(_OVERWRITES.format(place=marks.address.parent))
