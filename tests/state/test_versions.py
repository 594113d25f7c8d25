"""A store of another version is refused with a message that says what to do, and stays as it is."""

from __future__ import annotations

import hashlib

import pytest
from sqlalchemy.dialects import sqlite
from sqlalchemy.schema import CreateTable

from prism_core.errors import ExitCode, StateError
from prism_core.state.database import open_database
from prism_core.state.schema import SCHEMA_VERSION, metadata
from prism_core.state.store import Store
from tests.state.conftest import KEY, Place


@pytest.mark.parametrize("version", [0, SCHEMA_VERSION + 1, 9])
def test_another_version_is_refused_and_nothing_is_changed(place: Place, version: int) -> None:
    place.open().close()
    value = f"X'{str(version).encode().hex()}'"
    value = value if place.url is None else f"'{version}'::bytea"
    place.ask(f"UPDATE meta SET value = {value} WHERE name = 'schema_version'")  # noqa: S608
    for attempt in (
        place.open,
        lambda: Store.view(place.at, KEY),
        lambda: place.at.overview(),
        lambda: place.at.user_keys(),
        lambda: place.at.old_material(0),
        lambda: place.at.purge_old(0),
        lambda: place.at.admit(KEY, bytes(32)),
    ):
        with pytest.raises(
            StateError, match=f"has version {version}, .* move the .prism folder"
        ) as e:
            attempt()
        assert e.value.exit_code is ExitCode.STATE_UNUSABLE
    assert stated_version(place) == version


def stated_version(place: Place) -> int:
    database = open_database(place.folder, place.url, read_only=True)
    with database.reading() as connection:
        query = "SELECT value FROM meta WHERE name = 'schema_version'"
        stated = int(connection.exec_driver_sql(query).scalar_one())
    database.close()
    return stated


def test_a_store_with_other_tables_has_another_version() -> None:
    """When this fails, raise ``SCHEMA_VERSION`` and write down both: else who upgrades is told of
    a failing database, in place of what to do."""
    made = "".join(
        str(CreateTable(table).compile(dialect=sqlite.dialect()))
        for table in metadata.sorted_tables
    )
    digest = hashlib.sha256(made.encode()).hexdigest()[:16]
    assert (SCHEMA_VERSION, digest) == (7, "e36e94a848c7c0b6")
