"""What holds of a state store in PostgreSQL alone: its schema, its locks, its errors."""

from __future__ import annotations

import shutil
import threading
import time
from pathlib import Path

import pytest

from prism_core.errors import ConfigurationError, StateError, StoreInUse
from prism_core.state import StatePlace, lock, postgres
from prism_core.state.postgres import read_schema_name
from prism_core.state.store import Store
from tests.postgres import USER_WITH_PASSWORD, PostgresServer, postgres_server
from tests.state.conftest import KEY, Place
from tests.state.holding import held
from tests.state.test_store import RUN, add


@pytest.fixture
def url(postgres: PostgresServer) -> str:
    return postgres.url()


def of_the_same_archive(folder: Path, other: Path) -> Path:
    """The state folder as another machine would have it: same archive, locks of its own."""
    other.mkdir()
    shutil.copy(folder / "schema", other / "schema")
    return other


def test_output_folders_that_share_a_database_share_nothing_else(tmp_path: Path, url: str) -> None:
    first, second = (Store.open(StatePlace(tmp_path / name, url), KEY) for name in "ab")
    first.runs.begin(RUN)
    add(first)
    assert sum(first.documents.count(RUN).values()) == 1
    assert second.documents.count(RUN) == {}
    assert first.documents.id_of("a.txt") != second.documents.id_of("a.txt")
    first.close()
    second.close()


def test_a_store_moves_with_its_output_folder(tmp_path: Path, url: str) -> None:
    store = Store.open(StatePlace(tmp_path / "here", url), KEY)
    store.runs.begin(RUN)
    store.close()
    (tmp_path / "here").rename(tmp_path / "there")
    moved = Store.open(StatePlace(tmp_path / "there", url), KEY)
    assert moved.runs.start_of(RUN)
    moved.close()


