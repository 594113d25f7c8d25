"""Choice, for each sentence, between the fused translation and that of the model on this machine.

A linear model of counts predicts how much better the fused translation is, in chrF against a
person's. The counts are of no language, so that one set of weights serves all pairs. It was fitted
to recorded answers of commercial translators (``python -m benchmarks.chooser``).

Entry: ``count_fusion`` -> ``prefers_local``.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from prism_core.alignment import Span
from prism_core.drafts.fusion import AlignedDraft
from prism_core.resources import SHIPPED

_WORD = re.compile(r"\w+")


class FusionCounts(NamedTuple):
    """Counts of one sentence.

    ``put_in`` are its ordinary words that were put back: ``supported`` of them stand in the draft
    as they are, ``changed`` took the form of the draft, ``weak`` may be in the wrong place.
    ``words`` and ``drafted`` are the lengths of both translations, ``longer`` the logarithm of
    their ratio. ``shared_words`` and ``shared_runs`` in [0, 1] say how far they agree.
    """

    put_in: float
    supported: float
    changed: float
    weak: float
    words: float
    drafted: float
    longer: float
    shared_words: float
    shared_runs: float


def count_fusion(
    restored: str,
    words: Mapping[Span, Span],
    changes: Mapping[Span, str],
    draft: AlignedDraft,
    fused: str,
    weak: int,
) -> FusionCounts:
    """Count what ``prefers_local`` needs.

    ``words`` and ``changes`` are as ``fuse`` takes and returns them for ``restored``; ``fused`` is
    the result. ``weak`` of the words were found by an unsure method.
    """
    own, drafted = _words(fused), _words(draft.text)
    supported = sum(
        source in draft.words
        and restored[slice(*place)].lower() == draft.text[slice(*draft.words[source])].lower()
        for source, place in words.items()
    )
    return FusionCounts(
        len(words),
        supported,
        len(changes),
        weak,
        own.total(),
        drafted.total(),
        math.log((own.total() + 1) / (drafted.total() + 1)),
        _agreement(own, drafted),
        _agreement(_runs(fused), _runs(draft.text)),
    )


@dataclass(frozen=True, slots=True)
class GainModel:
    """Linear model of the chrF of the fused translation less that of the model on this machine."""

    intercept: float
    weights: FusionCounts

    def predict(self, counts: FusionCounts) -> float:
        """Predict the gain of a sentence with ``counts``."""
        pairs = zip(self.weights, counts, strict=True)
        return self.intercept + sum(weight * count for weight, count in pairs)


def prefers_local(counts: FusionCounts) -> bool:
    """Return True if the translation of the model on this machine is likely to be better."""
    return _load_model().predict(counts) < 0


@cache
def _load_model() -> GainModel:
    found = json.loads((SHIPPED / "data" / "chooser.json").read_text("utf-8"))
    return GainModel(found["intercept"], FusionCounts(**found["weights"]))


def _words(text: str) -> Counter[str]:
    return Counter(_WORD.findall(text.lower()))


def _runs(text: str) -> Counter[str]:
    """Count the runs of three and of six characters, the longest that chrF compares."""
    letters = "".join(text.split())
    return Counter(letters[n : n + size] for size in (3, 6) for n in range(len(letters) - size + 1))


def _agreement(one: Counter[str], other: Counter[str]) -> float:
    """Return the share of what both have in common (F1)."""
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 1.0
