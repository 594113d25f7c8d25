"""Settings of the state store, its key, and of runs shared by several processes."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, Self

from pydantic import Field, model_validator

from prism_core.settings.section import Section


class StateSettings(Section):
    """Location of the state store: ``OUT/.prism/state.db``, or a database by SQLAlchemy ``url``.

    ``folder`` is its location on this machine when the output is in a bucket.
    """

    url: str | None = None
    folder: Path | None = None

    @model_validator(mode="after")
    def _check_one_location(self) -> Self:
        if self.url is not None and self.folder is not None:
            raise ValueError("url and folder are two places; the state has one")
        if self.folder is not None and "://" in str(self.folder):
            raise ValueError("folder is a folder of this machine")
        return self


class ShardSettings(Section):
    """Division of a run among several processes or machines; see docs/shards.md.

    ``count`` is the number of shards, 1 is no division. ``deployment`` is the Prefect deployment
    that runs a shard, as ``flow/deployment``; None is that of the run itself, or processes on this
    machine. ``engine`` is a cluster that runs them instead, at ``address``. A shard that gives no
    sign of life for ``lease_seconds`` is started again elsewhere, at most ``attempts`` times in a
    phase.
    """

    count: int = Field(default=1, ge=1, le=256)
    deployment: str | None = Field(default=None, pattern=r"^[^/]+/[^/]+$")
    engine: Literal["dask", "ray"] | None = None
    address: str | None = Field(default=None, pattern=r"^([a-z]+://)?[^\s/]+:\d{1,5}$")
    lease_seconds: float = Field(default=60, ge=1, le=3600)
    attempts: int = Field(default=5, ge=1)

    @model_validator(mode="after")
    def _check_one_location(self) -> Self:
        if self.engine is not None and self.deployment is not None:
            raise ValueError("engine and deployment are two places for a shard; name one")
        return self


class KeySettings(Section):
    """Source of the state store's key; the key itself is never a setting.

    ``file`` None is ``prism/key`` in the user's state folder.
    """

    source: Literal["file", "env", "keyring"] = "file"
    file: Path | None = None
