"""Mechanisms: how ordinary words are replaced, each with the guarantee it states."""

from __future__ import annotations

from prism_core.dictionary.dictionary import Dictionary
from prism_core.mechanisms.base import Draft, Encoded, Fate, Kind, Mechanism, Replacement
from prism_core.mechanisms.prism_star import PrismStarRatio, PrismStarThreshold
from prism_core.settings import MechanismSettings

__all__ = [
    "Draft",
    "Encoded",
    "Fate",
    "Kind",
    "Mechanism",
    "PrismStarRatio",
    "PrismStarThreshold",
    "Replacement",
    "make_mechanism",
]


def make_mechanism(settings: MechanismSettings, dictionary: Dictionary) -> Mechanism:
    """The mechanism that ``settings`` name: PRISM* by ratio where one is given, else by τ."""
    if settings.ratio is not None:
        return PrismStarRatio(
            dictionary, settings.ratio, settings.minimum_pool, settings.unknown_words
        )
    return PrismStarThreshold(
        dictionary, settings.threshold, settings.minimum_pool, settings.unknown_words
    )
