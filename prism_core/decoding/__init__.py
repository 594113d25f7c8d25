"""Decoding: from y_pub and H to y_pri."""

from prism_core.decoding.alignment import align
from prism_core.decoding.decode import decode
from prism_core.decoding.decoded import STRONG, UNSURE, Decoded, Way
from prism_core.decoding.draws import Draw, decode_draws, lost_alone
from prism_core.decoding.linked import link_places

__all__ = [
    "STRONG",
    "UNSURE",
    "Decoded",
    "Draw",
    "Way",
    "align",
    "decode",
    "decode_draws",
    "link_places",
    "lost_alone",
]
