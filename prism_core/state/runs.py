"""The runs over an archive: when each began, what it is at, how it ended."""

from __future__ import annotations

import time
from itertools import takewhile

from sqlalchemy import insert, select, update

from prism_core.state.database import Database
from prism_core.state.schema import runs


class Runs:
    """The table of runs."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def begin(self, run: str) -> None:
        """Record that ``run`` has begun now; a run that is known already goes on."""
        with self._database.writing() as connection:
            known = connection.execute(select(runs.c.id).where(runs.c.id == run)).first()
            if known is None:
                connection.execute(insert(runs).values(id=run, started=time.time()))

    def enter(self, run: str, stage: str) -> None:
        """Record the stage that ``run`` has come to."""
        with self._database.writing() as connection:
            connection.execute(
                update(runs).where(runs.c.id == run, runs.c.stage != stage).values(stage=stage)
            )

    def end(self, run: str, outcome: str) -> None:
        """Record how ``run`` ended: ``complete``, or the class of the error that stopped it."""
        with self._database.writing() as connection:
            connection.execute(
                update(runs).where(runs.c.id == run).values(finished=time.time(), outcome=outcome)
            )

    def going_on(self, run: str) -> list[str]:
        """``run``, and the runs before it that it goes on with, since they never ended.

        A run that was killed or interrupted has no end; one that a translator stopped has.
        """
        query = select(runs.c.id, runs.c.finished).order_by(runs.c.started.desc(), runs.c.id)
        with self._database.reading() as connection:
            rows = connection.execute(query).all()
        ids = [row.id for row in rows]
        before = rows[ids.index(run) + 1 :] if run in ids else []
        return [run, *(row.id for row in takewhile(lambda row: row.finished is None, before))]

    def started(self, run: str) -> float:
        """Seconds since the epoch at which ``run`` began; raises ``KeyError`` for an unknown."""
        with self._database.reading() as connection:
            row = connection.execute(select(runs.c.started).where(runs.c.id == run)).first()
        if row is None:
            raise KeyError(run)
        return float(row.started)
