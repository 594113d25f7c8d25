"""What each ``strength`` hides, and what it costs.

    python -m benchmarks.strength [--json] [--part PART ...] [--seed N]

The parts are ``privacy``, ``identifiers``, ``quality``, ``bags`` and ``decoys``.

``privacy``: rows of ``strength, seen_by, attack, value, chance, low, high, n`` over the court cases
of the Text Anonymization Benchmark. The attacker names the country, whether Turkey is the
respondent, and whether Article 29 § 3 was applied. ``seen_by`` one of several translators, each is
sent its own part of every case; ``all`` is one translator, or several together.

``identifiers``: rows of ``strength, type, in_clear, n`` over the same cases: of what a person
marked as identifying somebody, directly or with other facts, the share of which a word is sent as
it is.
Each sentence is encoded by itself; ``dem`` are demographic facts.

``quality``: rows of ``strength, corpus, requests, words, chrf, human`` through Apertium (English to
Spanish): chrF against what Apertium makes of the whole source, and against a human translation.

``bags``: of how many cases sent together, the share of requests whose likest other one is of the
same case. ``decoys``: half of the cases sent among decoys of one kind or another.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from sacrebleu.metrics import CHRF

from benchmarks.dictionary import translated
from benchmarks.identifier_documents import Document, Truth
from benchmarks.identifier_recall import Reader, Tally, count
from benchmarks.measure import argument_parser, show
from prism_core.dictionary import Dictionary, load_dictionary
from prism_core.encoding import Encoder, make_encoder
from prism_core.evaluation.adversaries import Case, attack_case
from prism_core.evaluation.adversaries.cases import (
    Sending,
    make_case,
    observe_encoder,
    public_knowledge,
)
from prism_core.evaluation.adversaries.observer import Documents
from prism_core.evaluation.corpora import Corpus, CorpusDocument, read_texts
from prism_core.evaluation.findings import Finding
from prism_core.evaluation.methods import send_encoded
from prism_core.evaluation.surviving import GoldNames
from prism_core.identifiers import DenyList, IdentifierFinder
from prism_core.language import LanguageModel, Sentence, split_clauses
from prism_core.mechanisms import make_mechanism
from prism_core.resources import shipped_dictionary
from prism_core.settings import IdentifierClass, Settings, load_settings

SHARED = Path(os.environ.get("PRISM_SHARED_DATA", "../shared/data"))
STRENGTHS = ("identifiers-only", "light", "standard", "strong", "strongest")
CORPORA = {"clinspen/dev": None, "wmt/flores-dev": 12, "wmt/wmt12": 12}
"""With how many documents of each."""
BAGS = (2, 5, 10, 20, 40, 72)
DEALS = 8
_ASKED = {"topic", "topic of a request", "neighbours by content", "linking"}
Row = Mapping[str, object]


class Bench:
    """What all parts need: the model, the dictionary, the cases and what is asked of them."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.model = LanguageModel.load("en", lemmas=False)
        self.dictionary: Dictionary = load_dictionary(shipped_dictionary("en", "es"), "apertium")
        with gzip.open(SHARED / "tab/entities.jsonl.gz", "rt", encoding="utf-8") as file:
            cases = [json.loads(line) for line in file]
        self.marked = [_marked(case) for case in cases]
        self.cases: Documents = [self.sentences(case["text"].splitlines()) for case in cases]
        countries = [case["metadata"]["provenance"]["countries"] for case in cases]
        joined = [bool(re.search(r"Article 29 § 3", case["text"])) for case in cases]
        self.topics = {
            "country": dict(enumerate(countries)),
            "turkey": {at: str(one == "TUR") for at, one in enumerate(countries)},
            "article": {at: str(one) for at, one in enumerate(joined)},
        }

    def sentences(self, lines: Sequence[str]) -> list[Sentence]:
        """The sentences of ``lines``."""
        found = self.model.annotate([line.strip() for line in lines if line.strip()])
        return [one for line in found for one in line if one.text.strip()]

    def encoder(self, settings: Settings) -> Encoder:
        """That of ``settings``."""
        mechanism = make_mechanism(settings.mechanism, self.dictionary)
        return make_encoder(self.dictionary, mechanism)

    def send(
        self, settings: Settings, documents: Documents, decoys: Sequence[Sentence] = ()
    ) -> Case:
        """``documents`` as they are sent, all together, with ``decoys`` among them."""
        cut = cutter(settings, self.encoder(settings))
        parts = [[part for one in document for part in cut(one)] for document in documents]
        extra = [part for one in decoys for part in cut(one)]
        encoder, rng = self.encoder(settings), Random(self.seed)
        known = encoder.add_identifiers(DenyList(), (one for document in parts for one in document))
        public = public_knowledge(self.dictionary, (), extra)
        seen = observe_encoder(encoder, public.prior, known, rng)
        sent, among = list(seen.observe(parts)), list(seen.observe_decoys(extra))
        sending = Sending(decoy_rate=1.0 if extra else 0.0)
        return make_case(sent, parts, (), public, sending, rng, among)


