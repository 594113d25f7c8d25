"""How a store of an earlier version becomes one of this version, in its place.

A change of `schema` raises ``SCHEMA_VERSION`` and says here, in plain SQL, what turns the version
before into it. A test compares what comes of that with a store made afresh, table by table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from sqlalchemy import Connection

from prism_core.errors import StateError

Steps = Mapping[int, Sequence[str]]

MIGRATIONS: Final[dict[int, Sequence[str]]] = {
    2: ("ALTER TABLE sentences ADD COLUMN alignment {bytes}",),
}
"""By the version that they start from. ``{bytes}`` is the type of a sealed column."""

_BYTES: Final = {"sqlite": "BLOB", "postgresql": "BYTEA"}


def check_version(found: int, version: int, steps: Steps) -> None:
    """Raise ``StateError`` unless ``steps`` lead from ``found`` to ``version``."""
    if found > version:
        raise StateError(
            f"the state store has version {found}, this PRISM works with {version}; use the newer "
            "PRISM that wrote it, or move the .prism folder away to start afresh"
        )
    if any(start not in steps for start in range(found, version)):
        raise StateError(
            f"the state store has version {found}, this PRISM works with {version}; use the PRISM "
            "that wrote it, or move the .prism folder away to start afresh"
        )


def migrate(connection: Connection, found: int, version: int, steps: Steps) -> None:
    """Take every step from ``found`` to ``version``, within one transaction."""
    sealed = _BYTES[connection.dialect.name]
    for start in range(found, version):
        for statement in steps[start]:
            connection.exec_driver_sql(statement.format(bytes=sealed))
