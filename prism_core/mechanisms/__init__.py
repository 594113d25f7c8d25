"""Mechanisms: how ordinary words are replaced, each with the guarantee it states."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prism_core.plugins import lazy_door

if TYPE_CHECKING:
    from prism_core.dictionary import Dictionary
    from prism_core.mechanisms.base import (
        Forbidden,
        Mechanism,
        MechanismSpec,
        PoolMechanism,
        PublicRules,
        Selection,
        Tagger,
        TokenMechanism,
    )
    from prism_core.mechanisms.every_token import (
        ChanceSettings,
        SentToken,
        VocabularyMechanism,
        record_of,
    )
    from prism_core.mechanisms.kinds.prism_r import PrismR
    from prism_core.mechanisms.kinds.prism_star import PrismStarThreshold, make_prism_star
    from prism_core.mechanisms.plausibility import load_plausibility
    from prism_core.mechanisms.pools import NO_POOL, Pool, Pools, weigh_sureness
    from prism_core.mechanisms.sampling import Draw, draw_stand_in, make_replacement
    from prism_core.mechanisms.star_settings import StarSettings, UnknownWords
    from prism_core.mechanisms.vocabulary import SurfaceSlot, Vocabulary, WordSet
    from prism_core.mechanisms.word_classes import (
        UNKNOWN,
        capitalise,
        classify,
        in_case_of,
        own_case,
    )
    from prism_core.settings import MechanismSettings

__all__ = [
    "NO_POOL",
    "UNKNOWN",
    "ChanceSettings",
    "Draw",
    "Forbidden",
    "Mechanism",
    "MechanismSpec",
    "Pool",
    "PoolMechanism",
    "Pools",
    "PrismR",
    "PrismStarThreshold",
    "PublicRules",
    "Selection",
    "SentToken",
    "StarSettings",
    "SurfaceSlot",
    "Tagger",
    "TokenMechanism",
    "UnknownWords",
    "Vocabulary",
    "VocabularyMechanism",
    "WordSet",
    "capitalise",
    "classify",
    "draw_stand_in",
    "in_case_of",
    "load_plausibility",
    "make_mechanism",
    "make_prism_star",
    "make_replacement",
    "own_case",
    "record_of",
    "weigh_sureness",
]

__getattr__ = lazy_door(__name__)  # NumPy takes time


def make_mechanism(
    settings: MechanismSettings, dictionary: Dictionary, tagger: Tagger | None = None
) -> Mechanism:
    """Return the mechanism that ``settings`` name.

    ``tagger`` serves mechanisms that tag their own output again. Raises ``ConfigurationError`` when
    the dictionary or the tagger that the mechanism needs is missing.
    """
    spec = settings.load(settings.name)
    mechanism: Mechanism = spec.make(settings, dictionary, tagger)
    return mechanism
