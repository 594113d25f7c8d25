"""Stores that compile no statement of SQL which another store of this process compiled."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from sqlalchemy import Connection, Dialect, Engine, MetaData
from sqlalchemy.util import LRUCache


def share_compiled_sql(create_engine: Callable[..., Engine]) -> Callable[..., Engine]:
    """Return ``create_engine``, but its engines keep what they compiled in one place.

    SQLAlchemy keeps it by engine and by dialect, which are as many as there are stores: to compile
    the same statements again was a seventh of a small run.
    """
    compiled: LRUCache[object, object] = LRUCache(5000)

    def create(*address: object, **options: object) -> Engine:
        engine = create_engine(*address, **options)
        engine._compiled_cache = compiled
        engine.dialect.__class__ = _alike(type(engine.dialect))
        return engine

    return create


def share_schema(metadata: MetaData) -> Callable[[Connection], None]:
    """Return ``metadata.create_all``, but files of SQLite get what it made in the first one."""
    create_all, known = metadata.create_all, list[str]()

    def create(connection: Connection) -> None:
        if connection.dialect.name != "sqlite":
            create_all(connection)
        elif known:
            for statement in known:
                connection.exec_driver_sql(statement)
        else:
            create_all(connection)
            stated = "SELECT tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid"
            made = connection.exec_driver_sql(stated).all()
            known.extend(sql for table, sql in made if table in metadata.tables)

    return create


@cache
def _alike(dialect: type[Dialect]) -> type[Dialect]:
    """Return a dialect of which one is as another, whichever engine it is of."""
    same = {
        "__eq__": lambda one, other: type(one) is type(other),
        "__hash__": lambda one: hash(type(one)),
        "supports_statement_cache": True,
    }
    return type(dialect.__name__, (dialect,), same)
