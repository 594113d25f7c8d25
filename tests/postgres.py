"""A PostgreSQL server of the tests' own, in a temporary folder, behind a socket there."""

from __future__ import annotations

import os
import pwd
import secrets
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

USER = "prism"
USER_WITH_PASSWORD = "checked"
"""Whoever has this name is asked for a password; nobody else is."""
_WHERE_DEBIAN_KEEPS_THEM = "/usr/lib/postgresql"
_PORT = 5432


@dataclass(frozen=True)
class PostgresServer:
    """A server that listens at ``socket`` alone, for ``USER``, without password."""

    folder: Path

    @property
    def socket(self) -> Path:
        return self.folder / f".s.PGSQL.{_PORT}"

    def url(self, database: str = "postgres", user: str = USER) -> str:
        """What ``state.url`` says to get there."""
        return f"postgresql://{user}@localhost/{database}?unix_sock={self.socket}"

    def new_url(self) -> str:
        """The same for a database that is made now; output folders may well share one."""
        name = f"test_{secrets.token_hex(6)}"
        self.ask(f"CREATE DATABASE {name}")
        return self.url(name)

    def ask(self, sql: str, database: str = "postgres") -> str:
        """What ``psql`` prints for ``sql``: values alone, a row a line, with bars between."""
        command = [program("psql"), "-XAtq", "-h", self.folder, "-U", USER, "-d", database]
        ended = subprocess.run(
            [*command, "-v", "ON_ERROR_STOP=1", "-c", sql], capture_output=True, text=True
        )
        assert ended.returncode == 0, ended.stderr
        return ended.stdout


@contextmanager
def postgres_server() -> Iterator[PostgresServer]:
    """A server with an empty cluster, gone at the end.

    PostgreSQL refuses to run as root: then its programs run as Debian's ``postgres`` user.
    """
    folder = Path(tempfile.mkdtemp(prefix="prism-postgres-"))
    user = _unprivileged()
    if user is not None:
        os.chown(folder, user.pw_uid, user.pw_gid)
    try:
        data = folder / "data"
        initdb = [program("initdb"), "-D", data, "-U", USER, "-A", "trust", "-E", "UTF8"]
        _run([*initdb, "--locale=C.UTF-8", "--no-sync"], folder, user)
        hba = data / "pg_hba.conf"
        hba.write_text(f"local all {USER_WITH_PASSWORD} scram-sha-256\n{hba.read_text()}")
        with _running(folder, data, user):
            yield PostgresServer(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def program(name: str) -> str:
    """Where a program of PostgreSQL is; Debian keeps those of the server off the path."""
    places = sorted(Path(_WHERE_DEBIAN_KEEPS_THEM).glob("*/bin"))
    path = os.pathsep.join([os.environ.get("PATH", ""), *map(str, reversed(places))])
    found = shutil.which(name, path=path)
    assert found, f"{name} is missing: run scripts/ensure-programs postgresql, or apt-get install postgresql"
    return found


@contextmanager
def _running(folder: Path, data: Path, user: pwd.struct_passwd | None) -> Iterator[None]:
    options = {"listen_addresses": "", "unix_socket_directories": folder, "fsync": "off"}
    arguments = [part for name, value in options.items() for part in ("-c", f"{name}={value}")]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            [program("postgres"), "-D", data, "-p", str(_PORT), *arguments],
            stdout=log,
            stderr=log,
            stdin=subprocess.DEVNULL,
            cwd=folder,
            user=user.pw_uid if user else None,
            group=user.pw_gid if user else None,
        )
    try:
        until = time.monotonic() + 60
        while not (folder / f".s.PGSQL.{_PORT}").exists() or not _accepts(folder):
            assert process.poll() is None, (folder / "log").read_text("utf-8", "replace")
            assert time.monotonic() < until, "the server does not come up"
            time.sleep(0.05)
        yield
    finally:
        process.send_signal(signal.SIGQUIT)  # at once: nothing of it is wanted any more
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _accepts(folder: Path) -> bool:
    ready = [program("pg_isready"), "-q", "-h", folder, "-p", str(_PORT)]
    return subprocess.run(ready, check=False).returncode == 0


def _unprivileged() -> pwd.struct_passwd | None:
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise AssertionError("there is no user that PostgreSQL could run as")


def _run(command: list[object], folder: Path, user: pwd.struct_passwd | None) -> None:
    ended = subprocess.run(
        [str(part) for part in command],
        capture_output=True,
        text=True,
        cwd=folder,
        user=user.pw_uid if user else None,
        group=user.pw_gid if user else None,
    )
    assert ended.returncode == 0, ended.stderr