def cutter(settings: Settings, encoder: Encoder) -> Callable[[Sentence], Sequence[Sentence]]:
    """What becomes of a sentence before it is encoded, as a run does it."""

    def cut(sentence: Sentence) -> Sequence[Sentence]:
        parts = split_clauses(sentence, encoder.dictionary.language)
        return parts if encoder.may_cut(sentence, parts) else [sentence]

    return cut if settings.mixing.split_clauses else lambda sentence: [sentence]


def privacy(bench: Bench) -> Iterator[Row]:
    """What the attacks find at each strength."""
    for strength in STRENGTHS:
        case = bench.send(load_settings(flags={"strength": strength}), bench.cases)
        case = replace(case, topics=bench.topics)
        yield {"strength": strength, "seen_by": "all", "content_in_clear": in_clear(case)}
        for found in attack_case(case, Random(bench.seed), _ASKED):
            yield {"strength": strength, "seen_by": "all", **figures(found)}
        for several in (2, 3):
            yield from _to_one_of(several, strength, case, bench.seed)


def in_clear(case: Case) -> float:
    """The share of all tokens that are sent as they are, less marks and function words."""
    is_grammar = case.public.dictionary.language.is_function_word
    kept = [
        token
        for one in case.sent
        for place, token in enumerate(one.request.tokens)
        if place not in one.replaced and any(map(str.isalnum, token)) and not is_grammar(token)
    ]
    return len(kept) / sum(len(one.request.tokens) for one in case.sent)


def _to_one_of(several: int, strength: str, case: Case, seed: int) -> Iterator[Row]:
    """What one of ``several`` translators learns of topics, on the mean over ``DEALS``."""
    found: dict[str, list[Finding]] = {}
    for deal in range(DEALS):
        rng = Random(seed + deal)
        part = replace(case, sent=tuple(one for one in case.sent if not rng.randrange(several)))
        for one in attack_case(part, rng, {"topic"}):
            found.setdefault(one.attack, []).append(one)
    for deals in found.values():
        mean = replace(
            deals[0],
            value=sum(one.value for one in deals) / DEALS,
            chance=sum(one.chance for one in deals) / DEALS,
        )
        yield {"strength": strength, "seen_by": f"1 of {several}", **figures(mean)}


def _marked(case: Mapping[str, Any]) -> Mapping[str, Document]:
    """A court case with the places that a person marked as identifying somebody, by their type."""
    found: dict[str, list[Truth]] = {}
    for one in case["entities"]:
        if one["identifier_type"] in ("DIRECT", "QUASI"):
            truth = Truth(one["start_offset"], one["end_offset"], IdentifierClass.OTHER)
            found.setdefault(one["entity_type"].lower(), []).append(truth)
    return {of: Document("", case["text"], tuple(truths), ()) for of, truths in found.items()}


def identifiers(bench: Bench) -> Iterator[Row]:
    """What a person marked as identifying, and is sent as it is, at each strength."""
    for strength in STRENGTHS:
        encoder = bench.encoder(load_settings(flags={"strength": strength}))
        tallies: dict[str, Tally] = {}
        reader = Reader(bench.model, encoder, Random(bench.seed))
        finder = IdentifierFinder(bench.dictionary)
        for marked in bench.marked:
            seen = reader.seen(next(iter(marked.values())).text, finder)
            for of, document in marked.items():
                count(document, seen, tallies.setdefault(of, Tally()))
        for of, tally in tallies.items():
            (row,) = tally.rows(of)
            yield {"strength": strength, "type": of, "in_clear": row["in_clear"], "n": row["n"]}


