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
    3: (
        "DROP INDEX documents_by_output",
        "ALTER TABLE documents DROP COLUMN output_id",
        """
        CREATE TABLE outputs (
          id VARCHAR(32) NOT NULL,
          folded VARCHAR(32) NOT NULL,
          wanted VARCHAR(32) NOT NULL,
          document VARCHAR(32) NOT NULL,
          path {bytes} NOT NULL,
          content VARCHAR(64) NOT NULL,
          PRIMARY KEY (id),
          FOREIGN KEY(document) REFERENCES documents (id) ON DELETE CASCADE
        )
        """,
        "CREATE INDEX outputs_by_folded ON outputs (folded)",
        "CREATE INDEX outputs_by_document ON outputs (document)",
    ),
    4: (
        """
        CREATE TABLE decoys (
          id VARCHAR(32) NOT NULL,
          document VARCHAR(32) NOT NULL,
          PRIMARY KEY (id)
        )
        """,
        "CREATE INDEX decoys_by_document ON decoys (document)",
    ),
    5: (
        "ALTER TABLE documents ADD COLUMN treatment VARCHAR(60) NOT NULL DEFAULT ''",
        "ALTER TABLE documents ADD COLUMN privacy_score FLOAT",
    ),
    6: (
        """
        CREATE TABLE data_keys (
          number INTEGER NOT NULL,
          purpose VARCHAR(12) NOT NULL,
          run VARCHAR(64) NOT NULL,
          made FLOAT NOT NULL,
          fingerprint VARCHAR(16) NOT NULL,
          successor INTEGER,
          wrapped {bytes} NOT NULL,
          PRIMARY KEY (number)
        )
        """,
    ),
    7: (
        """
        CREATE TABLE batches (
          id VARCHAR(32) NOT NULL,
          run VARCHAR(64) NOT NULL,
          status VARCHAR(12) NOT NULL,
          endpoint VARCHAR(253) NOT NULL,
          translator VARCHAR(32) NOT NULL,
          batch VARCHAR(200) NOT NULL,
          requests {bytes} NOT NULL,
          recorded FLOAT NOT NULL,
          PRIMARY KEY (id)
        )
        """,
    ),
    8: ("ALTER TABLE requests ADD COLUMN again INTEGER NOT NULL DEFAULT 0",),
}
"""By the version that they start from. ``{bytes}`` is the type of a sealed column.

From 3: nobody noted what was put into the output folder, so nothing there counts as PRISM's. What
has not changed is skipped as before; what has is written beside its earlier translation.

From 6: what was sealed stays as it is. The keys that the user's key gave for it are wrapped as data
keys (``data_keys.unlock``), until ``prism key rotate`` encrypts it anew.
"""

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
