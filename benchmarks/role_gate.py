"""The part of the gate that holds what neural translators make of words: by swapped roles.

Lines of newstest2013 as two commercial translators have them, through each dictionary that ships:
entry ``RoleBench.load``, then ``measure`` with any seed. No dictionary is built from these lines.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random

from prism_core.encoding import Encoder
from prism_core.evaluation.roles import (
    AnsweredText,
    load_roles_encoder,
    measure_roles,
    read_answered,
)
from prism_core.language import LanguageModel
from prism_core.settings import load_settings

SHARED = Path(os.environ.get("PRISM_SHARED_DATA", "../shared/data"))
PAIRS = ("en-es", "en-fr", "en-de", "es-en", "fr-en")
TRANSLATORS = ("google", "microsoft")
LINES = 150
BETTER_HIGH = frozenset(
    {"words_found", "sentences_found_elimination", "expected_first_send", "expected_three_draws"}
)
BETTER_LOW = frozenset({"wrong_form"})


@dataclass(frozen=True)
class RoleBench:
    """An encoder and an answered text for each pair and translator, by ``en-es/google``."""

    sides: Mapping[str, tuple[Encoder, AnsweredText]]

    @classmethod
    def load(cls) -> RoleBench:
        """The lines, annotated, and the dictionaries that ship."""
        sides = {}
        models = {code: LanguageModel.load(code) for code in {pair[:2] for pair in PAIRS}}
        for pair in PAIRS:
            source, _, target = pair.partition("-")
            folder = SHARED / "wmt" / pair
            settings = load_settings(flags={"source": source, "target": target}, asks_nobody=True)
            for translator in TRANSLATORS:
                answers = folder / f"wmt13.{translator}.{target}"
                read = folder / f"wmt13.{source}"
                text = read_answered(read, answers, models[source], most=LINES)
                sides[f"{pair}/{translator}"] = load_roles_encoder(settings, translator), text
        return cls(sides)

    def measure(self, seed: int) -> Mapping[str, float]:
        """Every figure, by names as ``en-es/google/words_found``."""
        figures = {}
        for side, (encoder, text) in self.sides.items():
            found = vars(measure_roles(encoder, text, Random(seed)))
            figures |= {f"{side}/{name}": found[name] for name in BETTER_HIGH | BETTER_LOW}
        return figures
