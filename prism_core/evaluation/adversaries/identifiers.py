"""Names and numbers of the archive that are to be read in what was sent, however disguised."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from random import Random

from prism_core.evaluation.adversaries.base import Case, SentRequest, Words
from prism_core.evaluation.findings import Finding, share
from prism_core.evaluation.surviving import GoldNames
from prism_core.identifiers import normalise, squash

_LEAST = 4
"""Letters or digits of what is looked for inside other words: shorter runs stand anywhere."""
_TOGETHER = 3
"""Tokens that are read as one: names spelled apart."""
_DIGITS = re.compile(r"\d")
_MOST_OF_CLOSED_SETS = 4
"""Digits of numbers of which any may be drawn, itself too (docs/privacy.md)."""


def attack_identifiers(case: Case, rng: Random) -> Iterator[Finding]:
    """Each name and each number of a sentence is looked for in what was sent of it.

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
    """For each place what was sent in some other; never its own, and nothing where it is alone."""
    order = list(range(len(sent)))
    rng.shuffle(order)
    others = list(sent)
    for place, after in zip(order, order[1:] + order[:1], strict=True):
        others[place] = sent[after]
    return others if len(sent) > 1 else [() for _ in sent]


def _shows_disguised(wanted: str, tokens: Sequence[str]) -> bool:
    """Whether ``wanted`` is a token, or a few neighbours without what stands between them."""
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
