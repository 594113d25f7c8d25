"""Linking what was sent to an original that the adversary has: by structure, by meaning."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random

import numpy as np
from numpy.typing import NDArray

from prism_core.evaluation.adversaries.base import DECOY, DECOYS, MIXING, Case, Request, Sent
from prism_core.evaluation.adversaries.language import Array
from prism_core.evaluation.adversaries.structure import Index, Structure, best
from prism_core.evaluation.chance import Finding, share
from prism_core.evaluation.meaning import Embedder

CHOICES = (10, 100, 1000)
MOST_REQUESTS = 400
_BESIDE = 0.5
"""How much the neighbours of a sentence count beside itself."""


class Linking:
    """A request and N sentences, one of which is its original: which? Chance: 1 / N.

    Where documents are sent one after another, the neighbours are compared too.
    """

    name = "linking"
    matters: frozenset[str] = frozenset({MIXING, DECOYS})

    def attack(self, case: Case, rng: Random) -> Iterable[Finding]:
        """The share that is linked right, for each N that the archive has enough sentences for."""
        return _linked("link", _Search(case, by_structure(case)), rng)


class LinkingByMeaning:
    """The same by what requests and originals mean, if there is a public model of meaning.

    Alone, and with the structure as well, both counting the same.
    """

    name = "linking by meaning"
    matters: frozenset[str] = frozenset({MIXING, DECOYS})

    def attack(self, case: Case, rng: Random) -> Iterable[Finding]:
        """As ``Linking``; nothing without ``case.public.embedder``."""
        if case.public.embedder is None:
            return
        meaning, structure = by_meaning(case, case.public.embedder), by_structure(case)
        yield from _linked("link-meaning", _Search(case, meaning), rng)

        def both(request: Request) -> Array:
            return meaning(request) + structure(request)

        yield from _linked("link-both", _Search(case, both), rng)


Alike = Callable[[Request], Array]
"""How like each original of a case is to a request."""


def by_structure(case: Case) -> Alike:
    """Likeness by ``Structure``."""
    structure = Structure(case.public.dictionary)
    index = Index([structure.of_words(one.words) for one in case.originals])
    return lambda request: index.likeness(structure.of_request(request))


def by_meaning(case: Case, embedder: Embedder) -> Alike:
    """Likeness by the cosine of embeddings."""
    originals = embedder([one.words for one in case.originals])
    return lambda request: np.asarray(originals @ embedder([request.tokens])[0], np.float64)


def _linked(attack: str, search: _Search, rng: Random) -> Iterator[Finding]:
    case = search.case
    real = [at for at, one in enumerate(case.sent) if one.document != DECOY]
    asked = rng.sample(real, min(MOST_REQUESTS, len(real)))
    likeness = [search.likeness(at) for at in asked]
    for number in [one for one in CHOICES if one <= search.size]:
        hits = 0.0
        for at, found in zip(asked, likeness, strict=True):
            right = search.right(case.sent[at])
            hits += best(found, _choices(search.size, right, number, rng), right)
        yield share(f"{attack}@{number}", hits, 1 / number, len(asked))


class _Search:
    """The different originals of a case, and how like each is to a request."""

    def __init__(self, case: Case, alike: Alike) -> None:
        self.case = case
        self._alike = alike
        numbers: dict[object, int] = {}
        self._numbers = [numbers.setdefault(one.words, len(numbers)) for one in case.originals]
        first: dict[int, int] = {}
        for at, number in enumerate(self._numbers):
            first.setdefault(number, at)
        self._places = np.array([first[number] for number in range(len(first))])
        self.size = len(first)

    def right(self, sent: Sent) -> int:
        """The number of the original of ``sent``."""
        if sent.original is None:
            raise LookupError("A decoy has no original.")
        return self._numbers[sent.original]

    def likeness(self, at: int) -> Array:
        """How like each different original is to the request ``at``."""
        found = self._of(at)
        if self.case.ordered:
            for step in (-1, 1):
                if self._is_beside(at, at + step):
                    found = found + _BESIDE * _shifted(self._of(at + step), step)
        return np.asarray(found[self._places], np.float64)

    def _of(self, at: int) -> Array:
        return self._alike(self.case.sent[at].request)

    def _is_beside(self, at: int, other: int) -> bool:
        sent: Sequence[Sent] = self.case.sent
        return 0 <= other < len(sent) and DECOY != sent[other].document == sent[at].document


def _shifted(likeness: Array, step: int) -> Array:
    """For each sentence, the likeness of the one before (-1) or after it (1)."""
    found = np.zeros_like(likeness)
    if step < 0:
        found[1:] = likeness[:-1]
    else:
        found[:-1] = likeness[1:]
    return found


def _choices(size: int, right: int, number: int, rng: Random) -> NDArray[np.int64]:
    """``right`` and others, ``number`` in all."""
    others = rng.sample(range(size), number)
    return np.array([right, *[one for one in others if one != right][: number - 1]], np.int64)
