"""Notification of how a run ended: counts and classes, and nothing else."""

from prism_core.notification.delivery import configured_channels, deliver
from prism_core.notification.notice import COMPLETE, Notice

__all__ = [
    "COMPLETE",
    "Notice",
    "configured_channels",
    "deliver",
]
