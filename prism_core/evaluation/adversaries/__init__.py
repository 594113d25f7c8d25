"""Adversaries that know the code, the dictionary and the settings: all but the key and H."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from random import Random

from prism_core.evaluation.adversaries.base import Adversary, Case, Public
from prism_core.evaluation.adversaries.guessing import Matching, Rebuilding, Repeating
from prism_core.evaluation.adversaries.identifiers import IdentifierReading
from prism_core.evaluation.adversaries.linking import (
    Linking,
    LinkingByMeaning,
    Membership,
    Neighbours,
    Unmasking,
)
from prism_core.evaluation.adversaries.originals import Order, Originals, Places
from prism_core.evaluation.findings import Finding

__all__ = ["ADVERSARIES", "Adversary", "Case", "Public", "attack_case"]

ADVERSARIES: Mapping[str, Adversary] = {
    adversary.name: adversary
    for adversary in (
        Places(),
        Originals(),
        Order(),
        Rebuilding(),
        Matching(),
        Repeating(),
        IdentifierReading(),
        Linking(),
        LinkingByMeaning(),
        Membership(),
        Neighbours(),
        Unmasking(),
    )
}
"""Every family of attacks by its name."""


def attack_case(case: Case, rng: Random, among: Container[str] = ADVERSARIES) -> Iterator[Finding]:
    """What those adversaries find whose names are ``among`` these."""
    for name, adversary in ADVERSARIES.items():
        if name in among:
            yield from adversary.attack(case, rng)
