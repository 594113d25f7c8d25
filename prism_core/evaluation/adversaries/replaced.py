"""Which places were replaced, who stands behind a substitute, which share an original, in order."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from prism_core.evaluation.adversaries.base import Case
from prism_core.evaluation.chance import Finding
from prism_core.evaluation.inference import SHUFFLED_UNITS, UNITS, attacks, position


class Places:
    """Names the replaced places by the mechanism's own public rules."""

    name = "places"
    by_wave = False

    def attack(self, case: Case, rng: Random) -> Iterable[Finding]:  # noqa: ARG002 (no draw)
        """Precision and recall of the guessed places."""
        requests = [(i, one) for i, one in enumerate(case.sent) if one.original is not None]
        guessed = {(i, place) for i, one in requests for place in one.request.guessed}
        replaced = {(i, place) for i, one in requests for place in one.replaced}
        return position(guessed, replaced, sum(len(one.request.tokens) for _, one in requests))


class Originals:
    """Asks of each substitute who stands behind it: ``prism_core/evaluation/inference.py``.

    What is known of documents is of use only where one can see which sentences are of one.
    """

    name = "originals"
    by_wave = True

    def attack(self, case: Case, rng: Random) -> Iterable[Finding]:  # noqa: ARG002 (no draw)
        """Each attack on identity, links and order."""
        return attacks(case.hidden, UNITS if case.ordered else SHUFFLED_UNITS)
