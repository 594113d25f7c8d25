"""Adversaries that know the code, the dictionary and the settings: all but the key and H."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

from prism_core.evaluation.adversaries.base import Adversary, Case, Public
from prism_core.evaluation.adversaries.identifiers import Identifiers
from prism_core.evaluation.adversaries.linking import Linking
from prism_core.evaluation.adversaries.matching import Matching
from prism_core.evaluation.adversaries.membership import Membership, Neighbours, Unmasking
from prism_core.evaluation.adversaries.rebuilding import Rebuilding
from prism_core.evaluation.adversaries.repeating import Repeating
from prism_core.evaluation.adversaries.replaced import Originals, Places
from prism_core.evaluation.chance import Finding

__all__ = ["ADVERSARIES", "Adversary", "Case", "Public", "findings"]

ADVERSARIES: Mapping[str, Adversary] = {
    one.name: one
    for one in (
        Places(),
        Originals(),
        Rebuilding(),
        Matching(),
        Repeating(),
        Identifiers(),
        Linking(),
        Membership(),
        Neighbours(),
        Unmasking(),
    )
}
"""Every family of attacks by its name."""


def findings(case: Case, rng: Random, *, by_wave: bool | None = None) -> Iterator[Finding]:
    """What all adversaries find; only those that mixing and decoys matter to, or the others."""
    for adversary in ADVERSARIES.values():
        if by_wave is None or adversary.by_wave is by_wave:
            yield from adversary.attack(case, rng)
