"""Measure what is read of hidden words by someone with other texts of the same genre.

    python -m benchmarks.same_genre [--corpus tab clinspen/dev] [--strength standard] [--json]

Rows of ``corpus, strength, sent, attack, value, chance, low, high, n``: see
``prism_core.evaluation.adversaries.same_genre``. ``sent`` is ``all``, or ``no formulas``: less what
stays here where there is a model on this machine (``mixing.formulas_from``), which is the share
``kept_here`` of the sentences. ``tab``: the 72 court cases of the Text Anonymization Benchmark.
Each half of the documents is read by who has the other, and ``clinspen/dev`` by who has the train
set too. English to Spanish, with the dictionary as Apertium has it. Needs ``PRISM_SHARED_DATA``.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from random import Random

from benchmarks.measure import argument_parser, show
from benchmarks.strength import SHARED, Bench, figures
from prism_core.evaluation.adversaries import Case, attack_case
from prism_core.evaluation.adversaries.base import SentRequest
from prism_core.evaluation.adversaries.same_genre import find_contexts, read_labels
from prism_core.evaluation.corpora import read_texts
from prism_core.settings import load_settings
from prism_core.settings.treatment import MixingSettings

CORPORA = ("tab", "clinspen/dev", "mctest/mc160.test", "wmt/wmt12")
DOCUMENTS = MixingSettings().formulas_from


def without_formulas(case: Case) -> Case:
    """``case`` less what a run with a model on this machine does not send."""
    documents: dict[str, set[int]] = defaultdict(set)
    for sent in case.sent:
        for context in contexts_of(sent):
            documents[context].add(sent.document)
    left = []
    for sent in case.sent:
        contexts = contexts_of(sent)
        known = sum(len(documents[context]) >= DOCUMENTS for context in contexts)
        if not contexts or 2 * known < len(contexts):
            left.append(sent)
    return replace(case, sent=tuple(left))


def contexts_of(sent: SentRequest) -> list[str]:
    """The places of hidden words, as ``stages.formulas.read_contexts`` has them."""
    pools = {word.shown for word in sent.hidden}
    labels = [label.partition("/")[0] if label in pools else label for label in read_labels(sent)]
    plain = [label.removeprefix("LEFT-") for label in labels]
    return [" ".join(next(find_contexts(plain, word.place))) for word in sent.hidden]


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
        if corpus != "tab":
            texts = read_texts(corpus, SHARED, "en", "es")
            documents = [bench.sentences(document.lines) for document in texts.documents]
        for strength in asked.strength:
            settings = load_settings(flags={"strength": strength})
            case = bench.send(settings, documents)
            if corpus == "clinspen/dev":
                others = read_texts("clinspen/train", SHARED, "en", "es")
                known = [bench.sentences(document.lines) for document in others.documents]
                case = replace(case, own=bench.send(settings, known).sent)
            left = without_formulas(case)
            kept_here = 1 - len(left.sent) / len(case.sent)
            rows.append({"corpus": corpus, "strength": strength, "kept_here": kept_here})
            for sent, part in (("all", case), ("no formulas", left)):
                found = attack_case(part, Random(asked.seed), {"rebuilding by genre"})
                told = {"corpus": corpus, "strength": strength, "sent": sent}
                rows += [{**told, **figures(one)} for one in found]
    show(rows, as_json=asked.json)


if __name__ == "__main__":
    main()
