"""Decoding: from y_pub and H to y_pri."""

from prism_core.decoding.alignment import align
from prism_core.decoding.decode import Decoded, decode
from prism_core.decoding.linked import link_places

__all__ = ["Decoded", "align", "decode", "link_places"]
