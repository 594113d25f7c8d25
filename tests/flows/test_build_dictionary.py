"""The flow ``build-dictionary`` under a real Prefect: slow."""

from __future__ import annotations

from pathlib import Path

import pytest

from prism_core.dictionary import read_dictionary
from prism_core.errors import ConfigurationError
from tests.flows.conftest import Archive

pytestmark = pytest.mark.slow


@pytest.fixture
def text(archive: Archive, monkeypatch) -> Path:
    monkeypatch.setenv("PRISM_TRANSLATOR__NAME", "fake")
    path = archive.input.parent / "public.en"
    path.write_text("The man saw the house there .\nThe house fell there .\n")
    return path


def test_the_flow_builds_a_dictionary_from_paths_and_names(prefect_home, text: Path) -> None:
    from flows.build_dictionary import build_dictionary

    output = text.with_name("en-es.parquet")
    built = build_dictionary([str(text)], str(output), least=1)
    assert built.entries == len(read_dictionary(output).entries)


def test_an_error_of_the_flow_is_one_of_ours(prefect_home, text: Path) -> None:
    from flows.build_dictionary import build_dictionary

    with pytest.raises(ConfigurationError, match="not a file"):
        build_dictionary(["/nowhere.en"], str(text.with_name("en-es.parquet")))
