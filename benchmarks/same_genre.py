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
from collections.abc import Sequence
from dataclasses import replace
from random import Random

from benchmarks.measure import argument_parser, show
from benchmarks.strength import SHARED, Bench, cutter, figures
from prism_core.encoding import Encoder
from prism_core.evaluation.adversaries import Case, attack_case
from prism_core.evaluation.adversaries.observer import Documents
from prism_core.evaluation.corpora import read_texts
from prism_core.identifiers import DenyList
from prism_core.language import Sentence
from prism_core.settings import load_settings
from prism_core.settings.treatment import MixingSettings
from prism_core.stages.translate_here import read_contexts

CORPORA = ("tab", "clinspen/dev", "mctest/mc160.test", "wmt/wmt12")
DOCUMENTS = MixingSettings().formulas_from


def formulas(case: Case, contexts: Sequence[Sequence[str]]) -> set[int]:
    """The originals of ``case`` that a run with a model on this machine does not send.

    ``contexts`` are those of each original (``read_contexts``).
    """
    documents: dict[str, set[int]] = defaultdict(set)
    for original, own in zip(case.originals, contexts, strict=True):
        for context in own:
            documents[context].add(original.document)

    def is_formula(own: Sequence[str]) -> bool:
        known = sum(len(documents[context]) >= DOCUMENTS for context in own)
        return bool(own) and 2 * known >= len(own)

    return {at for at, own in enumerate(contexts) if is_formula(own)}


def _needing(encoder: Encoder, document: Sequence[Sentence]) -> list[Sentence]:
    """The sentences of ``document`` that a run sends: no mere numbers and names."""
    return [one for one in document if encoder.needs_translator(one, DenyList())]


def contexts_of(encoder: Encoder, documents: Documents, seed: int) -> list[list[str]]:
    """The contexts of every sentence of ``documents``; none of one that is not sent."""
    sentences, rng = [one for document in documents for one in document], Random(seed)
    known = encoder.add_identifiers(DenyList(), sentences)
    return [
        [] if (encoded := encoder.encode(one, known, rng)).withheld else read_contexts(encoded)
        for one in sentences
    ]


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
            encoder = bench.encoder(settings)
            cut = cutter(settings, encoder)
            parts = ([part for one in document for part in cut(one)] for document in documents)
            sent_of = [_needing(encoder, document) for document in parts]
            case = bench.send(settings, sent_of)
            if corpus == "clinspen/dev":
                others = read_texts("clinspen/train", SHARED, "en", "es")
                known = [bench.sentences(document.lines) for document in others.documents]
                case = replace(case, own=bench.send(settings, known).sent)
            contexts = contexts_of(encoder, sent_of, asked.seed)
            here = formulas(case, contexts)
            kept_here = len(here) / len(contexts)
            rows.append({"corpus": corpus, "strength": strength, "kept_here": kept_here})
            left = replace(case, sent=tuple(one for one in case.sent if one.original not in here))
            for sent, part in (("all", case), ("no formulas", left)):
                found = attack_case(part, Random(asked.seed), {"rebuilding by genre"})
                told = {"corpus": corpus, "strength": strength, "sent": sent}
                rows += [{**told, **figures(one)} for one in found]
    show(rows, as_json=asked.json)


if __name__ == "__main__":
    main()
