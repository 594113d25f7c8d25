"""What a policy makes of the settings, and how a document is treated with more strength.

A *treatment* is a policy at one of its levels, written ``patients`` or ``patients+2``; the empty
one is the settings themselves. Level 0 is what the policy says.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict

from prism_core.errors import ConfigurationError
from prism_core.settings.mechanisms import MechanismSettings
from prism_core.settings.sections import PolicySettings, Settings


def treatments(policy: PolicySettings, settings: Settings) -> list[str]:
    """The treatments of ``policy`` from the weakest on; one alone where nothing is demanded."""
    levels = range(len(_levels(policy, settings)))
    return [policy.name if not level else f"{policy.name}+{level}" for level in levels]


def apply_treatment(settings: Settings, treatment: str) -> Settings:
    """``settings`` as they hold for a document under ``treatment``.

    Raises ``ConfigurationError`` for a treatment that they do not know (any more).
    """
    if not treatment:
        return settings
    name, _, level = treatment.partition("+")
    policy = next((policy for policy in settings.policies if policy.name == name), None)
    mechanisms = _levels(policy, settings) if policy else ()
    if policy is None or int(level or 0) >= len(mechanisms):
        raise ConfigurationError(
            f"the policy {name} was changed or taken out while documents under it wait; run with "
            "the settings they were read with, or change them so that they are read again"
        )
    asked = [
        translator
        for translator in settings.translators
        if translator.name in _may_see(policy, settings)
    ]
    withheld = (*settings.identifiers.withhold, *policy.withhold)
    changes: dict[str, object] = {
        "mechanism": mechanisms[int(level or 0)],
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
