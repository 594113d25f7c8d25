"""The part of the gate that holds what neural translators make of words: by swapped roles.

Lines of newstest2013 as two commercial translators have them, or a person where no English is in
the pair, through each dictionary that ships:
entry ``RoleBench.load``, then ``measure`` with any seed. No dictionary is built from these lines.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from benchmarks.roles import PAIRS, WITHOUT_ENGLISH, answered_files
from prism_core.encoding import Encoder
from prism_core.evaluation.roles import (
    AnsweredText,
    load_roles_encoder,
    measure_roles,
    read_answered,
)
from prism_core.language import LanguageModel
from prism_core.settings import load_settings

LINES = 150
HELD = WITHOUT_ENGLISH[::2]
"""Of the pairs without English those with each source and each target once,"""
FEW = 60
"""with so many lines."""
BETTER_HIGH = frozenset(
    {"words_found", "sentences_found_elimination", "expected_first_send", "expected_three_draws"}
)
BETTER_LOW = frozenset({"wrong_form"})


@dataclass(frozen=True)
class RoleBench:
    """An encoder and an answered text for each pair and translator, by ``en-es/google``."""

    sides: Mapping[str, tuple[Encoder, AnsweredText]]

    @classmethod
    def load(cls, pairs: Sequence[str] = (*PAIRS, *HELD)) -> RoleBench:
        """The lines, annotated, and the dictionaries that ship for ``pairs``."""
        sides = {}
        models = {code: LanguageModel.load(code) for code in {pair[:2] for pair in pairs}}
        for pair in pairs:
            source, _, target = pair.partition("-")
            settings = load_settings(flags={"source": source, "target": target}, asks_nobody=True)
            for read, answers, translator in answered_files(pair, "wmt13"):
                most = FEW if pair in WITHOUT_ENGLISH else LINES
                text = read_answered(read, answers, models[source], most=most)
                sides[f"{pair}/{translator}"] = load_roles_encoder(settings, translator), text
        return cls(sides)

    def measure(self, seed: int) -> Mapping[str, float]:
        """Every figure, by names as ``en-es/google/words_found``."""
        figures = {}
        for side, (encoder, text) in self.sides.items():
            found = vars(measure_roles(encoder, text, Random(seed)))
            figures |= {f"{side}/{name}": found[name] for name in BETTER_HIGH | BETTER_LOW}
        return figures
