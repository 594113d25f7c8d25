"""The normal form in which identifiers are compared: what a reader takes for the same."""

from __future__ import annotations

import unicodedata


def normalise(text: str) -> str:
    """Compatibility forms, accents, invisible characters and case taken away.

    Full-width and styled letters become plain, ``é`` becomes ``e``, soft hyphens and zero-width
    characters disappear.
    """
    decomposed = unicodedata.normalize("NFKD", text)
    kept = (c for c in decomposed if unicodedata.category(c) not in ("Mn", "Cf"))
    return "".join(kept).casefold()


def squash(text: str) -> str:
    """The normal form with everything but letters and digits taken out: spacing hides nothing."""
    return "".join(c for c in normalise(text) if c.isalnum())
