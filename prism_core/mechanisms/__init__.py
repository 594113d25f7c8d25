"""Mechanisms: how ordinary words are replaced, each with the guarantee it states."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from prism_core.dictionary import Dictionary
from prism_core.errors import ConfigurationError
from prism_core.mechanisms.base import Draft, Mechanism, Tagger
from prism_core.mechanisms.mixture import Mixture
from prism_core.mechanisms.nested import Nested
from prism_core.mechanisms.no_decode import NoDecode
from prism_core.mechanisms.prism_r import PrismR
from prism_core.mechanisms.prism_star import PrismStarRatio, PrismStarThreshold
from prism_core.mechanisms.vocabulary import Vocabulary
from prism_core.settings.sections import MechanismSettings

__all__ = [
    "REGISTRY",
    "Draft",
    "Mechanism",
    "Mixture",
    "Nested",
    "NoDecode",
    "PrismR",
    "PrismStarRatio",
    "PrismStarThreshold",
    "Tagger",
    "make_mechanism",
]

Factory = Callable[[MechanismSettings, Dictionary, Tagger | None], Mechanism]


def make_mechanism(
    settings: MechanismSettings, dictionary: Dictionary, tagger: Tagger | None = None
) -> Mechanism:
    """The mechanism that ``settings`` name. ``tagger`` is asked by nested alone.

    Raises ``ConfigurationError`` when the dictionary or the tagger that it needs is lacking.
    """
    return REGISTRY[settings.name](settings, dictionary, tagger)


def _prism_star(
    settings: MechanismSettings, dictionary: Dictionary, _tagger: Tagger | None = None
) -> PrismStarThreshold | PrismStarRatio:
    """By ratio where one is given, else by τ."""
    pool, unknown = settings.minimum_pool, settings.unknown_words
    if settings.ratio is not None:
        return PrismStarRatio(dictionary, settings.ratio, pool, unknown)
    return PrismStarThreshold(dictionary, settings.threshold, pool, unknown)


def _prism_r(
    settings: MechanismSettings, dictionary: Dictionary, _tagger: Tagger | None = None
) -> PrismR:
    return PrismR(dictionary, _vocabulary(settings, dictionary), settings.r)


def _nested(settings: MechanismSettings, dictionary: Dictionary, tagger: Tagger | None) -> Nested:
    if tagger is None:
        raise ConfigurationError(
            "The mechanism nested tags what PRISM-R gives and needs a language model to do it: "
            "give its retag to Encoder.load or to make_mechanism."
        )
    second = PrismStarThreshold(  # H is composed token by token
        dictionary,
        settings.threshold,
        settings.minimum_pool,
        settings.unknown_words,
        phrases=False,
    )
    return Nested(dictionary, _prism_r(settings, dictionary), second, tagger)


def _mixture(
    settings: MechanismSettings, dictionary: Dictionary, _tagger: Tagger | None = None
) -> Mixture:
    vocabulary = _vocabulary(settings, dictionary)
    return Mixture(dictionary, vocabulary, settings.r, settings.beta)


def _no_decode(
    settings: MechanismSettings, dictionary: Dictionary, _tagger: Tagger | None = None
) -> NoDecode:
    return NoDecode(_prism_star(settings, dictionary))


def _vocabulary(settings: MechanismSettings, dictionary: Dictionary) -> Vocabulary:
    return Vocabulary(dictionary, settings.threshold, settings.minimum_pool)


REGISTRY: Mapping[str, Factory] = MappingProxyType(
    {
        "prism-star": _prism_star,
        "prism-r": _prism_r,
        "nested": _nested,
        "mixture": _mixture,
        "no-decode": _no_decode,
    }
)
"""Every mechanism by the name that ``mechanism.name`` gives it."""
