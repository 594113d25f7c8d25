"""What one run is told: where from, where to, and how. No text, no secret: it may be logged.

Entry: ``Job``; then ``Job.under`` -> ``apply_treatment``. ``treatments`` are those to choose from.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict, Field

from prism_core.errors import ConfigurationError
from prism_core.settings.mechanisms import MechanismSettings
from prism_core.settings.sections import PolicySettings, Settings


class Treatment(str):
    """A policy at one of its levels, written ``patients`` or ``patients+2``; empty: no policy.

    Level 0 is what the policy says, each further one is stronger; none is the settings themselves.
    """

    __slots__ = ()

    @property
    def policy(self) -> str:
        """The name of the policy."""
        return self.partition("+")[0]

    @property
    def level(self) -> int:
        """How many steps more strength than the policy asks for."""
        return int(self.partition("+")[2] or 0)


NO_POLICY: Final = Treatment()


def new_run_id() -> str:
    """A fresh, random name for a run: 16 hex digits."""
    return secrets.token_hex(8)


class Job(BaseModel):
    """One run over one archive: JSON-serialisable, immutable, handed to every stage.

    ``input`` is a folder or one document, ``output`` the folder that receives the translations,
    the state store and the report; both absolute. ``temporary_state`` holds the state store of a
    rehearsal, which must leave nothing behind; None means the store of ``output``.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    input: Path
    output: Path
    settings: Settings = Field(default_factory=Settings)
    run_id: str = Field(default_factory=new_run_id, pattern=r"^[0-9A-Za-z_-]{4,64}$")
    temporary_state: Path | None = None

    def model_post_init(self, _context: object) -> None:
        """Make the folders absolute, so that a worker with another working folder agrees."""
        object.__setattr__(self, "input", self.input.expanduser().absolute())
        object.__setattr__(self, "output", self.output.expanduser().absolute())

    def under(self, treatment: Treatment) -> Job:
        """The same run, with the settings that hold for documents under ``treatment``."""
        if not treatment:
            return self
        return self.model_copy(update={"settings": apply_treatment(self.settings, treatment)})

    @property
    def source(self) -> str:
        """The language of the archive, ISO 639."""
        return self.settings.source

    @property
    def target(self) -> str:
        """The language to translate into, ISO 639."""
        return self.settings.target

    @property
    def state_folder(self) -> Path:
        """Where the state store and its lock live."""
        return self.temporary_state or self.output / ".prism"

    @property
    def report_folder(self) -> Path:
        """Where the report goes."""
        return self.settings.report.path or self.output / "prism-report"


def treatments(policy: PolicySettings, settings: Settings) -> list[Treatment]:
    """The treatments of ``policy`` from the weakest on; one alone where nothing is demanded."""
    stronger = range(1, len(_levels(policy, settings)))
    return [Treatment(policy.name), *(Treatment(f"{policy.name}+{level}") for level in stronger)]


def apply_treatment(settings: Settings, treatment: Treatment) -> Settings:
    """``settings`` as they hold for a document under ``treatment``.

    Raises ``ConfigurationError`` for a treatment that they do not know (any more).
    """
    if not treatment:
        return settings
    policy = next((p for p in settings.policies if p.name == treatment.policy), None)
    mechanisms = _levels(policy, settings) if policy else ()
    if policy is None or treatment.level >= len(mechanisms):
        raise ConfigurationError(
            f"the policy {treatment.policy} was changed or taken out while documents under it "
            "wait; run with the settings they were read with, or change them so that they are read "
            "again"
        )
    asked = [
        translator
        for translator in settings.translators
        if translator.name in _may_see(policy, settings)
    ]
    withheld = (*settings.identifiers.withhold, *policy.withhold)
    changes: dict[str, object] = {
        "mechanism": mechanisms[treatment.level],
        "identifiers": settings.identifiers.model_copy(update={"withhold": withheld}),
    }
    if asked:
        changes |= {"translator": asked[0], "other_translators": tuple(asked[1:])}
    return settings.model_copy(update=changes)


def describe_policy(policy: PolicySettings, settings: Settings) -> str:
    """What ``policy`` asks for, on one line for the report; the folders are the user's own."""
    mechanism = policy.mechanism or settings.mechanism
    demands = {
        "mechanism": mechanism.name,
        **asdict(mechanism.figures()),
        "translators": None if policy.translators is None else _join_names(policy.translators),
        "withhold": _join_names(policy.withhold) if policy.withhold else None,
        "max_epsilon": policy.max_epsilon,
        "min_privacy_score": policy.min_privacy_score,
    }
    asked = (f"{name}={demand}" for name, demand in demands.items() if demand is not None)
    return f"{policy.name}: {' '.join(asked)}"


def _join_names(names: Iterable[str]) -> str:
    return ",".join(names) or "nobody"


def may_be_sent(settings: Settings, policy: PolicySettings) -> bool:
    """Whether any of the translators of ``settings`` may see documents under ``policy``."""
    return any(translator.name in _may_see(policy, settings) for translator in settings.translators)


def _may_see(policy: PolicySettings, settings: Settings) -> frozenset[str]:
    if policy.translators is None:
        return frozenset(translator.name for translator in settings.translators)
    return frozenset(policy.translators)


def _levels(policy: PolicySettings, settings: Settings) -> tuple[MechanismSettings, ...]:
    first = policy.mechanism or settings.mechanism
    demanding = policy.max_epsilon is not None or policy.min_privacy_score is not None
    return (first, *first.stronger()) if demanding else (first,)
