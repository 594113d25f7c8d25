"""The forms of the archive's deny list, sealed, one row each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sqlalchemy import Connection, func, select

from prism_core.cipher import Cipher
from prism_core.state.database import Database, insert_new
from prism_core.state.schema import identifiers


class Identifiers:
    """What was recognised as an identifier anywhere in the archive; it only ever grows."""

    def __init__(self, database: Database, cipher: Cipher) -> None:
        self._database = database
        self._cipher = cipher

    def count(self) -> int:
        """How many forms are known: it changes exactly when the deny list does."""
        with self._database.reading() as connection:
            return connection.execute(select(func.count()).select_from(identifiers)).scalar_one()

    def __iter__(self) -> Iterator[str]:
        with self._database.reading() as connection:
            rows = connection.execute(select(identifiers)).all()
        for row in rows:
            yield self._cipher.open(f"identifiers.form:{row.id}", row.form).decode()

    def add(self, connection: Connection, forms: Iterable[str]) -> None:
        """Store ``forms`` within the transaction that stores the document they were seen in."""
        rows = []
        for form in set(forms):
            plain = form.encode("utf-8", "replace")
            row_id = self._cipher.keyed_id("identifier", plain)
            sealed = self._cipher.seal(f"identifiers.form:{row_id}", plain)
            rows.append({"id": row_id, "form": sealed})
        insert_new(connection, identifiers, rows)
