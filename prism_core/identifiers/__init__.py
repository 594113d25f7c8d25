"""Identifiers: where a sentence has them, what stands for them, and whether one is still shown.

Find: ``IdentifierFinder`` (``detectors/`` read raw text, ``names`` tokens). Replace:
``Surrogates``. Check: ``LeakCheck`` against the sentence's own, the archive's ``DenyList`` and the
user's terms.
"""

from __future__ import annotations

from prism_core.identifiers.base import Detector, Identifier, positions
from prism_core.identifiers.counting import class_of, detected, remaining, replaced
from prism_core.identifiers.finder import IdentifierFinder
from prism_core.identifiers.leaks.check import LeakCheck, Shown
from prism_core.identifiers.leaks.deny_list import DenyList
from prism_core.identifiers.lists import read_terms
from prism_core.identifiers.normal_form import normalise, squash
from prism_core.identifiers.presidio import further_detectors
from prism_core.identifiers.surrogates.generation import (
    Drawing,
    ForbiddenWords,
    SurrogateRules,
    Surrogates,
)
from prism_core.identifiers.surrogates.scopes import SECRET_BYTES, RandomFor, Scope, secret_of

__all__ = [
    "SECRET_BYTES",
    "DenyList",
    "Detector",
    "Drawing",
    "ForbiddenWords",
    "Identifier",
    "IdentifierFinder",
    "LeakCheck",
    "RandomFor",
    "Scope",
    "Shown",
    "SurrogateRules",
    "Surrogates",
    "class_of",
    "detected",
    "further_detectors",
    "normalise",
    "positions",
    "read_terms",
    "remaining",
    "replaced",
    "secret_of",
    "squash",
]
