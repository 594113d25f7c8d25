"""What a detector finds, and the seam that every detector fits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from prism_core.language.sentence import Sentence
from prism_core.mechanisms.base import Kind

MAIL_DOMAIN = "@example.org"
WEB_ADDRESS = "https://example.org/"
"""What surrogate addresses end or begin with: a domain reserved for examples (RFC 2606)."""


@dataclass(frozen=True, slots=True)
class Identifier:
    """Tokens ``[position, position + length)`` of a sentence name someone or something.

    ``label`` is the class the report counts (``PERSON``, ``NUMBER``, ``EMAIL`` …), ``kind`` how a
    surrogate of it is undone.
    """

    position: int
    length: int
    label: str
    kind: Kind


class Detector(Protocol):
    """Finds identifiers in one sentence. Its recall is measured, never assumed complete."""

    def find(self, sentence: Sentence) -> list[Identifier]:
        """Every identifier seen, in order, none overlapping another."""
        ...
