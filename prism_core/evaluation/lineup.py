"""Which methods are compared, and the sweep of each one's strength.

Entry: ``methods_of`` names, by ``METHODS``, the sweep of each.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from prism_core.dictionary import Dictionary
from prism_core.encoding import make_encoder
from prism_core.errors import ConfigurationError
from prism_core.evaluation.methods import (
    Method,
    prism_method,
    reference_method,
    send_nothing,
    send_plain,
)
from prism_core.evaluation.reference import WordDictionary
from prism_core.language import Sentence
from prism_core.mechanisms import (
    Draft,
    Forbidden,
    PoolMechanism,
    PublicRules,
    Tagger,
    make_mechanism,
)
from prism_core.settings import MechanismSettings, Settings


class IdentifiersOnly(PoolMechanism):
    """Replaces no word, so that the encoder's own surrogates of identifiers are all that changes.

    A baseline for measurements, and no mechanism of the settings: nothing but identifiers is
    hidden, and every other word of a document is read by the translator. It is better than a tool
    with placeholders would be: the surrogates are words that T treats as it treats names.
    """

    name = "identifiers-only"
    guarantee = "None for words; identifiers are replaced by surrogates."

    @property
    def public_rules(self) -> PublicRules:
        """No word is replaced."""
        return PublicRules()

    def choose(
        self,
        sentence: Sentence,  # noqa: ARG002 (no word of it is looked at)
        identifiers: frozenset[int],  # noqa: ARG002
        forbidden: Forbidden,  # noqa: ARG002
        rng: Random,  # noqa: ARG002
    ) -> Draft:
        """Nothing is chosen; see ``PoolMechanism.choose``."""
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


@dataclass(frozen=True, slots=True)
class Contender:
    """A method as people call it, at every strength that is measured.

    ``colour`` (of Okabe and Ito's palette, which people of every colour vision tell apart) and
    ``marker`` are those of its curve; one without them is drawn in no figure of curves.
    """

    label: str
    sweep: Sweep
    colour: str = ""
    marker: str = ""


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
    return [method for name in METHODS if name in names for method in METHODS[name].sweep(tools)]


def _sweep(name: str, sign: str, strengths: Iterable[float], of: SettingsOf) -> Sweep:
    """PRISM at each of ``strengths``: the mechanism has the settings ``of`` it."""

    def sweep(tools: Tools) -> list[Method]:
        return [
            _prism(name, f"{sign}={strength:g}", MechanismSettings.choose(**of(strength)), tools)
            for strength in strengths
        ]

    return sweep


def _prism(name: str, setting: str, settings: MechanismSettings, tools: Tools) -> Method:
    mechanism = make_mechanism(settings, tools.dictionary, tools.tagger)
    return prism_method(name, setting, make_encoder(tools.dictionary, mechanism))


def _sweep_by_chance(name: str) -> Sweep:
    """Each word replaced by chance, at every probability."""
    return _sweep(name, "r", PROBABILITIES, lambda r: {"name": name, "replace_probability": r})


METHODS: Mapping[str, Contender] = {
    "plain": Contender("no protection", lambda _: [Method("plain", send_plain)]),
    "empty": Contender("empty text", lambda _: [Method("empty", send_nothing)]),
    "prism-star-threshold": Contender(
        "PRISM* threshold (default)",
        _sweep("prism-star-threshold", "τ", THRESHOLDS, lambda tau: {"threshold": tau}),
        "#0072B2",
        "o",
    ),
    "strongest": Contender(
        "PRISM* strongest",
        lambda tools: [_prism("strongest", "τ=0", Settings(strength="strongest").mechanism, tools)],
        "#F0E442",
        "h",
    ),
    "prism-star-ratio": Contender(
        "PRISM* ratio",
        _sweep("prism-star-ratio", "r", RATIOS, lambda r: {"ratio": r}),
        "#E69F00",
        "s",
    ),
    "prism-r": Contender("PRISM-R", _sweep_by_chance("prism-r"), "#009E73", "^"),
    "nested": Contender("nested", _sweep_by_chance("nested"), "#56B4E9", "v"),
    "mixture": Contender(
        "mixture",
        _sweep(
            "mixture",
            "β",
            TABLE_PROBABILITIES,
            lambda beta: {
                "name": "mixture",
                "replace_probability": MIXTURE_R,
                "table_probability": beta,
            },
        ),
        "#CC79A7",
        "D",
    ),
    "no-decode": Contender(
        "NoDecode",
        _sweep("no-decode", "τ", THRESHOLDS, lambda tau: {"name": "no-decode", "threshold": tau}),
        "#8C8C8C",
        "X",
    ),
    "identifiers-only": Contender(
        "identifiers only",
        lambda tools: [
            prism_method("identifiers-only", "", make_encoder(tools.dictionary, IdentifiersOnly()))
        ],
        "#000000",
        "*",
    ),
    "reference": Contender(
        "the paper's procedure",
        lambda tools: [reference_method(ratio, tools.reference) for ratio in REFERENCE_RATIOS],
        "#D55E00",
        "P",
    ),
}
"""Each method that is measured."""
COLOURS = {name: method.colour for name, method in METHODS.items() if method.colour}
MARKERS = {name: method.marker for name, method in METHODS.items() if method.marker}
FRAME = ("plain", "empty")
"""What is measured with any other method: without them no score says anything."""
