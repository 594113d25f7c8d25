"""What an archive names, told by the public names and words that are never drawn in it.

    python -m benchmarks.absence [--documents N] [--nights N] [--planted N] [--to LANG] [--seed N]
                                 [--translator NAME] [--json]

The court cases of the Text Anonymization Benchmark (``PRISM_SHARED_DATA/tab``), or ``--planted``
letters of our own in which public names stand, encoded with the default settings; over several
nights each is encoded with what the archive knew by then. Rows of ``attack, documents, value,
chance, n``: the precision of the adversary (``prism_core/evaluation/adversaries/absence.py``) where
half of the names are found, and the share of all on the list that the archive holds. Nothing is
sent.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from random import Random

from benchmarks.measure import argument_parser, show
from prism_core.encoding import Encoder, load_encoder
from prism_core.evaluation.adversaries import Case, attack_case
from prism_core.evaluation.adversaries.base import SentRequest
from prism_core.evaluation.adversaries.cases import observe_encoder, public_knowledge
from prism_core.identifiers import DenyList
from prism_core.language import LanguageModel, Sentence
from prism_core.settings import load_settings

SHARED = Path(os.environ.get("PRISM_SHARED_DATA", "../shared/data"))
LETTERS_A_NAME = 20
"""Letters that each planted client comes in, on the mean."""
LETTER = (
    "{g} {s} came to our office on Monday and signed the new contract.",
    "We wrote to {s} that the house in {p} will be sold before the summer.",
    "The doctor said that {g} had been ill for weeks.",
    "Neither {s} nor the bank in {p} has answered our letter.",
    "{g} and the children moved to {p} after the trial.",
    "Please ask Mr {s} whether the invoice was paid.",
)


def main() -> None:
    """Encode, attack, print."""
    arguments = _arguments()
    flags = {"target": arguments.to, "translator.name": arguments.translator}
    settings, model = load_settings(flags=flags), LanguageModel.load("en")
    encoder = load_encoder(settings, model.retag)
    rng = Random(arguments.seed)
    texts = _letters(encoder, arguments.planted, rng) if arguments.planted else _cases()
    documents = list(map(model.sentences, islice(texts, arguments.planted or arguments.documents)))
    case = encode_by_nights(encoder, documents, arguments.nights, rng)
    rows = [
        {
            "attack": found.attack,
            "documents": len(documents),
            "value": round(found.value, 3),
            "chance": round(found.chance, 3),
            "n": found.n,
        }
        for found in attack_case(case, rng, {"absence"})
    ]
    show(rows, as_json=arguments.json)


def encode_by_nights(
    encoder: Encoder, documents: Sequence[Sequence[Sentence]], nights: int, rng: Random
) -> Case:
    """What is sent of ``documents`` in so many nights, each with the deny list as it is by then."""
    deny_list, sent = DenyList(), list[SentRequest]()
    named = frozenset(f for doc in documents for one in doc for f in encoder.identifiers(one))
    seen = observe_encoder(encoder, {}, deny_list, rng)
    size = -(-len(documents) // nights)
    for start in range(0, len(documents), size):
        tonight = documents[start : start + size]
        encoder.add_identifiers(deny_list, (one for document in tonight for one in document))
        wave = list(seen.observe(tonight))
        rng.shuffle(wave)
        sent += wave
    public = public_knowledge(encoder.dictionary, [])
    return Case(tuple(sent), (), (), public, ordered=False, named=named)


def _cases() -> Iterator[str]:
    with gzip.open(SHARED / "tab" / "entities.jsonl.gz", "rt", encoding="utf-8") as lines:
        yield from (json.loads(line)["text"] for line in lines)


def _letters(encoder: Encoder, count: int, rng: Random) -> Iterator[str]:
    """Letters about clients with public names, some of whom come more often than others."""
    clients = [
        [rng.choice(encoder.dictionary.names[kind]) for kind in ("GIVEN", "SURNAME", "PLACE")]
        for _ in range(max(count // LETTERS_A_NAME, 1))
    ]
    weights = [1 / rank for rank in range(1, len(clients) + 1)]
    for _ in range(count):
        given, surname, place = rng.choices(clients, weights)[0]
        yield " ".join(line.format(g=given, s=surname, p=place) for line in LETTER)


def _arguments() -> argparse.Namespace:
    parser = argument_parser(__doc__)
    parser.add_argument("--documents", type=int, default=72)
    parser.add_argument("--nights", type=int, default=1)
    parser.add_argument("--planted", type=int, default=0, metavar="LETTERS")
    parser.add_argument("--to", default="es")
    parser.add_argument("--translator", default="deepl")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


if __name__ == "__main__":
    main()
