"""What one run is told: where from, where to, and how. No text, no secret: it may be logged."""

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
from prism_core.settings.finite_epsilon import bounded_treatments
from prism_core.settings.sections import Settings
from prism_core.settings.treatment import Treatment
from prism_core.storage import Address, ObjectAddress, make_absolute


def new_run_id() -> str:
    """A fresh, random name for a run: 16 hex digits."""
    return secrets.token_hex(8)


Phase = Literal["read", "translate", "write"]
"""What all shards of a run do before any of them does the next."""


class Shard(BaseModel):
    """What one process of several does in a ``phase`` of a run, ``number`` of ``of``, from 0.

    Its documents and its sentences are those whose keyed ids fall in that part. ``holder`` is the
    random name under which the process holds the lease on it, empty before it does.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    phase: Phase
    number: int = Field(ge=0)
    of: int = Field(ge=1)
    holder: str = Field(default="", pattern=r"^[0-9a-f]*$")


class Job(BaseModel):
    """One run over one archive: JSON-serialisable, immutable, handed to every stage.

    ``input`` is a folder or one document, ``output`` the folder that receives the translations,
    the state store and the report; both absolute, and either may be in a bucket.
    ``temporary_state`` holds the state store of a rehearsal, which must leave nothing behind; None
    means the store of ``output``. ``shard`` is what this process does of the
    run; None is all of it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    input: Address
    output: Address
    settings: Settings = Field(default_factory=Settings)
    run_id: str = Field(default_factory=new_run_id, pattern=r"^[0-9A-Za-z_-]{4,64}$")
    temporary_state: Path | None = None
    shard: Shard | None = None

    def model_post_init(self, _context: object) -> None:
        """Make the folders absolute, so that a worker with another working folder agrees."""
        object.__setattr__(self, "input", make_absolute(self.input))
        object.__setattr__(self, "output", make_absolute(self.output))

    def under(self, treatment: Treatment) -> Job:
        """The same run, with the settings that hold for documents under ``treatment``."""
        if not treatment:
            return self
        return self.model_copy(update={"settings": self.settings.under(treatment)})

    def check_state_named(self) -> None:
        """Raise ``ConfigurationError`` unless the settings say where the state is of an output in a
        bucket, and of no other."""
        state, is_folder = self.settings.state, isinstance(self.output, Path)
        if not is_folder and state.url is None and state.folder is None:
            raise ConfigurationError(
                f"the state of {self.output} needs a place that stays: a database (state.url), or "
                "a folder of this machine (state.folder); see docs/object_storage.md"
            )
        if is_folder and state.folder is not None:
            raise ConfigurationError(
                f"state.folder is for an output in a bucket; that of {self.output} is in its .prism"
            )

    @property
    def source(self) -> str:
        """The language of the archive, ISO 639."""
        return self.settings.source

    @property
    def target(self) -> str:
        """The language to translate into, ISO 639."""
        return self.settings.target

    @property
    def bounded_treatments(self) -> tuple[Treatment, ...]:
        """The treatments of documents whose mechanism bounds ε, beside the source language."""
        return bounded_treatments(self.settings.mechanism, self.settings.policies)

    @property
    def state_folder(self) -> Path:
        """Where the state store and its lock live, on this machine.

        Of an output in a bucket that is the folder of the settings; where its state is in a
        database, it is a private folder for the lock alone.
        """
        if self.temporary_state is not None:
            return self.temporary_state
        if isinstance(self.output, Path):
            return self.output / ".prism"
        named = sha256(str(self.output).encode()).hexdigest()[:16]
        private = Path(tempfile.gettempdir(), f"prism-{os.getuid()}-{named}")
        return self.settings.state.folder or private

    @property
    def report_folder(self) -> Path | ObjectAddress:
        """Where the report goes."""
        return self.settings.report.path or self.output / "prism-report"

    @property
    def report_from_output(self) -> str:
        """The report's folder as seen from the output: both may be moved together."""
        report, output = self.report_folder, self.output
        if isinstance(report, Path) and isinstance(output, Path):
            return os.path.relpath(report, output)
        match report, output:
            case ObjectAddress(), ObjectAddress() if report.is_within(output):
                return posixpath.relpath(f"/{report.prefix}", f"/{output.prefix}")
        return str(report)
