"""Names in the output folder: the document of each, and a hash of the file PRISM put there."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, delete, or_, select, true, update

from prism_core.cipher import Cipher
from prism_core.file_names import fold_name
from prism_core.state.database import Database, insert_new, update_each
from prism_core.state.schema import outputs


@dataclass(frozen=True, slots=True)
class OutputName:
    """Name of a document: its ``path`` relative to the output folder.

    ``wanted`` is the keyed id of the name that was wanted. ``content`` is the keyed hash of the
    file that PRISM put there last, empty before the first time.
    """

    path: str
    wanted: str
    content: str = ""


@dataclass(frozen=True, slots=True)
class Claim:
    """Claim to write ``document`` at ``path``, where ``wanted`` was the preferred name.

    Files at the paths ``released`` are PRISM's no more; ``notices`` are all those of the document.
    """

    document: str
    path: str
    wanted: str
    notices: Sequence[str] = ()
    released: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Outputs:
    """Table of names. A path has one document at most, by its primary key.

    ``folds`` in its methods: the output folder distinguishes neither letter case nor Unicode forms.
    """

    _database: Database
    _cipher: Cipher

    def id_of(self, path: str) -> str:
        """Return the keyed id of ``path``, relative to the output folder."""
        return self._cipher.keyed_id("output", os.fsencode(path))

    def of_document(self, document: str) -> list[OutputName]:
        """Return the names of ``document``: one, or two while it moves from one to the other."""
        return self.of_documents([document]).get(document, [])

    def of_documents(self, some: Iterable[str]) -> dict[str, list[OutputName]]:
        """Return the names of ``some`` documents, by their ids, leaving out those without one."""
        query = select(outputs).where(outputs.c.document.in_(list(some))).order_by(outputs.c.id)
        found: dict[str, list[OutputName]] = {}
        for row in self._database.rows(query):
            path = os.fsdecode(self._cipher.open(f"outputs.path:{row.id}", row.path))
            name = OutputName(path, row.wanted, row.content)
            found.setdefault(row.document, []).append(name)
        return found

    def holders(self, paths: Iterable[str], *, folds: bool) -> dict[str, set[str]]:
        """Return the documents that have each of ``paths``: at most one, more if it ``folds``."""
        with self._database.reading() as connection:
            return self._holders(connection, paths, folds)

    def _holders(
        self, connection: Connection, paths: Iterable[str], folds: bool
    ) -> dict[str, set[str]]:
        ids = {path: self.id_of(path) for path in paths}
        same: ColumnElement[bool] = outputs.c.id.in_(list(ids.values()))
        folded = {path: self._fold(path) for path in ids} if folds else {}
        if folds:
            same = or_(same, outputs.c.folded.in_(list(folded.values())))
        query = select(outputs.c.id, outputs.c.folded, outputs.c.document).where(same)
        by_name: dict[str, set[str]] = {}
        for row in connection.execute(query):
            by_name.setdefault(row.id, set()).add(row.document)
            by_name.setdefault(row.folded, set()).add(row.document)
        return {
            path: by_name.get(ids[path], set()) | by_name.get(folded.get(path, ""), set())
            for path in ids
        }

    def claim(self, connection: Connection, claims: Sequence[Claim], *, folds: bool) -> list[Claim]:
        """Give each document its name within a transaction; return the claims that were met.

        A claim is not met if another document has its path, already or by a claim before it:
        nothing is changed for it.
        """
        holders = self._holders(connection, (claim.path for claim in claims), folds)
        given: set[str] = set()
        met, new = [], list[dict[str, object]]()
        for claim in claims:
            row_id, folded = self.id_of(claim.path), self._fold(claim.path)
            holder = holders[claim.path]
            if holder - {claim.document} or row_id in given or (folds and folded in given):
                continue
            met.append(claim)
            given |= {row_id, folded}
            if claim.released:
                lost = outputs.c.id.in_([self.id_of(path) for path in claim.released])
                of_document = outputs.c.document == claim.document
                connection.execute(delete(outputs).where(of_document, lost))
            new.append(
                {
                    "id": row_id,
                    "folded": folded,
                    "wanted": self.id_of(claim.wanted),
                    "document": claim.document,
                    "path": self._cipher.seal(f"outputs.path:{row_id}", os.fsencode(claim.path)),
                }
            )
        insert_new(connection, outputs, new)
        renewed = [
            {"id": row["id"], "wanted": row["wanted"]}
            for row, claim in zip(new, met, strict=True)
            if holders[claim.path]
        ]
        update_each(connection, outputs, true(), renewed)
        return met

    def settle(self, connection: Connection, document: str, path: str, content: str) -> None:
        """Record that ``content`` is at ``path`` now, the only name of ``document``."""
        row_id = self.id_of(path)
        connection.execute(
            delete(outputs).where(outputs.c.document == document, outputs.c.id != row_id)
        )
        connection.execute(update(outputs).where(outputs.c.id == row_id).values(content=content))

    def _fold(self, path: str) -> str:
        return self._cipher.keyed_id("folded output", os.fsencode(fold_name(path)))
