"""Numbers: the digits of a surrogate found in whatever form came back, and given theirs again."""

from __future__ import annotations

import re

from prism_core.decoding.target_text import Span, TargetText
from prism_core.mechanisms.base import Replacement

_SEPARATOR = r"[.,:'’/\-–\s]?"


def find_number(surrogate: str, target: TargetText) -> Span | None:
    """The place of the digits of ``surrogate``, as written or with other separators between."""
    exact = target.find_pattern(rf"(?<!\d)(?<!\d[.,]){re.escape(surrogate)}(?![.,]?\d)")
    digits = re.findall(r"\d", surrogate)
    return exact or target.find_pattern(
        rf"(?<!\d)(?<!\d[.,]){_SEPARATOR.join(digits)}(?![.,]?\d)(?:st|nd|rd|th)?"
    )


def restore_number(replacement: Replacement, shown: str) -> str:
    """The original digits in the form that came back.

    When the number of digits differs, or the form came back as it was sent, the original is put
    in as it is written.
    """
    if shown == replacement.substitute:
        return replacement.word
    original = re.findall(r"\d", replacement.word)
    if len(original) != sum(c.isdigit() for c in shown):
        return replacement.word
    digits = iter(original)
    return re.sub(r"\d", lambda _: next(digits), shown)
