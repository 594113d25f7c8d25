"""The same sentence night after night: what fresh draws would give away, and stored ones do not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from random import Random

from prism_core.evaluation.adversaries.base import Case, Repeated
from prism_core.evaluation.chance import Finding, share
from prism_core.record import Kind

MOST_SHAPES = 100
"""Numbers of one or two digits: few enough to see which never comes."""


class Repeating:
    """Sends of one sentence are laid side by side, with what is stored and with fresh draws.

    ``stored``: every night sends the same bytes, as PRISM does, so the most frequent substitute is
    the only one. ``fresh``: every night draws anew; the most frequent substitute is taken for the
    word. ``missing``: a surrogate number is never the number itself, so of short numbers the one
    that never comes is the one. Chance: a blind guess.
    """

    name = "repeating"
    matters: frozenset[str] = frozenset()

    def attack(self, case: Case, rng: Random) -> Iterable[Finding]:
        """Of words by majority, of short numbers by what is missing."""
        words = [one for one in case.repeated if one.kind is Kind.WORD]
        numbers = [one for one in case.repeated if _is_short_number(one)]
        blind = _blind(words)
        yield share("repeat-stored", sum(_stored(one) for one in words), blind, len(words))
        yield share("repeat-fresh", sum(_majority(one, rng) for one in words), blind, len(words))
        blind = sum(1 / (one.choices - 1) for one in numbers) / max(len(numbers), 1)
        for attack, nights in (("stored", 1), ("fresh", None)):
            hits = sum(_missing(one.word, one.draws[:nights]) for one in numbers)
            yield share(f"repeat-number-{attack}", hits, blind, len(numbers))


def _is_short_number(one: Repeated) -> bool:
    return one.kind is Kind.NUMBER and one.word.isdecimal() and one.choices <= MOST_SHAPES


def _stored(one: Repeated) -> bool:
    return one.draws[0].lower() == one.word.lower()


def _majority(one: Repeated, rng: Random) -> bool:
    counts = Counter(draw.lower() for draw in one.draws)
    most = max(counts.values())
    guess = rng.choice(sorted(draw for draw, count in counts.items() if count == most))
    return guess == one.word.lower()


def _missing(word: str, draws: Sequence[str]) -> float:
    """The probability that a blind choice among the numbers that never came is ``word``."""
    seen = set(draws)
    left = [one for one in _alike(len(word)) if one not in seen]
    return 1 / len(left) if word in left else 0.0


def _alike(digits: int) -> list[str]:
    """All numbers of so many digits; longer ones begin with no zero."""
    first = 10 ** (digits - 1) if digits > 1 else 0
    return [str(number) for number in range(first, 10**digits)]


def _blind(repeated: Sequence[Repeated]) -> float:
    return sum(1 / one.choices for one in repeated) / max(len(repeated), 1)
