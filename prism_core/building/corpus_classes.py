"""Agreement classes, read off a translator's output and off nothing else.

What a target word demands of its neighbours shows in what the translator writes before it, given
what stood before the source word: for *the* it writes *le* before some nouns and *la* before
others. Words are grouped by these choices (a mixture of conditional multinomials), groups that a
translator treats alike are merged, and a word seen too rarely takes the class of words that are
spelt like it at its end.

Entry: ``find_classes``: a ``_ChoiceTable`` of choices, ``_mixture``, ``_merge``, ``_classify`` with
``ClassEndings``. ``classes_like`` for plurals, ``find_elided_words`` for elision.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Choice = tuple[str, str]
"""What stood before the source word, and what the translator wrote before the target word."""

MOST_ENGLISH, MOST_TARGET = 60, 120
"""Contexts that count: the commonest on either side."""
LEAST_SEEN = 8
"""Words with fewer choices than this take no part in finding the classes."""
LEAST_WORDS = 20
"""With fewer such words, there is one class."""
GROUPS = 8
"""Groups that are looked for; those alike are merged."""
SMALLEST_GROUP = 0.03
"""Groups with a smaller share of the words are no class: their words go to the others."""
STARTS, ROUNDS, ROUNDS_APART = 12, 40, 5
SMOOTHING = 0.2
ALIKE = 0.45
"""In a context, a translator tells two groups apart when what it writes before their words overlaps
by less than this (Bhattacharyya coefficient)."""
TOLD_APART = 0.25
"""Two groups are two classes when it tells them apart in this share of the contexts they have in
common."""
LEAST_IN_CONTEXT = 5.0
SURE, CERTAIN = 0.6, 0.9
"""A word is given a class when its posterior is above the first; those above the second teach."""
ENDINGS = (1, 2, 3, 4)
SEED = 20240717


def find_classes(
    choices: Mapping[str, Counter[Choice]], elided: frozenset[str] = frozenset()
) -> dict[str, str]:
    """The class of each target word in ``choices``: ``0`` for the largest, and so on.

    Words in ``elided`` take no part in finding the classes, since the translator writes other
    words before them for another reason (*son amie*). Words of uncertain class are missing.
    """
    table = _ChoiceTable.of(choices)
    if not table.words:
        return {}
    fit = table.counts.sum(axis=1) >= LEAST_SEEN
    fit &= np.array([word not in elided for word in table.words])
    if fit.sum() < LEAST_WORDS:
        return dict.fromkeys(table.words, "0")
    sample = table.rows(fit)
    shares = _mixture(sample)
    merged = _merge(sample, shares)
    least = SMALLEST_GROUP * len(shares)  # of the groups that are no class, the largest is one
    groups = [group for group in merged if shares[:, group].sum() >= least] or merged[:1]
    shares = np.stack([shares[:, group].sum(axis=1) for group in groups], axis=1)
    apart = np.array([word in elided for word in table.words])
    return _classify(table, sample, shares, apart)


def classes_like(seeds: Mapping[str, str], words: Iterable[str]) -> dict[str, str]:
    """The class of each of ``words``: its own in ``seeds``, or that of seeds that end alike."""
    names = sorted(set(seeds.values()))
    marks = np.eye(len(names))
    learned = ClassEndings.learn((word, marks[names.index(label)]) for word, label in seeds.items())
    found = dict(seeds)
    for word in set(words) - set(seeds) if names else ():
        beliefs = np.exp(learned.log_likelihood(word))
        if beliefs.max() >= SURE:
            found[word] = names[int(beliefs.argmax())]
    return found


def _classify(
    table: _ChoiceTable, sample: _ChoiceTable, shares: Floats, apart: NDArray[np.bool_]
) -> dict[str, str]:
    """The class of every word of ``table`` from the shares of those in ``sample``.

    Words marked in ``apart`` have profiles of their own: begun with their endings alone.
    """
    if shares.shape[1] == 1:
        return dict.fromkeys(table.words, "0")
    logs = table.counts @ np.log(sample.profiles(shares)).T
    sure = shares.max(axis=1) >= CERTAIN
    learned = ClassEndings.learn(
        (word, row) for word, row, known in zip(sample.words, shares, sure, strict=True) if known
    )
    endings = np.stack([learned.log_likelihood(word) for word in table.words])
    posterior = _posterior(logs + endings)
    if apart.any():
        posterior[apart] = _begun_with(table.rows(apart), endings[apart])
    best, known = posterior.argmax(axis=1), posterior.max(axis=1) >= SURE
    return {
        word: str(label) for word, label, sure in zip(table.words, best, known, strict=True) if sure
    }


def _begun_with(table: _ChoiceTable, beliefs: Floats) -> Floats:
    """Posterior of the classes of ``table`` alone, from log P(class) of each of its words."""
    shares = _posterior(beliefs)
    for _ in range(ROUNDS_APART):
        shares = _posterior(table.counts @ np.log(table.profiles(shares)).T + beliefs)
    return shares


@dataclass(frozen=True)
class _ChoiceTable:
    """``counts`` (words, choices); ``context`` (choices,) numbers the English side of each."""

    words: list[str]
    counts: Floats
    context: NDArray[np.int64]

    @classmethod
    def of(cls, choices: Mapping[str, Counter[Choice]]) -> _ChoiceTable:
        english: Counter[str] = Counter()
        target: Counter[str] = Counter()
        for seen in choices.values():
            for (before, written), count in seen.items():
                english[before] += count
                target[written] += count
        contexts = {word: n for n, word in enumerate(_commonest(english, MOST_ENGLISH))}
        wanted = set(_commonest(target, MOST_TARGET))
        columns: dict[Choice, int] = {}
        words = sorted(choices)
        rows, places, values = [], [], []
        for row, word in enumerate(words):
            for choice, count in sorted(choices[word].items()):
                if choice[0] in contexts and choice[1] in wanted:
                    rows.append(row)
                    places.append(columns.setdefault(choice, len(columns)))
                    values.append(count)
        counts = np.zeros((len(words), len(columns)))
        counts[rows, places] = np.minimum(values, 50)  # a very frequent word is one witness
        return cls(words, counts, np.array([contexts[before] for before, _ in columns], np.int64))

    def rows(self, chosen: NDArray[np.bool_]) -> _ChoiceTable:
        """The table of the ``chosen`` words alone."""
        words = [word for word, taken in zip(self.words, chosen, strict=True) if taken]
        return _ChoiceTable(words, self.counts[chosen], self.context)

    def profiles(self, shares: Floats) -> Floats:
        """(classes, choices): P(written | English context, class), smoothed."""
        weights = shares.T @ self.counts + SMOOTHING
        totals = np.zeros((len(weights), int(self.context.max(initial=0)) + 1))
        for row, weight in zip(totals, weights, strict=True):
            np.add.at(row, self.context, weight)
        profile: Floats = weights / totals[:, self.context]
        return profile


def _commonest(counts: Counter[str], most: int) -> list[str]:
    return [word for word, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:most]]


def _mixture(table: _ChoiceTable) -> Floats:
    """(words, groups): posterior of the best of several runs of expectation maximisation."""
    rng = np.random.default_rng(SEED)
    best, shares = -np.inf, np.ones((len(table.words), 1))
    for _ in range(STARTS):
        started = rng.dirichlet(np.full(GROUPS, 0.3), len(table.words))
        likelihood, found = _maximise(table, started)
        if likelihood > best:
            best, shares = likelihood, found
    return shares


def _maximise(table: _ChoiceTable, shares: Floats) -> tuple[float, Floats]:
    likelihood = -np.inf
    for _ in range(ROUNDS):
        logs = table.counts @ np.log(table.profiles(shares)).T + np.log(shares.mean(axis=0) + 1e-9)
        shares = _posterior(logs)
        top = logs.max(axis=1)
        likelihood = float((top + np.log(np.exp(logs - top[:, None]).sum(axis=1))).sum())
    return likelihood, shares


def _posterior(logs: Floats) -> Floats:
    weights = np.exp(logs - logs.max(axis=1, keepdims=True))
    posterior: Floats = weights / weights.sum(axis=1, keepdims=True)
    return posterior


def _merge(table: _ChoiceTable, shares: Floats) -> list[list[int]]:
    """Groups of the columns of ``shares`` that the translator does not tell apart; largest first.

    The two most alike are merged first, and compared again as one.
    """
    groups = [[column] for column in range(shares.shape[1])]
    while len(groups) > 1:
        pooled = np.stack([shares[:, group].sum(axis=1) for group in groups], axis=1)
        likeness = _likeness(table, pooled)
        first, other = np.unravel_index(int(likeness.argmax()), likeness.shape)
        if likeness[first, other] <= 1 - TOLD_APART:
            break
        groups[int(first)] += groups.pop(int(other))
    return sorted(groups, key=lambda group: -shares[:, group].sum())


def _likeness(table: _ChoiceTable, shares: Floats) -> Floats:
    """(groups, groups), upper triangle: share of their common contexts in which two are alike."""
    profiles = table.profiles(shares)
    counts = shares.T @ table.counts
    contexts = int(table.context.max(initial=0)) + 1
    seen = np.stack([np.bincount(table.context, row, minlength=contexts) for row in counts])
    weight = seen / (seen.sum(axis=1, keepdims=True) + 1e-9)
    size = len(profiles)
    likeness = np.full((size, size), -1.0)
    for first in range(size):
        for other in range(first + 1, size):
            overlap = np.bincount(table.context, np.sqrt(profiles[first] * profiles[other]))
            common = np.minimum(weight[first], weight[other])
            common[np.minimum(seen[first], seen[other]) < LEAST_IN_CONTEXT] = 0
            alike = float(common[overlap >= ALIKE].sum())
            likeness[first, other] = alike / common.sum() if common.any() else 1.0
    return likeness


class ClassEndings:
    """P(class | ending), from the longest ending seen, smoothed by the shorter ones."""

    def __init__(self, counts: Mapping[str, Floats], prior: Floats) -> None:
        self._counts = counts
        self._prior = prior

    @classmethod
    def learn(cls, known: Iterable[tuple[str, Floats]]) -> ClassEndings:
        """From words and the shares of their classes."""
        counts: dict[str, Floats] = defaultdict(lambda: np.zeros(1))
        total = np.zeros(1)
        for word, shares in known:
            total = total + shares
            for length in ENDINGS:
                counts[word[-length:]] = counts[word[-length:]] + shares
        return cls(dict(counts), total)

    def log_likelihood(self, word: str) -> Floats:
        """log P(class | ending of ``word``)."""
        prior = self._prior + 1.0
        belief: Floats = prior / prior.sum()
        for length in ENDINGS:
            seen = self._counts.get(word[-length:])
            if seen is not None:
                belief = (seen + 2 * belief) / (seen.sum() + 2)
        return np.log(belief)


def find_elided_words(befores: Mapping[str, Sequence[int]]) -> frozenset[str]:
    """Target words before which the translator find_elided_words (*l'*, *d'*), as it writes them.

    ``befores`` gives for each word how often an apostrophe stood right before it, and how often it
    was seen. Rare words go by the share of their first letter.
    """
    letters: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for word, (cut, seen) in befores.items():
        letters[word[:1]][0] += cut
        letters[word[:1]][1] += seen
    found = []
    for word, (cut, seen) in befores.items():
        with_letter, of_letter = letters[word[:1]]
        usual = with_letter / of_letter
        if usual >= MIXED_LETTER and (cut + SHRINK * usual) / (seen + SHRINK) >= MIXED_LETTER:
            found.append(word)
    return frozenset(found)


MIXED_LETTER = 0.08
"""Share of apostrophes before a word, or before a letter, above which it find_elided_words."""
SHRINK = 4
"""Sightings that the share of the first letter counts for."""
