"""What can be inferred from x_pub by one who knows the code, the dictionary and the settings.

    python -m benchmarks.inference [--json] [--stories N] [--methods NAME ...] [--dictionary FILE]
                                   [--repeats N] [--seed N]

Rows of ``dataset, method, setting, attack, value, chance, low, high, n`` over MCTest mc160.test:
what an attack reached, what it reaches if a substitute tells nothing but its pool, the 95 %
interval of ``value``, and over how many cases. The attacks: ``prism_core/evaluation/inference.py``.
One of twenty intervals misses chance by chance; ``--repeats`` is how often the archive is drawn
for methods that draw, each time as an archive of its own. Nothing is translated, but for the
dictionary of the paper's procedure where ``.benchmark-cache`` has none yet.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from random import Random

from benchmarks.inference.guesses import Guess, by_rarity, by_score, by_threshold
from benchmarks.inference.observed import (
    Documents,
    Observed,
    Watched,
    observe_reference,
)
from benchmarks.inference.pools import OnePool, Prior, PublicPools, RatioPools, ThresholdPools
from benchmarks.measure import show
from benchmarks.stories import PUBLIC_TEXT, SHARED, story_paragraphs
from benchmarks.translation import LANGUAGES, TRANSLATOR, CachedTranslator
from prism_core.dictionary.dictionary import Dictionary
from prism_core.dictionary.parquet import load_dictionary
from prism_core.encoder import Encoder
from prism_core.evaluation import Finding, attacks, position, read_mctest
from prism_core.evaluation.corpora import sentences_of
from prism_core.evaluation.paper_dictionary import paper_dictionary
from prism_core.language.model import LanguageModel
from prism_core.mechanisms import make_mechanism
from prism_core.mechanisms.vocabulary import Vocabulary
from prism_core.resources import PROJECT, shipped_dictionary
from prism_core.settings import MechanismSettings
from prism_core.settings_sources import load_settings

THRESHOLDS = (0.1, 0.3, 0.5)
RATIOS = (0.1, 0.3, 0.5)
PROBABILITIES = (0.3, 0.9)
REFERENCE_RATIOS = (0.3, 0.5)
CACHE = PROJECT / ".benchmark-cache"


@dataclass(frozen=True)
class Target:
    """What is attacked: the archive, and what is public."""

    documents: Documents
    dictionary: Dictionary
    prior: Prior
    model: LanguageModel
    repeats: int
    seed: int

    def settings(self, **flags: object) -> MechanismSettings:
        """Mechanism settings, the rest as by default."""
        return load_settings(flags={f"mechanism.{k}": v for k, v in flags.items()}).mechanism


Outcomes = Iterator[tuple[str, Observed]]
"""Settings as they are printed, and what was observed under each."""


def main() -> None:
    """Encode, attack, print."""
    arguments = _arguments()
    rows = []
    for row in measure(arguments):
        rows.append(row)
        if not arguments.json:
            show([row], as_json=False)
    if arguments.json:
        show(rows, as_json=True)


def measure(arguments: argparse.Namespace) -> Iterator[Mapping[str, object]]:
    """One row for each method, setting and attack, as each setting is done."""
    model = LanguageModel.load()
    folder = SHARED / "mctest"
    stories = read_mctest(folder / "mc160.test.tsv", folder / "mc160.test.ans")
    documents = [sentences_of(model, one.paragraphs) for one in stories[: arguments.stories]]
    dictionary = load_dictionary(arguments.dictionary, TRANSLATOR)
    target = Target(
        documents,
        dictionary,
        _public_frequencies(),
        model,
        repeats=arguments.repeats,
        seed=arguments.seed,
    )
    for method in arguments.methods:
        for setting, observed in METHODS[method](target):
            found = position(observed.guessed, observed.replaced, observed.tokens)
            for one in chain(found, attacks(observed.hidden)):
                yield _row("mctest", method, setting, one)


def _threshold(target: Target) -> Outcomes:
    for tau in THRESHOLDS:
        settings = target.settings(threshold=tau)
        pools = ThresholdPools(target.dictionary, tau, settings.minimum_pool, target.prior)
        guess = by_threshold(target.dictionary, tau)
        yield f"tau={tau:g}", _observed(target, settings, pools, guess, target.repeats)


def _ratio(target: Target) -> Outcomes:
    for ratio in RATIOS:
        settings = target.settings(ratio=ratio)
        pools = RatioPools(target.dictionary, settings.minimum_pool, target.prior)
        guess = by_score(target.dictionary, ratio)
        yield f"r={ratio:g}", _observed(target, settings, pools, guess, 1)


def _prism_r(target: Target) -> Outcomes:
    for r in PROBABILITIES:
        settings = target.settings(name="prism-r", replace_probability=r)
        words = Vocabulary(target.dictionary, settings.threshold, settings.minimum_pool)
        pools = OnePool(target.dictionary, words, target.prior)
        guess = by_rarity(words, r, target.prior)
        yield f"r={r:g}", _observed(target, settings, pools, guess, target.repeats)


def _reference(target: Target) -> Outcomes:
    with CachedTranslator() as translate:
        dictionary = paper_dictionary(SHARED, CACHE, TRANSLATOR, LANGUAGES, target.model, translate)
    for ratio in REFERENCE_RATIOS:
        seen = observe_reference(target.documents, dictionary, ratio, target.prior)
        yield f"r={ratio:g}", seen


METHODS: Mapping[str, Callable[[Target], Outcomes]] = {
    "threshold": _threshold,
    "ratio": _ratio,
    "prism-r": _prism_r,
    "reference": _reference,
}


def _observed(
    target: Target, settings: MechanismSettings, pools: PublicPools, guess: Guess, repeats: int
) -> Observed:
    """The archive as the mechanism of ``settings`` sends it, ``repeats`` times."""
    watched = Watched(make_mechanism(settings, target.dictionary))
    encoder = Encoder(target.dictionary, watched)
    observed, rng = Observed(), Random(target.seed)
    for _ in range(repeats):
        observed.observe(target.documents, encoder, watched, rng, pools, guess)
    return observed


def _row(dataset: str, method: str, setting: str, found: Finding) -> Mapping[str, object]:
    low, high = found.interval()
    return {
        "dataset": dataset,
        "method": method,
        "setting": setting,
        "attack": found.attack,
        "value": found.value,
        "chance": found.chance,
        "low": low,
        "high": high,
        "n": found.n,
    }


def _public_frequencies() -> Prior:
    """How often news and the other stories have each word, as it is written and in lower case."""
    news = [(SHARED / f"wmt/en-es/{name}.en").read_text("utf-8") for name in PUBLIC_TEXT]
    counts: Counter[str] = Counter()
    for text in chain(news, story_paragraphs(["train", "dev"])):
        for word in re.findall(r"\w+(?:['’]\w+)*|[^\w\s]", text):
            counts[word] += 1
            if word != word.lower():
                counts[word.lower()] += 1
    return counts


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--stories", type=int)
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=list(METHODS))
    parser.add_argument("--dictionary", type=Path, default=shipped_dictionary(*LANGUAGES))
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


if __name__ == "__main__":
    main()
