"""Measure what is read of hidden words by someone with other texts of the same genre.

    python -m benchmarks.same_genre [--corpus tab clinspen] [--strength standard strongest] [--json]

Rows of ``corpus, strength, attack, value, chance, low, high, n``: see
``prism_core.evaluation.adversaries.same_genre``. ``tab``: the 72 court cases of the Text
Anonymization Benchmark, each half read by who has the other. ``clinspen``: clinical cases.
English to Spanish, with the dictionary as Apertium has it. Needs ``PRISM_SHARED_DATA``.
"""

from __future__ import annotations

from random import Random

from benchmarks.measure import argument_parser, show
from benchmarks.strength import SHARED, Bench, figures
from prism_core.evaluation.adversaries import attack_case
from prism_core.evaluation.corpora import read_texts
from prism_core.settings import load_settings

CORPORA = ("tab", "clinspen")


def main() -> None:
    """Measure and print."""
    parser = argument_parser(__doc__)
    parser.add_argument("--corpus", nargs="+", choices=CORPORA, default=list(CORPORA))
    parser.add_argument("--strength", nargs="+", default=["standard", "strongest"])
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    bench = Bench(asked.seed)
    rows = []
    for corpus in asked.corpus:
        documents = bench.cases
        if corpus == "clinspen":
            texts = read_texts("clinspen/dev", SHARED, "en", "es")
            documents = [bench.sentences(document.lines) for document in texts.documents]
        for strength in asked.strength:
            case = bench.send(load_settings(flags={"strength": strength}), documents)
            found = attack_case(case, Random(asked.seed), {"rebuilding by genre"})
            rows += [{"corpus": corpus, "strength": strength, **figures(one)} for one in found]
    show(rows, as_json=asked.json)


if __name__ == "__main__":
    main()
