"""The loopback servers, with their keys where a user would put them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.copying_model import make_copying_model
from tests.openai_batch_server import BatchServer
from tests.openai_server import OpenAIServer
from tests.provider_server import KEY, ProviderServer
from tests.provider_servers import PROVIDERS
from tests.translators.nights import Night


@pytest.fixture(autouse=True)
def no_account(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever runs the tests may have one."""
    monkeypatch.delenv("GOOGLE_APPLICATION_CREDENTIALS", raising=False)


@pytest.fixture(scope="session")
def copying_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a model that CTranslate2 runs."""
    return make_copying_model(tmp_path_factory.mktemp("model"))


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenAIServer]:
    with OpenAIServer() as running:
        monkeypatch.setenv("OPENAI_API_KEY", running.key)
        yield running


@pytest.fixture
def batch_server(monkeypatch: pytest.MonkeyPatch) -> Iterator[BatchServer]:
    with BatchServer() as running:
        monkeypatch.setenv("OPENAI_API_KEY", running.key)
        yield running


@pytest.fixture
def night(batch_server: BatchServer) -> Night:
    return Night(batch_server)


@pytest.fixture
def providers(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, ProviderServer]]:
    """All of ``PROVIDERS``, by name."""
    with ExitStack() as running:
        for kind in PROVIDERS.values():
            if kind.KEY_VARIABLE:
                monkeypatch.setenv(kind.KEY_VARIABLE, KEY)
        yield {name: running.enter_context(kind()) for name, kind in PROVIDERS.items()}


@pytest.fixture(params=PROVIDERS)
def provider(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[ProviderServer]:
    """Each of ``PROVIDERS``."""
    kind = PROVIDERS[request.param]
    if kind.KEY_VARIABLE:
        monkeypatch.setenv(kind.KEY_VARIABLE, KEY)
    with kind() as running:
        yield running
