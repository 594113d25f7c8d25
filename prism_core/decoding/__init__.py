"""Decoding: from y_pub and H to y_pri."""

from prism_core.decoding.alignment import align
from prism_core.decoding.decode import Decoded, decode

__all__ = ["Decoded", "align", "decode"]
