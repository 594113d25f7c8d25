"""Agreement classes, learned from a translator's output alone.

The agreement of a target word shows in the word that the translator writes before it, given the
word before the source word: for *the* it writes *le* before some nouns and *la* before others.
Words are grouped by these choices (a mixture of conditional multinomials), groups that a translator
treats alike are merged, and a word seen too rarely takes the class of words with the same ending.

Entry: ``find_classes``: a ``_ChoiceTable`` of choices, ``_fit_mixture``, ``_merge_groups``,
``_classify`` with ``ClassEndings``. ``infer_classes`` for plurals, ``find_elided_words`` for
elision.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Choice = tuple[str, str]
"""Word before the source word, and the word that the translator wrote before the target word."""

MOST_SOURCE, MOST_TARGET = 60, 120
"""Maximum number of contexts: the commonest on either side."""
LEAST_CHOICES = 8
"""Number of choices below which a word takes no part in finding the classes."""
LEAST_WORDS = 20
"""Number of such words below which there is one class."""
GROUPS = 8
"""Number of initial groups; similar ones are merged."""
SMALLEST_GROUP = 0.03
"""Share of the words below which a group is no class: its words go to the others."""
RESTARTS, ROUNDS, ROUNDS_APART = 12, 40, 5
SMOOTHING = 0.2
LEAST_OVERLAP = 0.45
"""Overlap (Bhattacharyya coefficient) below which two groups differ in a context.

