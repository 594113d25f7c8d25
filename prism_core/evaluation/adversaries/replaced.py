"""Which places were replaced, who stands behind a substitute, which share an original, in order."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from prism_core.evaluation.adversaries.base import MIXING, Case
from prism_core.evaluation.chance import Finding
from prism_core.evaluation.inference import DOCUMENT, DRAW, WAVE, by_order, by_word, position


class Places:
    """Names the replaced places by the mechanism's own public rules."""

    name = "places"
    matters: frozenset[str] = frozenset()

    def attack(self, case: Case, rng: Random) -> Iterable[Finding]:  # noqa: ARG002 (no draw)
        """Precision and recall of the guessed places."""
        requests = list(enumerate(case.real))
        guessed = {(i, place) for i, one in requests for place in one.request.guessed}
        replaced = {(i, place) for i, one in requests for place in one.replaced}
        return position(guessed, replaced, sum(len(one.request.tokens) for _, one in requests))


class Originals:
    """Asks of each substitute who stands behind it: ``prism_core/evaluation/inference.py``."""

    name = "originals"
    matters: frozenset[str] = frozenset()

    def attack(self, case: Case, rng: Random) -> Iterable[Finding]:  # noqa: ARG002 (no draw)
        """Attacks on identity and links, and on the order within what was drawn together."""
        yield from by_word(case.hidden)
        yield from by_order(case.hidden, DRAW)


class Order:
    """The same by the order of confidence of all words of a document.

    Where nobody can see which sentences are of one document, of all the archive.
    """

    name = "order"
    matters: frozenset[str] = frozenset({MIXING})

    def attack(self, case: Case, rng: Random) -> Iterable[Finding]:  # noqa: ARG002 (no draw)
        """Each attack by order."""
        return by_order(case.hidden, DOCUMENT if case.ordered else WAVE)
