from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from prism_core.settings import Job
from prism_core.settings.run_settings import StateSettings
from tests.object_server import Bucket, credentials, serve_bucket
from tests.stages.archive import TEXTS, Backwards, install, make_job


@pytest.fixture(scope="session")
def one_temporary(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("temporary")


@pytest.fixture
def temporary(one_temporary: Path) -> Path:
    """An empty folder: the same for all tests, for who reads documents starts anew in another."""
    for left in one_temporary.iterdir():
        shutil.rmtree(left)
    return one_temporary


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch, temporary: Path) -> Iterator[Bucket]:
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    monkeypatch.setenv("TMPDIR", str(temporary))
    with serve_bucket() as (bucket, address):
        for name, said in credentials(address).items():
            monkeypatch.setenv(name, said)
        yield bucket


@pytest.fixture
def job(bucket: Bucket, tmp_path: Path) -> Job:
    bucket.objects |= {f"in/{name}": (text.encode(), 1e9) for name, text in TEXTS.items()}
    install(Backwards(tmp_path / "log"))
    made = make_job(tmp_path, state=StateSettings(folder=tmp_path / "state"))
    return Job(input="s3://archive/in", output="s3://archive/out", settings=made.settings)
