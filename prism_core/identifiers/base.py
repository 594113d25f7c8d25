"""What detectors find, and what surrogates of addresses look like."""

from __future__ import annotations

from typing import NamedTuple

from prism_core.mechanisms.base import Kind

MAIL_DOMAIN = "@example.org"
WEB_ADDRESS = "https://example.org/"
"""What surrogate addresses end or begin with: a domain reserved for examples (RFC 2606)."""


class Identifier(NamedTuple):
    """Tokens ``[position, position + length)`` of a sentence name someone or something.

    ``label`` is the class the report counts (``PERSON``, ``NUMBER``, ``EMAIL`` …), ``kind`` how a
    surrogate of it is undone.
    """

    position: int
    length: int
    label: str
    kind: Kind
