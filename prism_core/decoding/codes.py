"""Codes: found again though a translator has grouped them anew, or joined their groups."""

from __future__ import annotations

import re

from prism_core.decoding.target_text import Span, TargetText

_BETWEEN = r"[\W_]{0,3}"
_LEAST = 4
"""Letters and digits of a code that is found in another form than its own."""


def find_code(surrogate: str, target: TargetText) -> Span | None:
    """The place of ``surrogate``, else of its letters and digits with other marks between them.

    No place is part of a longer word or code.
    """
    exact = target.find_text(surrogate)
    if exact is not None:
        return exact
    signs = [re.escape(sign) for sign in surrogate if sign.isalnum()]
    if len(signs) < _LEAST:
        return None
    wanted = re.compile(rf"(?<!\w){_BETWEEN.join(signs)}(?!\w)", re.IGNORECASE)
    places = (match.span() for match in wanted.finditer(target.text))
    return next(filter(target.is_free, places), None)
