"""A PostgreSQL server of the tests' own, in a temporary folder, behind a socket there."""

from __future__ import annotations

import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.x509.oid import NameOID

from tests.hosts import Host

USER = "prism"
USER_WITH_PASSWORD = "checked"
"""Whoever has this name is asked for a password; nobody else is."""
_WHERE_DEBIAN_KEEPS_THEM = "/usr/lib/postgresql"


@dataclass(frozen=True)
class PostgresServer:
    """A server that listens at ``socket`` and, with TLS too, at a port of its host.

    Its certificate is signed by nobody but itself. ``USER`` needs no password.
    """

    folder: Path
    port: int
    address: str = "localhost"

    @property
    def socket(self) -> Path:
        return self.folder / f".s.PGSQL.{self.port}"

    def url(self, database: str = "postgres", user: str = USER) -> str:
        """What ``state.url`` says to get there."""
        return f"postgresql://{user}@localhost/{database}?unix_sock={self.socket}"

    def network_url(self, sslmode: str) -> str:
        """The same through the network."""
        return f"postgresql://{USER}@{self.address}:{self.port}/postgres?sslmode={sslmode}"

    def new_url(self) -> str:
        """The same for a database that is made now; output folders may well share one."""
        return self.url(self._new_database())

    def new_network_url(self, port: int) -> str:
        """The same through ``port`` of this machine, which leads to the server's."""
        return f"postgresql://{USER}@127.0.0.1:{port}/{self._new_database()}?sslmode=disable"

    def _new_database(self) -> str:
        name = f"test_{secrets.token_hex(6)}"
        self.ask(f"CREATE DATABASE {name}")
        return name

    def ask(self, sql: str, database: str = "postgres") -> str:
        """What ``psql`` prints for ``sql``: values alone, a row a line, with bars between."""
        where = ["-h", self.folder, "-p", str(self.port), "-U", USER, "-d", database]
        command = [program("psql"), "-XAtq", *where]
        ended = subprocess.run(
            [*command, "-v", "ON_ERROR_STOP=1", "-c", sql], capture_output=True, text=True
        )
        assert ended.returncode == 0, ended.stderr
        return ended.stdout


@contextmanager
def postgres_server(host: Host | None = None) -> Iterator[PostgresServer]:
    """A server with an empty cluster, gone at the end; on ``host``, where one is given.

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
        others = f"host all all {host.address}/24 trust\n" if host else ""
        hba.write_text(f"local all {USER_WITH_PASSWORD} scram-sha-256\n{hba.read_text()}{others}")
        _write_certificate(data, user)
        server = PostgresServer(folder, _free_port(), host.address if host else "localhost")
        with _running(server, data, user, host):
            yield server
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def program(name: str) -> str:
    """Where a program of PostgreSQL is; Debian keeps those of the server off the path."""
    places = sorted(Path(_WHERE_DEBIAN_KEEPS_THEM).glob("*/bin"))
    path = os.pathsep.join([os.environ.get("PATH", ""), *map(str, reversed(places))])
    found = shutil.which(name, path=path)
    assert found, f"{name} is missing: run scripts/ensure-programs postgresql"
    return found


@contextmanager
def _running(
    server: PostgresServer, data: Path, user: pwd.struct_passwd | None, host: Host | None
) -> Iterator[None]:
    folder, port = server.folder, server.port
    options = {
        "listen_addresses": server.address,
        "unix_socket_directories": folder,
        "ssl": "on",
        "fsync": "off",
    }
    arguments = [part for name, value in options.items() for part in ("-c", f"{name}={value}")]
    with (folder / "log").open("wb") as log, host.inside() if host else nullcontext():
        process = subprocess.Popen(
            [program("postgres"), "-D", data, "-p", str(port), *arguments],
            stdout=log,
            stderr=log,
            stdin=subprocess.DEVNULL,
            cwd=folder,
            user=user.pw_uid if user else None,
            group=user.pw_gid if user else None,
        )
    try:
        until = time.monotonic() + 60
        while not _accepts(folder, port):
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


def _accepts(folder: Path, port: int) -> bool:
    ready = [program("pg_isready"), "-q", "-h", folder, "-p", str(port)]
    return subprocess.run(ready, check=False).returncode == 0


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def _write_certificate(data: Path, user: pwd.struct_passwd | None) -> None:
    """``server.crt`` and ``server.key``, where the server looks for them."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .sign(key, SHA256())
    )
    pem, plain = serialization.Encoding.PEM, serialization.NoEncryption()
    (data / "server.crt").write_bytes(certificate.public_bytes(pem))
    private = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, plain)
    (data / "server.key").write_bytes(private)
    (data / "server.key").chmod(0o600)
    if user is not None:
        os.chown(data / "server.key", user.pw_uid, user.pw_gid)


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