def quality(bench: Bench) -> Iterator[Row]:
    """What comes back at each strength."""

    def translate(texts: Sequence[str]) -> list[str]:
        return asyncio.run(translated(texts))

    for name, most in CORPORA.items():
        texts = read_texts(name, SHARED, "en", "es").first(most)
        lines = [line for document in texts.documents for line in document.lines]
        human = [line for document in texts.documents for line in document.references]
        whole = [list(line) for line in bench.model.annotate(lines)]
        direct = [" ".join(translate([one.text.strip() for one in line])) for line in whole]
        for strength in STRENGTHS:
            settings = load_settings(flags={"strength": strength})
            encoder = bench.encoder(settings)
            cut = cutter(settings, encoder)
            split = [[part for one in line for part in cut(one)] for line in whole]
            back = _sent_and_back(encoder, split, translate, bench.seed)
            parts = [part for line in split for part in line]
            yield {
                "strength": strength,
                "corpus": name,
                "requests": len(parts),
                "words": sum(len(part.tokens) for part in parts) / len(parts),
                "chrf": CHRF().corpus_score(back, [direct]).score,
                "human": CHRF().corpus_score(back, [human]).score if human else None,
            }


def _sent_and_back(
    encoder: Encoder,
    lines: Sequence[Sequence[Sentence]],
    translate: Callable[[Sequence[str]], list[str]],
    seed: int,
) -> list[str]:
    """y_pri of each of ``lines``, its parts put together again."""
    document = CorpusDocument("", tuple(map(tuple, lines)))
    nobody = GoldNames.of((), frozenset(), set())
    corpus = Corpus("", (document,), (), nobody)
    outcomes = iter(send_encoded(encoder, corpus, translate, Random(seed)))
    return [" ".join(next(outcomes).text for _ in line) for line in lines]


def bags(bench: Bench) -> Iterator[Row]:
    """How well requests of one case are found in larger and larger bags."""
    for strength in STRENGTHS:
        case = bench.send(load_settings(flags={"strength": strength}), bench.cases)
        for size in BAGS:
            found: list[Finding] = []
            for seed in range(max(1, 40 // size)):
                own = set(Random(seed).sample(range(len(bench.cases)), size))
                bag = tuple(one for one in case.sent if one.document in own)
                part = replace(case, sent=bag)
                found += attack_case(part, Random(seed), {"neighbours by content"})
            value = sum(one.value for one in found) / len(found)
            chance = sum(one.chance for one in found) / len(found)
            yield {"strength": strength, "cases": size, "value": value, "chance": chance}


def decoys(bench: Bench) -> Iterator[Row]:
    """Half of the cases among decoys, one for each sentence: other cases, or news."""
    own, others = bench.cases[::2], bench.cases[1::2]
    news = bench.sentences((SHARED / "wmt/en-de/wmt11.en").read_text("utf-8").splitlines()[:2000])
    kinds = {"other cases": [one for case in others for one in case], "news": news}
    for strength in ("standard", "strong"):
        for name, sentences in kinds.items():
            case = bench.send(load_settings(flags={"strength": strength}), own, sentences)
            asked = {"unmasking", "unmasking by content", "neighbours by content"}
            for found in attack_case(case, Random(bench.seed), asked):
                yield {"strength": strength, "decoys": name, **figures(found)}


def figures(found: Finding) -> Row:
    """``found`` as a row."""
    low, high = found.interval()
    names = {"attack": found.attack, "value": found.value, "chance": found.chance}
    return {**names, "low": low, "high": high, "n": found.n}


PARTS = {
    "privacy": privacy,
    "identifiers": identifiers,
    "quality": quality,
    "bags": bags,
    "decoys": decoys,
}


def main() -> None:
    """Measure and print."""
    parser = argument_parser(__doc__)
    parser.add_argument("--part", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    bench = Bench(arguments.seed)
    rows = [row for part in arguments.part for row in PARTS[part](bench)]
    show(rows, as_json=arguments.json)


if __name__ == "__main__":
    main()
