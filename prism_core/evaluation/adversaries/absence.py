"""Names that never come: what an archive holds, told by its absence from what is sent.

Entry: ``attack_absence``: each class of public names, then ordinary words that are names too.

Whoever knows the lists that surrogates and substitutes are drawn from knows how often each name
was to be expected. One that stays out for long is suspected, whether it never came or stopped
coming at some night: that may be when a client first came in.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from random import Random

from prism_core.evaluation.adversaries.base import Case, Hidden, Pool
from prism_core.evaluation.findings import Finding

RECALL = 0.5
"""Share of the archive's names at which it is told how many of those suspected are."""


def attack_absence(case: Case, _rng: Random) -> Iterator[Finding]:
    """Of the names that were silent longest, how many the archive holds: its precision where half
    of them are found, beside the share of all on the list that it holds (``chance``)."""
    tokens = [token.lower() for sent in case.sent for token in sent.request.tokens]
    held = frozenset(form.lower() for form in case.named)
    for kind, names in case.public.dictionary.names.items():
        listed = frozenset(name.lower() for name in names)
        yield rank_silent(f"absent-{kind.lower()}", silence_of_names(tokens, listed), held)
    capitals = frozenset(form.lower() for form in case.named if not form.islower())
    yield rank_silent("absent-word", silence_of_words(case.hidden), capitals)


def silence_of_names(tokens: Iterable[str], names: frozenset[str]) -> dict[str, float]:
    """How often each of ``names`` was to be expected in ``tokens``, all in lower case, since it
    came last, where each is as likely as any other."""
    drawn = [token for token in tokens if token in names]
    last = {name: place for place, name in enumerate(drawn, start=1)}
    return {name: (len(drawn) - last.get(name, 0)) / len(names) for name in names}


def silence_of_words(drawn: Iterable[Hidden]) -> dict[str, float]:
    """The same for each word of the pools of ``drawn``, in the order of sending."""
    ordered = list(drawn)
    of_word: dict[str, list[Pool]] = defaultdict(list)
    for pool in dict.fromkeys(hidden.pool for hidden in ordered):
        for word in pool.order:
            of_word[word].append(pool)
    since, silence = Counter[Pool](), dict[str, float]()

    def expected(word: str) -> float:
        return sum(since[pool] / len(pool) for pool in of_word[word])

    for hidden in reversed(ordered):
        if hidden.substitute not in silence:
            silence[hidden.substitute] = expected(hidden.substitute)
        since[hidden.pool] += 1
    return {word: silence[word] if word in silence else expected(word) for word in of_word}


def rank_silent(attack: str, silence: Mapping[str, float], held: frozenset[str]) -> Finding:
    """The precision at ``RECALL`` of those silent longest; equals come in an order by chance.

    ``n`` is the length of the list, 0 where the archive holds none of it.
    """
    there = len(held & silence.keys())
    wanted = left = math.ceil(RECALL * there)
    guesses = 0.0
    for _, group in groupby(sorted(silence, key=lambda one: -silence[one]), silence.__getitem__):
        equal = list(group)
        right = len(held.intersection(equal))
        share = min(left / right, 1.0) if right else float(left > 0)
        guesses, left = guesses + share * len(equal), left - min(left, right)
        if not left:
            break
    if not there:
        return Finding(attack, 0.0, 0.0, 0)
    return Finding(attack, wanted / guesses, there / len(silence), len(silence), guesses)
