"""Sentences a second of encode and decode on one core, beside the language model alone.

    python -m benchmarks.encoding [--json] [--sentences 2000]

Rows of ``stage, sentences_per_second, tokens_per_second, ratio`` (to the language model), over
public news text and the answers of the real Apertium.
"""

from __future__ import annotations

import argparse
import asyncio
import os
from collections.abc import Callable
from pathlib import Path
from random import SystemRandom

from benchmarks.measure import cpu_seconds, show
from prism_core.encoder import Encoder
from prism_core.identifiers.deny_list import DenyList
from prism_core.language.model import LanguageModel
from prism_core.settings import load_settings
from prism_core.translators import make_translator

SHARED = Path(os.environ.get("PRISM_SHARED_DATA", "../shared/data"))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--sentences", type=int, default=2000)
    arguments = parser.parse_args()
    lines = (SHARED / "wmt/en-es/wmt13.en").read_text("utf-8").splitlines()[: arguments.sentences]
    show(measure(lines), as_json=arguments.json)


def measure(lines: list[str]) -> list[dict[str, object]]:
    """One row for each stage."""
    settings = load_settings()
    model, encoder = LanguageModel.load(), Encoder.load(settings)
    list(model.annotate(lines[:50]))
    annotated, model_time = cpu_seconds(lambda: [s for one in model.annotate(lines) for s in one])
    deny_list, rng = DenyList(), SystemRandom()
    encoded, encode_time = cpu_seconds(
        lambda: [encoder.encode(sentence, deny_list, rng) for sentence in annotated]
    )
    sent = [one for one in encoded if not one.withheld]
    answers = asyncio.run(_translate(settings, [one.text for one in sent]))
    pairs = list(zip(sent, answers, strict=True))
    _, decode_time = cpu_seconds(lambda: [encoder.decode(one, text) for one, text in pairs])
    tokens = sum(len(sentence.tokens) for sentence in annotated)
    row = _row(len(annotated), tokens, model_time)
    return [
        row("language model", model_time),
        row("encode", encode_time),
        row("decode", decode_time),
    ]


def _row(
    sentences: int, tokens: int, reference: float
) -> Callable[[str, float], dict[str, object]]:
    def row(stage: str, seconds: float) -> dict[str, object]:
        return {
            "stage": stage,
            "sentences_per_second": sentences / seconds,
            "tokens_per_second": tokens / seconds,
            "ratio": reference / seconds,
        }

    return row


async def _translate(settings, texts: list[str]) -> list[str]:
    translator = make_translator(settings.translator, settings.source, settings.target)
    answers: list[str] = []
    for start in range(0, len(texts), 200):
        batch = texts[start : start + 200]
        answers += await translator.translate(batch, settings.source, settings.target)
    await translator.close()
    return answers


if __name__ == "__main__":
    main()
