"""What the user says of identifiers."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from prism_core.settings.identifier_classes import IdentifierClass
from prism_core.settings.section import Section

Consistency = Literal["sentence", "document", "archive"]
"""Within what equal identifiers get equal surrogates."""


class IdentifierSettings(Section):
    """The user's own lists, UTF-8 text with one term a line, and how surrogates are drawn.

    ``names_file``: names of clients, patients, staff; replaced wherever they stand.
    ``never_send_file``: a sentence that still shows one of these is withheld.
    ``presidio``: ask Presidio's pattern recognisers too (optional extra ``presidio``).
    ``withhold``: a sentence in which an identifier of these classes is found is withheld, though it
    would be replaced.

    ``consistency``: within what equal identifiers get equal surrogates. The wider, the more of an
    archive the translator can link. ``dates``: drawn by chance, or all of a document shifted by
    the same secret number of weeks. ``checksums``: whether the surrogate of a number with check
    digits has wrong ones or right ones; with right ones it may be somebody's number.
    """

    names_file: Path | None = None
    never_send_file: Path | None = None
    presidio: bool = False
    consistency: Consistency = "sentence"
    dates: Literal["random", "shift"] = "random"
    checksums: Literal["fail", "pass"] = "fail"
    withhold: tuple[IdentifierClass, ...] = ()
