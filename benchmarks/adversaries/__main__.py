"""What can be inferred from x_pub by those who know the code, the dictionary and the settings.

    python -m benchmarks.adversaries [--json] [--source es] [--documents N] [--outsiders N]
                                     [--methods NAME ...] [--translator NAME] [--dictionary FILE]
                                     [--embeddings FOLDER] [--seed N]
                                     [--store FILE] [--plot FILE ...]
    python -m benchmarks.adversaries --from FILE ... [--store FILE] --plot FILE ...

Rows of ``attack, method, setting, mixing, decoys, value, chance, low, high, n`` over an archive of
a thousand documents, five lines each: of English, news of years that no public text here has, and
clinical cases; of Spanish, French and German, the sets that no dictionary is built from, and
clinical cases, judgments or captions of pictures. ``value`` is what the attack reached, ``chance``
what it would if nothing leaked, ``low`` and ``high`` the 95 % interval of ``value``. ``mixing`` and
``decoys`` are ``either`` where they cannot matter. The attacks:
``prism_core/evaluation/adversaries``, explained in ``docs/adversaries.md``.

One interval in twenty misses chance by chance: the last line says how many that would be, and how
many did. Nothing is translated, nothing is sent. ``--store`` keeps rows with machine, versions,
seed and date, or as ``attacks.jsonl``, which ``prism evaluate figures`` draws; ``--plot`` draws
them here, ``--from`` those that were stored.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from benchmarks.adversaries.paper import paper_dictionary, sent_by_paper
from benchmarks.adversaries.plot import draw
from benchmarks.adversaries.results import Results, Row, joined, kept, read, row
from benchmarks.adversaries.texts import SOURCES, Texts, load
from benchmarks.measure import argument_parser, show
from benchmarks.strength import cutter
from prism_core.dictionary import Dictionary, load_dictionary
from prism_core.encoding import make_encoder
from prism_core.evaluation.adversaries import ADVERSARIES, Public, attack_case
from prism_core.evaluation.adversaries.base import DECOY, DECOYS, MIXING, SentRequest
from prism_core.evaluation.adversaries.cases import (
    CONTROLS,
    Sending,
    make_case,
    observe_encoder,
    observe_further,
    public_knowledge,
)
from prism_core.evaluation.adversaries.linking import load_embedder
from prism_core.evaluation.adversaries.observer import Documents, Observer
from prism_core.identifiers import DenyList
from prism_core.language import LanguageModel
from prism_core.mechanisms import make_mechanism
from prism_core.resources import shipped_dictionary
from prism_core.settings import load_settings

TARGETS = {"en": "es", "es": "en", "fr": "en", "de": "en"}
TRANSLATORS = {"en": "apertium", "es": "apertium", "fr": "google", "de": "google"}
SENDINGS = (Sending(), Sending(mixing=False), Sending(decoy_rate=1.0), Sending(False, 1.0))
"""Mixing on and off, decoys on and off."""


@dataclass(frozen=True)
class Target:
    """What is attacked, and what is public."""

    texts: Texts
    dictionary: Dictionary
    public: Public
    seed: int


@dataclass(frozen=True)
class Encoded:
    """The archive as a method sends it: ``observed`` where it can be asked to encode anew.

    ``documents`` are those of the texts, where the method does not cut them further.
    """

    sent: Sequence[SentRequest]
    decoys: Sequence[SentRequest]
    observed: Observer | None = None
    controls: Sequence[Sequence[SentRequest]] = ()
    documents: Documents = ()


def main() -> None:
    """Encode, attack, print, keep, draw."""
    arguments = _arguments()
    if arguments.stored:
        results = joined([read(path) for path in arguments.stored])
    else:
        rows = []
        for one in measure(arguments):
            rows.append(one)
            if not arguments.json:
                show([one], as_json=False)
        results = kept(rows, vars(arguments))
        if arguments.json:
            show(rows, as_json=True)
    if arguments.store:
        results.write(arguments.store)
    if not arguments.json:
        show(list(_by_chance(results)), as_json=False)
    for path in arguments.plot:
        draw(results, path)


def measure(arguments: argparse.Namespace) -> Iterator[Row]:
    """One row for each method, attack, and way of sending that matters to it."""
    source = arguments.source
    texts = load(LanguageModel.load(source), arguments.documents, arguments.outsiders, source)
    path = arguments.dictionary or shipped_dictionary(source, TARGETS[source])
    dictionary = load_dictionary(path, arguments.translator or TRANSLATORS[source])
    embedder = load_embedder(arguments.embeddings) if arguments.embeddings else None
    public = public_knowledge(dictionary, texts.public, texts.decoys, embedder)
    target = Target(texts, dictionary, public, arguments.seed)
    for name in arguments.methods:
        setting, encode = METHODS[name]
        encoded = encode(target, Random(target.seed))
        yield from _attacked(target, encoded, name, setting)


def _attacked(target: Target, encoded: Encoded, method: str, setting: str) -> Iterator[Row]:
    """Each attack under every way of sending that matters to it, n = 0 left out."""
    rng = Random(target.seed)
    documents = encoded.documents or target.texts.inside
    for sending in SENDINGS:
        observed = encoded.observed if sending == SENDINGS[0] else None
        sent = make_case(
            encoded.sent,
            documents,
            target.texts.outside,
            target.public,
            sending,
            rng,
            encoded.decoys,
            observed,
            encoded.controls,
        )
        if observed:
            sent = observe_further(sent, observed, documents)
        archive = replace(sent, topics={"genre": dict(enumerate(target.texts.genres))})
        for name in _asked(sending):
            matters = ADVERSARIES[name].matters
            for found in attack_case(archive, rng, {name}):
                if found.n:
                    yield row(method, setting, sending, matters, found)


def _asked(sending: Sending) -> list[str]:
    """The adversaries to whom ``sending`` is not what another one was already."""
    changed = set()
    if not sending.mixing:
        changed.add(MIXING)
    if sending.decoy_rate:
        changed.add(DECOYS)
    return [name for name, one in ADVERSARIES.items() if changed <= one.matters]


def _ours(flags: Mapping[str, object] | None = None) -> Callable[[Target, Random], Encoded]:
    """PRISM with these settings, the rest as by default."""

    def encode(target: Target, rng: Random) -> Encoded:
        settings = load_settings(flags=flags)
        mechanism = make_mechanism(settings.mechanism, target.dictionary)
        encoder = make_encoder(target.dictionary, mechanism)
        cut = cutter(settings, encoder)
        inside = [
            [part for sentence in document for part in cut(sentence)]
            for document in target.texts.inside
        ]
        public = [part for sentence in target.texts.decoys for part in cut(sentence)]
        archive = (sentence for document in inside for sentence in document)
        deny_list = encoder.add_identifiers(DenyList(), archive)
        seen = observe_encoder(encoder, target.public.prior, deny_list, rng)
        sent = list(seen.observe(inside))
        decoys = list(seen.observe_decoys(public[: len(sent)]))
        return Encoded(sent, decoys, seen, seen.observe_controls(inside, CONTROLS), inside)

    return encode


def _paper(ratio: float) -> Callable[[Target, Random], Encoded]:
    """The paper's procedure; its decoys are documents of five sentences."""

    def encode(target: Target, _rng: Random) -> Encoded:
        words, prior = paper_dictionary(target.dictionary), target.public.prior
        sent = list(sent_by_paper(target.texts.inside, words, ratio, prior))
        public = target.texts.decoys[: len(sent)]
        groups = [public[at : at + 5] for at in range(0, len(public), 5)]
        decoys = [
            SentRequest(one.request, DECOY, None, one.replaced)
            for one in sent_by_paper(groups, words, ratio, prior)
        ]
        return Encoded(sent, decoys)

    return encode


