from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

from tests.postgres import PostgresServer, postgres_server


@pytest.fixture(scope="session", autouse=True)
def _loaded_once() -> Iterator[None]:
    """Let all tests of this process have one language model: loading it is half of a small run."""
    from prism_core.language import LanguageModel  # here, for who collects loads it for nothing

    with pytest.MonkeyPatch.context() as patching:
        patching.setattr(LanguageModel, "load", staticmethod(cache(LanguageModel.load)))
        yield


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """One server for all tests that ask for it."""
    with postgres_server() as server:
        yield server
