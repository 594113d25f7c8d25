"""Built-in detectors: each module of this folder defines one, as ``DETECTOR``.

``DETECTOR`` is a class. Its instances are made for the language of the texts that they read.
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
    """Return the detector classes by ``order``: of two equal matches the earlier one's is kept."""
    found = (load_plugin(__name__, name).DETECTOR for name in plugin_names(__name__))
    return tuple(sorted(found, key=attrgetter("order")))


@cache
def blind_labels() -> frozenset[str]:
    """Return the labels whose surrogates ignore the text, of all detectors."""
    return frozenset().union(*(detector.blind for detector in detector_classes()))


@cache
def built_in_detectors(language: Language) -> tuple[Detector, ...]:
    """Return one detector of each class, for texts in ``language``, by ``order``."""
    makers: tuple[Callable[[Language], Detector], ...] = detector_classes()
    return tuple(sorted((make(language) for make in makers), key=attrgetter("order")))
