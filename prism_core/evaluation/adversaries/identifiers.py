"""Attacks that look for names and numbers of the archive in what was sent, or miss names there.

Entry: ``attack_identifiers``: each is looked for, however disguised. ``attack_absence``: each class
of public names, then ordinary words that are names too. Whoever knows the lists that surrogates and
substitutes are drawn from knows how often each name was to be expected. One that stays out for long
is suspected, whether it never came or stopped coming at some night: that may be when a client first
came in.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from random import Random

from prism_core.evaluation.adversaries.base import CandidatePool, Case, Hidden, SentRequest, Words
from prism_core.evaluation.findings import Finding, share
from prism_core.evaluation.surviving import GoldNames
from prism_core.identifiers import normalise, squash

_LEAST = 4
"""Minimum letters or digits of text that is searched for inside other words."""
_TOGETHER = 3
"""Number of tokens that are read as one: names spelled apart."""
_DIGITS = re.compile(r"\d")
_MOST_OF_CLOSED_SETS = 4
"""Maximum digits of numbers of which any may be drawn, itself too (docs/privacy.md)."""


def attack_identifiers(case: Case, rng: Random) -> Iterator[Finding]:
    """Search each name and number of a sentence in what was sent of it.

    ``exact``: as it is written. ``disguised``: case, accents, invisible letters, spacing, hyphens
    and apostrophes, other signs between digits, and reversal are seen through. Short numbers are
    not looked for where one was drawn: any may stand there. Chance: how often the same are found in
    what was sent of some other sentence.
    """
    real = case.real
    private = [case.originals[shown.original or 0].words for shown in real]
    sent = [shown.request.tokens for shown in real]
    telling = [_without_drawn_numbers(shown) for shown in real]
    # Names are found without any of the detectors that protect (see ``surviving``).
    archive = [" ".join(original.words) for original in case.originals]
    gold = GoldNames.of(archive, case.public.ordinary, case.public.names)
    wanted = [gold.within(" ".join(words)) for words in private]
    numbers = [
        {word for word in words if len(_DIGITS.findall(word)) > 1}  # one alone stands everywhere
        for words in private
    ]
    for kind, groups, seen in (("names", wanted, sent), ("numbers", numbers, telling)):
        other = _deal_others(seen, rng)
        for attack, is_shown in (
            ("exact", lambda wanted, tokens: wanted in tokens),
            ("disguised", _shows_disguised),
        ):
            n = sum(map(len, groups))
            hits, blind = (
                sum(
                    is_shown(member, text)
                    for group, text in zip(groups, texts, strict=True)
                    for member in group
                )
                for texts in (seen, other)
            )
            yield share(f"surviving-{kind}-{attack}", hits, blind / max(n, 1), n)


def _without_drawn_numbers(shown: SentRequest) -> Words:
    return tuple(
        token
        for place, token in enumerate(shown.request.tokens)
        if place not in shown.replaced
        or not 0 < len(_DIGITS.findall(token)) <= _MOST_OF_CLOSED_SETS
    )


def _deal_others(sent: Sequence[Words], rng: Random) -> list[Words]:
    """Deal for each place the text sent at some other, never its own; nothing if it is alone."""
    order = list(range(len(sent)))
    rng.shuffle(order)
    others = list(sent)
    for place, after in zip(order, order[1:] + order[:1], strict=True):
        others[place] = sent[after]
    return others if len(sent) > 1 else [() for _ in sent]


def _shows_disguised(wanted: str, tokens: Sequence[str]) -> bool:
    """Return True if ``wanted`` is a token, or a few adjacent ones joined."""
    form = squash(wanted)
    forms = [squash(token) for token in map(normalise, tokens)]
    shown = {
        "".join(forms[start : start + length])
        for length in range(1, _TOGETHER + 1)
        for start in range(len(forms) - length + 1)
    }
    if form in shown or (len(form) >= _LEAST and form[::-1] in shown):
        return True
    return len(form) >= _LEAST and any(form in squashed for squashed in map(squash, tokens))


RECALL = 0.5
"""Share of the archive's names at which the number of right suspicions is stated."""


def attack_absence(case: Case, _rng: Random) -> Iterator[Finding]:
    """Measure how many of the names that were silent longest the archive holds."""
    tokens = [token.lower() for sent in case.sent for token in sent.request.tokens]
    held = frozenset(form.lower() for form in case.named)
    for kind, names in case.public.dictionary.names.items():
        listed = frozenset(name.lower() for name in names)
        yield rank_silent(f"absent-{kind.lower()}", silence_of_names(tokens, listed), held)
    capitals = frozenset(form.lower() for form in case.named if not form.islower())
    yield rank_silent("absent-word", silence_of_words(case.hidden), capitals)


def silence_of_names(tokens: Iterable[str], names: frozenset[str]) -> dict[str, float]:
    """Return how often each of ``names`` was expected in ``tokens`` since it last came."""
    drawn = [token for token in tokens if token in names]
    last = {name: place for place, name in enumerate(drawn, start=1)}
    return {name: (len(drawn) - last.get(name, 0)) / len(names) for name in names}


def silence_of_words(drawn: Iterable[Hidden]) -> dict[str, float]:
    """Return the same for each word of the pools of ``drawn``, in the order of sending."""
    ordered = list(drawn)
    of_word: dict[str, list[CandidatePool]] = defaultdict(list)
    for pool in dict.fromkeys(hidden.pool for hidden in ordered):
        for word in pool.order:
            of_word[word].append(pool)
    since, silence = Counter[CandidatePool](), dict[str, float]()

    def expected(word: str) -> float:
        return sum(since[pool] / len(pool) for pool in of_word[word])

    for hidden in reversed(ordered):
        if hidden.substitute not in silence:
            silence[hidden.substitute] = expected(hidden.substitute)
        since[hidden.pool] += 1
    return {word: silence[word] if word in silence else expected(word) for word in of_word}


def rank_silent(attack: str, silence: Mapping[str, float], held: frozenset[str]) -> Finding:
    """Return the precision at ``RECALL`` of the longest silent words; ties are broken at random."""
    there = len(held & silence.keys())
    wanted = left = math.ceil(RECALL * there)
    guesses = 0.0
    for _, group in groupby(sorted(silence, key=lambda one: -silence[one]), silence.__getitem__):
        equal = list(group)
        right = len(held.intersection(equal))
        tried = min(left / right, 1.0) if right else float(left > 0)
        guesses, left = guesses + tried * len(equal), left - min(left, right)
        if not left:
            break
    if not there:
        return Finding(attack, 0.0, 0.0, 0)
    return Finding(attack, wanted / guesses, there / len(silence), len(silence), guesses)
