"""What comes back of a text that is sent through PRISM, against the same text sent in clear.

    python -m benchmarks.through en-pt prism.toml TEXT TRANSLATION --sentences 150 [--show]

The settings name the translator and the dictionary; TRANSLATION is a person's. Printed are the
share of tokens that carry meaning and are sent in clear, the share of sentences restored at the
first send and within three, and chrF and BLEU against the person and against the translator's own
translation of the text in clear. A sentence that is not restored counts as its source text.
"""

from __future__ import annotations

import asyncio
from argparse import ArgumentParser
from collections import Counter
from pathlib import Path
from random import Random

from sacrebleu.metrics import BLEU, CHRF

from prism_core.encoding import load_encoder
from prism_core.language import LanguageModel
from prism_core.prism import Prism
from prism_core.record import Fate
from prism_core.settings import Settings, load_settings
from prism_core.translators import make_translator

AT_ONCE = 20
"""Texts of one request."""


class Clear:
    """The translator of ``settings``, asked for any texts."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._runner = asyncio.Runner()
        self._translator = make_translator(settings.translator, settings.source, settings.target)

    def __call__(self, texts: list[str]) -> list[str]:
        """Return the translations of ``texts``."""
        pair = self._settings.source, self._settings.target
        requests = [texts[start : start + AT_ONCE] for start in range(0, len(texts), AT_ONCE)]
        answers = (self._runner.run(self._translator.translate(few, *pair)) for few in requests)
        return [answer for found in answers for answer in found]


def main() -> None:
    """Measure, and print the figures."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("pair")
    parser.add_argument("settings", type=Path)
    parser.add_argument("text", type=Path)
    parser.add_argument("translation", type=Path)
    parser.add_argument("--sentences", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true")
    given = parser.parse_args()
    source, _, target = given.pair.partition("-")
    settings = load_settings(given.settings, flags={"source": source, "target": target})
    texts = given.text.read_text("utf-8").splitlines()[: given.sentences]
    person = given.translation.read_text("utf-8").splitlines()[: given.sentences]
    model = LanguageModel.load(source, settings.language.model, lemmas=False)
    encoder = load_encoder(settings, model.retag)
    prism = Prism(model, encoder, Random(given.seed), target=target)
    ask = Clear(settings)
    clear = ask(texts)

    sent = list(prism.encode_all(texts))
    asked = [encoded for encoded in sent if encoded.text]
    answers = iter(ask([encoded.text for encoded in asked]))
    first: list[str] = []
    for text, encoded in zip(texts, sent, strict=True):
        answer = next(answers) if encoded.text else ""
        decoded = encoder.decode(encoded, answer) if encoded.text else None
        first.append(text if decoded is None or decoded.unrestored else decoded.text)
        if given.show:
            print(f"\nIN  {text}\nPUB {encoded.text}\nANS {answer}\nOUT {first[-1]}")
    sends = list(prism.protect(texts, ask, leave=True))

    fates = Counter(fate for encoded in sent for fate in encoded.fates)
    words = fates.total() - fates[Fate.MARK]
    print({str(fate): round(count / fates.total(), 3) for fate, count in fates.items()})
    print(
        f"tokens {fates.total()}, in clear with meaning {fates[Fate.KEPT] / fates.total():.3f}",
        end="",
    )
    print(f" (of words that are no grammar {fates[Fate.KEPT] / (words - fates[Fate.GRAMMAR]):.3f})")
    for name, found in (("first send", first), ("three sends", sends), ("in clear", clear)):
        restored = sum(text != other for text, other in zip(texts, found, strict=True))
        scores = (
            f"{metric.corpus_score(found, [to]).score:.1f}"
            for to in (person, clear)
            for metric in (CHRF(), BLEU())
        )
        print(
            f"{name}: restored {restored / len(texts):.3f}; chrF, BLEU of person, of clear:",
            *scores,
        )


if __name__ == "__main__":
    main()
