"""Replaced words guessed from how frequent words are, and from what stands around the place."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random

import numpy as np
from numpy.typing import NDArray

from prism_core.evaluation.adversaries.base import Case, Request
from prism_core.evaluation.adversaries.language import EDGE, Array, NGrams
from prism_core.evaluation.chance import Finding, share
from prism_core.evaluation.inference import Hidden, Pool

TOPS = (1, 10)
MOST_PLACES = 4000
Place = tuple[Request, Hidden]
Scores = Callable[[Request, Hidden], Array]
"""How likely each word of the model is in a place."""


class Rebuilding:
    """Guesses a word among all that its pool hides: unigram, n-gram, and n-gram between masks.

    ``unigram`` goes by how frequent words are in public text; its chance is a blind guess.
    ``ngram`` reads the neighbours as they were sent, ``masked`` only those that are no substitutes
    by the public rules; their chance is what ``unigram`` reaches, so that what they add is what the
    context tells. None looks at the substitute but for its pool.
    """

    name = "rebuilding"
    matters: frozenset[str] = frozenset()

    def attack(self, case: Case, rng: Random) -> Iterable[Finding]:
        """Top 1 and top 10 of each guesser, over at most ``MOST_PLACES`` places."""
        places = [(sent.request, one) for sent in case.real for one in sent.hidden if one.by_name]
        if len(places) > MOST_PLACES:
            places = rng.sample(places, MOST_PLACES)
        model = case.public.model
        candidates = Candidates(model)
        unigram = list(_ranks(places, lambda *_: model.words, candidates))
        blind = {top: _mean(min(1.0, top / size) for _, _, size in unigram) for top in TOPS}
        yield from _findings("unigram", unigram, blind)
        prior = {top: _mean(_hit(above, ties, top) for above, ties, _ in unigram) for top in TOPS}
        for attack, around in (("ngram", as_sent), ("masked", between_masks)):
            guesser = _by_context(model, around)
            yield from _findings(attack, list(_ranks(places, guesser, candidates)), prior)


class Candidates:
    """The words that may stand behind a substitute, by number, with the weight of their pools.

    A word gives its substitute the more probably the smaller its pool is.
    """

    def __init__(self, model: NGrams) -> None:
        self._model = model
        self._made: dict[tuple[Pool, ...], tuple[dict[str, int], NDArray[np.int64], Array]] = {}

    def of(self, one: Hidden) -> tuple[dict[str, int], NDArray[np.int64], Array]:
        """Words, their numbers and weights."""
        pools = one.rivals or (one.pool,)
        if pools not in self._made:
            weights: dict[str, float] = defaultdict(float)
            for pool in pools:
                for word in pool.hidden:
                    weights[word] += 1 / len(pool)
            words = {word: at for at, word in enumerate(sorted(weights))}
            numbers = np.array([self._model.number(word) for word in words], np.int64)
            self._made[pools] = words, numbers, np.array([weights[word] for word in words])
        return self._made[pools]


def as_sent(request: Request, place: int) -> bool:  # noqa: ARG001 (every neighbour is read)
    """Takes every neighbour for what it is sent as."""
    return True


def between_masks(request: Request, place: int) -> bool:
    """Reads no substitute: what was drawn says nothing of what stood there."""
    return place not in request.guessed


def _by_context(model: NGrams, is_read: Callable[[Request, int], bool]) -> Scores:
    def token(request: Request, place: int) -> int | None:
        if not -1 <= place <= len(request.tokens):
            return None
        if place in (-1, len(request.tokens)):
            return EDGE
        return model.number(request.tokens[place]) if is_read(request, place) else None

    def scores(request: Request, one: Hidden) -> Array:
        before = (token(request, one.place - 2), token(request, one.place - 1))
        return model.after(*before) * model.before(token(request, one.place + 1))

    return scores


def _ranks(
    places: Sequence[Place], scores: Scores, candidates: Candidates
) -> Iterator[tuple[int, int, int]]:
    """How many candidates rank above the right one, with it, and how many there are."""
    for request, one in places:
        words, numbers, weights = candidates.of(one)
        found = scores(request, one)[numbers] * weights
        right = found[words[one.word]] if one.word in words else -1.0
        yield int((found > right).sum()), int((found == right).sum()), len(words)


def _findings(
    attack: str, ranks: Sequence[tuple[int, int, int]], chance: dict[int, float]
) -> Iterator[Finding]:
    for top in TOPS:
        hits = sum(_hit(above, ties, top) for above, ties, _ in ranks)
        yield share(f"rebuild-{attack}@{top}", hits, chance[top], len(ranks))


def _hit(above: int, ties: int, top: int) -> float:
    """The probability that the right word is among the first ``top``, equals in blind order."""
    return min(1.0, max(0.0, (top - above) / ties)) if ties else 0.0


def _mean(values: Iterable[float]) -> float:
    found = list(values)
    return sum(found) / len(found) if found else 0.0
