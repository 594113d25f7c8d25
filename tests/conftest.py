from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.postgres import PostgresServer, postgres_server


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """One server for all tests that ask for it."""
    with postgres_server() as server:
        yield server
