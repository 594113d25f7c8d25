"""How often a lost word is put in rightly by what two answers to one sentence tell together.

    python -m benchmarks.several_draws [--lines N] [--json]

English news through Apertium. Of each sentence one word is taken to be lost: it is drawn anew, and
its form in the first answer is forgotten. Where the two answers differ is its place (``pair``):
right is the one where its form stood. In the second answer another word is taken to be lost, and
both are put together (``joined``): right is what the first answer gives with nothing lost.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import NamedTuple

from benchmarks.measure import argument_parser, show
from prism_core.decoding import AnsweredDraw, Decoded, SearchStrategy, decode_draws
from prism_core.encoding import Encoder, load_encoder
from prism_core.identifiers import DenyList
from prism_core.language import LanguageModel, Sentence
from prism_core.record import Encoded, Kind
from prism_core.settings import load_settings
from prism_core.translators import make_translator

SHARED = Path(os.environ.get("PRISM_SHARED_DATA", "../shared/data"))
LINES = slice(500, 1100)
NO_WORD = "zzqxv"
SEED = 5


class Trial(NamedTuple):
    """Two encodings of a sentence, and the positions of the words that are lost in each."""

    first: Encoded
    second: Encoded
    lost_first: int
    lost_second: int


def main() -> None:
    """Print a row for each strategy."""
    parser = argument_parser(__doc__)
    parser.add_argument("--lines", type=int, default=LINES.stop - LINES.start)
    arguments = parser.parse_args()
    settings = load_settings(flags={"target": "es"}, asks_nobody=True)
    model = LanguageModel.load("en")
    encoder = load_encoder(settings, model.retag)
    lines = (SHARED / "wmt" / "en-es" / "wmt12.en").read_text("utf-8").splitlines()[LINES]
    sentences = [one for group in model.annotate(lines[: arguments.lines]) for one in group]
    trials = list(draw_trials(encoder, sentences, Random(SEED)))
    translator = make_translator(settings.translator, "en", "es")
    texts = [one.text for trial in trials for one in (trial.first, trial.second)]
    answers = iter(asyncio.run(translator.translate(texts, "en", "es")))
    found = [judge(encoder, trial, next(answers), next(answers)) for trial in trials]
    known = [one for one in found if one is not None]
    rows: list[dict[str, object]] = []
    for at, strategy in enumerate((SearchStrategy.PAIR, SearchStrategy.JOINED)):
        told = [one[at] for one in known if one[at] is not None]
        row = {"trials": len(known), "found": len(told), "right": sum(map(bool, told))}
        rows.append({"strategy": strategy.value, **row})
    show(rows, as_json=arguments.json)  # type: ignore[arg-type]


def draw_trials(encoder: Encoder, sentences: Sequence[Sentence], rng: Random) -> Iterator[Trial]:
    """A trial for each of ``sentences`` that has two words to lose."""
    deny_list = encoder.add_identifiers(DenyList(), sentences)
    for sentence in sentences:
        if encoder.needs_translator(sentence, deny_list):
            first = encoder.encode(sentence, deny_list, rng)
            words = [one.position for one in first.record if one.kind is Kind.WORD]
            if len(words) > 1:
                lost, other = rng.sample(words, 2)
                second = encoder.redraw(sentence, first, {lost}, deny_list, rng)
                if second is not None:
                    yield Trial(first, second, lost, other)


def judge(
    encoder: Encoder, trial: Trial, answer: str, other: str
) -> tuple[bool | None, bool | None] | None:
    """Whether each strategy is right, None if it finds nothing; None where a word is truly lost."""
    whole = encoder.decode(trial.first, answer)
    if whole.unrestored or encoder.decode(trial.second, other).unrestored:
        return None
    if whole.strategies[trial.lost_first] is not SearchStrategy.FORM:
        return None
    first = AnsweredDraw(_forget(trial.first, trial.lost_first), answer)
    second = AnsweredDraw(trial.second, other)
    pair = _decode(encoder, [second, first], {SearchStrategy.FORM, SearchStrategy.PAIR})
    is_told = pair is not None and pair.strategies[trial.lost_first] is SearchStrategy.PAIR
    shown = pair.shown[trial.lost_first] if pair is not None and is_told else None
    second = AnsweredDraw(_forget(trial.second, trial.lost_second), other)
    joined = _decode(encoder, [second, first], {SearchStrategy.FORM})
    return (
        shown and shown.lower() == whole.shown[trial.lost_first].lower(),
        joined and joined.text == whole.text,
    )


def _decode(
    encoder: Encoder, draws: Sequence[AnsweredDraw], strategies: set[SearchStrategy]
) -> Decoded | None:
    _, decoded = decode_draws(draws, encoder.dictionary, strategies)
    return None if decoded.unrestored else decoded


def _forget(encoded: Encoded, position: int) -> Encoded:
    """``encoded`` with a substitute at ``position`` that no dictionary has."""
    record = (
        one._replace(substitute=NO_WORD) if one.position == position else one
        for one in encoded.record
    )
    return replace(encoded, record=tuple(record))


if __name__ == "__main__":
    main()