Compared is the text that the translator writes before their words.
"""
LEAST_DISTINCT_SHARE = 0.25
"""Share of their common contexts in which two groups must differ to be two classes."""
LEAST_IN_CONTEXT = 5.0
LEAST_POSTERIOR, TEACHING_POSTERIOR = 0.6, 0.9
"""Posteriors above which a word is given a class, and above which it teaches the endings."""
ENDING_LENGTHS = (1, 2, 3, 4)
SEED = 20240717


def find_classes(
    choices: Mapping[str, Counter[Choice]], elided: frozenset[str] = frozenset()
) -> dict[str, str]:
    """Return the class of each target word in ``choices``: ``0`` for the largest, and so on.

    Words in ``elided`` take no part in finding the classes, since the translator writes other words
    before them for another reason (*son amie*). Words of uncertain class are missing.
    """
    table = _ChoiceTable.build(choices)
    if not table.words:
        return {}
    fit = table.counts.sum(axis=1) >= LEAST_CHOICES
    fit &= np.array([word not in elided for word in table.words])
    if fit.sum() < LEAST_WORDS:
        return dict.fromkeys(table.words, "0")
    sample = table.select_rows(fit)
    shares = _fit_mixture(sample)
    merged = _merge_groups(sample, shares)
    least = SMALLEST_GROUP * len(shares)  # of the groups that are no class, the largest is one
    groups = [group for group in merged if shares[:, group].sum() >= least] or merged[:1]
    shares = np.stack([shares[:, group].sum(axis=1) for group in groups], axis=1)
    apart = np.array([word in elided for word in table.words])
    return _classify(table, sample, shares, apart)


def infer_classes(seeds: Mapping[str, str], words: Iterable[str]) -> dict[str, str]:
    """Return the class of each of ``words``: from ``seeds``, or that of seeds with its ending."""
    names = sorted(set(seeds.values()))
    marks = np.eye(len(names))
    learned = ClassEndings.learn((word, marks[names.index(label)]) for word, label in seeds.items())
    found = dict(seeds)
    for word in set(words) - set(seeds) if names else ():
        beliefs = np.exp(learned.log_likelihood(word))
        if beliefs.max() >= LEAST_POSTERIOR:
            found[word] = names[int(beliefs.argmax())]
    return found


def _classify(
    table: _ChoiceTable, sample: _ChoiceTable, shares: Floats, apart: NDArray[np.bool_]
) -> dict[str, str]:
    """Return the class of every word of ``table`` from the shares of those in ``sample``.

    Words marked in ``apart`` have profiles of their own, initialised by their endings alone.
    """
    if shares.shape[1] == 1:
        return dict.fromkeys(table.words, "0")
    logs = table.counts @ np.log(sample.compute_profiles(shares)).T
    sure = shares.max(axis=1) >= TEACHING_POSTERIOR
    learned = ClassEndings.learn(
        (word, row) for word, row, known in zip(sample.words, shares, sure, strict=True) if known
    )
    endings = np.stack([learned.log_likelihood(word) for word in table.words])
    posterior = _normalise(logs + endings)
    if apart.any():
        posterior[apart] = _classify_from_endings(table.select_rows(apart), endings[apart])
    best, known = posterior.argmax(axis=1), posterior.max(axis=1) >= LEAST_POSTERIOR
    return {
        word: str(label) for word, label, sure in zip(table.words, best, known, strict=True) if sure
    }


def _classify_from_endings(table: _ChoiceTable, beliefs: Floats) -> Floats:
    """Return the posterior of the classes of ``table`` alone, from log P(class) of each word."""
    shares = _normalise(beliefs)
    for _ in range(ROUNDS_APART):
        shares = _normalise(table.counts @ np.log(table.compute_profiles(shares)).T + beliefs)
    return shares


@dataclass(frozen=True)
class _ChoiceTable:
    """Table ``counts`` (words, choices); ``context`` (choices,) numbers the source side of each."""

    words: list[str]
    counts: Floats
    context: NDArray[np.int64]

    @classmethod
    def build(cls, choices: Mapping[str, Counter[Choice]]) -> _ChoiceTable:
        source_words: Counter[str] = Counter()
        target: Counter[str] = Counter()
        for seen in choices.values():
            for (before, written), count in seen.items():
                source_words[before] += count
                target[written] += count
        contexts = {
            word: index for index, word in enumerate(_select_commonest(source_words, MOST_SOURCE))
        }
        wanted = set(_select_commonest(target, MOST_TARGET))
        columns: dict[Choice, int] = {}
        words = sorted(choices)
        row_indices, column_indices, values = [], [], []
        for row, word in enumerate(words):
            for choice, count in sorted(choices[word].items()):
                if choice[0] in contexts and choice[1] in wanted:
                    row_indices.append(row)
                    column_indices.append(columns.setdefault(choice, len(columns)))
                    values.append(count)
        counts = np.zeros((len(words), len(columns)))
        counts[row_indices, column_indices] = np.minimum(
            values, 50
        )  # a very frequent word is one witness
        return cls(words, counts, np.array([contexts[before] for before, _ in columns], np.int64))

    def select_rows(self, chosen: NDArray[np.bool_]) -> _ChoiceTable:
        """Return the table of the ``chosen`` words alone."""
        words = [word for word, taken in zip(self.words, chosen, strict=True) if taken]
        return _ChoiceTable(words, self.counts[chosen], self.context)

    def compute_profiles(self, shares: Floats) -> Floats:
        """Compute P(written | source context, class), smoothed, as (classes, choices)."""
        weights = shares.T @ self.counts + SMOOTHING
        totals = np.zeros((len(weights), int(self.context.max(initial=0)) + 1))
        for row, weight in zip(totals, weights, strict=True):
            np.add.at(row, self.context, weight)
        profile: Floats = weights / totals[:, self.context]
        return profile


def _select_commonest(counts: Counter[str], most: int) -> list[str]:
    return [word for word, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:most]]


def _fit_mixture(table: _ChoiceTable) -> Floats:
    """Return the best posterior of several runs of expectation maximisation (words, groups)."""
    rng = np.random.default_rng(SEED)
    best, shares = -np.inf, np.ones((len(table.words), 1))
    for _ in range(RESTARTS):
        started = rng.dirichlet(np.full(GROUPS, 0.3), len(table.words))
        likelihood, found = _maximise(table, started)
        if likelihood > best:
            best, shares = likelihood, found
    return shares


def _maximise(table: _ChoiceTable, shares: Floats) -> tuple[float, Floats]:
    likelihood = -np.inf
    for _ in range(ROUNDS):
        logs = table.counts @ np.log(table.compute_profiles(shares)).T + np.log(
            shares.mean(axis=0) + 1e-9
        )
        shares = _normalise(logs)
        top = logs.max(axis=1)
        likelihood = float((top + np.log(np.exp(logs - top[:, None]).sum(axis=1))).sum())
    return likelihood, shares


def _normalise(logs: Floats) -> Floats:
    weights = np.exp(logs - logs.max(axis=1, keepdims=True))
    posterior: Floats = weights / weights.sum(axis=1, keepdims=True)
    return posterior


def _merge_groups(table: _ChoiceTable, shares: Floats) -> list[list[int]]:
    """Merge columns of ``shares`` that the translator does not distinguish; largest group first.

    The two most similar are merged first, and compared again as one.
    """
    groups = [[column] for column in range(shares.shape[1])]
    while len(groups) > 1:
        pooled = np.stack([shares[:, group].sum(axis=1) for group in groups], axis=1)
        likeness = _measure_likeness(table, pooled)
        first, other = np.unravel_index(int(likeness.argmax()), likeness.shape)
        if likeness[first, other] <= 1 - LEAST_DISTINCT_SHARE:
            break
        groups[int(first)] += groups.pop(int(other))
    return sorted(groups, key=lambda group: -shares[:, group].sum())


def _measure_likeness(table: _ChoiceTable, shares: Floats) -> Floats:
    """Measure the share of common contexts in which two groups are alike.

    The result is (groups, groups), upper triangle.
    """
    profiles = table.compute_profiles(shares)
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
            alike = float(common[overlap >= LEAST_OVERLAP].sum())
            likeness[first, other] = alike / common.sum() if common.any() else 1.0
    return likeness


class ClassEndings:
    """P(class | ending), from the longest ending seen, smoothed by the shorter ones."""

    def __init__(self, counts: Mapping[str, Floats], prior: Floats) -> None:
        self._counts = counts
        self._prior = prior

    @classmethod
    def learn(cls, known: Iterable[tuple[str, Floats]]) -> ClassEndings:
        """Learn from words and the shares of their classes."""
        counts: dict[str, Floats] = defaultdict(lambda: np.zeros(1))
        total = np.zeros(1)
        for word, shares in known:
            total = total + shares
            for length in ENDING_LENGTHS:
                counts[word[-length:]] = counts[word[-length:]] + shares
        return cls(dict(counts), total)

    def log_likelihood(self, word: str) -> Floats:
        """Return log P(class | ending of ``word``)."""
        prior = self._prior + 1.0
        belief: Floats = prior / prior.sum()
        for length in ENDING_LENGTHS:
            seen = self._counts.get(word[-length:])
            if seen is not None:
                belief = (seen + 2 * belief) / (seen.sum() + 2)
        return np.log(belief)


def find_elided_words(befores: Mapping[str, Sequence[int]]) -> frozenset[str]:
    """Find target words before which the translator elides (*l'*, *d'*), as it writes them.

    ``befores`` gives for each word how often an apostrophe stood right before it, and how often it
    was seen. Rare words follow the share of their first letter.
    """
    letters: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for word, (cut, seen) in befores.items():
        letters[word[:1]][0] += cut
        letters[word[:1]][1] += seen
    found = []
    for word, (cut, seen) in befores.items():
        with_letter, of_letter = letters[word[:1]]
        usual = with_letter / of_letter
        if (
            usual >= LEAST_APOSTROPHES
            and (cut + PRIOR_OCCURRENCES * usual) / (seen + PRIOR_OCCURRENCES) >= LEAST_APOSTROPHES
        ):
            found.append(word)
    return frozenset(found)


LEAST_APOSTROPHES = 0.08
"""Share of apostrophes before a word, or before a letter, above which it elides."""
PRIOR_OCCURRENCES = 4
"""Number of occurrences that the share of the first letter counts for."""
