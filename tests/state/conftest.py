from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from prism_core.state import StatePlace, Store
from tests.postgres import PostgresServer

KEY = bytes(range(32))


@dataclass
class Place:
    """Where a store is, in either kind of database, and a way to it past the store."""

    folder: Path
    server: PostgresServer | None = None
    url: str | None = None
    opened: list[Store] = field(default_factory=list)

    @property
    def at(self) -> StatePlace:
        return StatePlace(self.folder, self.url)

    def open(self, key: bytes = KEY) -> Store:
        store = Store.open(self.at, key)
        self.opened.append(store)
        return store

    def ask(self, sql: str) -> list[str]:
        """The rows that another program sees, their values with bars between."""
        if self.server is not None:
            schema = (self.folder / "schema").read_text().strip()
            database = str(self.url).partition("?")[0].rpartition("/")[2]
            said = self.server.ask(f"SET search_path TO {schema}; {sql}", database)
            return said.splitlines()
        with closing(sqlite3.connect(self.folder / "state.db")) as connection:
            rows = connection.execute(sql).fetchall()
            connection.commit()
        return ["|".join(str(value) for value in row) for row in rows]


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    """An empty place in a database of each kind."""
    place = Place(tmp_path / "state")
    if request.param == "postgresql":
        server: PostgresServer = request.getfixturevalue("postgres")
        place.server, place.url = server, server.url()
    yield place
    for store in place.opened:
        store.close()
