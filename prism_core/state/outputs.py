"""Names in the output folder: which document has which, and what PRISM put there."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, Select, and_, delete, insert, or_, select, update

from prism_core.cipher import Cipher
from prism_core.state.database import Database
from prism_core.state.schema import outputs


@dataclass(frozen=True, slots=True)
class OutputName:
    """A name of a document: its ``path`` relative to the output folder.

    ``wanted`` is the keyed id of the name that was wanted. ``content`` is the keyed hash of what
    PRISM put there last, empty before the first time.
    """

    path: str
    wanted: str
    content: str = ""


@dataclass(frozen=True, slots=True)
class Outputs:
    """The table of names. A path has one document at most, by its primary key.

    ``folds``, here: the output folder tells neither letter case nor Unicode forms apart.
    """

    _database: Database
    _cipher: Cipher

    def id_of(self, path: str) -> str:
        """The keyed id of ``path``, relative to the output folder."""
        return self._cipher.keyed_id("output", os.fsencode(path))

    def of_document(self, document: str) -> list[OutputName]:
        """The names of ``document``: one, or two while it moves from one to the other."""
        query = select(outputs).where(outputs.c.document == document).order_by(outputs.c.id)
        return [
            OutputName(
                os.fsdecode(self._cipher.open(f"outputs.path:{row.id}", row.path)),
                row.wanted,
                row.content,
            )
            for row in self._database.rows(query)
        ]

    def is_taken(self, document: str, path: str, *, folds: bool) -> bool:
        """Whether ``path`` is the name of another document than ``document``."""
        return bool(self._database.rows(self._taken(document, path, folds)))

    def claim(
        self,
        connection: Connection,
        document: str,
        path: str,
        wanted: str,
        released: Sequence[str],
        *,
        folds: bool,
    ) -> bool:
        """Give ``document`` the name ``path`` for ``wanted``, as a part of a transaction.

        What is at the paths ``released`` is not PRISM's any more. False, and nothing is changed,
        when another document has the path.
        """
        if connection.execute(self._taken(document, path, folds)).first():
            return False
        lost = outputs.c.id.in_([self.id_of(path) for path in released])
        connection.execute(delete(outputs).where(outputs.c.document == document, lost))
        row_id, wanted = self.id_of(path), self.id_of(wanted)
        known = connection.execute(select(outputs.c.id).where(outputs.c.id == row_id)).first()
        if known is not None:
            renewed = update(outputs).where(outputs.c.id == row_id).values(wanted=wanted)
            connection.execute(renewed)
            return True
        values = {
            "id": row_id,
            "folded": self._fold(path),
            "wanted": wanted,
            "document": document,
            "path": self._cipher.seal(f"outputs.path:{row_id}", os.fsencode(path)),
        }
        connection.execute(insert(outputs).values(values))
        return True

    def settle(self, connection: Connection, document: str, path: str, content: str) -> None:
        """``content`` is at ``path`` now, and ``document`` has no other name."""
        row_id = self.id_of(path)
        connection.execute(
            delete(outputs).where(outputs.c.document == document, outputs.c.id != row_id)
        )
        connection.execute(update(outputs).where(outputs.c.id == row_id).values(content=content))

    def _taken(self, document: str, path: str, folds: bool) -> Select[tuple[str]]:
        same = outputs.c.id == self.id_of(path)
        if folds:
            same = or_(same, outputs.c.folded == self._fold(path))
        return select(outputs.c.id).where(and_(same, outputs.c.document != document)).limit(1)

    def _fold(self, path: str) -> str:
        plain = unicodedata.normalize("NFC", unicodedata.normalize("NFD", path).casefold())
        return self._cipher.keyed_id("folded output", os.fsencode(plain))
