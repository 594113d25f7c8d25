"""Settings that are refused beside a mechanism whose ε is finite.

Such an ε holds for all requests of a run only if nothing but the mechanism's draws decides what is
sent. Entry: ``check_bounded``; ``bounded_treatments`` lists the treatments concerned.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from prism_core.settings.document_settings import GateSettings
from prism_core.settings.treatment import (
    NO_POLICY,
    MechanismSettings,
    PolicySettings,
    Treatment,
)

_INCOMPATIBLE = (
    "{option} cannot be combined with {mechanism}: {what} would follow from its text, which no ε "
    "of a word covers; leave {option} out, or choose {default}"
)


def bounded_treatments(
    mechanism: MechanismSettings, policies: Iterable[PolicySettings]
) -> tuple[Treatment, ...]:
    """Return the treatments, without source language, whose mechanism bounds ε.

    ``mechanism`` is that of the settings.
    """
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
    options = (
        _text_dependent_options(gate, splits_clauses=splits_clauses, is_auto=is_auto)
        if bounded
        else ()
    )
    for option, what in options:
        raise ValueError(_refusal(option, bounded[0], what))


def _text_dependent_options(
    gate: GateSettings, *, splits_clauses: bool, is_auto: bool
) -> Iterator[tuple[str, str]]:
    """Yield each chosen option that lets text decide, and what it decides."""
    if gate.strengthen:
        yield "gate.strengthen", "how strongly a document is hidden"
    if gate.below != "send":
        yield f"gate.below = {gate.below}", "what is sent of a document, and to whom"
    if gate.otherwise != "send":
        yield f"gate.unknown = {gate.otherwise}", "whether a document is sent"
    if splits_clauses:
        yield "mixing.split_clauses", "where a sentence is cut"
    if is_auto:
        yield "source = auto", "what a line is translated from"


def _refusal(option: str, mechanism: str, what: str) -> str:
    return _INCOMPATIBLE.format(
        option=option, mechanism=mechanism, what=what, default=MechanismSettings.default
    )
