"""Where the state of an output folder is, who works on it, and what is done with it as a whole.

entry: ``StatePlace.of(job)``; then ``hold`` it -> ``Store.open`` over it, or without any document:
``overview`` and ``keys`` look, ``admit`` and ``dismiss_others`` change its key, ``purge_old`` and
``purge_all`` destroy.

None of that but a change of keys needs the user's key.
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
from prism_core.state.claims import check_claim, claim, release
from prism_core.state.data_keys import (
    KeyOverview,
    admit_key,
    drop_other_keys,
    keys_of,
    unlock_store,
)
from prism_core.state.database import DATABASE_NAME, Database, open_database
from prism_core.state.lock import hold_folder, hold_schema, share_folder
from prism_core.state.overview import Overview, Progress, read_overview, read_progress
from prism_core.state.postgres import SCHEMA_FILE, schema_of
from prism_core.state.purging import OldMaterial, RunKey, delete_old, old_material, run_keys
from prism_core.state.schema import EMPTY, check_version, data_keys, meta, metadata
from prism_core.storage import ObjectAddress, has_marker, remove_marker

_BATCH = 500
_DAY = 86_400.0
_BYTES_OF_SCHEMA = (
    "SELECT COALESCE(SUM(pg_total_relation_size(oid)), 0) FROM pg_class "
    "WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'"
)


@dataclass(frozen=True, slots=True)
class StatePlace:
    """The state of one output: a file in the state ``folder``, or a schema at ``url``.

    ``bucket`` is an output that is in one: whose state it is stands there, in ``.prism``.
    """

    folder: Path
    url: str | None = None
    bucket: ObjectAddress | None = None

    @classmethod
    def of(cls, job: Job) -> StatePlace:
        """Where the settings of ``job`` say that it is."""
        bucket = job.output if isinstance(job.output, ObjectAddress) else None
        if job.temporary_state is not None:
            bucket = None
        return cls(job.state_folder, job.settings.state.url, bucket)

    @property
    def exists(self) -> bool:
        """Whether there is a store here."""
        if self.url is None:
            return (self.folder / DATABASE_NAME).exists()
        return has_marker(self.marks, SCHEMA_FILE)

    @property
    def marks(self) -> Path | ObjectAddress:
        """Where it stands whose state this is."""
        return self.folder if self.bucket is None else self.bucket / ".prism"

    @property
    def output(self) -> Path | ObjectAddress:
        """The output that it is of."""
        return self.folder.parent if self.bucket is None else self.bucket

    @property
    def is_empty(self) -> bool:
        """Whether nothing is stored yet; of a database, the schema comes before its tables."""
        if not self.exists or self._is_blank:
            return True
        with closing(self.open(read_only=True)) as database, database.reading() as connection:
            return not inspect(connection).has_table(meta.name)

    @property
    def _is_blank(self) -> bool:
        """Whether the file was made, and nothing written to it: such a one cannot be read."""
        file = self.folder / DATABASE_NAME
        written = (file, file.with_name(f"{DATABASE_NAME}-wal"))
        return self.url is None and not any(f.exists() and f.stat().st_size for f in written)

    def check_exists(self) -> None:
        """Raise ``ConfigurationError`` unless there is a store where the settings say it is."""
        self.check_not_elsewhere()
        if not self.exists:
            raise ConfigurationError(
                f"{self.output} holds no state: nothing was translated into it, or it was purged"
            )

    def check_not_elsewhere(self) -> None:
        """Raise ``ConfigurationError`` when there is no store where the settings say, but
        elsewhere: a new one would send every sentence again, in a fresh encoding that can be
        compared."""
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
        """Let nobody else run over this state meanwhile; raises ``StoreInUse`` at once when another
        run has it, on this machine or, in a database, on any. It ends with the process."""
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
        """Be a worker of the run that holds it; the next run begins when no worker is left."""
        return share_folder(self.folder)

    def open(self, *, read_only: bool = False) -> Database:
        """See ``open_database``; to be read, a file must hold something."""
        if read_only and self.exists and self._is_blank:
            raise StateError(EMPTY)
        return open_database(self.folder, self.url, read_only=read_only, marks=self.marks)

    @contextmanager
    def view(self) -> Iterator[Connection]:
        """A view of the store, opened for the block. Raises ``StateError``, also for one of another
        version."""
        with closing(self.open(read_only=True)) as database, database.reading() as connection:
            check_version(connection)
            yield connection

    def overview(self) -> Overview:
        """What the store holds. Raises ``StateError``, ``ConfigurationError`` without a store."""
        self.check_exists()
        with self.view() as connection:
            if self.url is None:
                place = str(self.folder / DATABASE_NAME)
                size = sum(path.stat().st_size for path in self.folder.glob(f"{DATABASE_NAME}*"))
            else:
                place = f"schema {schema_of(self.marks)}"
                size = int(connection.exec_driver_sql(_BYTES_OF_SCHEMA).scalar_one())
            return read_overview(connection, place, size)

    def progress(self, run: str) -> Progress:
        """The progress of ``run``, which may be going on in another thread or process.

        Opens a connection of its own that cannot write, and closes it: cheap enough for twice a
        second. Before the run has made its store, or when the store is busy, everything is zero.
        """
        if self.url is None and not self.exists:
            return Progress()
        try:
            with self.view() as connection:
                return read_progress(connection, run)
        except StateError:  # it is being made, or its first transaction is not over
            return Progress()

    def user_keys(self) -> list[KeyOverview]:
        """Which keys of the user's open the store: one, or two during a rotation."""
        with self.view() as connection:
            return keys_of(connection)

    def run_keys(self) -> list[RunKey]:
        """The data keys of runs, oldest first. Raises ``StateError``."""
        with self.view() as connection:
            return run_keys(connection)

    def admit(self, key: bytes, new: bytes) -> None:
        """Let ``new`` open the store as ``key`` does; call it while it is held.

        Nothing happens when ``new`` opens it already. Raises ``WrongKey`` or another
        ``StateError``.
        """
        with closing(self.open()) as database, database.writing() as connection:
            admit_key(connection, key, new)

    def dismiss_others(self, key: bytes) -> None:
        """Let no key but ``key`` open the store, and leave no byte of what opened with others.

        Call it while it is held. Raises ``WrongKey`` or another ``StateError``.
        """
        with closing(self.open()) as database:
            with database.writing() as connection:
                unlock_store(connection, key)
                drop_other_keys(connection, key)
            database.rewrite(data_keys)

    def copy_to(self, into: Path) -> None:
        """Make ``into/state.db`` what the store is at one moment, also while a run writes to it."""
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
        """What ``purge_old`` would destroy; nothing is changed."""
        with self.view() as connection:
            return old_material(connection, time.time() - days * _DAY)

    def purge_old(self, days: float) -> OldMaterial:
        """Destroy what documents that were finished more than ``days`` ago left in the store.

        Of each document its keyed hashes and sealed paths stay, by which it is skipped while it is
        unchanged: to forget them would send everything again. Documents that wait, or are to be
        tried again, keep everything. Call it while it is held.
        """
        with closing(self.open()) as database:
            with database.writing() as connection:
                check_version(connection)
                found = delete_old(connection, time.time() - days * _DAY)
            database.rewrite()
            return found

    def purge_all(self) -> None:
        """Destroy the whole store, the salt of its keys included; works without its key, and on a
        store that is damaged. Call it while it is held."""
        if self.url is None:
            for path in sorted(self.folder.glob(f"{DATABASE_NAME}*")):
                overwrite_and_remove(path)
            if self.bucket is not None:
                release(self.bucket, self.folder)
            return
        with closing(self.open()) as database, database.writing() as connection:
            connection.exec_driver_sql(f"DROP SCHEMA {database.schema} CASCADE")
        remove_marker(self.marks, SCHEMA_FILE)
