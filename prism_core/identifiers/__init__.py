"""Identifiers: find them in sentences, draw surrogates, and check finished texts for leaks.

Find: ``IdentifierFinder`` (``detectors/`` read raw text, ``names`` tokens). Replace:
``Surrogates``. Check: ``LeakCheck`` looks for the sentence's own identifiers, the archive's
``DenyList`` and the user's never-send terms.
"""

from __future__ import annotations

from prism_core.identifiers.base import Detector, Identifier, token_positions
from prism_core.identifiers.counting import (
    class_of,
    count_detected,
    count_remaining,
    count_replaced,
)
from prism_core.identifiers.finder import IdentifierFinder
from prism_core.identifiers.leaks.check import LeakCheck, Leaks
from prism_core.identifiers.leaks.deny_list import DenyList
from prism_core.identifiers.lists import read_terms
from prism_core.identifiers.normal_form import normalise, squash
from prism_core.identifiers.presidio import load_optional_detectors
from prism_core.identifiers.surrogates.generation import (
    ForbiddenWords,
    SentenceSurrogates,
    SurrogateRules,
    Surrogates,
)
from prism_core.identifiers.surrogates.scopes import (
    SECRET_BYTES,
    RandomFactory,
    Scope,
    derive_secret,
)

__all__ = [
    "SECRET_BYTES",
    "DenyList",
    "Detector",
    "ForbiddenWords",
    "Identifier",
    "IdentifierFinder",
    "LeakCheck",
    "Leaks",
    "RandomFactory",
    "Scope",
    "SentenceSurrogates",
    "SurrogateRules",
    "Surrogates",
    "class_of",
    "count_detected",
    "count_remaining",
    "count_replaced",
    "derive_secret",
    "load_optional_detectors",
    "normalise",
    "read_terms",
    "squash",
    "token_positions",
]
