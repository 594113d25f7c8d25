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
from prism_core.mechanisms import Draft, make_mechanism
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
SettingsOf = Callable[[float], Mapping[str, object]]


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


def _sweep(name: str, sign: str, strengths: Iterable[float], of: SettingsOf) -> Sweep:
    """PRISM at each of ``strengths``: the mechanism has the settings ``of`` it."""

    def sweep(tools: Tools) -> list[Method]:
        methods: list[Method] = []
        for strength in strengths:
            settings = MechanismSettings.model_validate(of(strength))
            mechanism = make_mechanism(settings, tools.dictionary, tools.tagger)
            encoder = Encoder(tools.dictionary, mechanism)
            methods.append(Pipeline(name, f"{sign}={strength:g}", encoder))
        return methods

    return sweep


METHODS: Mapping[str, Sweep] = {
    "plain": lambda _: [Plain()],
    "empty": lambda _: [Empty()],
    "prism-star-threshold": _sweep(
        "prism-star-threshold", "τ", THRESHOLDS, lambda tau: {"threshold": tau}
    ),
    "prism-star-ratio": _sweep("prism-star-ratio", "r", RATIOS, lambda r: {"ratio": r}),
    "prism-r": _sweep(
        "prism-r", "r", PROBABILITIES, lambda r: {"name": "prism-r", "replace_probability": r}
    ),
    "nested": _sweep(
        "nested", "r", PROBABILITIES, lambda r: {"name": "nested", "replace_probability": r}
    ),
    "mixture": _sweep(
        "mixture",
        "β",
        TABLE_PROBABILITIES,
        lambda beta: {
            "name": "mixture",
            "replace_probability": MIXTURE_R,
            "table_probability": beta,
        },
    ),
    "no-decode": _sweep(
        "no-decode", "τ", THRESHOLDS, lambda tau: {"name": "no-decode", "threshold": tau}
    ),
    "identifiers-only": lambda tools: [
        Pipeline("identifiers-only", "", Encoder(tools.dictionary, IdentifiersOnly()))
    ],
    "reference": lambda tools: [Reference(ratio, tools.reference) for ratio in REFERENCE_RATIOS],
}
"""Each method at every strength that is measured."""
FRAME = ("plain", "empty")
"""What is measured with any other method: without them no score says anything."""
