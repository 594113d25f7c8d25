"""Leases: the holder of each shard of a run, the end of its lease, and the result.

A shard is a share of keyed ids, so its rows need not be listed, and equal sentences of two
documents are of one shard. Its holder may write its rows; everybody else is refused by the
database, in each transaction (``postgres._begin``). A holder that does not renew its lease loses
it. Time is that of the database, so the clocks of machines do not matter.

Entry: ``Leases.divide`` in the run itself, ``claim`` -> ``renew`` -> ``end`` where a shard is done;
``read`` and ``release`` supervise the shards.
"""

from __future__ import annotations

import json
import pickle
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from sqlalchemy import (
    ColumnElement,
    Float,
    and_,
    cast,
    delete,
    extract,
    func,
    insert,
    or_,
    select,
    update,
)

from prism_core.cipher import Cipher
from prism_core.errors import LeaseLost, PrismError
from prism_core.settings import Phase, Shard
from prism_core.state.database import Database
from prism_core.state.postgres import LOST
from prism_core.state.schema import leases

COMPLETE = "complete"
_ROW = leases.c
_NOW = cast(extract("epoch", func.clock_timestamp()), Float)
_AT_WORK = _ROW.outcome == ""


class ShardLease(NamedTuple):
    """Shard as stored: ``is_overdue``, or ended with ``outcome``."""

    is_overdue: bool
    outcome: str


@dataclass(frozen=True, slots=True)
class Account:
    """Result of a shard that ended: the seconds of each stage, and the error if any."""

    seconds: Mapping[str, float] = field(default_factory=dict)
    error: PrismError | None = None


@dataclass(frozen=True, slots=True)
class Leases:
    """Table of leases, in PostgreSQL."""

    _database: Database
    _cipher: Cipher

    def divide(self, run: str, phase: Phase, count: int) -> None:
        """Begin ``phase`` with ``count`` shards that nobody holds.

        The holder of a shard of an earlier phase, or of a run that was killed, can write no more
        when this returns.
        """
        rows = [{"number": number, "run": run, "phase": phase} for number in range(count)]
        with self._database.writing() as connection:
            connection.execute(delete(leases))
            connection.execute(insert(leases), rows)

    def clear(self, run: str) -> None:
        """Delete the shards of ``run``, if they are still current: nobody holds anything."""
        self._database.execute(delete(leases).where(_ROW.run == run))

    def claim(self, run: str, shard: Shard, seconds: float) -> Shard:
        """Claim ``shard`` of ``run``, to be renewed within ``seconds``; return it with its holder.

        Raises ``LeaseLost`` when the run is not in that phase, or somebody else is at work on it.
        """
        holder = secrets.token_hex(16)
        free = or_(_ROW.holder == "", _ROW.until < _NOW)
        this_shard = and_(_ROW.number == shard.number, _ROW.run == run, _ROW.phase == shard.phase)
        change = update(leases).where(this_shard, _AT_WORK, free)
        with self._database.writing("lease") as connection:
            changed = connection.execute(change.values(holder=holder, until=_NOW + seconds))
            if not changed.rowcount:
                raise LeaseLost(LOST)
        return shard.model_copy(update={"holder": holder})

    def renew(self, shard: Shard, seconds: float) -> bool:
        """Hold ``shard`` for ``seconds`` from now; return False when it is lost."""
        with self._database.writing("lease") as connection:
            change = update(leases).where(_held_by(shard), _AT_WORK).values(until=_NOW + seconds)
            return bool(connection.execute(change).rowcount)

    def end(self, shard: Shard, account: Account) -> None:
        """Record the result of ``shard``. Raises ``LeaseLost`` when another holder has it."""
        outcome = type(account.error).__name__ if account.error else COMPLETE
        values = {"outcome": outcome[:40], "account": self._seal(shard.number, account)}
        with self._database.writing("lease") as connection:
            changed = connection.execute(
                update(leases).where(_held_by(shard), _AT_WORK).values(values)
            )
            if not changed.rowcount:
                raise LeaseLost(LOST)

    def release(self, run: str, number: int) -> None:
        """Take an unfinished shard of ``run`` from its holder, which can write no more."""
        change = update(leases).where(_ROW.run == run, _ROW.number == number, _AT_WORK)
        self._database.execute(change.values(holder="", until=0.0), "lease")

    def give_up(self, run: str, number: int, error: PrismError) -> None:
        """Give up an unfinished shard of ``run`` because of ``error``."""
        account = self._seal(number, Account(error=error))
        values = {"holder": "", "outcome": type(error).__name__[:40], "account": account}
        change = update(leases).where(_ROW.run == run, _ROW.number == number, _AT_WORK)
        self._database.execute(change.values(values), "lease")

    def read(self, run: str) -> list[ShardLease]:
        """Return all shards of the present phase of ``run``, in the order of their numbers.

        Raises ``LeaseLost`` where it has none: another run over this output folder has begun.
        """
        late = and_(_ROW.holder != "", _ROW.until < _NOW)
        query = select(late, _ROW.outcome).where(_ROW.run == run).order_by(_ROW.number)
        rows = self._database.rows(query)
        if not rows:
            raise LeaseLost(LOST)
        return [ShardLease(bool(is_late), outcome) for is_late, outcome in rows]

    def accounts(self, run: str) -> list[Account]:
        """Return the results of the shards of ``run`` that ended, in the order of their numbers."""
        query = select(_ROW.number, _ROW.account).where(_ROW.run == run, _ROW.account.is_not(None))
        rows = self._database.rows(query.order_by(_ROW.number))
        found = []
        for row in rows:
            opened = self._cipher.open(_associated_data(row.number), row.account)
            seconds, error = json.loads(opened)
            # It was sealed with the key of this store: nobody else can have written it.
            raised = pickle.loads(bytes.fromhex(error)) if error else None  # noqa: S301
            found.append(Account(seconds, raised))
        return found

    def _seal(self, number: int, account: Account) -> bytes:
        error = pickle.dumps(account.error).hex() if account.error else ""
        plain = json.dumps([dict(account.seconds), error]).encode()
        return self._cipher.seal(_associated_data(number), plain)


def _held_by(shard: Shard) -> ColumnElement[bool]:
    return and_(_ROW.number == shard.number, _ROW.holder == shard.holder)


def _associated_data(number: int) -> str:
    return f"leases.account:{number}"
