"""A store of an earlier version becomes one of this version, or stays exactly as it was."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import Connection, inspect

from prism_core.cipher import Cipher
from prism_core.errors import StateError, WrongKey
from prism_core.state.database import Database, open_database
from prism_core.state.migrations import MIGRATIONS
from prism_core.state.records import encoded_to_bytes, sentence_to_bytes
from prism_core.state.schema import SCHEMA_VERSION, SentenceStatus
from prism_core.state.store import Store
from tests.state.conftest import KEY, Place
from tests.state.test_store import ENCODED, RUN, SENTENCE, add

VERSION_2 = (Path(__file__).parent / "version_2.sql").read_text(encoding="utf-8")
SALT = bytes(range(16))
DOCUMENT_ID, SENTENCE_ID = "d" * 32, "5" * 32


def write_version_2(place: Place) -> None:
    """A store as PRISM wrote it at version 2, with one sentence that was answered."""
    sealed = Cipher(KEY, SALT)
    parts = {
        "version": b"2",
        "path": sealed.seal(f"documents.path:{DOCUMENT_ID}", b"a.txt"),
        "salt": SALT,
        "key_check": sealed.seal("meta.value:key_check", b"prism"),
        "annotated": sealed.seal(f"sentences.annotated:{SENTENCE_ID}", sentence_to_bytes(SENTENCE)),
        "encoded": sealed.seal(f"sentences.encoded:{SENTENCE_ID}", encoded_to_bytes(ENCODED)),
        "answer": sealed.seal(f"sentences.answer:{SENTENCE_ID}", b"Clara canta"),
    }
    sqlite = place.url is None
    form = "X'{}'" if sqlite else r"'\x{}'::bytea"
    statements = VERSION_2.format(
        bytes="BLOB" if sqlite else "BYTEA",
        without_rowid="WITHOUT ROWID" if sqlite else "",
        **{name: form.format(content.hex()) for name, content in parts.items()},
    )
    database = open_database(place.folder, place.url)
    with database.writing() as connection:
        for statement in statements.split(";\n"):
            if statement.strip():
                connection.exec_driver_sql(statement)
    database.close()


def shape(database: Database) -> dict[str, object]:
    """Every table: its columns with type, whether they may be empty, keys and indexes."""
    with database.reading() as connection:
        return {table: _table(connection, table) for table in inspect(connection).get_table_names()}


def _table(connection: Connection, table: str) -> object:
    found = inspect(connection)
    return {
        "columns": {c["name"]: (str(c["type"]), c["nullable"]) for c in found.get_columns(table)},
        "key": found.get_pk_constraint(table)["constrained_columns"],
        "foreign": sorted(
            (key["constrained_columns"], key["referred_table"], sorted(key["options"].items()))
            for key in found.get_foreign_keys(table)
        ),
        "indexes": sorted(
            (str(one["name"]), one["column_names"], bool(one["unique"]))
            for one in found.get_indexes(table)
        ),
    }


def test_a_store_of_version_2_becomes_what_a_new_one_is(place: Place, tmp_path: Path) -> None:
    write_version_2(place)
    store = place.open()
    fresh = Place(tmp_path / "fresh", place.server, place.url)
    assert shape(store._database) == shape(fresh.open()._database)
    fresh.opened[0].close()


def test_what_was_answered_at_version_2_is_known_after_it(place: Place) -> None:
    write_version_2(place)
    store = place.open()
    assert store.sentences.count(RUN) == {SentenceStatus.ANSWERED: 1}
    [[one]] = store.sentences.answered((DOCUMENT_ID,))
    assert (one.source, one.encoded, one.answer) == ("Alice hides", ENCODED, "Clara canta")
    add(store, "new.txt")
    assert place.ask("SELECT count(*) FROM sentences") == ["2"]
    store.close()
    place.open()


def test_a_key_that_is_wrong_migrates_nothing(place: Place) -> None:
    write_version_2(place)
    with pytest.raises(WrongKey):
        place.open(bytes(32))
    assert stated_version(place) == 2


def test_a_migration_that_fails_leaves_the_store_as_it_was(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_version_2(place)
    monkeypatch.setitem(MIGRATIONS, 2, (*MIGRATIONS[2], "ALTER TABLE nowhere ADD COLUMN x TEXT"))
    with pytest.raises(StateError) as error:
        place.open()
    assert "nowhere" not in str(error.value)
    assert stated_version(place) == 2
    monkeypatch.undo()
    assert place.open().sentences.count(RUN) == {SentenceStatus.ANSWERED: 1}


def test_what_is_only_read_is_not_migrated(place: Place) -> None:
    write_version_2(place)
    with pytest.raises(StateError, match="has version 2,"):
        Store.view(place.folder, KEY, place.url)
    assert stated_version(place) == 2


@pytest.mark.parametrize("version", [1, SCHEMA_VERSION + 1])
def test_a_version_that_cannot_be_migrated_is_refused(place: Place, version: int) -> None:
    place.open().close()
    value = f"X'{str(version).encode().hex()}'"
    value = value if place.url is None else f"'{version}'::bytea"
    place.ask(f"UPDATE meta SET value = {value} WHERE name = 'schema_version'")  # noqa: S608
    with pytest.raises(StateError, match=f"has version {version},"):
        place.open()
    assert stated_version(place) == version


def test_every_version_since_the_first_that_can_be_migrated_has_its_steps() -> None:
    assert sorted(MIGRATIONS) == list(range(min(MIGRATIONS), SCHEMA_VERSION))


def stated_version(place: Place) -> int:
    database = open_database(place.folder, place.url, read_only=True)
    with database.reading() as connection:
        query = "SELECT value FROM meta WHERE name = 'schema_version'"
        stated = int(connection.exec_driver_sql(query).scalar_one())
    database.close()
    return stated
