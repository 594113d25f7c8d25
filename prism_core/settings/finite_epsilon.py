"""What settings may not ask for beside a mechanism whose ε is finite.

Such an ε holds for all requests of a run only if nothing but the mechanism's draws decides what is
sent. Entry: ``check_bounded``; ``bounded_treatments`` names the documents that it is about.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from prism_core.settings.documents import GateSettings
from prism_core.settings.treatment import (
    NO_POLICY,
    MechanismSettings,
    PolicySettings,
    Treatment,
)

_NOT_TOGETHER = (
    "{option} and {mechanism} are not for each other: {what} would follow from its text, which no "
    "ε of a word covers; leave {option} out, or choose {default}"
)


def bounded_treatments(
    mechanism: MechanismSettings, policies: Iterable[PolicySettings]
) -> tuple[Treatment, ...]:
    """Return the treatments, beside the source language, whose mechanism bounds ε.

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
    """Raise ``ValueError`` where text would decide what is sent of a document under a finite ε.

    ``mechanism`` is that of the settings, ``is_auto`` says that they leave the source language
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
    bounded = [one.name for one in chosen_somewhere if one.bounds_epsilon]
    asked = _asked(gate, splits_clauses=splits_clauses, is_auto=is_auto) if bounded else ()
    for option, what in asked:
        raise ValueError(_refusal(option, bounded[0], what))


def _asked(gate: GateSettings, *, splits_clauses: bool, is_auto: bool) -> Iterator[tuple[str, str]]:
    """Give each option that is asked for and lets text decide, and what it decides."""
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
    return _NOT_TOGETHER.format(
        option=option, mechanism=mechanism, what=what, default=MechanismSettings.default
    )
