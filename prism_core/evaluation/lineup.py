"""Which methods are compared, and the sweep of each one's strength."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from prism_core.dictionary.dictionary import Dictionary
from prism_core.encoding import make_encoder
from prism_core.errors import ConfigurationError
from prism_core.evaluation.identifiers_only import IdentifiersOnly
from prism_core.evaluation.methods import Empty, Method, Pipeline, Plain, Reference
from prism_core.evaluation.reference import WordDictionary
from prism_core.mechanisms import Mechanism, Tagger, make_mechanism
from prism_core.settings.mechanisms import MechanismSettings

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


def methods_of(names: Iterable[str], tools: Tools) -> list[Method]:
    """The methods of ``names``, each at every strength of its sweep, in the order of ``METHODS``.

    Raises ``ConfigurationError`` for a name that is not known.
    """
    wanted = set(names)
    if unknown := sorted(wanted - METHODS.keys()):
        raise ConfigurationError(
            f"There is no method {unknown[0]}: choose from {', '.join(METHODS)}."
        )
    return [method for name in METHODS if name in wanted for method in METHODS[name].sweep(tools)]


def _thresholds(tools: Tools) -> list[Method]:
    return [_by_threshold(tools, "prism-star-threshold", "prism-star", t) for t in THRESHOLDS]


def _without_decoding(tools: Tools) -> list[Method]:
    return [_by_threshold(tools, "no-decode", "no-decode", tau) for tau in THRESHOLDS]


def _ratios(tools: Tools) -> list[Method]:
    return [
        _pipeline(tools, "prism-star-ratio", f"r={r:g}", MechanismSettings.choose(ratio=r))
        for r in RATIOS
    ]


def _mixtures(tools: Tools) -> list[Method]:
    def at(beta: float) -> Method:
        settings = MechanismSettings.choose(
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
    return Pipeline(name, setting, make_encoder(tools.dictionary, mechanism))


METHODS: Mapping[str, Contender] = {
    "plain": Contender("no protection", lambda _: [Plain()]),
    "empty": Contender("empty text", lambda _: [Empty()]),
    "prism-star-threshold": Contender("PRISM* threshold (default)", _thresholds, "#0072B2", "o"),
    "prism-star-ratio": Contender("PRISM* ratio", _ratios, "#E69F00", "s"),
    "prism-r": Contender("PRISM-R", _by_chance("prism-r"), "#009E73", "^"),
    "nested": Contender("nested", _by_chance("nested"), "#56B4E9", "v"),
    "mixture": Contender("mixture", _mixtures, "#CC79A7", "D"),
    "no-decode": Contender("NoDecode", _without_decoding, "#8C8C8C", "X"),
    "identifiers-only": Contender("identifiers only", _identifiers_only, "#000000", "*"),
    "reference": Contender("the paper's procedure", _references, "#D55E00", "P"),
}
"""Each method that is measured."""
COLOURS = {name: one.colour for name, one in METHODS.items() if one.colour}
MARKERS = {name: one.marker for name, one in METHODS.items() if one.marker}
FRAME = ("plain", "empty")
"""What is measured with any other method: without them no score says anything."""
