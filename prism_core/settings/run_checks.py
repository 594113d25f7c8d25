"""Checks of settings against each other: policies, shards, an open source language, a finite ε.

A finite ε holds for all requests of a run only if nothing but the mechanism's draws decides what is
sent: ``check_bounded`` refuses settings by which text would decide. ``bounded_treatments`` lists
the treatments concerned.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import attrgetter

from prism_core.settings.run_settings import GateSettings, ShardSettings, StateSettings
from prism_core.settings.section import Section
from prism_core.settings.translators import TranslatorSettings
from prism_core.settings.treatment import (
    NO_POLICY,
    IdentifierSettings,
    MechanismSettings,
    PolicySettings,
    Treatment,
)

_INCOMPATIBLE = (
    "{option} cannot be combined with {mechanism}: {what} would follow from its text, which no ε "
    "of a word covers; leave {option} out, or choose {default}"
)
_NO_IDENTIFIERS = (
    "{mechanism} looks for no identifiers, so that withhold would find none; leave it, or choose "
    + MechanismSettings.default
)
_NOT_WITH_AUTO = (
    *("language.model", "dictionary.path", "dictionary.glossary", "memory.files"),
    *("mixing.decoys_file", "documents.ocr"),
)
"""Settings that concern one source language."""


def check_shards(
    shards: ShardSettings, state: StateSettings, translators: Sequence[TranslatorSettings]
) -> None:
    """Refuse shards whose processes could not work together; raise ``ValueError``."""
    if shards.count == 1:
        return
    if state.url is None:
        raise ValueError(
            "shards.count is more than one, and the state is in a file: name a PostgreSQL "
            "database that all machines reach with state.url, or leave shards out"
        )
    if any(translator.answers_by_the_batch for translator in translators):
        raise ValueError(
            "shards.count is more than one, and a translator answers by the batch: the "
            "provider works on all of it at once; leave shards out"
        )


def check_auto(
    settings: Section,
    translators: Sequence[TranslatorSettings],
    *,
    identifies: bool,
    translates_here: bool,
) -> None:
    """Refuse ``settings`` of one source language if the source is left open.

    ``identifies`` and ``translates_here`` say what they decide. Raises ``ValueError``.
    """
    values = attrgetter(*_NOT_WITH_AUTO)(settings)
    about_one = [name for name, value in zip(_NOT_WITH_AUTO, values, strict=True) if value]
    if not identifies:
        about_one.append("language.identify = false")
    if translates_here:
        about_one.append('on_withheld = "local"')
    if any(translator.answers_by_the_batch for translator in translators):
        about_one.append("a translator that answers by the batch")
    if about_one:
        raise ValueError(
            f"source is auto, and {about_one[0]} is about one source language; leave it out, "
            "or name the source language"
        )


def check_policies(
    policies: Sequence[PolicySettings],
    translators: Sequence[TranslatorSettings],
    usual: MechanismSettings,
    identifiers: IdentifierSettings,
) -> None:
    """Refuse a policy that cannot be kept: users would believe it in force."""
    listed = {translator.name for translator in translators}
    names = [policy.name for policy in policies]
    if len(set(names)) < len(names):
        raise ValueError("policies has two entries of one name")
    for policy in policies:
        if unknown := sorted(set(policy.translators or ()) - listed):
            raise ValueError(
                f"policy {policy.name} names {unknown[0]}, which is not among the translators"
            )
        mechanism = policy.mechanism or usual
        if policy.max_epsilon is not None and not mechanism.has_budget():
            bounding = (name for name, kind in mechanism.kinds() if kind.has_budget())
            raise ValueError(
                f"policy {policy.name} bounds ε, and {mechanism.name} has no bound: give it "
                f"one of the mechanisms {', '.join(bounding)}"
            )
        withheld = (*identifiers.withhold, *policy.withhold)
        if withheld and not mechanism.looks_for_identifiers:
            raise ValueError(_NO_IDENTIFIERS.format(mechanism=mechanism.name))
    if identifiers.withhold and not usual.looks_for_identifiers:
        raise ValueError(_NO_IDENTIFIERS.format(mechanism=usual.name))


def bounded_treatments(
    mechanism: MechanismSettings, policies: Iterable[PolicySettings]
) -> tuple[Treatment, ...]:
    """Return the treatments, without source language, whose mechanism bounds ε."""
    found = [NO_POLICY] if mechanism.bounds_epsilon else []
    for policy in policies:
        if (policy.mechanism or mechanism).bounds_epsilon:
            found += policy.treatments(mechanism)
    return tuple(found)


def check_bounded(
    mechanism: MechanismSettings,
    policies: Sequence[PolicySettings],
    gate: GateSettings,
    *,
    splits_clauses: bool,
    is_auto: bool,
) -> None:
    """Raise ``ValueError`` if text would decide what is sent of a document under a finite ε.

    ``mechanism`` is that of the settings; ``is_auto`` is True if they leave the source language
    open.
    """
    for policy in policies:
        chosen = policy.mechanism or mechanism
        if policy.min_privacy_score is not None and chosen.bounds_epsilon:
            raise ValueError(
                f"policy {policy.name}: "
                + _refusal("min_privacy_score", chosen.name, "how strongly a document is hidden")
            )
    chosen_somewhere = (mechanism, *(policy.mechanism for policy in policies if policy.mechanism))
    bounded = [candidate.name for candidate in chosen_somewhere if candidate.bounds_epsilon]
    options = (  # that let text decide, and what it would decide
        (f"gate.below = {gate.below}", "what is sent of a document", gate.below != "send"),
        (f"gate.unknown = {gate.unknown}", "whether a document is sent", gate.otherwise != "send"),
        ("mixing.split_clauses", "where a sentence is cut", splits_clauses),
        ("source = auto", "what a line is translated from", is_auto),
    )
    for option, what, is_chosen in options if bounded else ():
        if is_chosen:
            raise ValueError(_refusal(option, bounded[0], what))


def _refusal(option: str, mechanism: str, what: str) -> str:
    return _INCOMPATIBLE.format(
        option=option, mechanism=mechanism, what=what, default=MechanismSettings.default
    )
