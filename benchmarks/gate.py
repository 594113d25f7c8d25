"""A small fixed evaluation: has quality, restoring or privacy become worse than it was?

    python -m benchmarks.gate [--seeds N] [--only bounds|roles] [--write tests/evaluation/gate.json]

``bounds``: the first stories of MCTest mc160.test, with the default settings and Apertium;
``roles``: what two neural translators make of the words of each dictionary that ships
(``benchmarks.role_gate``). Write the latter anew with every new dictionary. Each figure is measured
with so many seeds; what it may be at worst is its mean less (or plus) ``REACH`` standard
deviations, and never less than ``LEAST`` away, so that a lucky number is no bound. The test
``tests/evaluation/test_gate.py`` measures with one fixed seed and holds it against what is stored.
Write the bounds anew only where a change is meant to move a figure, and say so in the commit.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from sacrebleu.metrics import CHRF

from benchmarks import role_gate
from benchmarks.measure import show
from prism_core.dictionary import Dictionary, load_dictionary
from prism_core.encoding import Encoder, load_encoder, make_encoder
from prism_core.evaluation import read_mctest
from prism_core.evaluation.adversaries import Case, attack_case
from prism_core.evaluation.adversaries.cases import (
    Sending,
    make_case,
    observe_encoder,
    public_knowledge,
)
from prism_core.evaluation.adversaries.observer import Documents, words
from prism_core.evaluation.findings import Finding
from prism_core.identifiers import DenyList
from prism_core.language import LanguageModel
from prism_core.mechanisms import Mechanism
from prism_core.resources import shipped_dictionary
from prism_core.settings import TranslatorSettings, load_settings
from prism_core.translators import make_translator

SHARED = Path(os.environ.get("PRISM_SHARED_DATA", "../shared/data"))
LANGUAGES = ("en", "es")
TRANSLATOR = "apertium"
STORIES, OTHERS = 16, 12
CONTROLS = 4
REACH = 5.0
LEAST: Mapping[str, float] = {"chrf": 1.0}
LEAST_OTHERWISE = 0.01
BETTER_HIGH = frozenset({"chrf", "restored"}) | role_gate.BETTER_HIGH
"""Of every other figure less is better."""
_ASKED = ("originals", "repeating", "identifiers", "rebuilding by genre")

Figures = Mapping[str, float]


@dataclass(frozen=True)
class Bound:
    """The mean of a figure over seeds, their standard deviation, and what it may be at worst."""

    mean: float
    deviation: float
    worst: float


@dataclass(frozen=True)
class Bench:
    """What is measured on: ``stories`` are the archive, ``others`` public text of its kind."""

    stories: Documents
    others: Documents
    dictionary: Dictionary

    @classmethod
    def load(cls) -> Bench:
        """The stories, annotated, and the dictionary that ships."""
        model, folder = LanguageModel.load("en"), SHARED / "mctest"
        found = read_mctest(folder / "mc160.test.tsv", folder / "mc160.test.ans")
        documents = [
            [sentence for group in model.annotate(story.lines) for sentence in group]
            for story in found[: STORIES + OTHERS]
        ]
        dictionary = load_dictionary(shipped_dictionary(*LANGUAGES), TRANSLATOR)
        return cls(documents[:STORIES], documents[STORIES:], dictionary)


def measure(
    bench: Bench, mechanism: Mechanism, rng: Random, parts: Iterable[str] = ("quality", "leakage")
) -> Figures:
    """Every figure of ``mechanism``, or those of some ``parts`` alone."""
    encoder = make_encoder(bench.dictionary, mechanism)
    deny_list = DenyList()
    for sentence in (one for story in bench.stories for one in story):
        for form in encoder.identifiers(sentence):
            deny_list.add(form)
    measured = {"quality": _quality, "leakage": _leakage}
    found: dict[str, float] = {}
    for part in parts:
        found |= measured[part](bench, encoder, deny_list, rng)
    return found


def objections(figures: Figures, bounds: Mapping[str, Bound]) -> list[str]:
    """A line for each figure that is worse than its bound, and for each that has none."""
    found = [f"{name}: there is no bound" for name in figures if name not in bounds]
    for name, bound in bounds.items():
        value = figures[name]
        is_worse = value < bound.worst if is_better_high(name) else value > bound.worst
        if is_worse:
            found.append(
                f"{name} is {value:.4f}: worse than {bound.worst:.4f} (it was {bound.mean:.4f}, "
                f"with a standard deviation of {bound.deviation:.4f} over seeds)"
            )
    return found


def bounds_of(runs: Sequence[Figures]) -> dict[str, Bound]:
    """The bound of each figure, from several runs."""
    found = {}
    for name in runs[0]:
        values = [one[name] for one in runs]
        mean, deviation = statistics.fmean(values), statistics.stdev(values)
        reach = max(REACH * deviation, LEAST.get(name, LEAST_OTHERWISE))
        worst = mean - reach if is_better_high(name) else mean + reach
        found[name] = Bound(round(mean, 5), round(deviation, 5), round(worst, 5))
    return found


def is_better_high(name: str) -> bool:
    """Whether more of the figure is better: ``chrf``, ``en-es/google/words_found``."""
    return name.rpartition("/")[2] in BETTER_HIGH


def read_bounds(path: Path, part: str = "bounds") -> dict[str, Bound]:
    """What ``--write`` wrote of a part."""
    found = json.loads(path.read_text("utf-8"))[part]
    return {name: Bound(**bound) for name, bound in found.items()}


def default_mechanism(dictionary: Dictionary) -> Mechanism:
    """That of the default settings."""
    settings = load_settings()
    return load_encoder(settings, load=lambda *_: dictionary).mechanism


def _quality(bench: Bench, encoder: Encoder, deny_list: DenyList, rng: Random) -> Figures:
    """chrF against T(x_pri), and the share of sentences restored from the first answer."""
    sentences = [
        one for story in bench.stories for one in story if encoder.needs_translator(one, deny_list)
    ]
    encoded = [encoder.encode(one, deny_list, rng) for one in sentences]
    kept = [(s, e) for s, e in zip(sentences, encoded, strict=True) if not e.withheld]
    private = [sentence.text.strip() for sentence, _ in kept]
    answers = _translated([*private, *(one.text for _, one in kept)])
    direct, sent = answers[: len(kept)], answers[len(kept) :]
    decoded = [encoder.decode(one, text) for (_, one), text in zip(kept, sent, strict=True)]
    restored = sum(encoder.mechanism.restores and not one.unrestored for one in decoded)
    score = CHRF().corpus_score([one.text for one in decoded], [direct]).score
    return {
        "chrf": float(score),
        "restored": restored / len(kept),
        "withheld": 1 - len(kept) / len(sentences),
    }


def _leakage(bench: Bench, encoder: Encoder, deny_list: DenyList, rng: Random) -> Figures:
    """Words in clear, names that are to be read, and what attacks reach beyond chance."""
    others = [words(sentence) for story in bench.others for sentence in story]
    public = public_knowledge(bench.dictionary, others)
    seen = observe_encoder(encoder, public.prior, deny_list, rng)
    sent = list(seen.observe(bench.stories))
    controls = seen.observe_controls(bench.stories, CONTROLS)
    archive = make_case(
        sent, bench.stories, bench.others, public, Sending(), rng, (), seen, controls, nights=1
    )
    archive = replace(archive, own=tuple(seen.observe(bench.others)))
    found = {one.attack: one for one in attack_case(archive, rng, _ASKED)}
    return {
        "in-clear": _in_clear(archive),
        "rebuild-genre@1": found["rebuild-genre@1"].value,
        **{
            attack: _beyond_chance(found[attack])
            for attack in (
                "who-itself",
                "who-learned",
                "who-strong@draw",
                "order@draw",
                "linkage-substitute",
                "repeat-stored",
                "surviving-names-disguised",
                "surviving-numbers-disguised",
            )
        },
    }


def _in_clear(archive: Case) -> float:
    """The share of all tokens that are sent as they are."""
    tokens = sum(len(one.request.tokens) for one in archive.sent)
    return 1 - sum(len(one.replaced) for one in archive.sent) / tokens


def _beyond_chance(found: Finding) -> float:
    """What an attack reaches beyond chance; of a correlation, either way."""
    beyond = found.value - found.chance
    return abs(beyond) if found.spread is not None else beyond


def _translated(texts: Sequence[str]) -> list[str]:
    async def ask() -> list[str]:
        translator = make_translator(TranslatorSettings.choose(name=TRANSLATOR), *LANGUAGES)
        try:
            return list(await translator.translate(texts, *LANGUAGES))
        finally:
            await translator.close()

    return asyncio.run(ask())


def main() -> None:
    """Measure with every seed, print the bounds, write them; a part that is not asked for stays."""
    arguments = _arguments()
    content: dict[str, object] = {"made by": f"python -m benchmarks.gate --seeds {arguments.seeds}"}
    if arguments.write and arguments.write.exists():
        content = {**json.loads(arguments.write.read_text("utf-8")), **content}
    for part in [arguments.only] if arguments.only else PARTS:
        bounds = bounds_of(PARTS[part](arguments.seeds))
        show([{"figure": name, **vars(bound)} for name, bound in bounds.items()], as_json=False)
        content[part] = {name: vars(bound) for name, bound in bounds.items()}
    if arguments.write:
        arguments.write.write_text(json.dumps(content, indent=1) + "\n", "utf-8")


def _measure_stories(seeds: int) -> list[Figures]:
    bench = Bench.load()
    mechanism = default_mechanism(bench.dictionary)
    return [measure(bench, mechanism, Random(seed)) for seed in range(seeds)]


def _measure_roles(seeds: int) -> list[Figures]:
    bench = role_gate.RoleBench.load()
    return [bench.measure(seed) for seed in range(seeds)]


PARTS = {"bounds": _measure_stories, "roles": _measure_roles}


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", type=int, default=12)
    parser.add_argument("--only", choices=PARTS)
    parser.add_argument("--write", type=Path)
    return parser.parse_args()


if __name__ == "__main__":
    main()
