"""Which methods are compared, and the sweep of each one's strength.

Entry: ``methods_of`` names, by ``METHODS``, the sweep of each.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar

from prism_core.dictionary import Dictionary
from prism_core.encoding.encoder import Encoder
from prism_core.errors import ConfigurationError
from prism_core.evaluation.methods import Empty, Method, Pipeline, Plain, Reference
from prism_core.evaluation.reference import WordDictionary
from prism_core.language import Sentence
from prism_core.mechanisms import Draft, Mechanism, make_mechanism
from prism_core.mechanisms.base import Forbidden, Tagger
from prism_core.settings.sections import MechanismSettings


class IdentifiersOnly:
    """Replaces no word, so that the encoder's own surrogates of identifiers are all that changes.

    A baseline for measurements, and no mechanism of the settings: nothing but identifiers is
    hidden, and every other word of a document is read by the translator. It is better than a tool
    with placeholders would be: the surrogates are words that T treats as it treats names.
    """

    name: ClassVar[str] = "identifiers-only"
    treats_every_token: ClassVar[bool] = False
    restores: ClassVar[bool] = True

    @property
    def epsilon_word(self) -> float:
        """Infinite."""
        return math.inf

    @property
    def vocabulary(self) -> None:
        """None: nothing is drawn."""
        return

    def choose(
        self,
        sentence: Sentence,  # noqa: ARG002 (no word of it is looked at)
        identifiers: frozenset[int],  # noqa: ARG002
        forbidden: Forbidden,  # noqa: ARG002
        rng: Random,  # noqa: ARG002
    ) -> Draft:
        """Nothing is chosen; see ``Mechanism.choose``."""
        return Draft(())


THRESHOLDS = (0.1, 0.2, 0.3, 0.5, 0.7, 0.9)
RATIOS = (0.1, 0.2, 0.3, 0.5)
PROBABILITIES = (0.1, 0.2, 0.3, 0.5, 0.7, 0.9)
TABLE_PROBABILITIES = (0.1, 0.25, 0.5, 0.75, 0.9)
MIXTURE_R = 0.1
"""r of the mixture, whose sweep is over β: from little more than PRISM-R to the table alone."""
REFERENCE_RATIOS = (0.1, 0.3, 0.5, 0.7)


@dataclass(frozen=True)
class Tools:
    """What methods are made of: our dictionary, what tags anew (nested), and how to come by the
    dictionary of the paper's procedure, which is expensive."""

    dictionary: Dictionary
    tagger: Tagger
    reference: Callable[[], WordDictionary]


Sweep = Callable[[Tools], Sequence[Method]]


def check_methods(names: Iterable[str]) -> None:
    """Raises ``ConfigurationError`` for a name that is not known."""
    if unknown := sorted(set(names) - METHODS.keys()):
        raise ConfigurationError(
            f"There is no method {unknown[0]}: choose from {', '.join(METHODS)}."
        )


def methods_of(names: Collection[str], tools: Tools) -> list[Method]:
    """The methods of ``names``, each at every strength of its sweep, in the order of ``METHODS``.

    Raises ``ConfigurationError`` for a name that is not known.
    """
    check_methods(names)
    return [method for name in METHODS if name in names for method in METHODS[name](tools)]


def _thresholds(tools: Tools) -> list[Method]:
    return [_by_threshold(tools, "prism-star-threshold", "prism-star", t) for t in THRESHOLDS]


def _without_decoding(tools: Tools) -> list[Method]:
    return [_by_threshold(tools, "no-decode", "no-decode", tau) for tau in THRESHOLDS]


def _ratios(tools: Tools) -> list[Method]:
    return [
        _pipeline(tools, "prism-star-ratio", f"r={r:g}", MechanismSettings(ratio=r)) for r in RATIOS
    ]


def _mixtures(tools: Tools) -> list[Method]:
    def at(beta: float) -> Method:
        settings = MechanismSettings(
            name="mixture", replace_probability=MIXTURE_R, table_probability=beta
        )
        return _pipeline(tools, "mixture", f"β={beta:g}", settings)

    return [at(beta) for beta in TABLE_PROBABILITIES]


def _identifiers_only(tools: Tools) -> list[Method]:
    return [_encoding(tools, "identifiers-only", "", IdentifiersOnly())]


def _references(tools: Tools) -> list[Method]:
    return [Reference(ratio, tools.reference) for ratio in REFERENCE_RATIOS]


def _by_chance(name: str) -> Sweep:
    def sweep(tools: Tools) -> list[Method]:
        return [
            _pipeline(
                tools,
                name,
                f"r={r:g}",
                MechanismSettings.model_validate({"name": name, "replace_probability": r}),
            )
            for r in PROBABILITIES
        ]

    return sweep


def _by_threshold(tools: Tools, name: str, mechanism: str, tau: float) -> Method:
    settings = MechanismSettings.model_validate({"name": mechanism, "threshold": tau})
    return _pipeline(tools, name, f"τ={tau:g}", settings)


def _pipeline(tools: Tools, name: str, setting: str, settings: MechanismSettings) -> Method:
    return _encoding(tools, name, setting, make_mechanism(settings, tools.dictionary, tools.tagger))


def _encoding(tools: Tools, name: str, setting: str, mechanism: Mechanism) -> Method:
    return Pipeline(name, setting, Encoder(tools.dictionary, mechanism))


METHODS: Mapping[str, Sweep] = {
    "plain": lambda _: [Plain()],
    "empty": lambda _: [Empty()],
    "prism-star-threshold": _thresholds,
    "prism-star-ratio": _ratios,
    "prism-r": _by_chance("prism-r"),
    "nested": _by_chance("nested"),
    "mixture": _mixtures,
    "no-decode": _without_decoding,
    "identifiers-only": _identifiers_only,
    "reference": _references,
}
"""Each method at every strength that is measured."""
FRAME = ("plain", "empty")
"""What is measured with any other method: without them no score says anything."""
