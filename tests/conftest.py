from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from prism_core.plugins import load_plugin
from prism_core.settings import TranslatorSettings
from tests.postgres import PostgresServer, postgres_server


@pytest.fixture(scope="session", autouse=True)
def _loaded_once() -> Iterator[None]:
    """Let all tests of this process have one language model: loading it is half of a small run."""
    from prism_core.language import LanguageModel  # here, for who collects loads it for nothing

    with pytest.MonkeyPatch.context() as patching:
        patching.setattr(LanguageModel, "load", staticmethod(cache(LanguageModel.load)))
        gc.set_threshold(50_000, 20, 50)  # the model and what tests share are a million objects
        yield


@pytest.fixture
def toml(tmp_path: Path) -> Callable[[str], Path]:
    """Writes a file of settings."""

    def write(text: str) -> Path:
        file = tmp_path / "prism.toml"
        file.write_text(text, encoding="utf-8")
        return file

    return write


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """One server for all tests that ask for it."""
    with postgres_server() as server:
        yield server


@pytest.fixture
def fake_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever a test installs in the place of the fake translator is gone after it."""
    module = load_plugin(TranslatorSettings.package, "fake")
    monkeypatch.setattr(module, "ADAPTER", module.ADAPTER)