METHODS: Mapping[str, tuple[str, Callable[[Target, Random], Encoded]]] = {
    "threshold": ("tau=.2 (default)", _ours()),
    "strongest": ("clauses apart", _ours({"strength": "strongest"})),
    "ratio": ("r=.5", _ours({"mechanism.name": "prism-star-ratio", "mechanism.ratio": 0.5})),
    "prism-r": (
        "r=.9",
        _ours({"mechanism.name": "prism-r", "mechanism.replace_probability": 0.9}),
    ),
    "paper": ("r=.5", _paper(0.5)),
}
"""Each method with its setting as it is printed, and how it encodes."""


def _by_chance(results: Results) -> Iterator[Mapping[str, object]]:
    """How many intervals miss chance, and how many would if nothing leaked at all."""
    for method in dict.fromkeys(one["method"] for one in results.rows):
        rows = [one for one in results.rows if one["method"] == method]
        missed = sum(not one["low"] <= one["chance"] <= one["high"] for one in rows)
        yield {
            "method": method,
            "intervals": len(rows),
            "miss chance": missed,
            "would by chance alone": round(len(rows) / 20, 1),
        }


def _arguments() -> argparse.Namespace:
    parser = argument_parser(__doc__)
    parser.add_argument("--documents", type=int, default=1000)
    parser.add_argument("--outsiders", type=int, default=150)
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=list(METHODS))
    parser.add_argument("--source", choices=SOURCES, default="en", help="the archive's language")
    parser.add_argument("--translator", help="whose words are drawn, instead of the source's usual")
    parser.add_argument("--dictionary", type=Path)
    parser.add_argument(
        "--embeddings", type=Path, help="a folder with a model of Model2Vec: link by meaning too"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--store", type=Path, help="a JSON file to keep the rows in")
    parser.add_argument(
        "--from", dest="stored", type=Path, nargs="+", help="files that were stored, to be joined"
    )
    parser.add_argument("--plot", type=Path, nargs="+", default=[], help=".svg, .png or .pdf")
    return parser.parse_args()


if __name__ == "__main__":
    main()
