"""The default."""

from prism_core.mechanisms.kinds.prism_star import MECHANISM

__all__ = ["MECHANISM"]
