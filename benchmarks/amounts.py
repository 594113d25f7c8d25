"""Amounts and times of the day that come back changed, through PRISM and from the translator alone.

    python -m benchmarks.amounts en-es prism.toml TEXT [TEXT ...] --sentences 300 [--show]

The settings name the translator and the dictionary. Sentences with an amount are drawn from the
texts, one a line. An amount counts as changed if the answer has it in no form that
``prism_core.drafts`` knows, so some that are right count, too: --show prints them.
"""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from random import Random

from benchmarks.through import Clear
from prism_core.drafts.lost_numbers import lacks_amount
from prism_core.encoding import load_encoder
from prism_core.language import LanguageModel
from prism_core.languages import AmountKind, amount_reader, load_language
from prism_core.prism import Prism
from prism_core.settings import load_settings


def main() -> None:
    """Measure, and print the figures."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("pair")
    parser.add_argument("settings", type=Path)
    parser.add_argument("texts", type=Path, nargs="+")
    parser.add_argument("--sentences", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--clocks", action="store_true", help="sentences with a time of the day")
    parser.add_argument("--show", action="store_true")
    given = parser.parse_args()
    source, _, target = given.pair.partition("-")
    settings = load_settings(given.settings, flags={"source": source, "target": target})
    reader = amount_reader(load_language(source))
    lines = sorted({line for file in given.texts for line in file.read_text("utf-8").splitlines()})
    Random(given.seed).shuffle(lines)
    kinds = {AmountKind.CLOCK} if given.clocks else set(AmountKind)
    amounts = {line: found for line in lines if (found := reader.find(line))}
    texts = [line for line, found in amounts.items() if kinds & {one.kind for one in found}]
    texts = texts[: given.sentences]

    model = LanguageModel.load(source, settings.language.model, lemmas=False)
    encoder = load_encoder(settings, model.retag)
    ask = Clear(settings)
    sent = list(Prism(model, encoder, Random(given.seed), target=target).encode_all(texts))
    answers = iter(ask([encoded.text for encoded in sent if encoded.text]))
    restored = [encoder.decode(one, next(answers)).text if one.text else "" for one in sent]
    for name, given_back in (("through PRISM", restored), ("alone", ask(texts))):
        changed = 0
        for text, answer in zip(texts, given_back, strict=True):
            lost = [one for one in amounts[text] if lacks_amount(one, answer, target)]
            changed += bool(lost)
            if lost and given.show:
                print(f"\n{[text[one.start : one.end] for one in lost]}\nIN  {text}\nOUT {answer}")
        print(f"{name}: of {len(texts)} sentences {changed} with a changed amount")


if __name__ == "__main__":
    main()
