"""Identifiers: find them in sentences, draw surrogates, and check finished texts for leaks.

Find: ``IdentifierFinder`` (``spans`` and ``detectors/`` read raw text, ``names`` tokens). Replace:
``Surrogates``. Check: ``LeakCheck`` looks for the sentence's own identifiers, the archive's
``DenyList`` and the user's never-send terms.

To add a kind of identifier, add a module with a ``Detector`` to ``detectors/``; for numbers of one
state, a row to the table of its language in ``data/identifiers``, or to ``shapes.toml`` if nothing
in any language looks like them, and for their check digits a function in ``checksums``, listed
there under the labels whose surrogates must not pass it. ``IdentifierClass`` lists the classes that
the report counts. A rule for names belongs to ``names`` (any word), ``name_contexts`` (next to
other words), ``sentence_initial_names`` or ``standalone_names``.
"""

from __future__ import annotations

from prism_core.identifiers.base import Detector, Identifier, token_positions
from prism_core.identifiers.checksums import CheckDigits
from prism_core.identifiers.finder import IdentifierFinder
from prism_core.identifiers.leak_check import (
    LeakCheck,
    Leaks,
    class_of,
    count_detected,
    count_remaining,
    count_replaced,
)
from prism_core.identifiers.lists import DenyList, defined_terms, read_terms
from prism_core.identifiers.normal_form import normalise, squash
from prism_core.identifiers.presidio import load_optional_detectors
from prism_core.identifiers.scopes import (
    SECRET_BYTES,
    RandomFactory,
    Scope,
    derive_secret,
)
from prism_core.identifiers.surrogates import (
    ForbiddenWords,
    SentenceSurrogates,
    Surrogates,
)

__all__ = [
    "SECRET_BYTES",
    "CheckDigits",
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
    "Surrogates",
    "class_of",
    "count_detected",
    "count_remaining",
    "count_replaced",
    "defined_terms",
    "derive_secret",
    "load_optional_detectors",
    "normalise",
    "read_terms",
    "squash",
    "token_positions",
]
