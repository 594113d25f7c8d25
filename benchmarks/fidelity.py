"""How much of the direct translation survives: y_pri against T(x_pri), by chrF and BLEU.

    python -m benchmarks.fidelity [--json] [--sentences 600]

Rows of ``mechanism, chrf, bleu, restored, replaced`` over MCTest stories with the real Apertium:
``restored`` is the share of sentences in which every substitute was found at the first send,
``replaced`` the share of tokens that were sent as something else. Only restored sentences are
scored: no other is ever put into a document.
"""

from __future__ import annotations

import argparse
import asyncio
from random import SystemRandom

import sacrebleu

from benchmarks.dictionary import stories, translated
from benchmarks.measure import show
from prism_core.encoder import Encoder
from prism_core.identifiers.deny_list import DenyList
from prism_core.language.model import LanguageModel
from prism_core.language.sentence import Sentence
from prism_core.mechanisms import Fate
from prism_core.settings import load_settings

MECHANISMS: dict[str, dict[str, object]] = {
    "threshold .7": {"mechanism.threshold": 0.7},
    "threshold .9": {"mechanism.threshold": 0.9},
    "ratio .2": {"mechanism.ratio": 0.2},
    "ratio .5": {"mechanism.ratio": 0.5},
}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--sentences", type=int, default=600)
    arguments = parser.parse_args()
    annotated = LanguageModel.load().annotate(stories())
    sentences = [one for found in annotated for one in found if one.text.strip()]
    sentences = sentences[: arguments.sentences]
    direct = asyncio.run(translated([one.text.strip() for one in sentences]))
    rows = [row(name, flags, sentences, direct) for name, flags in MECHANISMS.items()]
    show(rows, as_json=arguments.json)


def row(
    name: str, flags: dict[str, object], sentences: list[Sentence], direct: list[str]
) -> dict[str, object]:
    """Encode, translate, decode and score with the settings in ``flags``."""
    encoder, rng = Encoder.load(load_settings(flags=flags)), SystemRandom()
    encoded = [encoder.encode(sentence, DenyList(), rng) for sentence in sentences]
    answers = asyncio.run(translated([one.text or "." for one in encoded]))
    decoded = [encoder.decode(one, text) for one, text in zip(encoded, answers, strict=True)]
    usable = [
        (made.text, reference)
        for one, made, reference in zip(encoded, decoded, direct, strict=True)
        if not one.withheld and not made.unrestored
    ]
    texts, references = [text for text, _ in usable], [reference for _, reference in usable]
    fates = [fate for one in encoded for fate in one.fates]
    return {
        "mechanism": name,
        "chrf": sacrebleu.corpus_chrf(texts, [references]).score,
        "bleu": sacrebleu.corpus_bleu(texts, [references]).score,
        "restored": len(usable) / len(encoded),
        "replaced": sum(fate is not Fate.KEPT for fate in fates) / len(fates),
    }


if __name__ == "__main__":
    main()
