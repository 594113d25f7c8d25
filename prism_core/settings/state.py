"""Where a run keeps its state, with which key, and whether several processes share it."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, Self

from pydantic import Field, model_validator

from prism_core.settings.section import Section


class StateSettings(Section):
    """Where the state store is: ``OUT/.prism/state.db``, or the database of an SQLAlchemy ``url``.

    ``folder``: where it is on this machine when the output is in a bucket.
    """

    url: str | None = None
    folder: Path | None = None

    @model_validator(mode="after")
    def _one_place(self) -> Self:
        if self.url is not None and self.folder is not None:
            raise ValueError("url and folder are two places; the state has one")
        if self.folder is not None and "://" in str(self.folder):
            raise ValueError("folder is a folder of this machine")
        return self


class ShardSettings(Section):
    """Whether a run is done by several processes, on several machines; see docs/shards.md.

    ``count``: into how many shards an archive is cut, 1 is none. ``deployment``: the deployment of
    Prefect that runs one, as ``flow/deployment``; None is that of the run itself, or processes on
    this machine. ``engine``: a cluster that runs them instead, at ``address``. ``lease_seconds``
    after it was last heard of, a shard is begun again elsewhere, and it is begun ``attempts`` times
    at most in a phase.
    """

    count: int = Field(default=1, ge=1, le=256)
    deployment: str | None = Field(default=None, pattern=r"^[^/]+/[^/]+$")
    engine: Literal["dask", "ray"] | None = None
    address: str | None = Field(default=None, pattern=r"^([a-z]+://)?[^\s/]+:\d{1,5}$")
    lease_seconds: float = Field(default=60, ge=1, le=3600)
    attempts: int = Field(default=5, ge=1)

    @model_validator(mode="after")
    def _one_place(self) -> Self:
        if self.engine is not None and self.deployment is not None:
            raise ValueError("engine and deployment are two places for a shard; name one")
        return self


class KeySettings(Section):
    """Where the key of the state store comes from; the key itself is never a setting.

    ``file`` None is ``prism/key`` in the user's state folder.
    """

    source: Literal["file", "env", "keyring"] = "file"
    file: Path | None = None
