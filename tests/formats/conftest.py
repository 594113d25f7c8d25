"""Files that several modules of tests look at."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.formats.long_samples import write_long_samples
from tests.formats.odt_files import document, text_file
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


@pytest.fixture
def odt(tmp_path: Path) -> Callable[..., Path]:
    """Makes an OpenDocument text of paragraphs."""
    return lambda *inner, **extra: text_file(tmp_path / "made.odt", document(*inner), **extra)
