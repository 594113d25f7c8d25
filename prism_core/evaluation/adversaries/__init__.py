"""Adversaries that know the code, the dictionary and the settings: all but the key and H."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from random import Random

from prism_core.evaluation.adversaries.base import Adversary, Case, Public
from prism_core.evaluation.adversaries.identifiers import Identifiers
from prism_core.evaluation.adversaries.linking import Linking, LinkingByMeaning
from prism_core.evaluation.adversaries.matching import Matching
from prism_core.evaluation.adversaries.membership import Membership, Neighbours, Unmasking
from prism_core.evaluation.adversaries.rebuilding import Rebuilding
from prism_core.evaluation.adversaries.repeating import Repeating
from prism_core.evaluation.adversaries.replaced import Order, Originals, Places
from prism_core.evaluation.chance import Finding

__all__ = ["ADVERSARIES", "Adversary", "Case", "Public", "findings"]

ADVERSARIES: Mapping[str, Adversary] = {
    one.name: one
    for one in (
        Places(),
        Originals(),
        Order(),
        Rebuilding(),
        Matching(),
        Repeating(),
        Identifiers(),
        Linking(),
        LinkingByMeaning(),
        Membership(),
        Neighbours(),
        Unmasking(),
    )
}
"""Every family of attacks by its name."""


def findings(case: Case, rng: Random, among: Container[str] = ADVERSARIES) -> Iterator[Finding]:
    """What those adversaries find whose names are ``among`` these."""
    for name, adversary in ADVERSARIES.items():
        if name in among:
            yield from adversary.attack(case, rng)
