"""Attacks on x_pub by an adversary who knows the code, dictionary and settings, but not H.

Each says how often the attack is right, and how often it would be if the substitute told nothing
but its pool: blind guessing within the pool, by what is known of words anyway.

Entry: ``attack_places``, ``attack_originals`` and ``attack_document_order``; the last two ask
``attack_words`` and ``attack_order``, which try one attack after the other.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from random import Random

import numpy as np

from prism_core.evaluation.adversaries.base import Array, CandidatePool, Case, Hidden
from prism_core.evaluation.findings import Deal, Finding, share, share_of_deals

_POOLS = 512
"""Number of different sets of pools whose words are cached."""


@dataclass(frozen=True, slots=True)
class OrderUnit:
    """Unit that an attack by order looks at, by the key of each replaced word."""

    name: str
    key: Callable[[Hidden], Hashable]


DRAW = OrderUnit("draw", lambda word: word.draw)
"""Words drawn together."""
DOCUMENT = OrderUnit("document", lambda word: word.document)
WAVE = OrderUnit("wave", lambda _: None)
"""Whole archive, where nobody can tell which sentences belong to one document."""


def attack_words(hidden: Sequence[Hidden]) -> Iterator[Finding]:
    """Yield the attacks that look at each substitute alone, or at equal ones."""
    nameable = [word for word in hidden if word.by_name]
    yield guess_itself(nameable)
    yield guess_by_dictionary(nameable)
    yield guess_by_frequency(nameable)
    yield learn_from_known(nameable)
    yield link_by_substitute(hidden)


def attack_order(hidden: Sequence[Hidden], unit: OrderUnit) -> Iterator[Finding]:
    """Yield the attacks by order within a ``unit``, each named ``ATTACK@UNIT``."""
    nameable = [word for word in hidden if word.by_name]
    for attack in (pair_by_rank, link_by_rank, correlate_ranks):
        found = attack(nameable, unit)
        yield replace(found, attack=f"{found.attack}@{unit.name}")


def locate_substitutes(
    guessed: Collection[Hashable], replaced: Collection[Hashable], tokens: int
) -> tuple[Finding, Finding]:
    """Measure precision and recall of ``guessed`` places of substitutes, among ``tokens`` places.

    Chance is what as many blind guesses reach: the replaced share of the tokens, and the guessed
    share of them.
    """
    right = len(set(guessed) & set(replaced))
    return (
        share("position-precision", right, len(replaced) / max(tokens, 1), len(guessed)),
        share("position-recall", right, len(guessed) / max(tokens, 1), len(replaced)),
    )


def guess_itself(hidden: Sequence[Hidden]) -> Finding:
    """Take the substitute for the original. Chance: a random word of the pool."""
    hits = sum(word.word == word.substitute for word in hidden)
    return share("who-itself", hits, _blind(hidden), len(hidden))


def guess_by_dictionary(hidden: Sequence[Hidden]) -> Finding:
    """Guess by the dictionary alone: the words under which the substitute is most probable.

    Among equals blindly, so hits are counted by their expected value. Chance: one word of the
    pool, blindly. A word makes its substitute the more probable the smaller its pool is.
    """
    hits = sum(_evenly(word.word, _weakest(word.possible)) for word in hidden)
    return share("who-weak", hits, _blind(hidden), len(hidden))


def guess_by_frequency(hidden: Sequence[Hidden]) -> Finding:
    """Guess the most probable word by the dictionary and the frequencies of public text.

    Chance: the most frequent word of the pool, which takes no look at the substitute.
    """
    chance = sum(_evenly(word.word, word.pool.likeliest) for word in hidden) / max(len(hidden), 1)
    hits = sum(_evenly(word.word, _most_frequent(word.possible)) for word in hidden)
    return share("who-frequent", hits, chance, len(hidden))


def find_narrowed(hidden: Iterable[Hidden]) -> Finding:
    """Measure the share of substitutes behind which fewer words may stand than their pool has.

    Such a substitute is in no pool but those of words whose own class is too small for one. Chance:
    none, as every word of a pool draws from it.
    """
    # Less probable under all words together than under a whole pool.
    narrowed = [
        sum(len(pool.hidden) / len(pool) for pool in word.possible) < 1 - 1e-9
        for word in hidden
        if word.by_name
    ]
    return share("who-narrowed", sum(narrowed), 0.0, len(narrowed))


def learn_from_known(hidden: Sequence[Hidden]) -> Finding:
    """Learn from documents whose originals got known: guess the word seen with a substitute.

    Learned on the documents of even number, tried on the odd ones, where the substitute was seen.
    Chance: the same guesses dealt out anew within each pool.
    """
    seen: dict[tuple[CandidatePool, str], Counter[str]] = defaultdict(Counter)
    for word in hidden:
        if word.document % 2 == 0:
            seen[word.pool, word.substitute][word.word] += 1
    tried = [word for word in hidden if word.document % 2 and (word.pool, word.substitute) in seen]
    guesses = {key: counts.most_common(1)[0][0] for key, counts in seen.items()}
    return share_of_deals(
        "who-learned",
        (
            [(member.word, guesses[member.pool, member.substitute]) for member in group]
            for group in _groups(tried, lambda word: word.pool)
        ),
    )


def pair_by_rank(hidden: Sequence[Hidden], unit: OrderUnit) -> Finding:
    """Pair known originals and substitutes of a unit by their rank.

    Per unit and pool. Chance: paired blindly.
    """
    deals: list[Deal] = []
    for group in _groups(hidden, lambda word: (unit.key(word), word.pool)):
        ranks = group[0].pool.ranks
        ranked = sorted(group, key=lambda word, ranks=ranks: ranks[word.substitute])  # type: ignore[misc]
        known = sorted((member.word for member in group), key=ranks.__getitem__)
        deals.append([(word.word, guess) for word, guess in zip(ranked, known, strict=True)])
    return share_of_deals("who-strong", deals)


def link_by_substitute(hidden: Sequence[Hidden]) -> Finding:
    """Take one substitute in two places of different draws for one original.

    Chance: as many pairs of places in each pool, blindly.
    """
    hits, pairs, expected = 0, 0, 0.0
    for group in _groups(hidden, lambda word: word.pool):
        equal = _pairs(group, lambda word: word.substitute)
        hits += _pairs(group, lambda word: (word.substitute, word.word))
        pairs += equal
        if equal:
            same, both = _pairs(group, lambda word: word.word), _pairs(group, lambda _: None)
            expected += equal * same / both
    return share("linkage-substitute", hits, expected / max(pairs, 1), pairs)


def link_by_rank(hidden: Sequence[Hidden], unit: OrderUnit) -> Finding:
    """Take substitutes of a unit that are adjacent in order for one original.

    Per unit and pool. Chance: two places, blindly.
    """
    hits, pairs, expected = 0, 0, 0.0
    for group in _groups(hidden, lambda word: (unit.key(word), word.pool)):
        ranked = sorted(group, key=lambda word: word.pool.ranks[word.substitute])
        hits += sum(left.word == right.word for left, right in pairwise(ranked))
        same = sum(
            count * (count - 1) for count in Counter(member.word for member in group).values()
        )
        expected += same / len(group)
        pairs += len(group) - 1
    return share("linkage-rank", hits, expected / max(pairs, 1), pairs)


def correlate_ranks(hidden: Sequence[Hidden], unit: OrderUnit) -> Finding:
    """Measure Spearman's correlation of the rank of substitutes and the figure of originals.

    Per unit and pool.
    The mean over groups of two or more, each weighted by its size less one. Chance: 0.
    """
    total = weight = 0.0
    n = 0
    for group in _groups(hidden, lambda word: (unit.key(word), word.pool)):
        public = group[0].pool
        own = _ranks([public.order[member.word] for member in group])
        sent = _ranks([-public.ranks[member.substitute] for member in group])
        norm = float(np.sqrt((own @ own) * (sent @ sent)))
        if norm > 0:
            total += (len(group) - 1) * float(own @ sent) / norm
            weight += len(group) - 1
            n += len(group)
    spread = 1 / np.sqrt(weight) if weight else 1.0
    return Finding("order", total / weight if weight else 0.0, 0.0, n, spread=float(spread))


def _blind(hidden: Sequence[Hidden]) -> float:
    """Return the mean of 1 / |pool|."""
    return sum(1 / len(word.pool) for word in hidden) / max(len(hidden), 1)


def _evenly(word: str, guesses: Collection[str]) -> float:
    """Return the probability that a random choice among ``guesses`` is ``word``."""
    return 1 / len(guesses) if word in guesses else 0.0


@lru_cache(maxsize=_POOLS)
def _weakest(rivals: tuple[CandidatePool, ...]) -> frozenset[str]:
    """Return the words of the smallest of ``rivals``."""
    smallest = min(len(pool) for pool in rivals)
    return frozenset(word for pool in rivals if len(pool) == smallest for word in pool.hidden)


@lru_cache(maxsize=_POOLS)
def _most_frequent(rivals: tuple[CandidatePool, ...]) -> frozenset[str]:
    """Apply Bayes: frequency times the probability that the word has this substitute."""
    weights = {
        word: pool.prior.get(word, 0) / len(pool)
        for pool in rivals
        for word in (pool.likeliest if pool.likeliest <= pool.hidden else pool.hidden)
    }
    most = max(weights.values(), default=0.0)
    return frozenset(word for word, weight in weights.items() if weight == most)


def _groups(hidden: Iterable[Hidden], key: Callable[[Hidden], Hashable]) -> list[list[Hidden]]:
    groups: dict[Hashable, list[Hidden]] = defaultdict(list)
    for word in hidden:
        groups[key(word)].append(word)
    return list(groups.values())


def _pairs(group: Sequence[Hidden], key: Callable[[Hidden], Hashable]) -> int:
    """Count pairs of places of different draws that agree in ``key``."""
    counts = Counter(key(member) for member in group)
    within = Counter((member.draw, key(member)) for member in group)
    return sum(n * (n - 1) // 2 for n in counts.values()) - sum(
        n * (n - 1) // 2 for n in within.values()
    )


def _ranks(values: Sequence[float]) -> Array:
    """Return centred ranks; equal values share the mean of theirs."""
    _, places, counts = np.unique(np.array(values), return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts + 1) / 2)[places]
    return np.asarray(ranks - ranks.mean(), dtype=np.float64)


def attack_places(case: Case, _rng: Random) -> Iterable[Finding]:
    """Measure precision and recall of the places named by the mechanism's own public rules."""
    requests = list(enumerate(case.real))
    guessed = {(i, place) for i, sent in requests for place in sent.request.guessed}
    replaced = {(i, place) for i, sent in requests for place in sent.replaced}
    return locate_substitutes(
        guessed, replaced, sum(len(sent.request.tokens) for _, sent in requests)
    )


def attack_originals(case: Case, _rng: Random) -> Iterable[Finding]:
    """Guess the word behind each substitute, also by the order within what was drawn together."""
    yield from attack_words(case.hidden)
    yield from attack_order(case.hidden, DRAW)


def attack_narrowed_pools(case: Case, _rng: Random) -> Iterable[Finding]:
    """Find substitutes behind which fewer words may stand than the report says."""
    yield find_narrowed(case.hidden)


def attack_document_order(case: Case, _rng: Random) -> Iterable[Finding]:
    """Guess the same by the order of confidence of all words of a document.

    Where nobody can see which sentences are of one document, of all the archive.
    """
    return attack_order(case.hidden, DOCUMENT if case.ordered else WAVE)
