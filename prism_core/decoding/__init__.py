"""Decoding: from y_pub and the record H to y_pri."""

from typing import TYPE_CHECKING

from prism_core.plugins import lazy_door

if TYPE_CHECKING:
    from prism_core.decoding.decoded import STRONG, UNSURE, Decoded, SearchStrategy
    from prism_core.decoding.decoder import decode
    from prism_core.decoding.draws import (
        AnsweredDraw,
        decode_draws,
        find_lost,
        find_redrawn,
        needs_links,
    )
    from prism_core.decoding.linked import align, find_places, link_places, replaced_words
    from prism_core.decoding.terms import unify_terms

__all__ = [
    "STRONG",
    "UNSURE",
    "AnsweredDraw",
    "Decoded",
    "SearchStrategy",
    "align",
    "decode",
    "decode_draws",
    "find_lost",
    "find_places",
    "find_redrawn",
    "link_places",
    "needs_links",
    "replaced_words",
    "unify_terms",
]

__getattr__ = lazy_door(__name__)