def test_programs_that_start_at_once_agree_on_one_schema_and_one_salt(
    tmp_path: Path, url: str
) -> None:
    ids: list[str] = []

    def start() -> None:
        store = Store.open(StatePlace(tmp_path, url), KEY)
        ids.append(store.documents.id_of("a.txt"))
        store.close()

    threads = [threading.Thread(target=start) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(ids) == 6
    assert len(set(ids)) == 1


def test_what_is_only_looked_at_makes_no_schema(tmp_path: Path, url: str) -> None:
    with pytest.raises(StateError):
        Store.view(StatePlace(tmp_path, url), KEY)
    assert list(tmp_path.iterdir()) == []


def test_a_run_on_another_machine_is_refused_until_the_first_is_killed(
    tmp_path: Path, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tmp_path / "here"
    Store.open(StatePlace(here, url), KEY).close()
    there = of_the_same_archive(here, tmp_path / "there")
    monkeypatch.setattr(lock, "_SESSION_END", 0.3)
    with held("hold", here, url) as holder:
        with pytest.raises(StoreInUse), StatePlace(there, url).hold():
            pass
        monkeypatch.setattr(lock, "_SESSION_END", 30)
        holder.kill()
        holder.wait()
    with StatePlace(there, url).hold():
        pass
    with StatePlace(there, url).hold():
        pass


def test_runs_over_two_folders_of_one_database_do_not_wait_for_each_other(
    tmp_path: Path, url: str
) -> None:
    with StatePlace(tmp_path / "a", url).hold(), StatePlace(tmp_path / "b", url).hold():
        pass


def test_writers_take_turns(tmp_path: Path, url: str) -> None:
    store = Store.open(StatePlace(tmp_path, url), KEY)
    store.runs.begin("count")
    store.runs.enter("count", "0")

    def count() -> None:
        for _ in range(20):
            with store._database.writing() as connection:
                stage = connection.exec_driver_sql("SELECT stage FROM runs").scalar_one()
                more = str(int(stage) + 1)
                connection.exec_driver_sql("UPDATE runs SET stage = %s", (more,))

    threads = [threading.Thread(target=count) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with store._database.reading() as connection:
        assert connection.exec_driver_sql("SELECT stage FROM runs").scalar_one() == "80"
    store.close()


def test_a_reader_sees_one_moment_and_cannot_write(tmp_path: Path, url: str) -> None:
    store = Store.open(StatePlace(tmp_path, url), KEY)
    with store._database.reading() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM runs").scalar_one() == 0
        store.runs.begin(RUN)
        assert connection.exec_driver_sql("SELECT count(*) FROM runs").scalar_one() == 0
    with pytest.raises(StateError, match="takes no changes"), store._database.reading() as reader:
        reader.exec_driver_sql("DELETE FROM runs")
    store.close()


def test_a_writer_that_waits_too_long_says_that_the_store_is_in_use(
    tmp_path: Path, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "BUSY_SECONDS", 1)
    store = Store.open(StatePlace(tmp_path, url), KEY)
    with store._database.writing(), pytest.raises(StoreInUse, match="locked"):
        store.runs.begin(RUN)
    store.close()


def test_a_connection_that_was_cut_is_replaced(tmp_path: Path, postgres: PostgresServer) -> None:
    url = postgres.new_url()
    store = Store.open(StatePlace(tmp_path, url), KEY)
    name = url.partition("?")[0].rpartition("/")[2]
    cut = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"  # noqa: S608
    assert "t" in postgres.ask(cut)
    time.sleep(0.2)
    store.runs.begin(RUN)

    def write_and_be_cut() -> None:
        with store._database.writing() as connection:
            postgres.ask(cut)
            connection.exec_driver_sql("DELETE FROM runs")

    with pytest.raises(StateError, match="cannot be reached"):
        write_and_be_cut()
    assert store.runs.start_of(RUN)
    store.close()


def test_a_server_that_is_down_is_a_state_error_without_its_words(tmp_path: Path) -> None:
    with postgres_server() as server:
        place = Place(tmp_path / "state", server, server.url())
        store = place.open()
        store.runs.begin(RUN)
        add(store)
    with pytest.raises(StateError, match="cannot be reached") as error:
        add(store, "b.txt")
    assert error.value.__cause__ is None
    assert error.value.__context__ is None or error.value.__suppress_context__
    with pytest.raises(StateError, match="cannot be reached"):
        place.open()


def test_each_thing_that_is_missing_is_told_apart(
    tmp_path: Path, url: str, postgres: PostgresServer
) -> None:
    with pytest.raises(StateError, match="createdb"):
        Store.open(StatePlace(tmp_path, postgres.url("nowhere")), KEY)
    postgres.ask("CREATE USER visitor")
    with pytest.raises(StateError, match="GRANT CREATE"):
        Store.open(StatePlace(tmp_path, url.replace("prism@", "visitor@")), KEY)
    (tmp_path / "schema").write_text("public; DROP TABLE x\n")
    with pytest.raises(StateError, match="name of a schema"):
        Store.open(StatePlace(tmp_path, url), KEY)


def test_a_schema_that_was_dropped_is_not_taken_for_a_new_archive(
    tmp_path: Path, url: str, postgres: PostgresServer
) -> None:
    Store.open(StatePlace(tmp_path, url), KEY).close()
    schema, name = read_schema_name(tmp_path), url.partition("?")[0].rpartition("/")[2]
    postgres.ask(f"DROP SCHEMA {schema} CASCADE", name)
    for opened in (Store.view, Store.open):
        with pytest.raises(StateError, match="restore it"):
            opened(StatePlace(tmp_path, url), KEY)


def test_the_password_comes_from_the_environment_or_a_file_of_mode_0600(
    tmp_path: Path, postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    word = r"it's: a \ word"
    quoted = word.replace("'", "''")
    postgres.ask(
        f"DROP ROLE IF EXISTS {USER_WITH_PASSWORD}; "
        f"CREATE ROLE {USER_WITH_PASSWORD} LOGIN SUPERUSER PASSWORD '{quoted}'"
    )
    url = postgres.url(user=USER_WITH_PASSWORD)
    passwords = tmp_path / "pgpass"
    monkeypatch.setenv("PGPASSFILE", str(passwords))
    with pytest.raises(StateError, match="PGPASSWORD"):
        Store.open(StatePlace(tmp_path, url), KEY)

    monkeypatch.setenv("PGPASSWORD", word)
    Store.open(StatePlace(tmp_path, url), KEY).close()
    monkeypatch.setenv("PGPASSWORD", "wrong")
    with pytest.raises(StateError, match="PGPASSWORD") as error:
        Store.open(StatePlace(tmp_path, url), KEY)
    assert "wrong" not in str(error.value)

    monkeypatch.delenv("PGPASSWORD")
    escaped = word.replace("\\", "\\\\").replace(":", "\\:")
    lines = ("# a note", "elsewhere:*:*:*:no", f"localhost:5432:*:{USER_WITH_PASSWORD}:{escaped}")
    passwords.write_text("\n".join(lines))
    passwords.chmod(0o644)
    with pytest.raises(StateError, match="0600"):
        Store.open(StatePlace(tmp_path, url), KEY)
    passwords.chmod(0o600)
    Store.open(StatePlace(tmp_path, url), KEY).close()


@pytest.mark.parametrize("sslmode", ["disable", "prefer", "require"])
def test_it_is_reached_through_the_network_with_tls_and_without(
    tmp_path: Path, postgres: PostgresServer, sslmode: str
) -> None:
    store = Store.open(StatePlace(tmp_path, postgres.network_url(sslmode)), KEY)
    with store._database.reading() as connection:
        query = "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()"
        assert connection.exec_driver_sql(query).scalar_one() is (sslmode != "disable")
    store.close()


def test_a_certificate_that_nobody_vouches_for_is_refused_when_it_is_to_be_verified(
    tmp_path: Path, postgres: PostgresServer
) -> None:
    with pytest.raises(StateError):
        Store.open(StatePlace(tmp_path, postgres.network_url("verify-full")), KEY)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "url",
    [
        "postgres",
        "mysql://host/database",
        "postgresql+psycopg://host/database",
        "postgresql://user:word@host/database",
        "postgresql://host/database?sslmode=perhaps",
        "postgresql://host/database?options=-c%20x",
        "sqlite:///elsewhere.db",
    ],
)
def test_an_address_that_is_not_understood_is_refused(tmp_path: Path, url: str) -> None:
    with pytest.raises(ConfigurationError, match=r"state\.url") as error:
        Store.open(StatePlace(tmp_path, url), KEY)
    assert "word@" not in str(error.value)
