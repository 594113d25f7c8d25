"""The detectors that are always asked: each module of this folder has one, as ``DETECTOR``.

It is a class, and made for the language of the texts that it reads.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from operator import attrgetter

from prism_core.identifiers.base import Detector
from prism_core.languages import Language
from prism_core.plugins import load_plugin, plugin_names


@cache
def detector_classes() -> tuple[type[Detector], ...]:
    """In their own order: of two matches alike that of the earlier detector stands."""
    found = (load_plugin(__name__, name).DETECTOR for name in plugin_names(__name__))
    return tuple(sorted(found, key=attrgetter("order")))


@cache
def blind_labels() -> frozenset[str]:
    """The labels of all of them for which what is drawn reads nothing of the text."""
    return frozenset().union(*(detector.blind for detector in detector_classes()))


@cache
def built_in_detectors(language: Language) -> tuple[Detector, ...]:
    """One of each class, for texts in ``language``."""
    makers: tuple[Callable[[Language], Detector], ...] = detector_classes()
    return tuple(make(language) for make in makers)
