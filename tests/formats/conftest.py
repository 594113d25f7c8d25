"""Files that several modules of tests look at."""

from pathlib import Path

import pytest

from tests.formats.long_samples import write_long_samples
from tests.formats.samples import SAMPLES

_SUFFIXES = {"ics": ".txt", "md": ".txt"}
"""What LibreOffice knows no filter for is laid out as plain text."""


@pytest.fixture(scope="session")
def sources(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A file of each format by its name, and the long samples."""
    folder = tmp_path_factory.mktemp("sources")
    made = {name: folder / f"{name}{_SUFFIXES.get(name, f'.{name}')}" for name in SAMPLES}
    for name, make in SAMPLES.items():
        make(made[name])
    return made | write_long_samples(folder)
