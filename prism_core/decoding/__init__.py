"""Decoding: from y_pub and H to y_pri."""

from prism_core.decoding.alignment import align
from prism_core.decoding.decode import decode
from prism_core.decoding.decoded import Decoded, Way

__all__ = ["Decoded", "Way", "align", "decode"]
