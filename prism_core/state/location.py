"""Location of the state of an output folder, its lock, and operations on it as a whole.

Entry: ``StatePlace.of(job)``; then ``hold`` it -> ``Store.open`` over it, or without any document:
``overview`` and ``keys`` read, ``admit`` and ``dismiss_others`` change its key, ``purge_old`` and
``purge_all`` destroy.

Only a change of keys needs the user's key.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, insert, inspect, select

from prism_core.errors import ConfigurationError, StateError
from prism_core.files import make_private, overwrite_and_remove
from prism_core.settings import Job
from prism_core.state.data_keys import (
    KeyOverview,
    admit_key,
    drop_other_keys,
    list_user_keys,
    unlock_store,
)
from prism_core.state.database import DATABASE_NAME, Database, open_database
from prism_core.state.lock import (
    check_claim,
    claim,
    hold_folder,
    hold_schema,
    release,
    share_folder,
)
from prism_core.state.postgres import SCHEMA_FILE, read_schema_name
from prism_core.state.purging import OldMaterial, delete_old, old_material
from prism_core.state.schema import EMPTY, check_version, data_keys, meta, metadata
from prism_core.state.store_overview import Overview, Progress, read_overview, read_progress
from prism_core.storage import ObjectAddress, has_marker, remove_marker

_BATCH = 500
_DAY = 86_400.0
_BYTES_OF_SCHEMA = (
    "SELECT COALESCE(SUM(pg_total_relation_size(oid)), 0) FROM pg_class "
    "WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'"
)


@dataclass(frozen=True, slots=True)
class StatePlace:
    """Location of the state of one output: a file in the state ``folder``, or a schema at ``url``.

    ``bucket`` is an output that is in a bucket: a marker in its ``.prism`` names the state.
    """

    folder: Path
    url: str | None = None
    bucket: ObjectAddress | None = None

    @classmethod
    def of(cls, job: Job) -> StatePlace:
        """Return the location that the settings of ``job`` name."""
        bucket = job.output if isinstance(job.output, ObjectAddress) else None
        if job.temporary_state is not None:
            bucket = None
        return cls(job.state_folder, job.settings.state.url, bucket)

    @property
    def exists(self) -> bool:
        """True if there is a store here."""
        if self.url is None:
            return (self.folder / DATABASE_NAME).exists()
        return has_marker(self.marks, SCHEMA_FILE)

    @property
    def marks(self) -> Path | ObjectAddress:
        """Location of the markers that name the state of the output."""
        return self.folder if self.bucket is None else self.bucket / ".prism"

    @property
    def output(self) -> Path | ObjectAddress:
        """Output that the state belongs to."""
        return self.folder.parent if self.bucket is None else self.bucket

    @property
    def is_empty(self) -> bool:
        """True if nothing is stored yet; a database has its schema before its tables."""
        if not self.exists or self._is_blank:
            return True
        with closing(self.open(read_only=True)) as database, database.reading() as connection:
            return not inspect(connection).has_table(meta.name)

    @property
    def _is_blank(self) -> bool:
        """True if the file was made but never written: such a file cannot be read."""
        file = self.folder / DATABASE_NAME
        written = (file, file.with_name(f"{DATABASE_NAME}-wal"))
        return self.url is None and not any(f.exists() and f.stat().st_size for f in written)

    def check_exists(self) -> None:
        """Raise ``ConfigurationError`` unless there is a store where the settings name one."""
        self.check_not_elsewhere()
        if not self.exists:
            raise ConfigurationError(
                f"{self.output} holds no state: nothing was translated into it, or it was purged"
            )

    def check_not_elsewhere(self) -> None:
        """Raise ``ConfigurationError`` when the store is not where the settings say.

        A new store would send every sentence again, in a fresh encoding that can be compared.
        """
        if self.bucket is not None:
            check_claim(self.bucket, self.folder, self.url)
            return
        if self.exists:
            return
        if self.url is None and (self.folder / SCHEMA_FILE).exists():
            raise ConfigurationError(
                f"the state of {self.output} is in a PostgreSQL database; give the settings "
                "that name it: --settings prism.toml, or PRISM_STATE__URL"
            )
        if self.url is not None and (self.folder / DATABASE_NAME).exists():
            raise ConfigurationError(
                f"the state of {self.output} is in {self.folder / DATABASE_NAME}, and "
                "state.url names a database: leave state.url out, or choose another output folder"
            )

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Let nobody else run over this state meanwhile; the lock ends with the process.

        Raises ``StoreInUse`` at once when another run has it, on this machine or, in a database, on
        any.
        """
        if self.bucket is not None:
            make_private(self.folder)
        with hold_folder(self.folder):
            if self.bucket is not None:
                claim(self.bucket, self.folder, self.url)
            if self.url is None:
                yield
            else:
                with closing(self.open()) as database, hold_schema(database):
                    yield

    def share(self) -> AbstractContextManager[None]:
        """Join the run that holds it as a worker; the next run begins when no worker is left."""
        return share_folder(self.folder)

    def open(self, *, read_only: bool = False) -> Database:
        """Open the database; see ``open_database``. A file opened to read must not be blank."""
        if read_only and self.exists and self._is_blank:
            raise StateError(EMPTY)
        return open_database(self.folder, self.url, read_only=read_only, marks=self.marks)

    @contextmanager
    def view(self) -> Iterator[Connection]:
        """Open a view of the store for the block.

        Raises ``StateError``, also for a store of another version.
        """
        with closing(self.open(read_only=True)) as database, database.reading() as connection:
            check_version(connection)
            yield connection

    def overview(self) -> Overview:
        """Read the overview. Raises ``StateError``, and ``ConfigurationError`` without a store."""
        self.check_exists()
        with self.view() as connection:
            if self.url is None:
                place = str(self.folder / DATABASE_NAME)
                size = sum(path.stat().st_size for path in self.folder.glob(f"{DATABASE_NAME}*"))
            else:
                place = f"schema {read_schema_name(self.marks)}"
                size = int(connection.exec_driver_sql(_BYTES_OF_SCHEMA).scalar_one())
            return read_overview(connection, place, size)

    def progress(self, run: str) -> Progress:
        """Read the progress of ``run``, which may be active in another thread or process.

        Opens a connection of its own that cannot write, and closes it: cheap enough for twice a
        second. Before the run has made its store, or when the store is busy, everything is zero.
        """
        if self.url is None and not self.exists:
            return Progress()
        try:
            with self.view() as connection:
                return read_progress(connection, run)
        except StateError:  # the store is being made, or its first transaction is not over
            return Progress()

    def user_keys(self) -> list[KeyOverview]:
        """List the user's keys that open the store: one, or two during a rotation."""
        with self.view() as connection:
            return list_user_keys(connection)

    def admit(self, key: bytes, new: bytes) -> None:
        """Let ``new`` open the store as ``key`` does; call it while it is held.

        Nothing happens when ``new`` opens it already. Raises ``WrongKey`` or another
        ``StateError``.
        """
        with closing(self.open()) as database, database.writing() as connection:
            admit_key(connection, key, new)

    def dismiss_others(self, key: bytes) -> None:
        """Let no key but ``key`` open the store, and destroy what opened it with others.

        Call it while it is held. Raises ``WrongKey`` or another ``StateError``.
        """
        with closing(self.open()) as database:
            with database.writing() as connection:
                unlock_store(connection, key)
                drop_other_keys(connection, key)
            database.rewrite(data_keys)

    def copy_to(self, into: Path) -> None:
        """Copy the store at one moment to ``into/state.db``, even while a run writes to it."""
        if self.url is None:
            with (
                suppress(sqlite3.Error),
                closing(sqlite3.connect(self.folder / DATABASE_NAME)) as stored,
                closing(sqlite3.connect(into / DATABASE_NAME)) as copy,
            ):
                stored.backup(copy)
            return
        with (
            closing(self.open(read_only=True)) as source,
            closing(open_database(into, None)) as target,
            source.reading() as read,
            target.writing() as written,
        ):
            known = inspect(read).get_table_names()
            metadata.create_all(written)
            for table in (table for table in metadata.sorted_tables if table.name in known):
                rows = read.execute(select(table)).mappings()
                while batch := rows.fetchmany(_BATCH):
                    written.execute(insert(table), [dict(row) for row in batch])

    def old_material(self, days: float) -> OldMaterial:
        """Return what ``purge_old`` would destroy; nothing is changed."""
        with self.view() as connection:
            return old_material(connection, time.time() - days * _DAY)

    def purge_old(self, days: float) -> OldMaterial:
        """Destroy the data of documents that were finished more than ``days`` ago.

        The keyed hashes and sealed paths of each document stay, by which it is skipped while it is
        unchanged: without them everything would be sent again. Documents that wait, or are to be
        tried again, keep everything. Call it while it is held.
        """
        with closing(self.open()) as database:
            with database.writing() as connection:
                check_version(connection)
                found = delete_old(connection, time.time() - days * _DAY)
            database.rewrite()
            return found

    def purge_all(self) -> None:
        """Destroy the whole store, the salt of its keys included. Call it while it is held.

        It works without the store's key, and on a store that is damaged.
        """
        if self.url is None:
            for path in sorted(self.folder.glob(f"{DATABASE_NAME}*")):
                overwrite_and_remove(path)
            if self.bucket is not None:
                release(self.bucket, self.folder)
            return
        with closing(self.open()) as database, database.writing() as connection:
            connection.exec_driver_sql(f"DROP SCHEMA {database.schema} CASCADE")
        remove_marker(self.marks, SCHEMA_FILE)
