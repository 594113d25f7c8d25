"""What the bag of sentences tells: who was in it, what belongs together, what is real."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from random import Random

import numpy as np

from prism_core.evaluation.adversaries.base import DECOY, DECOYS, MIXING, Case, Words
from prism_core.evaluation.adversaries.language import Array
from prism_core.evaluation.adversaries.structure import Index, Structure
from prism_core.evaluation.chance import Finding, area, share

MOST_DOCUMENTS = 150
MOST_SENTENCES = 8
MOST_REQUESTS = 300


class Membership:
    """Was this document in the archive? Its sentences are looked for in all that was sent.

    The figure is the area under the curve (AUC) over documents that were in it and documents of
    the same source that were not; chance: .5. Where documents were sent one after another, what is
    found in the same order counts more.
    """

    name = "membership"
    matters: frozenset[str] = frozenset({MIXING, DECOYS})

    def attack(self, case: Case, rng: Random) -> Iterable[Finding]:
        """One AUC; none where nothing was sent."""
        if not case.sent:
            return
        structure = Structure(case.public.dictionary)
        index = Index([structure.of_request(one.request) for one in case.sent])
        inside = _documents(case)
        groups = [rng.sample(g, min(MOST_DOCUMENTS, len(g))) for g in (inside, case.outsiders)]
        scores = [[_score(one, structure, index, case) for one in group] for group in groups]
        yield area("membership", *scores)


class Neighbours:
    """Two requests, one sent right after the other, are taken to be of one document.

    Chance: two requests at random.
    """

    name = "neighbours"
    matters: frozenset[str] = frozenset({MIXING, DECOYS})

    def attack(self, case: Case, rng: Random) -> Iterable[Finding]:  # noqa: ARG002 (no draw)
        """The share of such pairs that are."""
        documents = [one.document for one in case.sent]
        hits = sum(a == b != DECOY for a, b in pairwise(documents))
        sizes: dict[int, int] = {}
        for document in documents:
            sizes[document] = sizes.get(document, 0) + (document != DECOY)
        same = sum(size * (size - 1) for size in sizes.values())
        pairs = len(documents) * (len(documents) - 1)
        yield share("neighbours", hits, same / max(pairs, 1), max(len(documents) - 1, 0))


class Unmasking:
    """Which requests are decoys? Each is looked for in the public text that decoys are taken from.

    The figure is the AUC over decoys and real requests; chance: .5. Nothing without decoys.
    """

    name = "unmasking"
    matters: frozenset[str] = frozenset({DECOYS})

    def attack(self, case: Case, rng: Random) -> Iterable[Finding]:
        """One AUC for one who knows the list of decoys, if there are any."""
        sides: tuple[list[float], list[float]] = ([], [])
        decoys = [one for one in case.sent if one.document == DECOY]
        if not decoys:
            return
        structure = Structure(case.public.dictionary)
        index = Index([structure.of_words(words) for words in case.public.decoys])
        real = [one for one in case.sent if one.document != DECOY]
        for side, group in zip(sides, (decoys, real), strict=True):
            for one in rng.sample(group, min(MOST_REQUESTS, len(group))):
                side.append(float(index.likeness(structure.of_request(one.request)).max()))
        yield area("decoys-known", *sides)


def _documents(case: Case) -> list[tuple[Words, ...]]:
    """The sentences of each document of the archive."""
    found: dict[int, list[Words]] = {}
    for one in case.originals:
        found.setdefault(one.document, []).append(one.words)
    return [tuple(words) for words in found.values()]


def _score(document: Sequence[Words], structure: Structure, index: Index, case: Case) -> float:
    """How like the sentences of ``document`` are to the likest that were sent, on the mean."""
    rows = [index.likeness(structure.of_words(words)) for words in document[:MOST_SENTENCES]]
    if case.ordered:
        rows = list(_in_order(rows))
    return float(np.mean([row.max() for row in rows])) if rows else 0.0


def _in_order(rows: Sequence[Array]) -> Iterator[Array]:
    """Each sentence's likeness, with that of the next sentence to the next request."""
    for here, after in pairwise(rows):
        yield np.asarray(here[:-1] + after[1:], np.float64)
    if len(rows) == 1:
        yield rows[0]
