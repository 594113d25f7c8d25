"""PRISM: use any untrusted translator, and keep the text on your own machine."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from prism_core.prism import NothingToSend, Prism, Unrestored

__all__ = ["NothingToSend", "Prism", "Unrestored"]


def __getattr__(name: str) -> object:
    """Load the library on first use, so that a command that only prints help stays quick."""
    if name in __all__:
        from prism_core import prism

        return getattr(prism, name)
    raise AttributeError(name)
