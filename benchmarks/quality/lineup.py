"""Which methods are compared, and at which strengths."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from benchmarks import reference
from benchmarks.quality.corpora import annotated, story_paragraphs
from benchmarks.quality.methods import Method, Pipeline, Plain, Reference
from benchmarks.quality.translation import CachedTranslator
from prism_core.dictionary.dictionary import Dictionary
from prism_core.language.model import LanguageModel
from prism_core.mechanisms import Tagger
from prism_core.resources import PROJECT

THRESHOLDS = (0.1, 0.2, 0.3, 0.5, 0.7)
NODECODE_THRESHOLDS = (0.5, 0.7, 0.9)
RATIOS = (0.1, 0.2, 0.3, 0.5)
PROBABILITIES = (0.1, 0.2, 0.3, 0.5)
REFERENCE_RATIOS = (0.3, 0.5, 0.6, 0.7)
CACHE = PROJECT / ".benchmark-cache"


@dataclass(frozen=True)
class Tools:
    """What a run has: the language model, T, and the dictionary that our methods use."""

    model: LanguageModel
    translate: CachedTranslator
    dictionary: Dictionary


def _thresholds(tools: Tools) -> list[Method]:
    return [_by_threshold(tools, "threshold", "prism-star", tau) for tau in THRESHOLDS]


def _without_decoding(tools: Tools) -> list[Method]:
    return [_by_threshold(tools, "nodecode", "no-decode", tau) for tau in NODECODE_THRESHOLDS]


def _ratios(tools: Tools) -> list[Method]:
    return [
        Pipeline("ratio", f"r={ratio:g}", {"mechanism.ratio": ratio}, tools.dictionary)
        for ratio in RATIOS
    ]


def _by_threshold(tools: Tools, name: str, mechanism: str, tau: float) -> Method:
    flags = {"mechanism.name": mechanism, "mechanism.threshold": tau}
    return Pipeline(name, f"tau={tau:g}", flags, tools.dictionary)


def _by_chance(tools: Tools, name: str, tagger: Tagger | None = None) -> list[Method]:
    def at(r: float) -> Method:
        flags = {"mechanism.name": name, "mechanism.replace_probability": r}
        return Pipeline(name, f"r={r:g}", flags, tools.dictionary, tagger)

    return [at(r) for r in PROBABILITIES]


def _references(tools: Tools) -> list[Method]:
    """The paper's procedure with an entry for every word of MC160, those of the test included.

    That is the paper's setting, by the words of its examples, and more than an archive's owner
    has. D, into which the words are put, are the other stories.
    """
    others, test = story_paragraphs(["train", "dev"]), story_paragraphs(["test"])
    plan = reference.Plan()

    def make() -> reference.WordDictionary:
        d, known = annotated(tools.model, others), annotated(tools.model, test)
        words = {(t.text, t.tag) for one in (*d, *known) for t in one.tokens if t.text.isalpha()}
        return reference.build(d, words, tools.translate, plan)

    dictionary = reference.cached(CACHE, [*others, *test], plan, make)
    return [Reference(ratio, dictionary) for ratio in REFERENCE_RATIOS]


METHODS: Mapping[str, Callable[[Tools], list[Method]]] = {
    "plain": lambda _: [Plain()],
    "threshold": _thresholds,
    "ratio": _ratios,
    "prism-r": lambda tools: _by_chance(tools, "prism-r"),
    "nested": lambda tools: _by_chance(tools, "nested", tools.model.retag),
    "mixture": lambda tools: _by_chance(tools, "mixture"),
    "nodecode": _without_decoding,
    "reference": _references,
}
"""Each method at the strengths that are printed."""
DEFAULT_METHODS = ("plain", "threshold", "ratio", "prism-r", "nodecode", "reference")
