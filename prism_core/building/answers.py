"""Answers of a translator to the builder of a dictionary, kept until the dictionary is written.

A build asks for a hundred thousand texts; one that is killed must not ask again. The texts of an
archive's own words are no public text, so nothing here can be read without the key.

Entry: ``AnswerStore.open``; then ``find`` -> ``sending`` -> ``answered`` or ``failed``.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import (
    Column,
    Connection,
    Float,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    func,
    insert,
    select,
    update,
)

from prism_core.cipher import SALT_BYTES, Cipher
from prism_core.errors import StateError, WrongKey
from prism_core.state import Database, close_on_error, insert_new, open_database, split_ids

_VERSION = b"1"
_BEGAN = "began"

_metadata = MetaData()
_meta = Table(
    "meta",
    _metadata,
    Column("name", String(40), primary_key=True),
    Column("value", LargeBinary, nullable=False),
)
_answers = Table(
    "answers",
    _metadata,
    Column("id", String(32), primary_key=True),
    Column("answer", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)
_requests = Table(
    "requests",
    _metadata,
    Column("id", String(32), primary_key=True),
    Column("texts", Integer, nullable=False),
    Column("characters", Integer, nullable=False),
    Column("outcome", String(40), nullable=False, default=""),
    Column("recorded", Float, nullable=False),
)
_notes = Table(
    "notes",
    _metadata,
    Column("name", String(40), primary_key=True),
    Column("value", LargeBinary, nullable=False),
)


class AnswerStore:
    """Answers by text, the requests made for them, and a few notes; all of it sealed.

    Texts are named by a keyed id that also covers ``asked_of``, the translator and its options: the
    answer of another translator is never taken for an answer of this one.
    """

    def __init__(self, database: Database, cipher: Cipher, asked_of: str) -> None:
        self._database = database
        self._cipher = cipher
        self._asked_of = asked_of

    @classmethod
    def open(cls, folder: Path, key: bytes, asked_of: str) -> AnswerStore:
        """Open the store in ``folder``, making it when there is none.

        Raises ``StateError`` when it is of another key or version; it may be deleted then.
        """
        database = open_database(folder, None)
        with close_on_error(database):
            try:
                with database.writing() as connection:
                    _metadata.create_all(connection)
                    cipher = _unlock(connection, key)
            except WrongKey:
                raise WrongKey(
                    f"the answers kept in {folder} were written with another key, or altered. Give "
                    "the key they were written with, or delete that folder to ask for everything "
                    "again."
                ) from None
            store = cls(database, cipher, asked_of)
            store.note_once(_BEGAN, datetime.now(UTC).date().isoformat().encode())
        return store

    @property
    def began(self) -> str:
        """Day the build began, ISO 8601: a build resumed tomorrow gives the same file."""
        return self.note(_BEGAN).decode()

    def id_of(self, text: str) -> str:
        """Return the keyed id of ``text``; without the key it means nothing."""
        qualified = f"{self._asked_of}\0{text}".encode("utf-8", "surrogatepass")
        return self._cipher.keyed_id("text", qualified)

    def find(self, ids: Sequence[str]) -> dict[str, str]:
        """Return the known answers, by id; empty for a text that cannot be translated."""
        found: dict[str, str] = {}
        for batch in split_ids(ids):
            wanted = _answers.c.id.in_(batch)
            for row in self._database.rows(select(_answers).where(wanted)):
                plain = self._cipher.open(f"answers.answer:{row.id}", row.answer)
                found[row.id] = plain.decode("utf-8", "surrogatepass")
        return found

    def sending(self, request: str, texts: int, characters: int) -> None:
        """Record a request; when this returns it may be sent."""
        row = {"id": request, "texts": texts, "characters": characters, "recorded": time.time()}
        self._database.execute(insert(_requests).values(outcome="", **row))

    def answered(self, request: str, answers: Mapping[str, str]) -> None:
        """Keep ``answers`` by text id; when this returns they may be used."""
        with self._database.writing() as connection:
            insert_new(connection, _answers, self._rows(answers.items()))
            connection.execute(
                update(_requests).where(_requests.c.id == request).values(outcome="answered")
            )

    def failed(self, request: str, failure: str) -> None:
        """Record the class of a request's failure, unless a part of it was answered."""
        self._database.execute(
            update(_requests)
            .where(_requests.c.id == request, _requests.c.outcome == "")
            .values(outcome=failure[:40])
        )

    def give_up(self, ids: Iterable[str]) -> None:
        """Record that these texts have no translation: their answer is empty, also when resumed."""
        with self._database.writing() as connection:
            insert_new(connection, _answers, self._rows((row_id, "") for row_id in ids))

    def totals(self) -> tuple[int, int]:
        """Count the requests since the build began, and the characters in them."""
        query = select(func.count(), func.coalesce(func.sum(_requests.c.characters), 0))
        [(count, characters)] = self._database.rows(query.select_from(_requests))
        return int(count), int(characters)

    def note(self, name: str) -> bytes:
        """Return the note ``name``; empty when there is none."""
        values = self._database.scalars(select(_notes.c.value).where(_notes.c.name == name))
        return self._cipher.open(f"notes.value:{name}", values[0]) if values else b""

    def note_once(self, name: str, value: bytes) -> bytes:
        """Keep ``value`` under ``name`` unless there is a note; return the note that is kept."""
        row = {"name": name, "value": self._cipher.seal(f"notes.value:{name}", value)}
        with self._database.writing() as connection:
            insert_new(connection, _notes, [row])
        return self.note(name)

    def close(self) -> None:
        """Close the database."""
        self._database.close()

    def _rows(self, answers: Iterable[tuple[str, str]]) -> list[dict[str, object]]:
        return [
            {
                "id": row_id,
                "answer": self._cipher.seal(
                    f"answers.answer:{row_id}", answer.encode("utf-8", "surrogatepass")
                ),
            }
            for row_id, answer in answers
        ]


def _unlock(connection: Connection, key: bytes) -> Cipher:
    """Return the cipher of the answers, after checking version and key; set up an empty database.

    The answers are short-lived, so they are sealed directly under a key derived from the user's.
    """
    stored = {str(row.name): bytes(row.value) for row in connection.execute(select(_meta))}
    if stored:
        if stored["version"] != _VERSION:
            raise StateError(
                "the stored answers are of another version of PRISM; use the PRISM that wrote "
                "them, or delete their folder to ask for everything again"
            )
        cipher = Cipher(key, stored["salt"])
        cipher.open("meta.value:key_check", stored["key_check"])
        return cipher
    salt = secrets.token_bytes(SALT_BYTES)
    cipher = Cipher(key, salt)
    check = cipher.seal("meta.value:key_check", b"prism")
    rows = {"version": _VERSION, "salt": salt, "key_check": check}
    connection.execute(insert(_meta), [{"name": n, "value": v} for n, v in rows.items()])
    return cipher
