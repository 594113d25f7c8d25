"""Job of one run: input, output and settings. It holds no text and no secret, and may be logged."""

from __future__ import annotations

import os
import posixpath
import secrets
import tempfile
from hashlib import sha256
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from prism_core.errors import ConfigurationError
from prism_core.settings.run_checks import bounded_treatments
from prism_core.settings.sections import Settings
from prism_core.settings.treatment import Treatment
from prism_core.storage import Address, ObjectAddress, make_absolute


def new_run_id() -> str:
    """Return a fresh, random name for a run: 16 hex digits."""
    return secrets.token_hex(8)


Phase = Literal["read", "translate", "write"]
"""Phase of a run: all shards finish one before any of them begins the next."""


class Shard(BaseModel):
    """Part of one process in a ``phase`` of a run: number ``number`` of ``of``, from 0.

    Its documents and sentences are those whose keyed ids fall into that part. ``holder`` is the
    random name under which the process holds the lease, empty before it does.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    phase: Phase
    number: int = Field(ge=0)
    of: int = Field(ge=1)
    holder: str = Field(default="", pattern=r"^[0-9a-f]*$")


class Job(BaseModel):
    """A run over an archive: JSON-serialisable, immutable, passed to every stage.

    ``input`` is a folder or one document, ``output`` the folder for the translations, the state
    store and the report; both are absolute, and either may be in a bucket. ``temporary_state``
    holds the state store of a rehearsal, which must leave nothing behind; None means the store of
    ``output``. ``shard`` is the part of this process; None is the whole run. A file of a folder
    that has changed within ``still`` seconds is no document yet.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    input: Address
    output: Address
    settings: Settings = Field(default_factory=Settings)
    run_id: str = Field(default_factory=new_run_id, pattern=r"^[0-9A-Za-z_-]{4,64}$")
    temporary_state: Path | None = None
    shard: Shard | None = None
    still: float = 0.0

    def model_post_init(self, _context: object) -> None:
        """Make the folders absolute, so that a worker with another working folder agrees."""
        object.__setattr__(self, "input", make_absolute(self.input))
        object.__setattr__(self, "output", make_absolute(self.output))

    def under(self, treatment: Treatment) -> Job:
        """Return the job with the settings for documents under ``treatment``."""
        if not treatment:
            return self
        return self.model_copy(update={"settings": self.settings.under(treatment)})

    def check_state_named(self) -> None:
        """Raise ``ConfigurationError`` unless state settings fit the output.

        An output in a bucket needs a location for its state; any other output must not have one.
        """
        state, is_folder = self.settings.state, isinstance(self.output, Path)
        if not is_folder and state.url is None and state.folder is None:
            raise ConfigurationError(
                f"the state of {self.output} needs a permanent location: a database (state.url), "
                "or a folder of this machine (state.folder); see docs/object_storage.md"
            )
        if is_folder and state.folder is not None:
            raise ConfigurationError(
                f"state.folder is for an output in a bucket; that of {self.output} is in its .prism"
            )

    @property
    def source(self) -> str:
        """Source language, ISO 639."""
        return self.settings.source

    @property
    def target(self) -> str:
        """Target language, ISO 639."""
        return self.settings.target

    @property
    def bounded_treatments(self) -> tuple[Treatment, ...]:
        """Treatments, without source language, of documents whose mechanism bounds ε."""
        return bounded_treatments(self.settings.mechanism, self.settings.policies)

    @property
    def state_folder(self) -> Path:
        """Folder on this machine for the state store and its lock.

        For an output in a bucket it is the folder of the settings; if its state is in a database,
        it is a private folder for the lock alone.
        """
        if self.temporary_state is not None:
            return self.temporary_state
        if isinstance(self.output, Path):
            return self.output / ".prism"
        digest = sha256(str(self.output).encode()).hexdigest()[:16]
        private = Path(tempfile.gettempdir(), f"prism-{os.getuid()}-{digest}")
        return self.settings.state.folder or private

    @property
    def report_folder(self) -> Path | ObjectAddress:
        """Location of the report."""
        return self.settings.report.path or self.output / "prism-report"

    @property
    def report_from_output(self) -> str:
        """Path of the report relative to the output, so that both may be moved together."""
        report, output = self.report_folder, self.output
        if isinstance(report, Path) and isinstance(output, Path):
            return os.path.relpath(report, output)
        match report, output:
            case ObjectAddress(), ObjectAddress() if report.is_within(output):
                return posixpath.relpath(f"/{report.prefix}", f"/{output.prefix}")
        return str(report)
