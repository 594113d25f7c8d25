"""A backup put back at another place, as docs/restore.md says: nothing is sent or made again."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from prism_core.errors import ConfigurationError, StateError
from prism_core.jobs import last_job, planning, translate
from prism_core.settings import Job, KeySettings
from prism_core.settings.run_settings import StateSettings
from prism_core.state import UserKey
from tests.postgres import USER, PostgresServer, program
from tests.stages.archive import (
    DISTINCT,
    EXPECTED,
    again,
    make_job,
    outputs,
    texts_received,
    write_archive,
)

STORES = ["file", "postgres"]


@pytest.fixture(params=STORES)
def restored(
    request: pytest.FixtureRequest, tmp_path: Path, log: Path, postgres: PostgresServer
) -> Job:
    """A job over what was restored elsewhere; of the first place nothing is left."""
    first, second = tmp_path / "first", tmp_path / "second"
    write_archive(first / "in")
    url = postgres.new_url() if request.param == "postgres" else None
    job = make_job(first, state=StateSettings(url=url))
    assert translate(job).documents_written == 3
    new_url = move_database(job, url, postgres, tmp_path) if url else None
    shutil.copytree(first, second)
    shutil.rmtree(first)
    assert len(texts_received(log)) == DISTINCT
    return make_job(second, state=StateSettings(url=new_url))


def move_database(job: Job, url: str, postgres: PostgresServer, folder: Path) -> str:
    """What was dumped of the database of ``url``, restored into another; the address of that."""
    other = postgres.new_url()
    schema = (job.state_folder / "schema").read_text().strip()
    where = ["-h", str(postgres.folder), "-p", str(postgres.port), "-U", USER]
    dump, old, new = folder / "state.dump", *(u.split("/")[3].split("?")[0] for u in (url, other))
    made = [f"--schema={schema}", "--format=custom", f"--file={dump}", old]
    subprocess.run([program("pg_dump"), *where, *made], check=True)
    subprocess.run(
        [program("pg_restore"), *where, "--no-owner", f"--dbname={new}", dump], check=True
    )
    postgres.ask(f"DROP SCHEMA {schema} CASCADE", old)
    return other


def test_restored_archive_is_unchanged_to_the_next_run(restored: Job, log: Path) -> None:
    assert translate(restored).documents_unchanged == 3
    assert outputs(restored) == EXPECTED
    assert len(texts_received(log)) == DISTINCT


def test_translations_that_are_gone_are_written_of_the_state_alone(
    restored: Job, log: Path
) -> None:
    for name in EXPECTED:
        (restored.output / name).unlink()
    assert translate(restored).documents_written == 3
    assert outputs(restored) == EXPECTED
    assert len(texts_received(log)) == DISTINCT


def test_without_its_key_it_is_refused_and_no_other_key_is_made(
    restored: Job, tmp_path: Path
) -> None:
    missing = tmp_path / "missing-key"
    for work in (translate, last_job, lambda job: planning.plan(job, [job.settings.translator])):
        with pytest.raises(ConfigurationError, match=r"its key is missing .*no new key was made"):
            work(again(restored, key=KeySettings(file=missing)))
        assert not missing.exists()
    UserKey.in_file(missing).make()
    with pytest.raises(StateError, match="another key"):
        translate(again(restored, key=KeySettings(file=missing)))
    assert translate(restored).documents_unchanged == 3
