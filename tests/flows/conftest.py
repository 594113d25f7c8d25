from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.flows.small_dictionary import write_small_dictionary

LETTER = """The doctor opened the window. The farmer closed the small garden.

The patient followed the old bridge. The quiet doctor washed the green table.
"""
PLANTED = "Zorbanquist"
"""A name that stands nowhere else, to be searched for afterwards."""


@dataclass(frozen=True)
class Archive:
    """An archive of two letters, where its translation goes, and an environment for ``prism``."""

    input: Path
    output: Path
    environment: dict[str, str]

    def translated(self, name: str = "letter.txt") -> str:
        return (self.output / name).read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def small_dictionary(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_small_dictionary(tmp_path_factory.mktemp("dictionary") / "en-es.parquet")


@pytest.fixture
def archive(tmp_path: Path, small_dictionary: Path, monkeypatch) -> Archive:
    source = tmp_path / "in"
    (source / "mail").mkdir(parents=True)
    (source / "letter.txt").write_text(LETTER, encoding="utf-8")
    named = f"{PLANTED} opened the window. The doctor closed the contract with {PLANTED}.\n"
    (source / "mail" / "named.txt").write_text(named, encoding="utf-8")
    environment = {
        "PRISM_KEY_FILE": str(tmp_path / "key"),
        "PRISM_DICTIONARY__PATH": str(small_dictionary),
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "HOME": str(tmp_path),
        "COLUMNS": "200",
    }
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    return Archive(source, tmp_path / "out", environment)
